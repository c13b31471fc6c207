/* Queries read: "mean(age) where sex == 2 by region; histogram(education)". */
#include <string.h>
#include "base/elementary.h"
#include "base/text.h"
#include "release/query/query.h"
#include "table/lexer.h"

const QueryWords query_words[] = {
    { "count", QUERY_COUNT, 0, 0, 0, 0, "count()" },
    { "sum", QUERY_SUM, 1, 0, 0, 0, "sum(x)" },
    { "mean", QUERY_MEAN, 1, 0, 0, 0, "mean(x)" },
    { "variance", QUERY_VARIANCE, 1, 0, 0, 0, "variance(x)" },
    { "sd", QUERY_SD, 1, 0, 0, 0, "sd(x)" },
    { "covariance", QUERY_COVARIANCE, 2, 0, 0, 0, "covariance(x, y)" },
    { "correlation", QUERY_CORRELATION, 2, 0, 0, 0, "correlation(x, y)" },
    { "moment", QUERY_MOMENT, 1, 1, 1, 16, "moment(x, 3)" },
    { "median", QUERY_MEDIAN, 1, 0, 0, 0, "median(x)" },
    { "quantile", QUERY_QUANTILE, 1, 1, 0, 1, "quantile(x, 0.9)" },
    { "winsorized", QUERY_WINSORIZED, 1, 1, 0, 0.4999999, "winsorized(x, 0.2)" },
    { "trimmed", QUERY_TRIMMED, 1, 1, 0, 0.4999999, "trimmed(x, 0.1)" },
    { "histogram", QUERY_HISTOGRAM, 1, 2, 1, 100000, "histogram(x) or histogram(x, 20)" },
    { "roc", QUERY_ROC, 2, 2, 2, 1000, "roc(score, status) or roc(score, status, 20)" },
    { "chisq", QUERY_CHISQ, 2, 0, 0, 0, "chisq(a, b)" },
    { "regression", QUERY_REGRESSION, 1, 0, 0, 0, "regression(y, a, b)" },
    { "logistic", QUERY_LOGISTIC, 1, 0, 0, 0, "logistic(y, a, b)" },
    { "tree", QUERY_TREE, 1, 1, 1, 16, "tree(x, 4)" },
    { "bounds", QUERY_BOUNDS, 1, 0, 0, 0, "bounds(x)" },
    { 0 },
};

typedef struct Parser {
    Work *work;
    Lexer lexer;
    Token token;
} Parser;

static Status advance(Parser *p, bool value) { return lexer_next(&p->lexer, value, &p->token); }

static Status find_words(Parser *p, const QueryWords **out) {
    const char *names[32];
    size_t count = 0;
    for (*out = query_words; (*out)->name; (*out)++) {
        if (p->token.kind == TOKEN_NAME && !strcmp((*out)->name, p->token.text)) return OK;
        names[count++] = (*out)->name;
    }
    const char *near = p->token.kind == TOKEN_NAME ? nearest_name(p->token.text, names, count) : NULL;
    lexer_fail(&p->lexer, p->token.start,
               "a query begins with count, sum, mean, variance, sd, covariance, correlation, moment, median, quantile, winsorized, "
               "trimmed, histogram, roc, chisq, regression, logistic or tree");
    return near ? error_advice(p->work->error, "Did you mean %s?", near) : BAD;
}

static Status read_column(Parser *p, bool numeric, const Column **out) {
    Status status = OK;
    if (p->token.kind != TOKEN_NAME) return lexer_fail(&p->lexer, p->token.start, "a column's name is expected here");
    if (p->token.column < 0) return lexer_no_column(&p->lexer, &p->token);
    *out = p->lexer.table->column[p->token.column];
    if (numeric && !column_numeric(*out)) {
        lexer_fail(&p->lexer, p->token.start, "'%s' holds %s, and numbers are needed", (*out)->name, type_values((*out)->type));
        return BAD;
    }
    TRY(advance(p, false));
done:
    return status;
}

static Status read_number(Parser *p, const QueryWords *words, double *out) {
    Status status = OK;
    bool whole = words->kind == QUERY_MOMENT || words->kind == QUERY_HISTOGRAM || words->kind == QUERY_ROC || words->kind == QUERY_TREE;
    if (p->token.kind != TOKEN_NUMBER) return lexer_fail(&p->lexer, p->token.start, "a number is expected here, as in %s", words->like);
    *out = p->token.number;
    if (!(*out >= words->least && *out <= words->most) || (whole && *out != floor(*out)))
        return lexer_fail(&p->lexer, p->token.start, "this number must be %s",
                          words->kind == QUERY_MOMENT || words->kind == QUERY_TREE ? "a whole number from 1 to 16"
                          : words->kind == QUERY_HISTOGRAM                         ? "a whole number from 1 to 100000"
                          : words->kind == QUERY_ROC                               ? "a whole number from 2 to 1000"
                          : words->kind == QUERY_QUANTILE                          ? "from 0 to 1"
                                                                                   : "from 0 to less than 0.5");
    TRY(advance(p, false));
done:
    return status;
}

static Status need_mark(Parser *p, const char *mark, const QueryWords *words, bool value) {
    if (!token_is(&p->token, mark)) return lexer_fail(&p->lexer, p->token.start, "'%s' is expected here, as in %s", mark, words->like);
    return advance(p, value);
}

