/* Optimal generalisation, k = 5, 2% suppression: a table like ARX's Adult (30,162 records, eight keys, 6,480 nodes), 1,000,000 records of
 * 150,000 distinct ones, and ten keys (116,640 nodes). To reach: 0.1 s and 1.5 s from start to written file, 500 MB; ten keys in seconds.
 * (ARX, two cores of a 2.8 GHz Xeon: 0.5 s of CPU warm and 5 s cold on Adult; 7 to 10 s and 2 to 3 GB at 1,000,000 records.) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/random.h"
#include "bench.h"
#include "io/csv/csv.h"
#include "method/method.h"

enum { KEYS = 10 };
/* Values, and how many there are at each level; the last is one. Values of a level are cut into runs of equal length. */
static const struct {
    const char *name;
    int values, levels;
    int at[6];
    double skew;
} shape[KEYS] = { { "sex", 2, 2, { 2, 1 }, 1 },
                  { "age", 74, 5, { 74, 15, 8, 4, 1 }, 0.4 },
                  { "race", 5, 2, { 5, 1 }, 3 },
                  { "marital", 7, 3, { 7, 2, 1 }, 1.5 },
                  { "education", 16, 4, { 16, 5, 3, 1 }, 1.2 },
                  { "country", 41, 3, { 41, 5, 1 }, 3 },
                  { "workclass", 8, 3, { 8, 3, 1 }, 2.2 },
                  { "occupation", 14, 3, { 14, 3, 1 }, 0.4 },
                  { "region", 12, 3, { 12, 4, 1 }, 1 },
                  { "income", 64, 6, { 64, 16, 8, 4, 2, 1 }, 0.7 } };

static int draw(double u, int values, double skew) { /* P(value i) ∝ i^-skew */
    double sum = 0, running = 0;
    for (int i = 1; i <= values; i++) sum += __builtin_pow(i, -skew);
    for (int i = 1; i <= values; i++)
        if ((running += __builtin_pow(i, -skew) / sum) >= u) return i - 1;
    return values - 1;
}

/* `distinct` drawn records, and then `rows` of them: each once, the rest again with the first ones oftener. */
static Table *make(int64_t rows, int64_t distinct, int keys) {
    Error error = ERROR_NONE;
    Seed seed = seed_from_number(8);
    RandomStream stream = stream_make(&seed, "bench", 0, "", "generalize");
    Column *column[KEYS];
    Table *table;
    for (int k = 0; k < keys; k++) {
        const char *word[80];
        char text[80][16];
        for (int v = 0; v < shape[k].values; v++) {
            snprintf(text[v], sizeof text[v], "%.3s%02d", shape[k].name, v);
            word[v] = text[v];
        }
        if (column_new(CATEGORY_TYPE, shape[k].name, rows, &column[k], &error) ||
            dictionary_new(word, shape[k].values, false, &column[k]->words, &error))
            exit(1);
        for (int64_t i = 0; i < rows; i++) {
            uint64_t w[2];
            stream_words(&stream, (uint64_t)(i * 2), 2, w);
            int64_t from = i < distinct ? i : (int64_t)((double)distinct * word_uniform(w[0]) * word_uniform(w[1]));
            stream_words(&stream, (UINT64_C(1) << 40) + (uint64_t)(from * KEYS + k), 1, w);
            column[k]->code[i] = i < distinct ? draw(word_uniform(w[0]), shape[k].values, shape[k].skew) : column[k]->code[from];
        }
    }
    if (table_new("bench", column, keys, rows, &table, &error)) exit(1);
    for (int k = 0; k < keys; k++) column_release(column[k]);
    return table;
}

static Table *hierarchy(int k) {
    Error error = ERROR_NONE;
    Column *column[6] = { 0 };
    Table *table;
    for (int l = 0; l < shape[k].levels; l++) {
        const char *cell[80];
        char text[80][24], name[16];
        for (int v = 0; v < shape[k].values; v++) {
            int at = v; /* run by run, level by level */
            for (int m = 1; m <= l; m++) at = at * shape[k].at[m] / shape[k].at[m - 1];
            if (l + 1 == shape[k].levels) strcpy(text[v], "*");
            else if (l) snprintf(text[v], sizeof text[v], "%.3s-%d-%d", shape[k].name, l, at);
            else snprintf(text[v], sizeof text[v], "%.3s%02d", shape[k].name, v);
            cell[v] = text[v];
        }
        snprintf(name, sizeof name, "level%d", l);
        if (column_text(name, cell, shape[k].values, &column[l], &error)) exit(1);
    }
    if (table_new(shape[k].name, column, shape[k].levels, shape[k].values, &table, &error)) exit(1);
    for (int l = 0; l < shape[k].levels; l++) column_release(column[l]);
    return table;
}

