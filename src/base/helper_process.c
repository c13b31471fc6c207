/* Work in a process of its own. The host may have threads, handlers and children: the child is made by fork() alone, which hands it an
 * allocator that works, and touches nothing of the host's but memory. */
#include "base/helper_process.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <iconv.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* How far a child is: it begins, or is given up, and never both. */
enum { WAITED_FOR, BEGUN, GIVEN_UP };
static bool becomes(atomic_int *child, int what) {
    int before = WAITED_FOR;
    return atomic_compare_exchange_strong(child, &before, what);
}

/* What both see. */
typedef struct Seen {
    _Atomic double share;
    atomic_int child;
    atomic_bool ended; /* the body has returned, and what follows is filled */
    Status status;
    Error error;
} Seen;

static void note_share(void *self, const char *what, double share) {
    (void)what;
    atomic_store(&((Seen *)self)->share, share);
}

/* A lock of the C library that another thread held at the fork is nobody's in the child, and never given back. Memory and streams are seen
 * to by fork() itself; those that libraries take besides (of the time zone, of rand, of iconv, of dlopen) the child takes before anything
 * else, so that one that would hang for ever hangs at once. */
static void try_locks(void) {
    time_t now = 0;
    struct tm parts;
    localtime_r(&now, &parts);
    iconv_t converts = iconv_open("UTF-8", "UTF-16");
    if (converts != (iconv_t)-1) iconv_close(converts);
    void *program = dlopen(NULL, RTLD_LAZY);
    if (program) dlclose(program);
}

/* A host's handlers would tell of a crash that is not the host's; a core would hold the records; libraries print what the host did not ask
 * for. */
static void leave_host(void) {
    int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nothing < 0 || dup2(nothing, STDERR_FILENO) < 0) _exit(1);
    static const int crashes[] = { SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE };
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) signal(crashes[i], SIG_DFL);
    setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
}

/* One body, and who waits for it. */
typedef struct Task {
    Work *work;
    const char *doing;
    Status (*body)(void *self);
    Status (*fill)(void *self, SharedRing *to); /* in its place, where what it sends is taken here */
    Status (*take)(void *self, const char *bytes, size_t count);
    void *self;
    Seen *seen;
    SharedRing *channel;
    Status taken; /* what `take` said */
    bool over;    /* the last block was taken */
} Task;

static Status do_body(const Task *t) {
    if (t->body) return t->body(t->self);
    Status status = t->fill(t->self, t->channel);
    ring_block(t->channel);
    ring_send(t->channel, 0);
    return status;
}

