/* Scrubbing text on one thread, by processor time, against Presidio's patterns and scrubadub where they are installed (python3 -m venv
 * build/peers; build/peers/bin/pip install presidio-analyzer scrubadub). To reach: 20 MB a second on one core; the same memory for 100 MB
 * as for 10. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "bench.h"
#include "prose/replace.h"

/* Notes as they are: most sentences name nobody. */
static const char *const sentences[] = { "The patient was seen today for follow up of hypertension and diabetes. ",
                                         "Blood pressure was 138/84 and the pulse was 76 and regular. ",
                                         "Mrs Hargreaves lives with her daughter Ellen at 14 Harbour Street, Norwich. ",
                                         "Lungs are clear to auscultation and the abdomen is soft and not tender. ",
                                         "She denies chest pain, shortness of breath, nausea or vomiting. ",
                                         "The dose was increased to 20 mg daily and labs will be repeated in six weeks. ",
                                         "Call Dr. Whitfield at (415) 555-0182 with the results. ",
                                         "There is no swelling of the ankles and the skin is warm and dry.\n",
                                         "The wound is clean and healing well without signs of infection. ",
                                         "He was admitted on 03/14/2019 and discharged four days later. ",
                                         "Continue current medications and return if the symptoms get worse. ",
                                         "The pump was switched off because the pressure rose above the limit. ",
                                         "Sleep and appetite are good and weight is stable at 82 kg. ",
                                         "MRN 00482913, discussed with the family, all questions were answered.\n\n",
                                         "After cooling the valve opened again and water ran through the filter at a steady rate. ",
                                         "No acute distress, alert and oriented, walks without help. ",
                                         "The scan shows no fracture and only mild changes of the lower spine. ",
                                         "Physical therapy was recommended twice a week for the next two months. ",
                                         "Peter Novak, his brother, will drive him home to Leeds on Friday. ",
                                         "Diet and exercise were discussed and a leaflet was given. " };
enum { SENTENCES = sizeof sentences / sizeof *sentences, PIECE = 32 << 10 };

static char *make_text(size_t size) {
    char *text = malloc(size + 256);
    size_t used = 0;
    for (uint64_t word = 1; text && used < size; word = word * 6364136223846793005u + 1442695040888963407u) {
        const char *s = sentences[(word >> 33) % SENTENCES];
        size_t n = strlen(s);
        memcpy(text + used, s, n);
        used += n;
    }
    if (text) text[size] = 0;
    return text;
}

typedef struct Job {
    const char *text;
    size_t size;
    int64_t finds;
} Job;

/* What `scrim scrub` does with plain text, without the file: pieces found and replaced by labels. */
static Status scrub(Work *work, void *self) {
    Status status = OK;
    Job *job = self;
    Finder finder = { 0 };
    Search search = { 0 };
    Buffer out = { 0 };
    People nobody = { .subject = "" };
    Seed seed = seed_from_number(1);
    job->finds = 0;
    TRY(finder_open(work, LANGUAGE_ANY, NULL, 0, &finder));
    TRY(search_open(&finder, &search, work->error));
    Replacer replacer = replacer_make(&finder, &seed, REPLACE_LABEL, LANGUAGE_ANY, 365);
    for (size_t at = 0; at < job->size; at += PIECE) {
        size_t size = job->size - at < PIECE ? job->size - at : PIECE;
        TRY(search_text(&search, job->text + at, size, NULL, work->error));
        out.count = 0;
        replace_text(&replacer, &nobody, job->text + at, size, search.finds.at, search.finds.count, &out, NULL);
        job->finds += search.finds.count;
    }
done:
    buffer_free(&out);
    search_close(&search);
    finder_close(&finder);
    return status;
}

/* Kilobytes at the peak of the program on a file of this size, in a process of its own. */
static long peak_of(const char *program, size_t size) {
    const char *path = bench_path("scrub.txt");
    char *text = make_text(size), command[1024];
    FILE *file = fopen(path, "w");
    if (!text || !file || fwrite(text, 1, size, file) != size || fclose(file)) return -1;
    free(text);
    snprintf(command, sizeof command, "%s scrub %s --threads 1 --replace label -o /dev/null --quiet > /dev/null", program, path);
    pid_t child = fork();
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    struct rusage usage;
    int status;
    if (wait4(child, &status, 0, &usage) < 0 || status) return -1;
    unlink(path);
    return usage.ru_maxrss;
}

static void peer(const char *name, const char *setup, const char *call, const char *text, size_t size, double ours) {
    const char *path = bench_path("scrub-peer.txt");
    char command[2048];
    FILE *file = fopen(path, "w");
    if (!file || fwrite(text, 1, size, file) != size || fclose(file)) return;
    snprintf(command, sizeof command,
             "build/peers/bin/python -W ignore -c \"import time,logging; "
             "logging.disable(50)\n%s\nt=open('%s').read().split(chr(10))\ns=time.process_time()\nfor x in t: "
             "%s\nprint(time.process_time()-s)\" 2>/dev/null",
             setup, path, call);
    double seconds = bench_command(command);
    if (seconds > 0)
        printf("  %-44s %8.3f MB a second; scrim is %.0f times as fast\n", name, (double)size / 1e6 / seconds,
               ours / ((double)size / 1e6 / seconds));
    else printf("  %-44s not installed\n", name);
    unlink(path);
}

/* The least of five, in seconds of processor time: other work on the machine does not count. */
static double processor_time(Work *work, Job *job) {
    double best = 1e9;
    for (int round = 0; round < 5; round++) {
        struct timespec before, after;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
        if (scrub(work, job)) exit(1);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
        double took = (double)(after.tv_sec - before.tv_sec) + (double)(after.tv_nsec - before.tv_nsec) * 1e-9;
        if (took < best) best = took;
    }
    return best;
}

int main(int argc, char **argv) {
    size_t size = 20000000;
    char *text = make_text(size);
    Work work = bench_work(1);
    Job job = { .text = text, .size = size };
    double speed = (double)size / 1e6 / processor_time(&work, &job);
    printf("  %-44s %8.1f MB a second, %lld finds\n", "scrub, 20 MB of notes, by processor time", speed, (long long)job.finds);
    printf("  %-44s %s\n", "to reach: 20 MB a second", speed >= 20 ? "reached" : "not reached");
    const char *program = argc > 1 ? argv[1] : "build/scrim";
    long small = peak_of(program, 10000000), large = peak_of(program, 100000000);
    printf("  %-44s %ld and %ld KB\n", "peak memory on 10 and on 100 MB", small, large);
    peer("Presidio, patterns alone",
         "from presidio_analyzer import RecognizerRegistry\nr=RecognizerRegistry(); r.load_predefined_recognizers()\nps=[p for p in "
         "r.recognizers if hasattr(p,'patterns')]",
         "[p.analyze(x,p.supported_entities,None) for p in ps]", text, 20000, speed);
    peer("scrubadub", "import scrubadub\nc=scrubadub.Scrubber()", "c.clean(x)", text, 20000, speed);
    free(text);
    return 0;
}