/* "(x, y, 0.2)" behind the name. A count may do without. */
static Status read_arguments(Parser *p, Query *q) {
    Status status = OK;
    const QueryWords *w = q->words;
    const Column **column[] = { &q->x, &q->y };
    q->number = NAN;
    if (w->kind == QUERY_COUNT && !token_is(&p->token, "(")) return OK;
    TRY(need_mark(p, "(", w, true));
    for (int i = 0; i < w->columns; i++) {
        if (i) TRY(need_mark(p, ",", w, true));
        TRY(read_column(p, w->kind != QUERY_HISTOGRAM && w->kind != QUERY_CHISQ, column[i]));
    }
    for (int64_t room = 0; (w->kind == QUERY_REGRESSION || w->kind == QUERY_LOGISTIC) && (token_is(&p->token, ",") || !q->more.count);) {
        TRY(need_mark(p, ",", w, true));
        GROW(p->work, q->more.at, room, q->more.count + 1);
        TRY(read_column(p, true, &q->more.at[q->more.count]));
        if (++q->more.count > 8) return lexer_fail(&p->lexer, p->token.start, "a regression has at most eight predictors");
    }
    if (w->numbers == 1 || (w->numbers == 2 && token_is(&p->token, ","))) {
        TRY(need_mark(p, ",", w, true));
        TRY(read_number(p, w, &q->number));
    }
    TRY(need_mark(p, ")", w, false));
done:
    return status;
}

static Status read_by(Parser *p, Query *q) {
    Status status = OK;
    int64_t room = 0;
    do {
        TRY(advance(p, true));
        GROW(p->work, q->by.at, room, q->by.count + 1);
        TRY(read_column(p, false, &q->by.at[q->by.count]));
        q->by.count++;
    } while (token_is(&p->token, ","));
done:
    return status;
}

/* "[2]": twice the share of the promise that the others have. */
static Status read_weight(Parser *p, Query *q) {
    Status status = OK;
    TRY(advance(p, true));
    double weight = p->token.kind == TOKEN_NUMBER ? p->token.number : 0;
    if (!(weight >= 1 && weight <= 1000 && weight == floor(weight)) || q->weight)
        return lexer_fail(&p->lexer, p->token.start, "a weight is one whole number from 1 to 1000, as in mean(age) [2]");
    q->weight = (int64_t)weight;
    TRY(advance(p, false));
    if (!token_is(&p->token, "]")) return lexer_fail(&p->lexer, p->token.start, "']' is expected here, as in mean(age) [2]");
    TRY(advance(p, false));
done:
    return status;
}

static Status read_query(Parser *p, Query *q) {
    Status status = OK;
    int64_t start = p->token.start, end;
    TRY(find_words(p, &q->words));
    q->kind = q->words->kind;
    TRY(advance(p, false));
    TRY(read_arguments(p, q));
    while (p->token.kind == TOKEN_NAME || token_is(&p->token, "[")) {
        if (token_is(&p->token, "[")) TRY(read_weight(p, q));
        else if (!strcmp(p->token.text, "where") && !q->where) {
            int64_t at = p->lexer.at;
            TRY(expr_parse_part(p->work, p->lexer.table, p->lexer.source, "query", &at, &q->where));
            if (!expr_logical(q->where))
                return lexer_fail(&p->lexer, p->token.start,
                                  "the condition after 'where' must be true or false for each record, such as age > 20");
            p->lexer.at = at;
            TRY(advance(p, false));
        } else if (!strcmp(p->token.text, "by") && !q->by.count) TRY(read_by(p, q));
        else break;
    }
    if (!q->weight) q->weight = 1;
    end = p->token.start;
    while (end > start && (p->lexer.source[end - 1] == ' ' || p->lexer.source[end - 1] == ';')) end--;
    char *text = NULL;
    NEW(p->work, text, end - start + 1);
    memcpy(text, p->lexer.source + start, (size_t)(end - start));
    q->text = text;
    if ((q->kind == QUERY_HISTOGRAM || q->kind == QUERY_ROC || q->kind == QUERY_CHISQ || q->kind == QUERY_REGRESSION ||
         q->kind == QUERY_LOGISTIC || q->kind == QUERY_TREE || q->kind == QUERY_BOUNDS) &&
        q->by.count)
        return lexer_fail(&p->lexer, start, "a %s has no 'by' of its own",
                          q->kind == QUERY_ROC                                       ? "ROC curve"
                          : q->kind == QUERY_CHISQ                                   ? "test of independence"
                          : q->kind == QUERY_REGRESSION || q->kind == QUERY_LOGISTIC ? "regression"
                          : q->kind == QUERY_TREE                                    ? "tree of counts"
                          : q->kind == QUERY_BOUNDS                                  ? "pair of bounds"
                                                                                     : "histogram");
    if (p->token.kind != TOKEN_END && !token_is(&p->token, ";"))
        return lexer_fail(&p->lexer, p->token.start, "'where', 'by', ';' or the end is expected here");
done:
    return status;
}

Status query_parse(Work *work, const Table *data, const char *source, int64_t *count, Query **out) {
    Status status = OK;
    Parser p = { .work = work, .lexer = { .work = work, .table = data, .source = source, .what = "query" } };
    int64_t room = 0;
    *count = 0;
    *out = NULL;
    TRY(advance(&p, true));
    while (token_is(&p.token, ";")) TRY(advance(&p, true));
    while (p.token.kind != TOKEN_END) {
        GROW(work, *out, room, *count + 1);
        (*out)[*count] = (Query){ 0 };
        TRY(read_query(&p, &(*out)[*count]));
        (*count)++;
        while (token_is(&p.token, ";")) TRY(advance(&p, true));
    }
    if (!*count) return lexer_fail(&p.lexer, 0, "there is no query");
done:
    if (status == BAD && !work->error->parameter[0]) error_parameter(work->error, "query");
    return status;
}
