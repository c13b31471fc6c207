/* The progress bar on standard error, and an orderly end on Ctrl-C. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "base/file.h"
#include "cli.h"

static atomic_int cancel;
static struct { double started, shown; bool visible, terminal; } bar;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The first signal asks; the second, or two seconds without an answer (a read that waits, a library that does not look up), ends at once. Both
 * leave no half-written file. */
static void on_signal(int number) {
    if (number != SIGALRM && atomic_fetch_add(&cancel, 1) == 0) { alarm(2); return; }
    outputs_abandon_all();
    _exit(130);
}

static void show(void *self, const char *what, double share) {
    (void)self;
    double t = now();
    if (!bar.terminal || t - bar.started < 1 || t - bar.shown < 0.1) return;
    if (!(share >= 0 && share <= 1)) share = share > 1 ? 1 : 0;
    char filled[31] = "";
    for (int i = 0; i < 30; i++) filled[i] = (double)i < share * 30 ? '#' : '.';
    filled[30] = 0;
    int left = share > 0.01 ? (int)((t - bar.started) * (1 - share) / share + 0.5) : -1;
    if (left >= 0) fprintf(stderr, "\r\033[K%s [%s] %3d%%  %d:%02d left", what, filled, (int)(share * 100), left / 60, left % 60);
    else fprintf(stderr, "\r\033[K%s [%s] %3d%%", what, filled, (int)(share * 100));
    fflush(stderr);
    bar.shown = t;
    bar.visible = true;
}

const Progress *progress_start(bool quiet) {
    static const Progress progress = { .show = show, .cancel = &cancel };
    struct sigaction action = { .sa_handler = on_signal };
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGALRM, &action, NULL);
    bar.started = now();
    bar.terminal = !quiet && isatty(2);
    return &progress;
}

void progress_end(void) {
    if (bar.visible) fprintf(stderr, "\r\033[K");
    bar.visible = false;
}
