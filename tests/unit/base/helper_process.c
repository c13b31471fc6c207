/* Work in a process of its own: what comes back, and what ends there alone. */
#include "base/helper_process.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <iconv.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "testing.h"

typedef struct Case {
    Work *work;
    int pipe[2];
    int changed;
    Status answer;
} Case;

static Status writes(void *self) {
    Case *c = self;
    c->changed = 1;
    work_show(c->work, "within", 0.5);
    if (write(c->pipe[1], "x", 1) != 1) return fail(c->work->error, FAILED, "no pipe");
    return c->answer ? fail(c->work->error, c->answer, "as asked, %d", 7) : OK;
}
static Status crashes(void *self) {
    (void)self;
    raise(SIGSEGV);
    return OK;
}
static Status aborts(void *self) {
    (void)self;
    abort();
}
static Status says(void *self) {
    Case *c = self;
    if (fputs("a library's remark\n", stderr) < 0) return FAILED;
    return c->answer;
}
static Status loses(void *self) {
    (void)self;
    memory_lost_note();
    return OK;
}
static Status sleeps(void *self) {
    Case *c = self;
    work_show(c->work, "within", 0.5);
    while (pause()) continue;
    return OK;
}

typedef struct Host {
    Arena *arena;
    Error error;
    Work work;
} Host;
static void host_begin(Host *h) {
    *h = (Host){ .arena = arena_new(), .error = ERROR_NONE };
    h->work = (Work){ .arena = h->arena, .error = &h->error, .threads = 1 };
}

static void what_it_writes_comes_back(void **state) {
    (void)state;
    Host h;
    host_begin(&h);
    Case c = { .work = &h.work };
    char byte = 0;
    assert_int_equal(pipe(c.pipe), 0);
    assert_int_equal(helper_run(&h.work, "writing", writes, &c), OK);
    assert_int_equal(read(c.pipe[0], &byte, 1), 1);
    assert_int_equal(byte, 'x');
    assert_int_equal(c.changed, 0); /* it was a copy */
    c.answer = BAD;
    assert_int_equal(helper_run(&h.work, "writing", writes, &c), BAD);
    assert_string_equal(h.error.message, "as asked, 7");
    close(c.pipe[0]);
    close(c.pipe[1]);
    arena_free(h.arena);
}

static void what_ends_it_ends_it_alone(void **state) {
    (void)state;
    Host h;
    host_begin(&h);
    Status (*const bodies[])(void *) = { crashes, aborts, loses };
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        h.error = ERROR_NONE;
        assert_int_equal(helper_run(&h.work, "writing", bodies[i], NULL), FAILED);
        assert_non_null(strstr(h.error.message, "out of memory"));
    }
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* none is left */
    assert_false(memory_lost());
    arena_free(h.arena);
}

static void a_host_that_takes_every_child_is_borne(void **state) {
    (void)state;
    Host h;
    host_begin(&h);
    Case c = { .work = &h.work };
    assert_int_equal(pipe(c.pipe), 0);
    void (*old)(int) = signal(SIGCHLD, SIG_IGN);
    assert_int_equal(helper_run(&h.work, "writing", writes, &c), OK);
    assert_int_equal(helper_run(&h.work, "writing", crashes, NULL), FAILED);
    signal(SIGCHLD, old);
    close(c.pipe[0]);
    close(c.pipe[1]);
    arena_free(h.arena);
}

static void ask_to_stop(void *self, const char *what, double share) {
    (void)what;
    (void)share;
    atomic_store((atomic_int *)self, 1);
}
static void it_stops_when_asked(void **state) {
    (void)state;
    Host h;
    host_begin(&h);
    atomic_int cancel = 0;
    Progress progress = { .show = ask_to_stop, .self = &cancel, .cancel = &cancel };
    h.work.progress = &progress;
    Case c = { .work = &h.work };
    assert_int_equal(helper_run(&h.work, "writing", sleeps, &c), INTERRUPTED);
    assert_int_equal(helper_run(&h.work, "writing", sleeps, &c), INTERRUPTED); /* before it began */
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    arena_free(h.arena);
}

/* Threads of a host that tell the time, or convert texts, hold a lock, which a child has for ever if it was held at its birth. */
static atomic_bool enough;
static bool converts(void) {
    iconv_t with = iconv_open("UTF-8", "UTF-16");
    if (with == (iconv_t)-1) return false;
    iconv_close(with);
    return true;
}
static void *tells_the_time(void *self) {
    time_t now = 0;
    struct tm parts;
    while (!atomic_load(&enough)) {
        localtime_r(&now, &parts);
        if (self) converts();
    }
    return self;
}
static Status asks_the_time(void *self) {
    time_t now = 0;
    struct tm parts;
    (void)self;
    return gmtime_r(&now, &parts) && converts() ? OK : FAILED;
}
static void locks_of_the_host_are_no_trap(void **state) {
    (void)state;
    Host h;
    pthread_t thread[2];
    host_begin(&h);
    atomic_store(&enough, false);
    for (int i = 0; i < 2; i++) assert_int_equal(pthread_create(&thread[i], NULL, tells_the_time, i ? &h : NULL), 0);
    alarm(120); /* where a child hangs, so does this */
    for (int i = 0; i < 10; i++) assert_int_equal(helper_run(&h.work, "writing", asks_the_time, NULL), OK);
    alarm(0);
    atomic_store(&enough, true);
    for (int i = 0; i < 2; i++) pthread_join(thread[i], NULL);
    arena_free(h.arena);
}

