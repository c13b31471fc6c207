/* Detail that guidelines forbid: identifiers, dates, great ages, small areas, rare categories and pairs, tops that one record alone has.
 * Defined after 45 CFR 164.514(b)(2); Hundepool et al. 2006; FCSM 2005: docs/methods/risk-detail.md. */
#include <string.h>
#include "base/number_text.h"
#include "method/method.h"
#include "prose/token.h"
#include "table/group.h"
#include "profile/table_roles.h"
#include "table/measurement_level.h"

typedef struct {
    const Table *data;
    Columns keys, geography, vars, identifiers, other, decided;
    const Column *weight, *age, *person;
    int64_t oldest, order;
    const Table *public_figures;
} args;
static const Param params[] = {
    TABLE(args, data, "Table to examine", .flags = REQUIRED | POSITIONAL),
    COLUMNS(args, keys, data, "Quasi-identifiers: columns that an intruder may know (default: recognised by name and values)"),
    COLUMNS(args, geography, data, "Geographic columns (default: recognised by name)"),
    COLUMN(args, age, data, "Ages in years (default: a numeric column named age)", .flags = NUMERIC),
    COLUMNS(args, vars, data, "Numeric columns whose largest values should be top-coded", .flags = NUMERIC, .role = "numeric"),
    WEIGHT(args, data),
    COLUMNS(args, identifiers, data,
            "Direct identifiers: counted if they are still in the table, in addition to columns that look like one", .flags = IF_THERE),
    COLUMN(args, person, data, "Column that identifies the person: counted as an identifier unless protect.pseudonym replaced it"),
    COLUMNS(args, other, data, "Columns that the data custodian found harmless: they are not counted as identifiers", .flags = IF_THERE),
    COLUMNS(args, decided, data, "Columns that have a role, whatever it is: the others are counted as undecided (audit and run fill it)"),
    INT(args, oldest, 89, 0, 200, "Highest age in years that may be released"),
    INT(args, order, 2, 1, 3, "Combinations to count: 1 = single keys, 2 = also pairs, 3 = also triples"),
    TABLE(args, public_figures,
          "Public figures: columns `column` and `value`, or `pattern` with * and ? (occupation, mayor; name, Windsor*). Upper and lower "
          "case are equal"),
    END,
};
static const Return values[] = {
    VALUE(identifiers, INTEGER,
          "Columns that are direct identifiers by their role, name or values: names, addresses, personal numbers, coordinates. 0 = none "
          "recognised",
          .flags = PUBLIC),
    VALUE(undecided, INTEGER, "Columns without a role in the roles file", .flags = PUBLIC),
    VALUE(dates, INTEGER, "Columns of exact dates, also as text (31/12/1999). 0 = none recognised", .flags = PUBLIC),
    VALUE(free_text, INTEGER, "Columns of free text, whose content was not examined", .flags = PUBLIC),
    VALUE(ages_above, INTEGER, "Records with an age above --oldest, also by year of birth. 0 = safe", .flags = PUBLIC),
    VALUE(least_area, REAL, "Smallest number of people (by weight) in an area of a geographic column. Larger is safer"),
    VALUE(least_category, REAL, "Smallest number of people (by weight) in a category of a key. Larger is safer"),
    VALUE(least_pair, REAL, "Smallest number of people (by weight) in a combination of two keys. Larger is safer"),
    VALUE(least_triple, REAL, "Smallest number of people (by weight) in a combination of three keys. Larger is safer"),
    VALUE(least_records, REAL,
          "Smallest number of records in a category of a key, or in a combination of up to --order keys: the sample behind least_category, "
          "least_pair and least_triple. Larger is safer"),
    VALUE(key_count, INTEGER, "Number of keys", .flags = PUBLIC),
    VALUE(top_share, REAL,
          "Smallest share of records that have the column's largest value, over --vars, 0 to 1. Top coding at the 99.5% quantile gives at "
          "least 0.005. Larger is safer",
          .flags = PUBLIC),
    VALUE(public_figures, INTEGER, "Records with a property of --public-figures"),
    VALUE(public_alone, INTEGER, "Records that alone have a property of --public-figures. 0 = safe"),
    TABLE_OUT(public, "column:text figure:text records:integer", "Each property of --public-figures, with its number of records"),
    RECORD(public_figure, INTEGER, "Smallest number of records with a property that this record has (0: none)"),
    TABLE_OUT(identifying, "column:text reason:text", "The direct identifiers that were counted, and why"),
    TABLE_OUT(found, "what:text columns:text value:real", "Findings by column"),
    END,
};

