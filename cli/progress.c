/* The progress bar on standard error, and an orderly end on Ctrl-C. */
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#include "cli.h"

static scrim_cancel *cancel;
static atomic_int asked;
static struct {
    double started, shown;
    bool visible, terminal;
} bar;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The first signal asks; the second, or two seconds without an answer (a read that waits, a library that does not look up), ends at once.
 * Both leave no half-written file. */
static void on_signal(int number) {
    if (number == SIGXCPU && atomic_load(&asked)) return; /* it comes again each second; the alarm has the last word */
    if (number != SIGALRM && atomic_fetch_add(&asked, 1) == 0) {
        scrim_cancel_set(cancel);
        alarm(2);
        return;
    }
    scrim_abandon();
    _exit(SCRIM_INTERRUPTED);
}

static int show(void *self, const char *what, double share) {
    (void)self;
    double t = now();
    if (!bar.terminal || t - bar.started < 1 || t - bar.shown < 0.1) return 0;
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
    return 0;
}

void progress_start(bool quiet, scrim_host *host) {
    struct sigaction action = { .sa_handler = on_signal };
    cancel = scrim_cancel_new(); /* never freed: a signal may come as late as it likes */
    host->progress = show;
    host->cancel = cancel;
    bar.started = now();
    bar.terminal = !quiet && isatty(2);
    if (!cancel) return;
    static const int ends[] = { SIGINT, SIGTERM, SIGALRM, SIGHUP, SIGXCPU };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct sigaction before;
        bool ignored = !sigaction(ends[i], NULL, &before) && before.sa_handler == SIG_IGN && ends[i] == SIGHUP; /* nohup */
        if (!ignored) sigaction(ends[i], &action, NULL);
    }
}

void progress_end(void) {
    if (bar.visible) fprintf(stderr, "\r\033[K");
    bar.visible = false;
}