/* A child that takes long to begin, and does so when its parent has just given it up: another one does the work. */
static int forks = -1, signals; /* none is counted */
static void one_more(void) { forks += forks >= 0; }
static void be_late(void) {
    if (forks == 1) usleep(70000);
}
long syscall(long number, ...) {
    va_list more;
    long a[6]; /* as many as any takes */
    va_start(more, number);
    for (int i = 0; i < 6; i++) a[i] = va_arg(more, long);
    va_end(more);
    if (number == SYS_pidfd_send_signal && !signals++) usleep(200000);
    long (*real)(long number, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
static void one_given_up_never_begins(void **state) {
    (void)state;
    Host h;
    host_begin(&h);
    assert_int_equal(pthread_atfork(one_more, NULL, be_late), 0);
    forks = signals = 0;
    assert_int_equal(helper_run(&h.work, "writing", asks_the_time, NULL), OK);
    assert_true(forks > 1 && signals);
    forks = -1;
    arena_free(h.arena);
}

static void shown(void *self, const char *what, double share) {
    assert_string_equal(what, "writing");
    *(double *)self = share;
}
static Status goes_on(void *self) {
    Case *c = self;
    work_show(c->work, "within", 0.5);
    usleep(60000);
    return OK;
}
static void how_far_it_is_is_shown(void **state) {
    (void)state;
    Host h;
    host_begin(&h);
    double share = 0;
    Progress progress = { .show = shown, .self = &share };
    h.work.progress = &progress;
    Case c = { .work = &h.work };
    assert_int_equal(helper_run(&h.work, "writing", goes_on, &c), OK);
    assert_true(share == 0.5);
    arena_free(h.arena);
}

static void libraries_say_nothing(void **state) {
    (void)state;
    Host h;
    host_begin(&h);
    Case c = { .work = &h.work };
    char byte;
    int kept = dup(STDERR_FILENO);
    assert_int_equal(pipe(c.pipe), 0);
    dup2(c.pipe[1], STDERR_FILENO);
    Status status = helper_run(&h.work, "writing", says, &c);
    dup2(kept, STDERR_FILENO);
    close(kept);
    close(c.pipe[1]);
    assert_int_equal(status, OK);
    assert_int_equal(read(c.pipe[0], &byte, 1), 0);
    close(c.pipe[0]);
    arena_free(h.arena);
}

/* ---- what a child sends ---- */

typedef struct Flow {
    Work *work;
    atomic_int *cancel;
    int64_t blocks, taken; /* how many it sends (-1: without end), and how many came */
    int64_t refuse, stop;  /* when the host refuses one, or asks it to stop */
    Status answer;
    bool crash, late;
} Flow;

static Status sends(void *self, SharedRing *to) {
    Flow *f = self;
    if (f->late) { /* it sends all, and is gone, while its host shows how far it is */
        work_show(f->work, "within", 0.5);
        usleep(60000);
    }
    for (int64_t i = 0; i != f->blocks; i++) {
        int64_t *block = (int64_t *)(void *)ring_block(to);
        for (size_t k = 0; k < RING_BLOCK / sizeof *block; k++) block[k] = i;
        ring_send(to, RING_BLOCK - (size_t)(i % 3) * 8);
    }
    if (f->crash) raise(SIGSEGV);
    return f->answer ? fail(f->work->error, f->answer, "as asked") : OK;
}

static Status takes(void *self, const char *bytes, size_t count) {
    Flow *f = self;
    const int64_t i = f->taken++;
    int64_t first, last;
    memcpy(&first, bytes, sizeof first);
    memcpy(&last, bytes + count - sizeof last, sizeof last);
    assert_true(count == RING_BLOCK - (size_t)(i % 3) * 8 && first == i && last == i);
    if (f->stop && f->taken == f->stop) {
        usleep(50000); /* a child that sends little is done by then */
        atomic_store(f->cancel, 1);
    }
    return f->refuse && f->taken == f->refuse ? fail(f->work->error, REFUSED, "enough") : OK;
}

static void dawdle(void *self, const char *what, double share) {
    (void)self, (void)what, (void)share;
    usleep(200000);
}

static void what_it_sends_is_taken(void **state) {
    (void)state;
    static const struct {
        Flow flow;
        Status want;
        int64_t taken;
    } cases[] = { { { .blocks = 0 }, OK, 0 },
                  { { .blocks = 50 }, OK, 50 },
                  { { .blocks = 50, .crash = true }, FAILED, 50 },
                  { { .blocks = 50, .answer = BAD }, BAD, 50 },
                  { { .blocks = -1, .refuse = 7 }, REFUSED, 7 },
                  { { .blocks = -1, .stop = 7 }, INTERRUPTED, 7 },
                  { { .blocks = 2, .stop = 1 }, INTERRUPTED, 1 },
                  { { .blocks = 3, .late = true }, OK, 3 } };
    for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
        Host h;
        host_begin(&h);
        atomic_int cancel = 0;
        Progress progress = { .show = dawdle, .cancel = &cancel };
        h.work.progress = &progress;
        Flow flow = cases[i / 2].flow;
        flow.work = &h.work;
        flow.cancel = &cancel;
        void (*old)(int) = signal(SIGCHLD, i % 2 ? SIG_IGN : SIG_DFL);
        assert_int_equal(helper_stream(&h.work, sends, takes, &flow), cases[i / 2].want);
        signal(SIGCHLD, old);
        assert_int_equal(flow.taken, cases[i / 2].taken);
        assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
        arena_free(h.arena);
    }
}

/* The same cases, block by block as they are asked for; two children at a time, of which the second is left after one block. */
static Status ask_all(HelperStream *stream, Work *work, Flow *flow) {
    const char *bytes;
    size_t count;
    for (;;) {
        Status status = helper_next(stream, work, &bytes, &count);
        if (status || !count) return status;
        if ((status = takes(flow, bytes, count))) return status;
    }
}
static void what_it_sends_is_asked_for(void **state) {
    (void)state;
    static const struct {
        Flow flow;
        Status want;
        int64_t taken;
    } cases[] = { { { .blocks = 0 }, OK, 0 },
                  { { .blocks = 50 }, OK, 50 },
                  { { .blocks = 50, .crash = true }, FAILED, 50 },
                  { { .crash = true }, FAILED, 0 },
                  { { .blocks = 50, .answer = BAD }, BAD, 50 },
                  { { .blocks = -1, .refuse = 7 }, REFUSED, 7 },
                  { { .blocks = -1, .stop = 7 }, INTERRUPTED, 7 } };
    for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
        Host h;
        host_begin(&h);
        atomic_int cancel = 0;
        Progress progress = { .cancel = &cancel };
        h.work.progress = &progress;
        Flow flow = cases[i / 2].flow, endless = { .work = &h.work, .blocks = -1 };
        flow.work = &h.work;
        flow.cancel = &cancel;
        HelperStream *stream = NULL, *other = NULL;
        const char *bytes;
        size_t count;
        void (*old)(int) = signal(SIGCHLD, i % 2 ? SIG_IGN : SIG_DFL);
        assert_int_equal(helper_open(&h.work, sends, &flow, &stream), OK);
        assert_int_equal(helper_open(&h.work, sends, &endless, &other), OK);
        assert_int_equal(helper_next(other, &h.work, &bytes, &count), OK);
        assert_int_equal(count, RING_BLOCK);
        const Status status = ask_all(stream, &h.work, &flow);
        assert_int_equal(status, cases[i / 2].want);
        if (status != REFUSED) assert_int_equal(ask_all(stream, &h.work, &flow), status); /* asked again, it says the same */
        helper_close(stream);
        helper_close(other);
        signal(SIGCHLD, old);
        assert_int_equal(flow.taken, cases[i / 2].taken);
        assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
        arena_free(h.arena);
    }
}

