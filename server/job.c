/* Work in the background. */
#include "job.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "http.h"

enum { MOST_RUNNING = 6, MOST_KEPT = 40 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static Job *jobs; /* the newest first */
static int64_t next_id = 1;
static int running;
static bool ending; /* nothing is begun or waited for any more */

static void job_free(Job *job) {
    json_decref(job->answer);
    scrim_result_free(job->result);
    scrim_cancel_free(job->cancel);
    free(job);
}

static Job *find(int64_t id) {
    Job *job = jobs;
    while (job && job->id != id) job = job->next;
    return job;
}

/* The oldest that nobody looks at go first. */
static void forget_old(void) {
    int count = 0;
    for (Job **at = &jobs; *at;) {
        Job *job = *at;
        if (++count > MOST_KEPT && job->state != JOB_RUNNING && !job->users) {
            *at = job->next;
            job_free(job);
        } else at = &job->next;
    }
}

static void *run(void *self) {
    Job *job = self;
    scrim_error error = { .size = sizeof error, .row = -1, .line = -1, .place = -1 };
    scrim_status status = job->work(job, job->given, &error);
    pthread_mutex_lock(&lock);
    job->error = error;
    job->state = status == SCRIM_OK ? JOB_DONE : status == SCRIM_INTERRUPTED ? JOB_STOPPED : JOB_FAILED;
    running--;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int64_t job_start(const char *kind, JobWork *work, void *given) {
    pthread_t thread;
    pthread_attr_t detached;
    int64_t id = 0;
    Job *job = calloc(1, sizeof *job);
    if (!job) return 0;
    *job = (Job){ .kind = kind, .work = work, .given = given, .cancel = scrim_cancel_new(), .started = clock_now() };
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    pthread_mutex_lock(&lock);
    for (Job *old = jobs; old; old = old->next)
        if (old->state == JOB_RUNNING && !strcmp(old->kind, kind)) scrim_cancel_set(old->cancel);
    if (job->cancel && running < MOST_RUNNING && !ending) {
        job->id = id = next_id++;
        job->next = jobs;
        jobs = job;
        running++;
        if (pthread_create(&thread, &detached, run, job)) {
            jobs = job->next;
            running--;
            id = 0;
        }
        forget_old();
    }
    pthread_mutex_unlock(&lock);
    pthread_attr_destroy(&detached);
    if (!id) job_free(job);
    return id;
}

/* ---- progress ---- */

void job_show(Job *job, const char *what, double share) {
    pthread_mutex_lock(&lock);
    snprintf(job->what, sizeof job->what, "%s", what ? what : "");
    job->share = share >= 0 && share <= 1 ? share : 0;
    pthread_mutex_unlock(&lock);
}

/* ---- asking ---- */

static json_t *tell(const Job *job) {
    static const char *const states[] = { "running", "done", "failed", "stopped" };
    json_t *all = json_pack("{s:I, s:s, s:s, s:f}", "id", (json_int_t)job->id, "kind", job->kind, "state", states[job->state], "seconds",
                            floor((clock_now() - job->started) * 1000) / 1000);
    if (job->state == JOB_RUNNING) {
        json_object_set_new(all, "what", json_string(job->what));
        json_object_set_new(all, "share", json_real(job->share));
    }
    if (job->state == JOB_FAILED) json_object_set_new(all, "error", error_json(&job->error));
    if (job->state != JOB_RUNNING && job->answer) json_object_set(all, "answer", job->answer); /* until then it is the thread's */
    return all;
}

json_t *job_tell(int64_t id, double wait) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += (time_t)wait;
    until.tv_nsec += (long)((wait - floor(wait)) * 1e9);
    if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
    pthread_mutex_lock(&lock);
    Job *job = find(id);
    int late = 0;
    if (job) job->users++;
    while (job && job->state == JOB_RUNNING && !late && !ending) late = pthread_cond_timedwait(&changed, &lock, &until);
    json_t *told = job ? tell(job) : NULL;
    if (job) job->users--;
    pthread_mutex_unlock(&lock);
    return told;
}

bool job_stop(int64_t id) {
    pthread_mutex_lock(&lock);
    Job *job = find(id);
    if (job) scrim_cancel_set(job->cancel);
    pthread_mutex_unlock(&lock);
    return job;
}

Job *job_take(int64_t id) {
    pthread_mutex_lock(&lock);
    Job *job = find(id);
    if (job && job->state == JOB_RUNNING) job = NULL;
    if (job) job->users++;
    pthread_mutex_unlock(&lock);
    return job;
}

void job_give_back(Job *job) {
    if (!job) return;
    pthread_mutex_lock(&lock);
    job->users--;
    pthread_mutex_unlock(&lock);
}

void jobs_stop(void) {
    pthread_mutex_lock(&lock);
    ending = true;
    for (Job *job = jobs; job; job = job->next) scrim_cancel_set(job->cancel);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

void jobs_end(void) {
    jobs_stop();
    pthread_mutex_lock(&lock);
    while (running) pthread_cond_wait(&changed, &lock);
    for (Job *job = jobs, *next; job; job = next) {
        next = job->next;
        job_free(job);
    }
    jobs = NULL;
    pthread_mutex_unlock(&lock);
}