typedef struct Detail {
    Run *run;
    Work *work;
    const args *a;
    Grid *found, *identifying;
    double *weight;
} Detail;

static void say(Detail *d, const char *what, const char *columns, double value) {
    grid_text(d->found, what);
    grid_text(d->found, columns);
    grid_real(d->found, value);
}

static bool has_column(Columns columns, const Column *column) {
    for (int64_t i = 0; i < columns.count; i++)
        if (columns.at[i] == column) return true;
    return false;
}

/* Why this column leads to a person; NULL where it does not. What looks like an identifier counts although it has another role, unless it
 * looks so by how often its values occur alone, or was found harmless. Pseudonyms lead to nobody without their key. */
static const char *identifies(const args *a, const SuggestedRole *role) {
    const Column *column = role->column;
    const RoleGuess *guess = &role->guess;
    if (has_column(a->identifiers, column)) return "a direct identifier by its role";
    if ((column->about && column->about->pseudonym) || has_column(a->other, column)) return NULL;
    if (column == a->person) return "a person's number that is no pseudonym";
    if (guess->weak && has_column(a->decided, column)) return NULL;
    bool looks = same_text(guess->role, "identifiers") || (same_text(guess->role, "person") && !has_column(a->decided, column));
    return looks ? guess->reason : NULL;
}

/* Columns that no role names. */
static void undecided(Detail *d) {
    int64_t count = 0;
    for (int64_t j = 0; j < d->a->data->columns; j++) {
        const Column *column = d->a->data->column[j];
        if (has_column(d->a->decided, column) || has_column(d->a->identifiers, column)) continue;
        count++;
        if (d->a->decided.count) say(d, "no role names it", column->name, (double)(column->rows - column->missing));
    }
    if (d->a->decided.count) result_integer(d->run->result, "undecided", count);
    else result_null(d->run->result, "undecided", "Columns without a role are counted where a roles file is given (audit, run).");
}

/* What each column is, and which of them are keys where none was named. */
static Status guess_identifiers(Detail *d, Columns *keys) {
    Status status = OK;
    const Table *table = d->a->data;
    SuggestedRole *role;
    int64_t identifiers = 0, dates = 0, prose = 0;
    NEW(d->work, keys->at, table->columns + 1);
    TRY(table_roles(d->work, table, &role));
    for (int64_t j = 0; j < table->columns; j++) {
        const Column *column = table->column[j];
        Profile profile;
        TRY(column_profile(d->work, column, &profile));
        if (same_text(role[j].guess.role, "keys")) keys->at[keys->count++] = column;
        const char *why = identifies(d->a, &role[j]);
        if (why) {
            identifiers++;
            say(d, why, column->name, (double)profile.uniques);
            grid_text(d->identifying, column->name);
            grid_text(d->identifying, why);
        }
        if (column_is_prose(column, &profile)) {
            prose++;
            say(d, "free text", column->name, (double)profile.distinct);
        }
        if (((column_linear(column) && !column_numeric(column)) || column_tells_days(column)) && profile.present) {
            dates++;
            say(d, "exact date", column->name, (double)profile.distinct);
        }
    }
    result_integer(d->run->result, "identifiers", identifiers);
    result_integer(d->run->result, "dates", dates);
    result_integer(d->run->result, "free_text", prose);
    undecided(d);
done:
    return status;
}

static Status guess_geography(Detail *d, Columns *out) {
    Status status = OK;
    const Table *table = d->a->data;
    if (d->a->geography.count) {
        *out = d->a->geography;
        return OK;
    }
    NEW(d->work, out->at, table->columns + 1);
    for (int64_t j = 0; j < table->columns; j++)
        if (column_called(table->column[j], CALLED_PLACE) || column_called(table->column[j], CALLED_POSTCODE))
            out->at[out->count++] = table->column[j];
done:
    return status;
}

static const Column *guess_age(const args *a) {
    if (a->age) return a->age;
    for (int64_t j = 0; j < a->data->columns; j++)
        if (column_numeric(a->data->column[j]) && column_called(a->data->column[j], CALLED_AGE)) return a->data->column[j];
    return NULL;
}

/* Years of birth, by the name and by being years: the age that a person reaches in the latest year that any column of years tells is not
 * known, so the latest year of birth itself stands for now, which makes everyone younger than they are and none older. */
