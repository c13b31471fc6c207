/* scrub.facts: what scrubbing leaves: age, sex, illnesses and the order of events, and how many records share them. Defined after Sweeney
 * 1996: docs/methods/scrub-facts.md. */
#include <stdlib.h>
#include <string.h>
#include "method/method.h"
#include "prose/token.h"

typedef struct {
    const Table *data;
    Columns columns;
} args;

static const Param params[] = {
    TABLE(args, data, "Scrubbed table", .flags = REQUIRED | POSITIONAL),
    COLUMNS(args, columns, data, "Columns of text", .flags = REQUIRED, .role = "notes"),
    END,
};

static const Return values[] = {
    VALUE(k, INTEGER, "Size of the smallest equivalence class on all facts. 1 = a record is unique; larger is safer",
          .flags = PUBLIC | MORE),
    VALUE(uniques, INTEGER, "Records that are unique on their facts", .flags = PUBLIC | LESS),
    VALUE(below_3, INTEGER, "Records in equivalence classes of fewer than 3", .flags = PUBLIC | LESS),
    VALUE(without, INTEGER, "Records in which no fact was found", .flags = PUBLIC),
    TABLE_OUT(facts, "facts:text k:integer uniques:integer below_3:integer", "The same for subsets of the facts", .flags = PUBLIC),
    RECORD(age, CATEGORY, "Age in the text, in steps of ten"),
    RECORD(sex, CATEGORY, "Sex, by the words for the person"),
    RECORD(illness, CATEGORY, "Illnesses named, in order of the alphabet"),
    RECORD(events, CATEGORY, "Events, in their order in the text"),
    END,
};

/* A word and the fact that it tells; folded, in English, Spanish, German and French. Several words may tell the same. */
typedef struct Fact {
    const char *fact, *words;
} Fact;
static const Fact sexes[] = { { "male", "he him his man male gentleman boy husband father son mr hombre varon esposo padre hijo sr mann "
                                        "herr er vater sohn homme monsieur il mari pere fils" },
                              { "female", "she her woman female lady girl wife mother daughter mrs ms mujer esposa madre hija sra senora "
                                          "frau sie mutter tochter femme madame elle mere fille" } };
static const Fact illnesses[] = { { "diabetes", "diabetes diabetic diabetico diabete diabetiker" },
                                  { "hypertension", "hypertension hipertension hypertonie htn" },
                                  { "asthma", "asthma asma asthme" },
                                  { "cancer", "cancer carcinoma tumor tumour lymphoma leukemia krebs karzinom tumeur" },
                                  { "stroke", "stroke ictus schlaganfall avc" },
                                  { "pneumonia", "pneumonia neumonia pneumonie pneumopathie lungenentzundung" },
                                  { "depression", "depression depresion" },
                                  { "fracture", "fracture fractured fractura fraktur bruch" },
                                  { "hiv", "hiv aids vih sida" },
                                  { "hepatitis", "hepatitis hepatite" },
                                  { "copd", "copd epoc bpco" },
                                  { "dementia", "dementia alzheimer alzheimer's demencia demenz demence" },
                                  { "epilepsy", "epilepsy seizure seizures epilepsia epilepsie" },
                                  { "infection", "infection sepsis infeccion infektion" },
                                  { "heart", "infarction angina infarto herzinfarkt infarctus" },
                                  { "parkinson", "parkinson parkinson's" },
                                  { "pregnancy", "pregnant pregnancy embarazada schwanger enceinte" },
                                  { "anaemia", "anemia anaemia anamie anemie" } };