/* Standard streams that are closed are not needed, and not lent to anything. */
static void no_descriptor_is_needed(void **state) {
    (void)state;
    Host h;
    int kept[3];
    host_begin(&h);
    Flow flow = { .work = &h.work, .blocks = 9 };
    for (int i = 0; i < 3; i++) kept[i] = fcntl(i, F_DUPFD_CLOEXEC, 10);
    for (int i = 0; i < 3; i++) close(i);
    Status status = helper_stream(&h.work, sends, takes, &flow);
    for (int i = 0; i < 3; i++) {
        dup2(kept[i], i);
        close(kept[i]);
    }
    assert_int_equal(status, OK);
    assert_int_equal(flow.taken, 9);
    arena_free(h.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_it_writes_comes_back),
        cmocka_unit_test(what_ends_it_ends_it_alone),
        cmocka_unit_test(a_host_that_takes_every_child_is_borne),
        cmocka_unit_test(it_stops_when_asked),
        cmocka_unit_test(libraries_say_nothing),
        cmocka_unit_test(locks_of_the_host_are_no_trap),
        cmocka_unit_test(one_given_up_never_begins),
        cmocka_unit_test(how_far_it_is_is_shown),
        cmocka_unit_test(what_it_sends_is_taken),
        cmocka_unit_test(what_it_sends_is_asked_for),
        cmocka_unit_test(no_descriptor_is_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
