/* Running a method: arguments in, Ctrl-C heeded, a result or an error out. */
#include "binding.h"
#include <Rversion.h>
#include <signal.h>
#include <string.h>
#include <time.h>

/* ---- interrupts ---- */

/* While a method runs, SIGINT stops it as well as doing what R does on one; consoles that interrupt without a signal are asked from the
 * progress callback. */
static scrim_cancel *volatile running;
static struct sigaction of_r;

static void on_interrupt(int number, siginfo_t *info, void *context) {
    if (running) scrim_cancel_set(running);
    if (of_r.sa_flags & SA_SIGINFO) of_r.sa_sigaction(number, info, context);
    else if (of_r.sa_handler != SIG_DFL && of_r.sa_handler != SIG_IGN) of_r.sa_handler(number);
}

static void heed(scrim_cancel *cancel) {
    struct sigaction action = { .sa_sigaction = on_interrupt, .sa_flags = SA_SIGINFO | SA_RESTART };
    sigemptyset(&action.sa_mask);
    running = cancel;
    sigaction(SIGINT, &action, &of_r);
}
static void heed_no_more(void) {
    sigaction(SIGINT, &of_r, NULL);
    running = NULL;
}

/* ---- the host ---- */

typedef struct Session {
    SEXP tables; /* named: what a recipe may call for; or NULL */
    bool shows, stopped;
    double asked, begun;
    const char *what;
    double share;
} Session;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void ask(void *self) {
    Session *session = self;
    if (session->shows && now() - session->begun > 1) REprintf("\r%s %3d%%", session->what, (int)(session->share * 100));
    R_CheckUserInterrupt();
}

static int progress(void *self, const char *what, double share) {
    Session *session = self;
    double t = now();
    if (t - session->asked < 0.05) return session->stopped;
    session->asked = t;
    session->what = what ? what : "";
    session->share = share >= 0 && share <= 1 ? share : 0;
    if (!R_ToplevelExec(ask, session)) session->stopped = true; /* R would have jumped: it does so once C is done */
    return session->stopped;
}

/* A name in a recipe: a data frame of that name, or none, and it is a file's. */
static scrim_status lend_table(void *self, const char *name, scrim_table **out, scrim_error *error) {
    const Session *session = self;
    (void)error;
    SEXP names = Rf_getAttrib(session->tables, R_NamesSymbol);
    for (R_xlen_t i = 0; i < XLENGTH(session->tables); i++)
        if (!strcmp(CHAR(STRING_ELT(names, i)), name)) {
            *out = scrim_table_share(R_ExternalPtrAddr(VECTOR_ELT(session->tables, i)));
            return *out ? SCRIM_OK : SCRIM_FAILED;
        }
    return SCRIM_OK;
}

/* ---- arguments ---- */

static scrim_status add_items(scrim_args *args, const char *name, SEXP value) {
    scrim_status status = SCRIM_OK;
    for (R_xlen_t i = 0; !status && i < XLENGTH(value); i++) switch (TYPEOF(value)) {
        case STRSXP: status = scrim_args_text(args, name, CHAR(STRING_ELT(value, i))); break;
        case REALSXP: status = scrim_args_number(args, name, REAL(value)[i]); break;
        case INTSXP: status = scrim_args_number(args, name, INTEGER(value)[i]); break;
        case LGLSXP: status = scrim_args_flag(args, name); break;
        default: status = scrim_args_table(args, name, R_ExternalPtrAddr(VECTOR_ELT(value, i))); break;
        }
    return status;
}

/* A named list of character, numeric, TRUE, or lists of tables, as R/call.R leaves it. */
static scrim_status add_all(scrim_args *args, SEXP list) {
    SEXP names = Rf_getAttrib(list, R_NamesSymbol);
    scrim_status status = args ? SCRIM_OK : SCRIM_FAILED;
    for (R_xlen_t i = 0; !status && i < XLENGTH(list); i++) status = add_items(args, CHAR(STRING_ELT(names, i)), VECTOR_ELT(list, i));
    return status;
}

static SEXP option(SEXP options, const char *name) {
    SEXP names = Rf_getAttrib(options, R_NamesSymbol);
    for (R_xlen_t i = 0; i < XLENGTH(options); i++)
        if (!strcmp(CHAR(STRING_ELT(names, i)), name)) return VECTOR_ELT(options, i);
    return R_NilValue;
}
static const char *text_option(SEXP options, const char *name) {
    SEXP value = option(options, name);
    return TYPEOF(value) == STRSXP ? CHAR(STRING_ELT(value, 0)) : NULL;
}

static scrim_status run(const char *method, SEXP list, SEXP options, scrim_result **out, scrim_error *error) {
    SEXP number = option(options, "seed_number"), tables = option(options, "tables");
    int64_t seed = TYPEOF(number) == REALSXP ? (int64_t)REAL(number)[0] : 0;
    Session session = { .tables = tables, .shows = Rf_asLogical(option(options, "progress")) == 1, .begun = now(), .asked = now() };
    scrim_cancel *cancel = scrim_cancel_new();
    scrim_args *args = scrim_args_new();
    scrim_reading reading = { .size = sizeof reading,
                              .show_values = Rf_asLogical(option(options, "show_values")) == 1,
                              .need_records = Rf_asLogical(option(options, "need_records")) == 1 };
    scrim_host host = { .size = sizeof host,
                        .self = &session,
                        .table = tables == R_NilValue ? NULL : lend_table,
                        .files_too = 1,
                        .progress = progress,
                        .threads = Rf_asInteger(option(options, "threads")),
                        .seed = text_option(options, "seed_digits"),
                        .seed_number = TYPEOF(number) == REALSXP ? &seed : NULL,
                        .seed_file = text_option(options, "seed_file"),
                        .reading = &reading,
                        .cancel = cancel };
    scrim_status status = cancel ? add_all(args, list) : SCRIM_FAILED;
    if (status) strcpy(error->message, "out of memory, or an argument that is no argument");
    if (!status) {
        heed(cancel);
        status = scrim_run(&host, method, args, out, error);
        heed_no_more();
        if (session.shows && now() - session.begun > 1) REprintf("\r%*s\r", 79, "");
    }
    scrim_args_free(args);
    scrim_cancel_free(cancel);
    error->status = status;
    return status;
}

SEXP r_run(SEXP method, SEXP args, SEXP options) {
    scrim_error error = { .size = sizeof error, .row = -1, .line = -1, .place = -1 };
    scrim_result *result = NULL;
    SEXP handle = PROTECT(result_handle());
    scrim_status status = run(CHAR(STRING_ELT(method, 0)), args, options, &result, &error);
    R_SetExternalPtrAddr(handle, result);
    if (status == SCRIM_INTERRUPTED) R_CheckUserInterrupt(); /* jumps, as R's own loops do; R/call.R signals it where R has forgotten */
    UNPROTECT(1);
    return status ? error_list(&error) : handle;
}