static int64_t great_births(Detail *d) {
    int64_t above = 0;
    for (int64_t j = 0; j < d->a->data->columns; j++) {
        const Column *column = d->a->data->column[j];
        int64_t latest = 0, here = 0;
        if (column->type != INTEGER_TYPE || !column_called(column, CALLED_BIRTH_YEAR)) continue;
        for (int64_t i = 0; i < column->rows; i++)
            if (!column_missing(column, i) && column_integer(column, i) > latest) latest = column_integer(column, i);
        if (latest < 1900 || latest > 2200) continue;
        for (int64_t i = 0; i < column->rows; i++) here += !column_missing(column, i) && latest - column_integer(column, i) > d->a->oldest;
        if (here) say(d, "years of birth that disclose ages above the limit", column->name, (double)here);
        above += here;
    }
    return above;
}

static void great_ages(Detail *d) {
    const Column *age = guess_age(d->a);
    int64_t above = 0, births = great_births(d);
    for (int64_t i = 0; age && i < age->rows; i++) above += !column_missing(age, i) && column_number(age, i) > (double)d->a->oldest;
    if (above) say(d, "ages above the limit", age->name, (double)above);
    result_integer(d->run->result, "ages_above", above + births);
}

/* The fewest people, and the fewest records, in a combination of these columns that occurs. Records that lack one of them belong to none.
 */
static Status least(Detail *d, const Codes *codes, int64_t count, double *out, double *records) {
    Status status = OK;
    Grouping groups;
    double *people = NULL;
    int64_t rows = d->a->data->rows;
    *out = INFINITY;
    TRY(group_codes(d->work, codes, count, rows, &groups));
    NEW(d->work, people, groups.count + 1);
    for (int64_t i = 0; i < rows; i++) people[groups.of[i]] += d->weight[i];
    for (int64_t g = 0; g < groups.count; g++) {
        bool whole = true;
        for (int64_t k = 0; k < count; k++) whole &= codes[k].at[groups.first[g]] >= 0;
        if (whole && people[g] < *out) *out = people[g];
        if (whole && (double)groups.size[g] < *records) *records = (double)groups.size[g];
    }
    arena_drop(d->work->arena, people);
    arena_drop(d->work->arena, groups.of);
    arena_drop(d->work->arena, groups.first);
    arena_drop(d->work->arena, groups.size);
done:
    return status;
}

/* All combinations of `order` of these columns; each least below that of all before is written down. */
static Status least_of_all(Detail *d, Columns columns, int64_t order, const char *what, double *out, double *records) {
    Status status = OK;
    Codes *codes = NULL;
    double fewest;
    *out = INFINITY;
    NEW(d->work, codes, columns.count + 1);
    for (int64_t i = 0; i < columns.count; i++) TRY(column_codes(d->work, columns.at[i], &codes[i]));
    for (int64_t i = 0; i < columns.count; i++)
        for (int64_t j = order > 1 ? i + 1 : columns.count - 1; j < columns.count; j++)
            for (int64_t k = order > 2 ? j + 1 : columns.count - 1; k < columns.count; k++) {
                const Codes some[3] = { codes[i], codes[j], codes[k] };
                TRY(work_check(d->work));
                TRY(least(d, some, order, &fewest, records));
                if (fewest >= *out) continue;
                *out = fewest;
                const char *name =
                    arena_print(d->work->arena, "%s%s%s%s%s", columns.at[i]->name, order > 1 ? " × " : "",
                                order > 1 ? columns.at[j]->name : "", order > 2 ? " × " : "", order > 2 ? columns.at[k]->name : "");
                say(d, what, name, fewest);
            }
done:
    return status;
}

/* Does every column have a role, or an argument that names it? */
static bool all_named(const Detail *d) {
    const Args *from[] = { d->run->given, d->run->roles };
    for (int64_t j = 0; j < d->a->data->columns; j++) {
        bool named = false;
        for (int f = 0; f < 2; f++)
            for (int64_t i = 0; from[f] && i < from[f]->count; i++)
                for (int64_t k = 0; from[f]->at[i].items && k < from[f]->at[i].count; k++)
                    named |= !strcmp(from[f]->at[i].items[k], d->a->data->column[j]->name);
        if (!named) return false;
    }
    return true;
}

/* Where no column tells people apart, all of them are together, if it is known what every column is; else the value is not known. */
static void put_least(Detail *d, const char *name, Columns columns, double fewest, const char *what) {
    double all = 0;
    if (columns.count && fewest < INFINITY) {
        result_real(d->run->result, name, fewest);
        return;
    }
    for (int64_t i = 0; i < d->a->data->rows; i++) all += d->weight[i];
    if (d->a->data->rows && !columns.count && all_named(d)) result_real(d->run->result, name, all);
    else
        result_null(d->run->result, name, "No column of %s was named or recognised%s. A rule on this value is violated.", what,
                    columns.count ? " that has a value" : ", and not every column has a role");
}

