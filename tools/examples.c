/* Writes the project's own small data: people, a register, a release, tracks, a published curve, hierarchies. The same bytes on every
 * machine: only whole-number and plain double arithmetic, no library of functions. usage: examples FOLDER (with FOLDER/hierarchies in it)
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PEOPLE = 2400, PATIENTS = 300, HOLDOUT = 150, REGIONS = 8, CURVE = 40, KNOWN = 35 };

/* ---- chance ---- */

static uint64_t state = 20240701;

static uint64_t word(void) { /* splitmix64 */
    uint64_t z = (state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static double uniform(void) { return (double)(word() >> 11) * 0x1p-53; }
static int below(int n) { return (int)(uniform() * n); }
static bool chance(double p) { return uniform() < p; }

static double normal(void) { /* twelve uniforms: near enough to normal, and exact to repeat */
    double sum = -6;
    for (int i = 0; i < 12; i++) sum += uniform();
    return sum;
}

static int pick(const double *share, int count) {
    double u = uniform();
    for (int i = 0; i < count - 1; i++) {
        if (u < share[i]) return i;
        u -= share[i];
    }
    return count - 1;
}

static void shuffle(int *items, int count) {
    for (int i = count - 1; i > 0; i--) {
        int j = below(i + 1), kept = items[i];
        items[i] = items[j];
        items[j] = kept;
    }
}

static int whole(double x) { return (int)(x < 0 ? x - 0.5 : x + 0.5); }
static double within(double x, double low, double high) { return x < low ? low : x > high ? high : x; }

/* ---- files ---- */

static const char *folder;

static FILE *begin(const char *name, const char *header) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    if (!file) {
        perror(path);
        exit(1);
    }
    fprintf(file, "%s\n", header);
    return file;
}

static void end(FILE *file) {
    if (ferror(file) | fclose(file)) {
        perror("examples");
        exit(1);
    }
}

/* A number held as whole units of 10^-places, in its fewest digits; MISSING is an empty cell. */
enum { MISSING = INT32_MIN };
static void put(FILE *file, int units, int places) {
    char digits[40];
    if (units == MISSING || places < 0 || places > 9) return; /* an int has no more */
    int scale = 1;
    for (int i = 0; i < places; i++) scale *= 10;
    int size = units < 0 ? -units : units;
    snprintf(digits, sizeof digits, "%d.%0*d", size / scale, places, size % scale);
    char *last = digits + strlen(digits) - 1;
    while (places && *last == '0') *last-- = 0;
    if (*last == '.' || !places) *strchr(digits, '.') = 0;
    fprintf(file, "%s%s", units < 0 ? "-" : "", digits);
}

/* ---- people ---- */

static const char *const sexes[] = { "f", "m" };
static const char *const regions[REGIONS] = { "Aldermoor", "Brackwater", "Corrinshire", "Dunvale",
                                              "Eastfold",  "Farrowmere", "Glenholt",    "Hollin Isle" };
static const double region_share[REGIONS] = { 0.25, 0.2, 0.15, 0.13, 0.1, 0.08, 0.06, 0.03 };
static const double region_lat[REGIONS] = { 47.05, 47.31, 46.82, 47.18, 46.95, 47.42, 46.7, 47.6 };
static const double region_lon[REGIONS] = { 8.1, 8.42, 7.9, 7.65, 8.71, 7.83, 8.35, 8.95 };
static const char *const educations[] = { "primary", "secondary", "vocational", "university" };
static const char *const occupations[] = { "cleaning", "construction", "engineering", "farming", "law",      "medicine",
                                           "nursing",  "office",       "retail",      "retired", "teaching", "transport" };
static const char *const maritals[] = { "divorced", "married", "single", "widowed" };
static const char *const diagnoses[] = { "HIV", "arthritis", "asthma", "depression", "diabetes", "hepatitis", "hypertension", "migraine" };
static const char *const first_names[2][16] = { { "Ada", "Bea", "Clara", "Dora", "Edith", "Flora", "Greta", "Hanna", "Ines", "Judith",
                                                  "Karin", "Lena", "Mona", "Nora", "Olga", "Paula" },
                                                { "Anton", "Boris", "Carl", "David", "Emil", "Felix", "Georg", "Hugo", "Ivan", "Jonas",
                                                  "Kurt", "Leo", "Max", "Nils", "Otto", "Peter" } };
static const char *const last_names[24] = { "Amsel",   "Birke", "Dachs",  "Eiche",    "Falke",  "Ginster", "Hasel",   "Iltis",
                                            "Kiebitz", "Linde", "Marder", "Nelke",    "Otter",  "Pappel",  "Quendel", "Rabe",
                                            "Salbei",  "Tanne", "Ulme",   "Veilchen", "Wiesel", "Ysop",    "Zander",  "Zeisig" };

typedef struct Person {
    int id, household, sex, age, region, education, occupation, marital, first, last, phone, year, month, day;
    int visits, income, cholesterol, bmi, score, lat, lon; /* cholesterol and bmi in tenths, score in hundredths, places in 10^-5 degrees */
    int diagnosis, smoker, event;
} Person;

static Person people[PEOPLE];
static int households;

static int draw_occupation(int education, int age) {
    static const double share[4][12] = { { 0.24, 0.2, 0, 0.2, 0, 0, 0.02, 0.04, 0.15, 0, 0, 0.15 },
                                         { 0.12, 0.14, 0.01, 0.1, 0, 0, 0.1, 0.2, 0.2, 0, 0.03, 0.1 },
                                         { 0.03, 0.2, 0.12, 0.08, 0, 0, 0.2, 0.17, 0.1, 0, 0.03, 0.07 },
                                         { 0, 0.01, 0.22, 0.02, 0.08, 0.1, 0.07, 0.25, 0.03, 0, 0.22, 0 } };
    if (age >= 67 || (age >= 60 && chance(0.4))) return 9;
    return pick(share[education], 12);
}

static int draw_marital(int age) {
    static const double share[4][4] = { { 0.02, 0.13, 0.85, 0 },
                                        { 0.12, 0.58, 0.29, 0.01 },
                                        { 0.17, 0.63, 0.12, 0.08 },
                                        { 0.08, 0.47, 0.07, 0.38 } };
    return pick(share[age < 28 ? 0 : age < 50 ? 1 : age < 70 ? 2 : 3], 4);
}

static int draw_age(void) {
    double u = uniform(), a = uniform(), b = uniform();
    return u < 0.94 ? 18 + (int)(62 * (0.35 * a + 0.65 * b)) : 80 + (int)(16 * a * b);
}

static int draw_income(const Person *p) { /* a skewed multiple of what one's schooling earns */
    static const double base[4] = { 15500, 22000, 28500, 41000 }, quantile[8] = { 0.35, 0.6, 0.78, 0.94, 1.13, 1.42, 2.05, 6.5 };
    double u = 7 * uniform();
    int i = (int)u;
    double multiple = quantile[i] + (u - i) * (quantile[i + 1] - quantile[i]);
    if (i == 6 && !chance(0.3)) multiple = 1.42 + 0.3 * (multiple - 1.42);
    double grown = p->occupation == 9 ? 0.62 : 0.7 + 0.01 * within(p->age, 18, 55);
    return whole(base[p->education] * multiple * grown);
}

static int draw_diagnosis(int age) {
    static const double young[8] = { 0.02, 0.03, 0.3, 0.27, 0.08, 0.03, 0.1, 0.17 },
                        old[8] = { 0.008, 0.2, 0.08, 0.08, 0.22, 0.022, 0.36, 0.03 };
    return pick(age < 45 ? young : old, 8);
}

static void draw_health(Person *p) {
    static const double older = 50;
    p->diagnosis = draw_diagnosis(p->age);
    p->smoker = chance(p->education < 2 ? 0.32 : 0.19);
    double a = uniform(), b = uniform();
    p->visits = whole(within(2 + 0.05 * (p->age - older) + 2.2 * normal() + 3 * a * b, 0, 40));
    p->bmi = whole(10 * within(25.6 + 0.03 * (p->age - older) + 3.9 * normal() + (p->diagnosis == 4 ? 2.5 : 0), 15.5, 52));
    p->cholesterol = whole(within(52 + 0.12 * (p->age - older) + 0.06 * (p->bmi - 256.0) / 10 * 5 + 8.5 * normal(), 24, 99));
    double danger = 0.025 * (p->age - older) + 0.5 * p->smoker + normal();
    p->score = whole(100 * within(50 + 9 * danger + 6 * normal(), 1, 99));
    p->event = chance(within(0.3 + 0.2 * danger, 0.02, 0.97));
}

static void draw_person(Person *p, const Person *first, int id) {
    *p = (Person){ .id = id, .household = households };
    p->sex = below(2);
    p->age = draw_age();
    p->region = first ? first->region : pick(region_share, REGIONS);
    p->lat = first ? first->lat : whole(1e5 * (region_lat[p->region] + 0.03 * normal()));
    p->lon = first ? first->lon : whole(1e5 * (region_lon[p->region] + 0.045 * normal()));
    if (first) p->age = (int)within(first->age + whole(6 * normal()), 18, 95);
    static const double young[4] = { 0.1, 0.3, 0.27, 0.33 }, old[4] = { 0.28, 0.34, 0.24, 0.14 };
    p->education = pick(p->age < 55 ? young : old, 4);
    p->occupation = draw_occupation(p->education, p->age);
    p->marital = first && first->marital == 1 ? 1 : draw_marital(p->age);
    p->first = below(16);
    p->last = first ? first->last : below(24);
    p->phone = 100000 + below(900000);
    p->month = 1 + below(12);
    p->day = 1 + below(28);
    p->year = 2024 - p->age - (p->month >= 7); /* ages are as of 1 July 2024 */
    p->income = draw_income(p);
    draw_health(p);
}

static void draw_people(void) {
    for (int i = 0; i < PEOPLE; households++) {
        int size = 1 + (int)(uniform() * 1.9), start = i;
        size += chance(0.08);
        for (int j = 0; j < size && i < PEOPLE; j++, i++) draw_person(&people[i], j ? &people[start] : NULL, 10001 + i);
    }
}

/* ---- tables of people ---- */

static int patients[PATIENTS], holdout[HOLDOUT];
static double weight_of[REGIONS]; /* population over sample, by region, in tenths */

/* Whole households are sampled, in random order, until the places are filled. */
static void sample(void) {
    static int order[PEOPLE];
    int taken = 0;
    for (int h = 0; h < households; h++) order[h] = h;
    shuffle(order, households);
    for (int o = 0; o < households && taken < PATIENTS + HOLDOUT; o++)
        for (int i = 0; i < PEOPLE && taken < PATIENTS + HOLDOUT; i++)
            if (people[i].household == order[o]) {
                if (taken < PATIENTS) patients[taken] = i;
                else holdout[taken - PATIENTS] = i;
                taken++;
            }
    shuffle(patients, PATIENTS);
    shuffle(holdout, HOLDOUT);
    double there[REGIONS] = { 0 }, here[REGIONS] = { 0 };
    for (int i = 0; i < PEOPLE; i++) there[people[i].region]++;
    for (int i = 0; i < PATIENTS; i++) here[people[patients[i]].region]++;
    for (int r = 0; r < REGIONS; r++) weight_of[r] = 10 * there[r] / (here[r] > 0 ? here[r] : 1);
}

static void put_keys(FILE *file, const Person *p, bool gaps) {
    const char *region = gaps && chance(0.007) ? "" : regions[p->region];
    const char *education = gaps && chance(0.02) ? "" : educations[p->education];
    const char *occupation = gaps && chance(0.025) ? "" : occupations[p->occupation];
    fprintf(file, "%s,%d,%s,%s,%s,%s", sexes[p->sex], p->age, region, education, occupation, maritals[p->marital]);
}

static void write_patients(const char *name, const int *rows, int count) {
    FILE *file = begin(name, "id,name,phone,sex,age,region,education,occupation,marital,birthdate,visits,income,cholesterol,bmi,diagnosis,"
                             "smoker,score,event,w,hid,lat,lon");
    for (int i = 0; i < count; i++) {
        const Person *p = &people[rows[i]];
        fprintf(file, "%d,%s %s,0555-%06d,", p->id, first_names[p->sex][p->first], last_names[p->last], p->phone);
        put_keys(file, p, true);
        fprintf(file, ",%04d-%02d-%02d,%d,", p->year, p->month, p->day, p->visits);
        put(file, chance(0.03) ? MISSING : p->income, 0);
        fputc(',', file);
        put(file, chance(0.04) ? MISSING : p->cholesterol, 1);
        fputc(',', file);
        put(file, chance(0.02) ? MISSING : p->bmi, 1);
        fprintf(file, ",%s,%d,", diagnoses[p->diagnosis], p->smoker);
        put(file, p->score, 2);
        fprintf(file, ",%d,", p->event);
        put(file, whole(weight_of[p->region]), 1);
        fprintf(file, ",%d,", p->household + 1);
        put(file, p->lat, 5);
        fputc(',', file);
        put(file, p->lon, 5);
        fputc('\n', file);
    }
    end(file);
}

/* What a public register holds: names beside keys, everyone in it. */
static void write_population(void) {
    FILE *file = begin("population.csv", "id,name,sex,age,region,education,occupation,marital");
    for (int i = 0; i < PEOPLE; i++) {
        fprintf(file, "%d,%s %s,", people[i].id, first_names[people[i].sex][people[i].first], last_names[people[i].last]);
        put_keys(file, &people[i], false);
        fputc('\n', file);
    }
    end(file);
}

/* The same patients in the same order: ages in steps of five, noise on the measures, some categories redrawn. */
static void write_released(void) {
    FILE *file = begin("clinic-released.csv",
                       "id,sex,age,region,education,occupation,marital,visits,income,cholesterol,bmi,diagnosis,smoker,score,event,w,hid");
    for (int i = 0; i < PATIENTS; i++) {
        const Person *p = &people[patients[i]], *other = &people[patients[below(PATIENTS)]];
        Person r = *p;
        r.age = (int)within(5 * whole((p->age + 3 * normal()) / 5), 20, 95);
        if (chance(0.08)) r.region = other->region;
        if (chance(0.08)) r.occupation = other->occupation;
        if (chance(0.05)) r.education = other->education;
        fprintf(file, "%d,", p->id);
        put_keys(file, &r, true);
        fprintf(file, ",%d,", whole(within(p->visits + 0.8 * normal(), 0, 40)));
        put(file, 100 * whole(within(p->income + 3000 * normal(), 0, 1e7) / 100), 0);
        fputc(',', file);
        put(file, chance(0.04) ? MISSING : whole(within(p->cholesterol + 2.5 * normal(), 20, 110)), 1);
        fputc(',', file);
        put(file, chance(0.02) ? MISSING : whole(within(p->bmi + 10 * normal(), 140, 560)), 1);
        if (chance(0.04)) r.diagnosis = other->diagnosis;
        if (chance(0.05)) r.smoker = other->smoker;
        fprintf(file, ",%s,%d,", diagnoses[r.diagnosis], r.smoker);
        put(file, whole(within(p->score + 200 * normal(), 0, 10000)), 2);
        fprintf(file, ",%d,", p->event);
        put(file, whole(weight_of[p->region]), 1);
        fprintf(file, ",%d\n", p->household + 1);
    }
    end(file);
}

/* ---- the published curve ---- */

static int by_score(const void *a, const void *b) {
    int x = people[*(const int *)a].score, y = people[*(const int *)b].score;
    return x < y ? 1 : x > y ? -1 : *(const int *)a - *(const int *)b;
}

/* The empirical ROC curve of the first patients, point by point as published, and the records that one party to the study holds. */
static void write_curve(void) {
    int rows[CURVE], held[CURVE], positives = 0, tp = 0, fp = 0;
    memcpy(rows, patients, sizeof rows);
    memcpy(held, patients, sizeof held);
    for (int i = 0; i < CURVE; i++) positives += people[rows[i]].event;
    qsort(rows, CURVE, sizeof *rows, by_score);
    FILE *file = begin("roc.csv", "fpr,tpr");
    fprintf(file, "0,0\n");
    for (int i = 0; i < CURVE; i++) {
        if (people[rows[i]].event) tp++;
        else fp++;
        if (i + 1 < CURVE && people[rows[i + 1]].score == people[rows[i]].score) continue; /* one step for a tie */
        put(file, whole(1e6 * fp / (CURVE - positives)), 6);
        fputc(',', file);
        put(file, whole(1e6 * tp / positives), 6);
        fputc('\n', file);
    }
    end(file);
    shuffle(held, CURVE);
    file = begin("roc-known.csv", "score,status");
    for (int i = 0; i < KNOWN; i++) {
        put(file, people[held[i]].score, 2);
        fprintf(file, ",%d\n", people[held[i]].event);
    }
    end(file);
}

/* ---- tracks ---- */

typedef struct Place {
    double north, east;
} Place; /* metres from the region's middle */

static Place near(Place at, double metres) {
    at.north += metres * normal();
    at.east += metres * normal();
    return at;
}

static void put_fix(FILE *file, int subject, int day, int minute, Place at, double error) {
    at = near(at, error);
    fprintf(file, "%d,2024-03-%02dT%02d:%02d:00,", subject + 1, 4 + day, minute / 60, minute % 60);
    put(file, whole(1e5 * (47.05 + at.north / 111195)), 5);
    fputc(',', file);
    put(file, whole(1e5 * (8.1 + at.east / 75764)), 5); /* a degree of longitude at 47.05 degrees north */
    fputc('\n', file);
}

/* Eight people, five working days: home, the way, work, perhaps a visit, home. A fix every half hour, one in ten lost. */
static void write_tracks(void) {
    FILE *file = begin("tracks.csv", "subject,time,lat,lon"), *homes = begin("homes.csv", "subject,lat,lon");
    for (int s = 0; s < 8; s++) {
        Place home = near((Place){ 0, 0 }, 1800), work = near(home, 2500);
        fprintf(homes, "%d,", s + 1);
        put(homes, whole(1e5 * (47.05 + home.north / 111195)), 5);
        fputc(',', homes);
        put(homes, whole(1e5 * (8.1 + home.east / 75764)), 5);
        fputc('\n', homes);
        for (int day = 0; day < 5; day++) {
            int leaves = 420 + below(90), returns = 990 + below(120);
            Place out = near(home, 1500);
            bool goes_out = chance(0.4);
            for (int minute = 0; minute < 1440; minute += 30) {
                bool away = minute > leaves && minute < returns, visit = goes_out && minute >= 1170 && minute < 1290;
                double share = uniform();
                bool moving = (minute > leaves - 30 && minute <= leaves) || (minute >= returns && minute < returns + 30);
                Place way = { home.north + share * (work.north - home.north), home.east + share * (work.east - home.east) };
                int late = below(9);
                if (!chance(0.1)) put_fix(file, s, day, minute + late, moving ? way : away ? work : visit ? out : home, 12);
            }
        }
    }
    end(file);
    end(homes);
}

/* ---- hierarchies: a column per level, from the values themselves to "*" ---- */

static void write_words(const char *name, const char *header, const char *const *word, int count, const char *const *above,
                        const char *const *higher) {
    FILE *file = begin(name, header);
    for (int i = 0; i < count; i++) {
        fprintf(file, "%s", word[i]);
        if (above) fprintf(file, ",%s", above[i]);
        if (higher) fprintf(file, ",%s", higher[i]);
        fprintf(file, ",*\n");
    }
    end(file);
}

static void write_hierarchies(void) {
    static const char *const part[] = { "inland", "coast", "inland", "hills", "coast", "coast", "hills", "coast" };
    static const char *const schooling[] = { "basic", "basic", "higher", "higher" };
    static const char *const trade[] = { "service", "manual",  "profession", "manual", "profession", "profession",
                                         "care",    "service", "service",    "none",   "care",       "manual" };
    static const char *const work[] = { "working", "working", "working", "working",     "working", "working",
                                        "working", "working", "working", "not working", "working", "working" };
    static const char *const couple[] = { "alone", "couple", "alone", "alone" };
    static const char *const system[] = { "infection", "joints", "lungs", "mind", "metabolism", "infection", "heart", "mind" };
    static const char *const stigma[] = { "communicable",  "other chronic", "other chronic", "other chronic",
                                          "other chronic", "communicable",  "other chronic", "other chronic" };
    write_words("hierarchies/sex.csv", "level0,level1", sexes, 2, NULL, NULL);
    write_words("hierarchies/region.csv", "level0,level1,level2", regions, REGIONS, part, NULL);
    write_words("hierarchies/education.csv", "level0,level1,level2", educations, 4, schooling, NULL);
    write_words("hierarchies/occupation.csv", "level0,level1,level2,level3", occupations, 12, trade, work);
    write_words("hierarchies/marital.csv", "level0,level1,level2", maritals, 4, couple, NULL);
    write_words("hierarchies/diagnosis.csv", "level0,level1,level2,level3", diagnoses, 8, system, stigma);
    FILE *file = begin("hierarchies/age.csv", "level0,level1,level2,level3,level4");
    for (int age = 18; age <= 95; age++) {
        int five = age / 5 * 5, ten = age / 10 * 10, twenty = age / 20 * 20;
        fprintf(file, "%d,%d-%d,%d-%d,%d-%d,*\n", age, five, five + 4, ten, ten + 9, twenty, twenty + 19);
    }
    end(file);
}

/* Small tables that methods take beside the data: a matrix on the right of matrix-mask, edit rules, a recoding. */
static void write_beside(void) {
    FILE *file = begin("mask-B.csv", "health,contrast");
    fputs("0.5,0.25\n0.1,-0.05\n", file);
    end(file);
    file = begin("rules.csv", "name,rule");
    fputs("physicians have studied,\"!(occupation == \"\"medicine\"\" & education != \"\"university\"\")\"\n", file);
    fputs("the retired are not young,\"!(occupation == \"\"retired\"\" & age < 60)\"\n", file);
    end(file);
    file = begin("education-map.csv", "old,new");
    fputs("primary,school\nsecondary,school\nvocational,beyond\nuniversity,beyond\n", file);
    end(file);
    file = begin("estimates.csv", "q,u"); /* one estimate and its variance from each of five synthetic tables */
    fputs("9,1\n11,1\n10,1\n12,1\n8,1\n", file);
    end(file);
    file =
        begin("coefficients.csv", "term,estimate,standard_error"); /* income ~ age + visits over all patients, as a paper would print it */
    fputs("(Intercept),47926.8882,6405.5103\nage,-319.3950,120.6961\nvisits,2191.7872,895.7683\n", file);
    end(file);
    file = begin("pram-smoker.csv", "smoker,0,1"); /* how the release redrew smokers: one in twenty takes another patient's word */
    fputs("0,0.985,0.015\n1,0.035,0.965\n", file);
    end(file);
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: examples FOLDER\n");
        return 2;
    }
    folder = argv[1];
    draw_people();
    sample();
    write_patients("clinic.csv", patients, PATIENTS);
    write_patients("clinic-holdout.csv", holdout, HOLDOUT);
    write_population();
    write_released();
    write_curve();
    write_tracks();
    write_hierarchies();
    write_beside();
    return 0;
}
