/* The workbench: one steward's data, roles, steps and policy, and what is done with them. */
#ifndef SCRIM_SERVER_BENCH_H
#define SCRIM_SERVER_BENCH_H
#include <pthread.h>
#include "http.h"
#include "job.h"
#include "place.h"

/* A table that was opened or uploaded, and the file it is from. */
typedef struct Lent {
    char *name; /* as the recipe calls it */
    scrim_table *table;
    char hash[33]; /* of the file as it was read */
} Lent;

/* A step's outcome, kept so that a change of the fourth step does not take the first three again. */
typedef struct Made {
    char *key; /* everything that it follows from */
    scrim_table *table;
    json_t *result; /* as JSON */
} Made;
enum { MOST_MADE = 24, MOST_LENT = 32 };

typedef struct Bench {
    pthread_mutex_t lock; /* over all below */
    Place place;
    char token[33];
    _Atomic(uint16_t) port; /* known once the server listens */
    scrim_reading reading;
    int threads;
    int64_t upload_limit;
    char seed[65];      /* of previews and of the release alike: what is seen is what is released */
    int64_t generation; /* of the data: what was made from other data is not found */
    int64_t lent_count;
    Lent lent[MOST_LENT]; /* the first is the data */
    char saved[4096];     /* where the recipe is saved */
    json_t *recipe;       /* {"roles", "steps": [{"method", "params", "off"}], "policy"} */
    bool restored;        /* it is from an earlier session */
    int64_t made_count;
    Made made[MOST_MADE]; /* the newest first */
} Bench;

/* ---- bench.c: the data and the recipe ---- */
/* Opens the file at `path`, which is named `name` from now on. The first is the data, and so is every one that is called `as_data`. */
scrim_status bench_open(Bench *bench, const char *path, const char *name, bool as_data, scrim_error *error);
/* Another recipe, checked as far as it can be and saved. */
scrim_status bench_recipe(Bench *bench, const json_t *recipe, scrim_error *error);
json_t *bench_tell(Bench *bench); /* name, rows, columns, recipe, … */
void bench_close(Bench *bench);

/* What one piece of work is done on: everything it needs of the bench, its own. */
typedef struct Snapshot {
    Bench *bench;
    Job *job;
    int64_t generation;
    int64_t lent_count;
    Lent lent[MOST_LENT];
    json_t *recipe, *asked; /* asked: the request's body */
    char seed[65];
    scrim_table *base;    /* the data without identifiers */
    scrim_table *current; /* after the steps */
    json_t *steps;        /* what each step said */
    int64_t failed;       /* the step that could not be taken; -1: none */
    scrim_args *roles;
    char *roles_text, *policy_text; /* policy: NULL where there is none */
} Snapshot;
Snapshot *snapshot_take(Bench *bench, json_t *asked); /* asked is taken over; NULL: no data, or no memory */
void snapshot_free(Snapshot *snapshot);
void snapshot_host(Snapshot *snapshot, scrim_host *host); /* lends the tables by name, and opens no file */

/* ---- steps.c ---- */
/* Identifiers dropped. */
scrim_status steps_base(Snapshot *s, scrim_error *error);
/* All steps that are on, or the first `count` of all (-1: all). Where one failed, `failed` is its number, and `current` what stands before
 * it. */
scrim_status steps_take(Snapshot *s, int64_t count, scrim_error *error);
/* What was found before from the same `key` and data: another handle on the table, another reference to the JSON. */
bool made_recall(Snapshot *s, const char *key, scrim_table **table, json_t **result);
void made_remember(Snapshot *s, const char *key, const scrim_table *table, json_t *result);
/* A method's arguments from JSON: texts as on a command line, lists item by item, true a flag. */
scrim_status args_from(scrim_args *args, const char *method, const json_t *params, scrim_error *error);
/* The parameter that the table at hand fills, as recipes have it; NULL: none. */
const char *subject_of(const char *method);

/* ---- recipe.c: the recipe as a file ---- */
void recipe_write(const Snapshot *s, Buffer *out);
const char *released_name(const char *name, char out[256]); /* clinic-released.csv */

/* ---- yaml.c ---- */
/* {"steps", and where the file itself has them "roles" and "policy"} of a recipe or a manifest; NULL where it is none. */
json_t *recipe_read(const char *bytes, size_t count);

/* ---- work.c: jobs ---- */
scrim_status work_profile(Job *job, void *given, scrim_error *error);
scrim_status work_preview(Job *job, void *given, scrim_error *error);
scrim_status work_picture(Job *job, void *given, scrim_error *error);
scrim_status work_method(Job *job, void *given, scrim_error *error);
scrim_status work_people(Job *job, void *given, scrim_error *error);
scrim_status work_release(Job *job, void *given, scrim_error *error);

/* ---- site.c: what is asked over HTTP ---- */
bool bench_admit(void *self, const Request *request, Reply *reply);
int bench_keep(void *self, const Request *request, char path[4096]);
void bench_answer(void *self, Request *request, Reply *reply);

/* ---- page.c: the page itself ---- */
bool page_answer(const Request *request, Reply *reply); /* false: it has no such part */
const char *page_example(void);                         /* the made-up clinic */
#endif