static Status areas(Detail *d) {
    Status status = OK;
    Columns places = { 0 };
    double fewest, records = INFINITY;
    TRY(guess_geography(d, &places));
    TRY(least_of_all(d, places, 1, "people in the smallest area", &fewest, &records));
    put_least(d, "least_area", places, fewest, "places");
done:
    return status;
}

/* Of fewer keys than a combination has, all that there are. */
static Status categories(Detail *d, Columns keys) {
    static const char *const names[] = { "least_category", "least_pair", "least_triple" }, *const what[] = {
        "people in the rarest category", "people in the rarest pair", "people in the rarest triple"
    };
    Status status = OK;
    double fewest = INFINITY, records = INFINITY;
    for (int64_t order = 1; order <= 3; order++) {
        if (order > d->a->order) {
            result_null(d->run->result, names[order - 1], "Combinations of %lld keys are counted with --order %lld.", (long long)order,
                        (long long)order);
            continue;
        }
        if (order <= keys.count) TRY(least_of_all(d, keys, order, what[order - 1], &fewest, &records));
        put_least(d, names[order - 1], keys, fewest, "keys");
    }
    if (records < INFINITY) result_real(d->run->result, "least_records", records);
    else if (d->a->data->rows && !keys.count && all_named(d)) result_real(d->run->result, "least_records", (double)d->a->data->rows);
    else result_null(d->run->result, "least_records", "There is no key with a value.");
    result_integer(d->run->result, "key_count", keys.count);
done:
    return status;
}

static void tops(Detail *d) {
    double least_share = INFINITY;
    for (int64_t v = 0; v < d->a->vars.count; v++) {
        const Column *x = d->a->vars.at[v];
        double most = -INFINITY;
        int64_t at_top = 0, present = x->rows - x->missing;
        for (int64_t i = 0; i < x->rows; i++) {
            if (column_missing(x, i)) continue;
            double value = column_number(x, i);
            at_top = value > most ? 1 : at_top + (value == most);
            if (value > most) most = value;
        }
        double share = present ? (double)at_top / (double)present : INFINITY;
        if (share < least_share) {
            least_share = share;
            say(d, "share of records that have the largest value", x->name, share);
        }
    }
    if (least_share < INFINITY) result_real(d->run->result, "top_share", least_share);
    else if (d->a->vars.count) result_null(d->run->result, "top_share", "The columns of --vars hold no value.");
    else result_null(d->run->result, "top_share", "Top coding was not checked, because no --vars were named.");
}

/* One character of each, whatever its case; both move on where they agree. */
static bool same_letter(const char **a, const char **b) {
    int long_a, long_b;
    uint32_t x = code_point(*a, *a + strlen(*a), &long_a), y = code_point(*b, *b + strlen(*b), &long_b);
    if (code_lower(x) != code_lower(y)) return false;
    *a += long_a;
    *b += long_b;
    return true;
}

static const char *next_character(const char *text) {
    int length;
    code_point(text, text + strlen(text), &length);
    return text + length;
}

/* Upper and lower case are one; in a pattern * stands for any text, ? for one character. What failed behind the last * is tried one
 * character further on. */
static bool matches(const char *figure, bool pattern, const char *text) {
    const char *star = NULL, *from = NULL;
    while (*text) {
        if (pattern && *figure == '*') {
            star = ++figure;
            from = text;
        } else if (pattern && *figure == '?') {
            figure++;
            text = next_character(text);
        } else if (*figure && same_letter(&figure, &text)) continue;
        else if (star) {
            figure = star;
            text = from = next_character(from);
        } else return false;
    }
    while (pattern && *figure == '*') figure++;
    return !*figure;
}

/* One figure: marks who holds it, and answers how many do. A number is the same however it is written (40.50). */
static int64_t holders(const Column *column, const char *figure, bool pattern, int64_t *fewest) {
    int64_t held = 0;
    char text[33], plain[33];
    double number;
    bool reads = !pattern && column_numeric(column) && read_real(figure, figure + strlen(figure), '.', &number);
    if (reads && fabs(number) < 0x1p53) figure = real_text(number, plain);
    for (int pass = 0; pass < 2; pass++)
        for (int64_t i = 0; i < column->rows; i++) {
            const char *cell = column_cell(column, i, text);
            if (!cell || !matches(figure, pattern, cell)) continue;
            if (!pass) held++;
            else if (!fewest[i] || held < fewest[i]) fewest[i] = held;
        }
    return held;
}

