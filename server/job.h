/* Work in the background: what a request started and others ask about. Each job has its own thread, its own way to be stopped, and keeps
 * what it found until it is forgotten. */
#ifndef SCRIM_SERVER_JOB_H
#define SCRIM_SERVER_JOB_H
#include <jansson.h>
#include <pthread.h>
#include "text.h"

typedef enum { JOB_RUNNING, JOB_DONE, JOB_FAILED, JOB_STOPPED } JobState;
typedef struct Job Job;

/* Does the work, on the job's thread: fills job->answer (JSON) and job->result, or the error. `given` is its own to free. */
typedef scrim_status JobWork(Job *job, void *given, scrim_error *error);

struct Job {
    int64_t id;
    const char *kind; /* a constant: a new job of a kind stops the old one */
    json_t *answer;
    scrim_result *result; /* for charts; may be NULL */
    scrim_cancel *cancel;
    /* ---- of job.c ---- */
    JobWork *work;
    void *given;
    JobState state;
    char what[128];
    double share;
    scrim_error error;
    double started;
    int users;
    Job *next;
};

/* 0 where it could not be started (too many); `given` is then the caller's still. */
int64_t job_start(const char *kind, JobWork *work, void *given);
/* Waits until the job has ended or so many seconds have passed, and tells how it stands; NULL where there is no such job. */
json_t *job_tell(int64_t id, double wait);
bool job_stop(int64_t id);
/* For the work: how far it is. */
void job_show(Job *job, const char *what, double share);
/* A finished job, held until job_give_back; NULL where there is none. */
Job *job_take(int64_t id);
void job_give_back(Job *job);
void jobs_stop(void); /* tells all to stop, and begins no more */
void jobs_end(void);  /* stops all, and waits for them */
#endif