static const Fact event_words[] = { { "admitted", "admitted admission ingreso ingresado aufnahme aufgenommen admis admise" },
                                    { "discharged", "discharged discharge alta entlassung entlassen sortie" },
                                    { "fell", "fell fall caida sturz gesturzt chute" },
                                    { "operated", "surgery operation operated operado cirugia operiert chirurgie opere" },
                                    { "transferred", "transferred transfer trasladado verlegt transfere" },
                                    { "referred", "referred referral remitido uberwiesen adresse" },
                                    { "pain", "pain dolor schmerz schmerzen douleur douleurs" },
                                    { "fever", "fever fiebre fieber fievre" },
                                    { "cough", "cough tos husten toux" },
                                    { "died", "died death fallecio gestorben decede decedee" },
                                    { "born", "born nacido nacida geboren nee" },
                                    { "scan", "scan mri ct xray x-ray tac radiografia rontgen radiographie" },
                                    { "emergency", "emergency urgencias notaufnahme urgences" },
                                    { "treated", "treated treatment therapy tratamiento behandlung therapie traitement" },
                                    { "replaced", "replaced implanted implant" } };

static bool tells(const char *words, const char *word) {
    size_t n = strlen(word);
    for (const char *p = words; *p; p += strcspn(p, " "), p += *p == ' ') {
        size_t length = strcspn(p, " ");
        if (length == n && !memcmp(p, word, n)) return true;
    }
    return false;
}

static int fact_of(const Fact *facts, int count, const char *word) {
    for (int i = 0; i < count; i++)
        if (tells(facts[i].words, word)) return i;
    return -1;
}
#define FACT_OF(table, word) fact_of(table, (int)(sizeof table / sizeof *table), word)

typedef struct Facts {
    int age, sex[2];
    uint32_t ill;
    char events[128];
    int last_event;
} Facts;

/* A number of at most three digits before "year", "años", "Jahre", "ans", "y/o" or "yo". */
static bool before_years(const char *text, const Tokens *tokens, int64_t i) {
    static const char years[] = "year years year-old years-old yo y yr yrs anos ans jahre jahren jahrige jahriger";
    for (int64_t j = i + 1; j < tokens->count && j <= i + 2; j++) {
        char word[40];
        const Token *t = &tokens->at[j];
        if (!shape_is_word(t->shape)) continue;
        word_fold(text + t->start, t->end - t->start, word, 32);
        return tells(years, word);
    }
    return false;
}

static void take_word(Facts *f, const char *word) {
    int sex = FACT_OF(sexes, word), ill = FACT_OF(illnesses, word), event = FACT_OF(event_words, word);
    if (sex >= 0) f->sex[sex]++;
    if (ill >= 0) f->ill |= 1u << ill;
    if (event >= 0 && event != f->last_event && strlen(f->events) + strlen(event_words[event].fact) + 2 < sizeof f->events) {
        if (f->events[0]) strcat(f->events, " ");
        strcat(f->events, event_words[event].fact);
        f->last_event = event;
    }
}

static Status take_text(Facts *f, const char *text, Error *error) {
    Status status = OK;
    Tokens tokens = { 0 };
    TRY(tokens_cut(text, strlen(text), &tokens, error));
    for (int64_t i = 0; i < tokens.count; i++) {
        const Token *t = &tokens.at[i];
        char word[40];
        if (t->shape <= SHAPE_3 && shape_is_number(t->shape) && f->age < 0 && before_years(text, &tokens, i))
            f->age = atoi(text + t->start);
        if (!shape_is_word(t->shape)) continue;
        word_fold(text + t->start, t->end - t->start, word, 32);
        take_word(f, word);
    }
done:
    tokens_free(&tokens);
    return status;
}

enum { AGE, SEX, ILLNESS, EVENTS, FACTS };

static Status put_facts(Work *work, const Facts *f, const char ***cells, int64_t row) {
    char ill[512] = "";
    if (f->age >= 0) cells[AGE][row] = f->age > 89 ? "90+" : arena_print(work->arena, "%d–%d", f->age / 10 * 10, f->age / 10 * 10 + 9);
    if (f->sex[0] != f->sex[1]) cells[SEX][row] = sexes[f->sex[1] > f->sex[0]].fact;
    for (size_t i = 0; i < sizeof illnesses / sizeof *illnesses; i++)
        if (f->ill >> i & 1) {
            if (ill[0]) strcat(ill, " ");
            strcat(ill, illnesses[i].fact);
        }
    if (ill[0]) cells[ILLNESS][row] = arena_text(work->arena, ill);
    if (f->events[0]) cells[EVENTS][row] = arena_text(work->arena, f->events);
    return OK;
}

