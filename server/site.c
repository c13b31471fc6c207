/* The workbench over HTTP. Everything below /api/ needs the token; the page itself tells nothing and needs none. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "bench.h"

bool bench_admit(void *self, const Request *request, Reply *reply) {
    Bench *bench = self;
    const char *token = request_token(request);
    if (!request_is_local(request, bench->port)) {
        reply_error(reply, 403, "this server answers its own page alone");
        return false;
    }
    if (strncmp(request->path, "/api/", 5) || (token && tokens_equal(token, bench->token))) return true;
    reply_error(reply, 401, "open the address that scrim serve printed: it holds the token");
    return false;
}

int bench_keep(void *self, const Request *request, char path[4096]) {
    Bench *bench = self;
    if (strcmp(request->path, "/api/data") || strcmp(request->method, "POST")) return -1;
    place_path(&bench->place, ".upload-XXXXXX", path);
    return mkstemp(path);
}

/* ---- data ---- */

static void told(Bench *bench, Reply *reply) { reply_json(reply, 200, bench_tell(bench)); }

static void opened(Bench *bench, const char *name, bool as_data, Reply *reply) {
    scrim_error error = { .size = sizeof error, .row = -1, .line = -1, .place = -1 };
    scrim_status status = bench_open(bench, name, name, as_data, &error);
    if (status) reply_json(reply, error_status(status), json_pack("{s:o}", "error", error_json(&error)));
    else told(bench, reply);
}

static bool is_data(Bench *bench, const char *name) {
    pthread_mutex_lock(&bench->lock);
    bool is = bench->lent_count && !strcmp(bench->lent[0].name, name);
    pthread_mutex_unlock(&bench->lock);
    return is;
}

/* POST /api/data?name=clinic.csv[&beside=1]: the body is the file. */
static void take_upload(Bench *bench, Request *request, Reply *reply) {
    const char *name = request_query(request, "name"), *beside = request_query(request, "beside");
    char old[4096];
    if (!name || !name_is_plain(name)) {
        reply_error(reply, 400, "the file needs a plain name, with its suffix");
        return;
    }
    if (beside && is_data(bench, name)) {
        reply_error(reply, 400, "the data themselves have this name: give the file another");
        return;
    }
    snprintf(old, sizeof old, "%.4000s.old", request->upload);
    bool had = request->uploaded && !rename(name, old); /* it comes back where the new one cannot be read */
    if (!request->uploaded || rename(request->upload, name)) reply_error(reply, 400, "the file is empty");
    else {
        request->upload[0] = 0;
        opened(bench, name, !beside, reply);
    }
    if (reply->status < 300) unlink(old);
    else if (had) rename(old, name);
    else if (request->uploaded) unlink(name);
}

static void take_example(Bench *bench, Reply *reply) {
    if (!file_save("clinic.csv", page_example())) reply_error(reply, 507, "there is no room to keep it");
    else opened(bench, "clinic.csv", true, reply);
}

/* ---- the recipe ---- */

static void put_recipe(Bench *bench, Request *request, Reply *reply) {
    scrim_error error = { .size = sizeof error, .row = -1, .line = -1, .place = -1 };
    json_t *recipe = json_of(request, reply);
    if (!recipe) return;
    scrim_status status = bench_recipe(bench, recipe, &error);
    json_decref(recipe);
    if (status) reply_json(reply, error_status(status), json_pack("{s:o}", "error", error_json(&error)));
    else reply_json(reply, 200, json_pack("{s:b}", "saved", 1));
}

static void get_recipe(Bench *bench, Reply *reply) {
    Snapshot *s = snapshot_take(bench, NULL);
    if (!s) {
        reply_error(reply, 409, "there are no data yet");
        return;
    }
    recipe_write(s, &reply->body);
    reply->type = "application/yaml; charset=utf-8";
    reply->download = "recipe.yaml";
    snapshot_free(s);
}

/* POST /api/recipe: a recipe file, as JSON; nothing is changed by it. */
static void read_recipe(const Request *request, Reply *reply) {
    json_t *recipe = recipe_read(request->body.bytes ? request->body.bytes : "", request->body.count);
    if (recipe) reply_json(reply, 200, recipe);
    else reply_error(reply, 400, "this is no recipe: it has no steps");
}

/* ---- methods ---- */

/* Every declaration, as the library describes it: what forms are made from. */
static void get_methods(Reply *reply) {
    buffer_char(&reply->body, '[');
    for (int64_t i = 0; i < scrim_methods_count(); i++) {
        char *text = NULL;
        if (scrim_methods_describe(scrim_methods_name(i), &text, NULL)) continue;
        if (reply->body.count > 1) buffer_char(&reply->body, ',');
        buffer_text(&reply->body, text);
        scrim_text_free(text);
    }
    buffer_char(&reply->body, ']');
}

/* ---- jobs ---- */

static const struct {
    const char *path, *kind;
    JobWork *work;
} works[] = {
    { "/api/profile", "profile", work_profile }, { "/api/preview", "preview", work_preview }, { "/api/picture", "picture", work_picture },
    { "/api/measure", "measure", work_method },  { "/api/audit", "audit", work_method },      { "/api/explore", "explore", work_method },
    { "/api/people", "people", work_people },    { "/api/release", "release", work_release },
};