static _Noreturn void be_child(const Task *t, pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* first of all: nobody waits for an orphan, or ends one that hangs */
    if (getppid() != parent) _exit(1);
    try_locks();
    (void)rand(); /* here alone: what the host draws stays as it is */
    Seen *seen = t->seen;
    if (!becomes(&seen->child, BEGUN)) _exit(1);
    leave_host();
    Work *work = t->work;
    Progress progress = { .show = note_share, .self = seen, .cancel = work->progress ? work->progress->cancel : NULL };
    work->progress = &progress;
    seen->status = do_body(t);
    if (!seen->status && memory_lost()) seen->status = out_of_memory(work->error);
    if (work->error) seen->error = *work->error;
    atomic_store(&seen->ended, true);
    _exit(0);
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The blocks that are there, waiting so long for the first. */
static void take_blocks(Task *t, int milliseconds) {
    const char *bytes;
    size_t count;
    while (!t->over && !t->taken && !work_stopped(t->work) && ring_take(t->channel, milliseconds, &bytes, &count)) {
        t->over = !count;
        if (count) t->taken = t->take(t->self, bytes, count);
        ring_back(t->channel);
        milliseconds = 0;
    }
}

static void end_child(pid_t child, int watch) {
    if (watch >= 0) syscall(SYS_pidfd_send_signal, watch, SIGKILL, NULL, 0);
    else kill(child, SIGKILL);
}

/* Until the child is gone, or killed since it did not begin. A host that waits for any child may have taken its status: that it is gone is
 * all that is asked, and no other process that has its number by then is meant. */
static void wait_for(Task *t, pid_t child, double patience) {
    int watch = (int)syscall(SYS_pidfd_open, child, 0); /* without one, the poll below is a pause */
    double shown = 0, from = seconds();
    while (waitpid(child, NULL, WNOHANG) == 0) {
        struct pollfd one = { .fd = watch, .events = POLLIN };
        if (t->channel && !t->over && !t->taken) take_blocks(t, 20);
        else poll(&one, 1, 20);
        double share = atomic_load(&t->seen->share);
        if (share > shown) work_show(t->work, t->doing, shown = share);
        if (!t->taken && !work_stopped(t->work) && (seconds() - from < patience || !becomes(&t->seen->child, GIVEN_UP))) continue;
        end_child(child, watch);
    }
    if (t->channel) take_blocks(t, 0);
    if (watch >= 0) close(watch);
}

/* Children until one has begun: most do at once. */
enum { CHILDREN = 64, ALIKE = 8 };
static Status begin_and_wait(Task *t) {
    double patience = 0.02;
    pid_t parent = getpid();
    for (int i = 0; i < CHILDREN && atomic_load(&t->seen->child) != BEGUN && !work_stopped(t->work); i++) {
        atomic_store(&t->seen->child, WAITED_FOR);
        try_locks(); /* a lock that was just given back is likely to be free */
        pid_t child = fork();
        if (child == 0) be_child(t, parent);
        if (child < 0) return fail(t->work->error, FAILED, "no process could be started for it: %s", strerror(errno));
        wait_for(t, child, patience);
        if (i % ALIKE == ALIKE - 1) patience *= 2; /* on a machine that has much to do */
    }
    return OK;
}

static Seen *seen_new(void) {
    Seen *seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return seen == MAP_FAILED ? NULL : seen;
}

/* What a child that is gone says of its end. */
static Status how_it_ended(const Seen *seen, Work *work) {
    if (atomic_load(&seen->ended)) {
        if (seen->status && work->error) *work->error = seen->error;
        return seen->status;
    }
    if (work_stopped(work)) return fail(work->error, INTERRUPTED, "interrupted");
    if (atomic_load(&seen->child) != BEGUN) return fail(work->error, FAILED, "no process could be started for it: none began to work");
    fail(work->error, FAILED, "out of memory, or a library failed that was at work");
    return error_kind(work->error, ERROR_MEMORY);
}

static Status run_task(Task *t) {
    t->seen = seen_new();
    if (!t->seen) return out_of_memory(t->work->error);
    Status status = begin_and_wait(t);
    if (!status) status = t->taken;
    if (!status) status = how_it_ended(t->seen, t->work);
    munmap(t->seen, sizeof *t->seen);
    return status;
}

Status helper_run(Work *work, const char *doing, Status (*body)(void *self), void *self) {
    return run_task(&(Task){ .work = work, .doing = doing, .body = body, .self = self });
}

Status helper_stream(Work *work, Status (*fill)(void *self, SharedRing *to), Status (*take)(void *self, const char *bytes, size_t count),
                     void *self) {
    Task t = { .work = work, .doing = "reading", .fill = fill, .take = take, .self = self, .channel = ring_new() };
    Status status = t.channel ? run_task(&t) : out_of_memory(work->error);
    if (!status && !t.over) status = fail(work->error, work_stopped(work) ? INTERRUPTED : FAILED, "interrupted");
    ring_free(t.channel);
    return status;
}

/* ---- a child that is asked block by block ---- */

struct HelperStream {
    Seen *seen;
    SharedRing *channel;
    pid_t child;
    int watch;           /* its pidfd, or -1 */
    bool running, holds; /* it was not waited for yet; the last block is not given back yet */
    bool over;           /* the end was sent */
};

void helper_close(HelperStream *s) {
    if (!s) return;
    if (s->running) {
        end_child(s->child, s->watch);
        while (waitpid(s->child, NULL, 0) < 0 && errno == EINTR) continue;
    }
    if (s->watch >= 0) close(s->watch);
    if (s->seen) munmap(s->seen, sizeof *s->seen);
    ring_free(s->channel);
    free(s);
}

/* Is it there still? One that is gone is waited for once: its number may be another's afterwards. */
static bool still_runs(HelperStream *s) {
    if (s->running && waitpid(s->child, NULL, WNOHANG)) s->running = false;
    return s->running;
}

/* Waits until the child has begun, or ends one that does not. */
static void await_begin(HelperStream *s, double patience) {
    const double from = seconds();
    while (still_runs(s) && atomic_load(&s->seen->child) == WAITED_FOR && seconds() - from < patience) poll(NULL, 0, 1);
    if (!s->running || atomic_load(&s->seen->child) == BEGUN || !becomes(&s->seen->child, GIVEN_UP)) return;
    end_child(s->child, s->watch);
    while (waitpid(s->child, NULL, 0) < 0 && errno == EINTR) continue;
    s->running = false;
}

static Status begin_stream(HelperStream *s, Task *t) {
    double patience = 0.02;
    const pid_t parent = getpid();
    for (int i = 0; i < CHILDREN && atomic_load(&s->seen->child) != BEGUN; i++) {
        if (work_stopped(t->work)) return fail(t->work->error, INTERRUPTED, "interrupted");
        atomic_store(&s->seen->child, WAITED_FOR);
        try_locks();
        if (s->watch >= 0) close(s->watch);
        s->watch = -1;
        s->child = fork();
        if (s->child == 0) be_child(t, parent);
        if (s->child < 0) return fail(t->work->error, FAILED, "no process could be started for it: %s", strerror(errno));
        s->running = true;
        s->watch = (int)syscall(SYS_pidfd_open, s->child, 0);
        await_begin(s, patience);
        if (i % ALIKE == ALIKE - 1) patience *= 2;
    }
    return atomic_load(&s->seen->child) == BEGUN ? OK : how_it_ended(s->seen, t->work);
}

Status helper_open(Work *work, Status (*fill)(void *self, SharedRing *to), void *self, HelperStream **out) {
    Status status = OK;
    HelperStream *s = calloc(1, sizeof *s);
    *out = NULL;
    if (!s) return out_of_memory(work->error);
    s->watch = -1;
    s->seen = seen_new();
    s->channel = ring_new();
    if (!s->seen || !s->channel) TRY(out_of_memory(work->error));
    TRY(begin_stream(s, &(Task){ .work = work, .fill = fill, .self = self, .seen = s->seen, .channel = s->channel }));
    *out = s;
    s = NULL;
done:
    helper_close(s);
    return status;
}

Status helper_next(HelperStream *s, Work *work, const char **bytes, size_t *count) {
    if (s->holds) ring_back(s->channel);
    s->holds = false;
    *count = 0;
    while (!s->over) {
        if (work_stopped(work)) return fail(work->error, INTERRUPTED, "interrupted");
        const bool running = still_runs(s); /* before the ring is looked at: what a child sent before it ended is there then */
        if (ring_take(s->channel, running ? 20 : 0, bytes, count)) {
            s->holds = *count > 0;
            s->over = !*count;
            if (s->over) ring_back(s->channel);
            else return OK;
        } else if (!running) break;
    }
    *count = 0;
    while (still_runs(s)) { /* it has sent its end */
        if (work_stopped(work)) return fail(work->error, INTERRUPTED, "interrupted");
        struct pollfd one = { .fd = s->watch, .events = POLLIN };
        poll(&one, 1, 20);
    }
    return how_it_ended(s->seen, work);
}