static Status needs_columns(Detail *d) {
    fail(d->work->error, BAD, "public figures are given as a table with `column`, and with `value` or `pattern`");
    return error_parameter(d->work->error, "public-figures");
}

/* A mayor, a centenarian, the one surgeon of a town: known without any key (Matthews & Harel 2011, 3.2.1). */
static Status public_eye(Detail *d) {
    Status status = OK;
    const Table *public = d->a->public_figures;
    Column *record = NULL;
    int64_t figures = 0, alone = 0;
    if (!public) {
        result_null(d->run->result, "public_figures", "No list of public figures was given (--public-figures FILE).");
        result_null(d->run->result, "public_alone", "No list of public figures was given (--public-figures FILE).");
        return OK;
    }
    const Column *of = table_column(public, "column"), *value = table_column(public, "value"), *pattern = table_column(public, "pattern");
    if (!of || of->missing || (!value && !pattern)) return needs_columns(d);
    Grid *grid = grid_new(d->run->result, "public", "column:text figure:text records:integer");
    TRY(column_new(INTEGER_TYPE, "public_figure", d->a->data->rows, &record, d->work->error));
    for (int64_t i = 0; i < public->rows; i++) {
        const Column *column;
        char name[33], exact[33], like[33];
        const char *first = value ? column_cell(value, i, exact) : NULL, *second = pattern ? column_cell(pattern, i, like) : NULL;
        if (!first == !second) TRY(needs_columns(d));
        TRY(table_need(d->a->data, column_cell(of, i, name), &column, d->work->error));
        grid_text(grid, column->name);
        grid_text(grid, first ? first : second);
        grid_integer(grid, holders(column, first ? first : second, !first, record->integer));
    }
    grid_done(grid);
    for (int64_t i = 0; i < record->rows; i++) {
        figures += record->integer[i] > 0;
        alone += record->integer[i] == 1;
    }
    result_integer(d->run->result, "public_figures", figures);
    result_integer(d->run->result, "public_alone", alone);
    put_record(d->run, "data", record);
    record = NULL;
done:
    column_release(record);
    return status;
}

static Status detail_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Columns guessed = { 0 };
    Detail d = { .run = run, .work = &run->work, .a = a, .found = grid_new(run->result, "found", "what:text columns:text value:real") };
    d.identifying = grid_new(run->result, "identifying", "column:text reason:text");
    NEW(d.work, d.weight, a->data->rows + 1);
    for (int64_t i = 0; i < a->data->rows; i++) d.weight[i] = !a->weight ? 1 : column_number(a->weight, i);
    TRY(guess_identifiers(&d, &guessed));
    great_ages(&d);
    TRY(areas(&d));
    TRY(categories(&d, a->keys.count ? a->keys : guessed));
    tops(&d);
    TRY(public_eye(&d));
    grid_done(d.identifying);
    grid_done(d.found);
    result_note(run->result, "Identifiers are recognised by roles, names and values. The data custodian decides.");
    result_note(run->result, "Missing values are in no category.%s",
                a->weight ? "" : " Without --weight people are counted as records, not as the population.");
    if (a->weight)
        result_note(run->result, "People are estimated by weights: one record with weight 100 is one observed person. least_records is the "
                                 "smallest number of records behind such an estimate.");
done:
    return status;
}

/* Grouping is about 20 ns a record on two threads. */
static double cost(const void *p) {
    const args *a = p;
    double m = (double)(a->keys.count ? a->keys.count : a->data->columns), combinations = m;
    if (a->order > 1) combinations += m * (m - 1) / 2;
    if (a->order > 2) combinations += m * (m - 1) * (m - 2) / 6;
    return 2e-8 * (double)a->data->rows * combinations;
}

const Method risk_detail = {
    .group = "risk",
    .name = "detail",
    .summary = "Check for excessive detail: identifiers, exact dates, high ages, small areas, rare combinations",
    .source = "45 CFR 164.514(b)(2); Hundepool et al. 2006; FCSM 2005",
    .params = params,
    .size = sizeof(args),
    .traits = IDENTITY | POPULATION,
    .run = detail_run,
    .values = values,
    .cost = cost,
    .example = "scrim risk detail examples/clinic.csv --keys sex,age,region,education --weight w --vars income",
};