static const char *const names[FACTS] = { "age", "sex", "illness", "events" };

/* k by risk.k-anonymity, a missing fact as a value of its own: an intruder sees that it is not told. */
static Status measure(Run *run, Table *facts, const char *const *keys, int64_t count, int64_t out[3]) {
    Status status = OK;
    Result *result = NULL;
    static const char *const category[] = { "category" };
    Table *handle[] = { facts };
    const Arg list[] = { { .name = "data", .count = 1, .tables = handle },
                         { .name = "keys", .count = count, .items = keys },
                         { .name = "missing", .count = 1, .items = category } };
    TRY(run_method(run, "risk.k-anonymity", &(Args){ 3, list }, &result));
    static const char *const what[] = { "k", "uniques", "below_3" };
    for (int i = 0; i < 3; i++) {
        const Value *value = result_find(result, what[i]);
        out[i] = value && value->kind == VALUE_INTEGER ? value->integer : 0;
    }
done:
    result_free(result);
    return status;
}

static Status give_risk(Run *run, Table *facts) {
    Status status = OK;
    static const struct {
        const char *label;
        const char *keys[FACTS];
        int count;
    } sets[] = { { "age, sex", { "age", "sex" }, 2 },
                 { "age, sex, illness", { "age", "sex", "illness" }, 3 },
                 { "events", { "events" }, 1 },
                 { "all", { "age", "sex", "illness", "events" }, 4 } };
    int64_t out[3];
    Grid *grid = grid_new(run->result, "facts", "facts:text k:integer uniques:integer below_3:integer");
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        TRY(measure(run, facts, sets[i].keys, sets[i].count, out));
        grid_text(grid, sets[i].label);
        for (int j = 0; j < 3; j++) grid_integer(grid, out[j]);
    }
    if (facts->rows) result_integer(run->result, "k", out[0]);
    else result_null(run->result, "k", "The table has no records, so that no k holds or fails.");
    result_integer(run->result, "uniques", out[1]);
    result_integer(run->result, "below_3", out[2]);
done:
    grid_done(grid);
    return status;
}

static Status facts_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    const char **cells[FACTS] = { NULL };
    Column *columns[FACTS] = { NULL };
    Table *facts = NULL;
    char number[33];
    int64_t without = 0;
    for (int f = 0; f < FACTS; f++) NEW(&run->work, cells[f], a->data->rows + 1);
    for (int64_t row = 0; row < a->data->rows; row++) {
        Facts told = { .age = -1, .last_event = -1 };
        for (int64_t c = 0; c < a->columns.count; c++) {
            const char *text = column_cell(a->columns.at[c], row, number);
            if (text) TRY(take_text(&told, text, run->work.error));
        }
        TRY(put_facts(&run->work, &told, cells, row));
        without += !cells[AGE][row] && !cells[SEX][row] && !cells[ILLNESS][row] && !cells[EVENTS][row];
    }
    for (int f = 0; f < FACTS; f++) TRY(column_category(names[f], cells[f], a->data->rows, &columns[f], run->work.error));
    TRY(table_new("facts", columns, FACTS, a->data->rows, &facts, run->work.error));
    TRY(give_risk(run, facts));
    result_integer(run->result, "without", without);
    for (int f = 0; f < FACTS; f++) result_column(run->result, "data", column_retain(columns[f]));
    result_note(run->result, "Facts are found by words; what they miss, a reader may see. A sequence of events that no other record has "
                             "may name someone though no name is left (Sweeney 1996).");
done:
    table_release(facts);
    for (int f = 0; f < FACTS; f++) column_release(columns[f]);
    return status;
}

const Method scrub_facts = { .group = "scrub",
                             .name = "facts",
                             .summary = "Residual risk of scrubbed text: equivalence classes of age, sex, illnesses and events named in it",
                             .source = "Sweeney 1996",
                             .params = params,
                             .size = sizeof(args),
                             .traits = IDENTITY | UNAUDITED,
                             .run = facts_run,
                             .headline = "k",
                             .values = values,
                             .example = "scrim scrub facts examples/notes.csv --columns note" };