static Table *hierarchies[KEYS];
typedef struct {
    Table *data;
    int keys;
    double checked, lattice, score;
} Task;

static Status generalize(Work *work, void *self) {
    Task *t = self;
    const char *names[KEYS], *k = "5", *share = "0.02";
    for (int i = 0; i < t->keys; i++) names[i] = shape[i].name;
    const Arg arg[] = { { .name = "data", .count = 1, .tables = &t->data },
                        { .name = "keys", .count = t->keys, .items = names },
                        { .name = "hierarchies", .count = t->keys, .items = names, .tables = hierarchies },
                        { .name = "k", .count = 1, .items = &k },
                        { .name = "max_suppression", .count = 1, .items = &share } };
    const Args args = { 5, arg };
    const Session session = { .seed = seed_from_number(1), .threads = work->threads };
    const Method *method;
    Result *result = NULL;
    Status status = method_need("protect.generalize", &method, work->error);
    if (!status) status = method_run(&session, method, &args, NULL, &result, work->error);
    if (!status) {
        t->checked = (double)result_find(result, "checked")->integer;
        t->lattice = (double)result_find(result, "lattice")->integer;
        t->score = result_find(result, "score")->real;
    }
    result_free(result);
    return status;
}

typedef struct {
    char command[1200];
} Command;
static Status run_command(Work *work, void *self) {
    return system(((Command *)self)->command) ? fail(work->error, FAILED, "scrim failed") : OK;
}
static const char *path;
static Status read_it(Work *work, void *self) {
    (void)self;
    Table *table = NULL;
    Status status = csv_read(work, path, NULL, &table);
    table_release(table);
    return status;
}

/* The program itself, from start to written file; against reading the file alone. */
static void whole_program(const char *program, Table *data, int keys) {
    Work work = bench_work(2);
    char *folder = strdup(bench_path("hierarchies")), names[200] = "", file[400];
    path = strdup(bench_path("data.csv"));
    mkdir(folder, 0700);
    for (int k = 0; k < keys; k++) {
        snprintf(file, sizeof file, "%s/%s.csv", folder, shape[k].name);
        if (csv_write(&work, hierarchies[k], file, NULL)) exit(1);
        strcat(strcat(names, k ? "," : ""), shape[k].name);
    }
    if (csv_write(&work, data, path, NULL)) exit(1);
    Command command;
    snprintf(command.command, sizeof command.command,
             "%s protect generalize %s --keys %s --hierarchies %s --k 5 --max-suppression 0.02 -o %s.out.csv > /dev/null", program, path,
             names, folder, path);
    double reading = bench_best(&work, 3, read_it, NULL), all = bench_best(&work, 3, run_command, &command);
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    bench_line("    scrim, from start to written file", all, NULL, 0);
    printf("    %.1f times reading the file (%.4f s); peak %.0f MB\n", all / reading, reading, (double)usage.ru_maxrss / 1024);
    snprintf(command.command, sizeof command.command, "rm -r %s %s %s.out.csv*", folder, path, path);
    if (system(command.command)) exit(1);
}

static void measure(const char *program, const char *what, int64_t rows, int64_t distinct, int keys, int repeats) {
    Work work = bench_work(2);
    Task task = { .data = make(rows, distinct, keys), .keys = keys };
    double seconds = bench_best(&work, repeats, generalize, &task);
    bench_line(what, seconds, NULL, 0);
    printf("    %.0f nodes, %.0f counted: %.0f nodes a second, loss %.4f\n", task.lattice, task.checked, task.lattice / seconds,
           task.score);
    if (!access(program, X_OK)) whole_program(program, task.data, keys);
    table_release(task.data);
}

int main(int argc, char **argv) {
    char program[400];
    const char *slash = strrchr(argv[0], '/');
    snprintf(program, sizeof program, "%.*s/scrim", slash ? (int)(slash - argv[0]) : 1, slash ? argv[0] : ".");
    for (int k = 0; k < KEYS; k++) hierarchies[k] = hierarchy(k);
    measure(program, "30,162 records, 8 keys", 30162, 30162, 8, 5);
    measure(program, "30,162 records, 10 keys", 30162, 30162, 10, 2);
    if (argc < 2) measure(program, "1,000,000 records, 8 keys", 1000000, 190000, 8, 2);
    for (int k = 0; k < KEYS; k++) table_release(hierarchies[k]);
    return 0;
}