static void start_job(Bench *bench, Request *request, size_t which, Reply *reply) {
    json_t *asked = json_of(request, reply);
    if (!asked) return;
    Snapshot *s = snapshot_take(bench, asked);
    if (!s) {
        json_decref(asked);
        reply_error(reply, 409, "there are no data yet");
        return;
    }
    int64_t id = job_start(works[which].kind, works[which].work, s);
    if (id) {
        reply_json(reply, 202, json_pack("{s:I}", "job", (json_int_t)id));
        return;
    }
    snapshot_free(s);
    reply_error(reply, 503, "too much is going on: stop something first");
    reply->retry_after = 1;
}

static const scrim_result *within(const scrim_result *result, const char *path) {
    while (result && path && *path) {
        size_t length = strcspn(path, "/");
        const scrim_result *found = NULL;
        for (int64_t i = 0; i < scrim_result_results(result) && !found; i++) {
            const char *name = scrim_result_result_name(result, i);
            if (strlen(name) == length && !strncmp(name, path, length)) found = scrim_result_result(result, i);
        }
        result = found;
        path += length + (path[length] == '/');
    }
    return result;
}

static int number_of(const Request *request, const char *name, int least, int most, int otherwise) {
    const char *text = request_query(request, name);
    long n = text ? strtol(text, NULL, 10) : otherwise;
    return n < least || n > most ? otherwise : (int)n;
}

/* GET /api/jobs/ID/chart?of=after/risk.suda&index=0&width=600&height=300 */
static void get_chart(const Request *request, int64_t id, Reply *reply) {
    Job *job = job_take(id);
    const scrim_result *result = job && job->result ? within(job->result, request_query(request, "of")) : NULL;
    char *text = NULL;
    if (!result || scrim_result_chart(result, number_of(request, "index", 0, 100000, 0), "svg", number_of(request, "width", 160, 4000, 600),
                                      number_of(request, "height", 100, 4000, 320), &text, NULL))
        reply_error(reply, 404, "there is no such chart");
    else {
        buffer_text(&reply->body, text);
        reply->type = "image/svg+xml";
    }
    scrim_text_free(text);
    job_give_back(job);
}

/* GET /api/jobs/ID/report: the whole of it as one HTML file. */
static void get_report(int64_t id, Reply *reply) {
    Job *job = job_take(id);
    char *text = NULL;
    if (!job || !job->result || scrim_result_render(job->result, "html", 0, 0, &text, NULL))
        reply_error(reply, 404, "there is no such report");
    else {
        buffer_text(&reply->body, text);
        reply->type = "text/html; charset=utf-8";
        reply->download = "report.html";
    }
    scrim_text_free(text);
    job_give_back(job);
}

static void about_job(const Request *request, Reply *reply) {
    char *rest;
    int64_t id = strtoll(request->path + strlen("/api/jobs/"), &rest, 10);
    if (!strcmp(rest, "/chart")) get_chart(request, id, reply);
    else if (!strcmp(rest, "/report")) get_report(id, reply);
    else if (!strcmp(request->method, "DELETE")) {
        if (job_stop(id)) reply_json(reply, 200, json_object());
        else reply_error(reply, 404, "there is no such job");
    } else {
        json_t *how = job_tell(id, number_of(request, "wait", 0, 30000, 0) / 1000.);
        if (how) reply_json(reply, 200, how);
        else reply_error(reply, 404, "there is no such job");
    }
}

/* ---- files ---- */

static void get_file(const Request *request, Reply *reply) {
    const char *name = request->path + strlen("/api/files/"), *dot = strrchr(name, '.');
    reply->file = name_is_plain(name) ? open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) : -1;
    if (reply->file < 0) {
        reply_error(reply, 404, "there is no such file");
        return;
    }
    reply->download = name;
    reply->type = dot && !strcmp(dot, ".html") ? "text/html; charset=utf-8" : "application/octet-stream";
}

static void answer_api(Bench *bench, Request *request, Reply *reply) {
    const char *path = request->path;
    bool get = !strcmp(request->method, "GET"), post = !strcmp(request->method, "POST"), put = !strcmp(request->method, "PUT");
    for (size_t i = 0; post && i < sizeof works / sizeof *works; i++)
        if (!strcmp(path, works[i].path)) {
            start_job(bench, request, i, reply);
            return;
        }
    if (get && !strcmp(path, "/api/session")) told(bench, reply);
    else if (get && !strcmp(path, "/api/methods")) get_methods(reply);
    else if (get && !strcmp(path, "/api/recipe")) get_recipe(bench, reply);
    else if (put && !strcmp(path, "/api/recipe")) put_recipe(bench, request, reply);
    else if (post && !strcmp(path, "/api/recipe")) read_recipe(request, reply);
    else if (post && !strcmp(path, "/api/data")) take_upload(bench, request, reply);
    else if (post && !strcmp(path, "/api/example")) take_example(bench, reply);
    else if (!strncmp(path, "/api/jobs/", 10)) about_job(request, reply);
    else if (get && !strncmp(path, "/api/files/", 11)) get_file(request, reply);
    else reply_error(reply, 404, "there is nothing at %.200s", path);
}

void bench_answer(void *self, Request *request, Reply *reply) {
    if (!strncmp(request->path, "/api/", 5)) answer_api(self, request, reply);
    else if (strcmp(request->method, "GET") && strcmp(request->method, "HEAD")) reply_error(reply, 405, "the page is only read");
    else if (!page_answer(request, reply)) reply_error(reply, 404, "there is nothing here");
}
