/* What an SPSS, Stata or SAS file cannot hold of a table, beside what its format says by itself. */
#include <string.h>
#include "base/elementary.h"
#include "io/stat/column_layout.h"

typedef struct Losing {
    Work *work;
    const StatLayout *plan;
} Losing;

static const StatLayout *plan_of(const void *self, int64_t index) { return &((const Losing *)self)->plan[index]; }

static bool is_text_of_numbers(const Column *column, const void *self, int64_t index) {
    return column->type == INTEGER_TYPE && stat_is_text(plan_of(self, index));
}

static bool loses_text_labels(const Column *column, const void *self, int64_t index) {
    const StatLayout *plan = plan_of(self, index);
    return plan->kind == STAT_DTA && stat_is_text(plan) && column->about && column->about->labels;
}

static bool is_plain(const StatLayout *plan, CodeValue code) {
    return stat_is_text(plan) ? !code.text : !code.letter && (stat_tags(plan->kind) || isnan(code.value));
}

/* A label whose value was not to be had. Of values past Stata's letters the labels go with the reasons. */
static bool loses_labels(const Column *column, const void *self, int64_t index) {
    const StatLayout *plan = plan_of(self, index);
    const ColumnMetadata *about = column->about;
    for (int32_t i = 0; plan->labelled && plan->keeps && i < about->labels; i++) {
        CodeValue own = about->label_of[i].of;
        if (!own.text && !own.letter && !metadata_is_missing(about, own) && !stat_label_fits(plan, own)) return true;
    }
    return false;
}

static bool loses_reasons(const Column *column, const void *self, int64_t index) {
    const StatLayout *plan = plan_of(self, index);
    const ColumnMetadata *about = column->about;
    for (int32_t i = 0; plan->tells && about && i < about->missing; i++)
        if (is_plain(plan, stat_target(plan, about->missing_of[i]))) return true;
    return false;
}

static bool cuts_label(const Column *column, const void *self, int64_t index) {
    const StatLayout *plan = plan_of(self, index);
    const char *label = column->about ? column->about->label : NULL;
    return label && stat_label(((const Losing *)self)->work, plan->kind, OF_VARIABLE, label) != label;
}

static bool cuts_value_labels(const Column *column, const void *self, int64_t index) {
    const StatLayout *plan = plan_of(self, index);
    const ColumnMetadata *about = column->about;
    Work *work = ((const Losing *)self)->work;
    if (!plan->labelled || plan->kind == STAT_XPT) return false;
    for (int32_t i = 0; about && i < about->labels; i++)
        if (stat_label(work, plan->kind, OF_VALUE, about->label_of[i].label) != about->label_of[i].label) return true;
    for (int32_t w = 0; plan->fresh && w < column->words->count; w++)
        if (plan->fresh[w] && stat_label(work, plan->kind, OF_VALUE, column->words->word[w]) != column->words->word[w]) return true;
    return false;
}

/* Times of day, weeks, months and quarters are numbers whose format alone says what they count. */
static bool loses_time(const Column *column, const void *self, int64_t index) {
    const StatLayout *plan = plan_of(self, index);
    const ColumnMetadata *about = column->about;
    bool number = column->type == INTEGER_TYPE || column->type == REAL_TYPE;
    return number && about && about->format && stat_is_time(about->origin, about->format) && strcmp(plan->format, about->format) != 0 &&
           !stat_is_time(stat_program(plan->kind), plan->format);
}

/* SPSS counts seconds from 1582: of a double no more than two microseconds are left today. */
static bool rounds_times(const Column *column, const void *self, int64_t index) {
    StatKind kind = plan_of(self, index)->kind;
    double origin = (double)stat_origin(kind) * 86400e6, unit = stat_unit(kind, CLOCK_MOMENT);
    for (int64_t i = 0; column->type == DATETIME_TYPE && i < column->rows; i++)
        if (!column_missing(column, i) && rint(((double)column->moment[i] - origin) / unit * unit) + origin != (double)column->moment[i])
            return true;
    return false;
}

static void say_names(const Table *table, const StatLayout *plan, Buffer *out) {
    int64_t changed = 0, shown = 0;
    for (int64_t i = 0; i < table->columns; i++) changed += strcmp(plan[i].name, table->column[i]->name) != 0;
    for (int64_t i = 0; i < table->columns && shown < 3; i++) {
        if (!strcmp(plan[i].name, table->column[i]->name)) continue;
        buffer_print(out, "%s'%s' is named %s there", shown ? ", " : "", table->column[i]->name, plan[i].name);
        shown++;
    }
    if (changed > shown) buffer_print(out, ", and %lld more columns have other names", (long long)(changed - shown));
    if (changed) buffer_text(out, ".\n");
}

Status stat_losses(Work *work, const Table *table, StatKind kind, Buffer *out) {
    static const struct {
        LossTest *test;
        const char *what;
    } all[] = {
        { is_text_of_numbers, "Whole numbers of more than 15 digits are written as text, so that no digit is lost:" },
        { loses_text_labels, "It cannot hold labels of texts: the texts alone are written in" },
        { loses_labels, "It cannot hold labels of numbers that are not whole, or beyond 2^31: lost are such of" },
        { loses_reasons, "It cannot hold every reason why a value is missing: some are plainly missing in" },
        { cuts_label, "It cannot hold whole labels, or all their letters: changed are those of the variables" },
        { cuts_value_labels, "It cannot hold whole labels, or all their letters: changed are labels of values of" },
        { loses_time, "It cannot show these numbers as the times that they are: without their format are" },
        { rounds_times, "It cannot hold times to the microsecond: they are rounded in" },
    };
    Status status = OK;
    StatLayout *plan = NULL;
    TRY(stat_layouts(work, table, kind, kind == STAT_XPT && stat_all_short(table), &plan));
    say_names(table, plan, out);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) format_say(table, all[i].test, &(Losing){ work, plan }, all[i].what, out);
done:
    return status;
}
