/* GLPK's hooks, whose its environment is, and when it went. */
#include "math/lp/glpk_guard.h"
#include <glpk.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/work.h"

typedef struct Body {
    void (*body)(void *);
    void *with;
    bool failed, lost; /* lost: for want of memory */
} Body;

/* The thread that works where the environment here is the host's: one body at a time, handed over and waited for. */
typedef struct Helper {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    Body *given;
    bool over;
} Helper;

static _Thread_local int failures, users;
static _Thread_local Helper *helper;

static void leap(void *info) { longjmp(*(jmp_buf *)info, 1); }

/* What GLPK would print, errors too. */
static int swallow(void *info, const char *text) {
    Body *body = info;
    if (strstr(text, "no memory")) body->lost = true;
    return 1;
}

/* Nothing here lives across the jump but what the caller made. */
static void call_guarded(Body *body) {
    jmp_buf back;
    if (setjmp(back)) {
        glp_free_env();
        body->failed = true;
        return;
    }
    glp_error_hook(leap, &back);
    glp_term_hook(swallow, body);
    body->body(body->with);
    glp_error_hook(NULL, NULL);
    glp_term_hook(NULL, NULL);
}

static void *help(void *self) {
    Helper *h = self;
    pthread_mutex_lock(&h->lock);
    while (!h->over) {
        if (h->given) call_guarded(h->given);
        h->given = NULL;
        pthread_cond_broadcast(&h->changed);
        while (!h->given && !h->over) pthread_cond_wait(&h->changed, &h->lock);
    }
    pthread_mutex_unlock(&h->lock);
    glp_free_env();
    return NULL;
}

static void hand_over(Helper *h, Body *body) {
    pthread_mutex_lock(&h->lock);
    h->given = body;
    pthread_cond_broadcast(&h->changed);
    while (h->given) pthread_cond_wait(&h->changed, &h->lock);
    pthread_mutex_unlock(&h->lock);
}

static Helper *helper_new(void) {
    Helper *h = calloc(1, sizeof *h);
    if (!h) return NULL;
    pthread_mutex_init(&h->lock, NULL);
    pthread_cond_init(&h->changed, NULL);
    if (thread_start(&h->thread, help, h)) return h;
    free(h);
    return NULL;
}

static void helper_free(Helper *h) {
    pthread_mutex_lock(&h->lock);
    h->over = true;
    pthread_cond_broadcast(&h->changed);
    pthread_mutex_unlock(&h->lock);
    pthread_join(h->thread, NULL);
    pthread_mutex_destroy(&h->lock);
    pthread_cond_destroy(&h->changed);
    free(h);
}

Status glpk_enter(Error *error) {
    if (!users && glp_init_env() == 1 && !(helper = helper_new())) return out_of_memory(error);
    users++;
    return OK;
}

void glpk_leave(void) {
    if (--users) return;
    if (helper) helper_free(helper);
    else glp_free_env();
    helper = NULL;
}

bool glpk_call(void (*body)(void *), void *with) {
    Body given = { .body = body, .with = with };
    if (helper) hand_over(helper, &given);
    else call_guarded(&given);
    failures += given.failed;
    if (given.failed && given.lost) memory_lost_note();
    return !given.failed;
}

int glpk_failures(void) { return failures; }

int glpk_bound_kind(double low, double high) {
    if (!isfinite(low) && !isfinite(high)) return GLP_FR;
    if (!isfinite(high)) return GLP_LO;
    if (!isfinite(low)) return GLP_UP;
    return low == high ? GLP_FX : GLP_DB;
}
