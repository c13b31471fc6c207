/* Words of an expression or a formula, and errors that say where. */
#include "table/lexer.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "base/number_text.h"
#include "base/text.h"

static bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || (unsigned char)c >= 0x80; }
static bool digit(char c) { return c >= '0' && c <= '9'; }
static bool inner(char c) { return letter(c) || digit(c); }

bool token_is(const Token *token, const char *mark) { return token->kind == TOKEN_MARK && !strcmp(token->text, mark); }

Status lexer_fail(const Lexer *lexer, int64_t byte, const char *format, ...) {
    char message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    int64_t place = 1;
    for (int64_t i = 0; i < byte && lexer->source[i]; i++) place += ((unsigned char)lexer->source[i] & 0xC0) != 0x80;
    return fail(lexer->work->error, BAD, "%s \"%.200s\", at character %lld: %s", lexer->what, lexer->source, (long long)place, message);
}

Status lexer_no_column(const Lexer *lexer, const Token *token) {
    const Column *none;
    Error nearest = ERROR_NONE;
    if (table_need(lexer->table, token->text, &none, &nearest) == FAILED) return out_of_memory(lexer->work->error);
    lexer_fail(lexer, token->start, "there is no column '%s'", token->text);
    const char *quotes = nearest.kind == ERROR_SIMILAR ? "" : " Text stands in quotes.";
    if (nearest.advice[0]) error_advice(lexer->work->error, "%s%s", nearest.advice, quotes);
    return BAD;
}

/* Bytes of the longest column name that stands at p and ends where a name can end; its place in the table. */
static int64_t column_here(const Lexer *lexer, const char *p, int64_t *place) {
    int64_t longest = 0;
    for (int64_t i = 0; i < lexer->table->columns; i++) {
        const char *name = lexer->table->column[i]->name;
        int64_t length = (int64_t)strlen(name);
        if (length <= longest || strncmp(p, name, (size_t)length) || (inner(name[length - 1]) && inner(p[length]))) continue;
        longest = length;
        *place = i;
    }
    return longest;
}

static int64_t number_length(const char *p) {
    int64_t n = 0;
    while (digit(p[n])) n++;
    if (p[n] == '.' && digit(p[n + 1]))
        for (n++; digit(p[n]);) n++;
    if (n && (p[n] == 'e' || p[n] == 'E')) {
        int64_t e = n + 1 + (p[n + 1] == '+' || p[n + 1] == '-');
        if (digit(p[e]))
            for (n = e; digit(p[n]);) n++;
    }
    return n;
}

static int64_t mark_length(const char *p) {
    static const char *const marks[] = { "%in%", "%%", "==", "!=", "<=", ">=", "&&", "||" };
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (!strncmp(p, marks[i], strlen(marks[i]))) return (int64_t)strlen(marks[i]);
    return *p && strchr("<>=&|!+-*/^(),~:;[]", *p) ? 1 : 0;
}

static Status copy_token(const Lexer *lexer, const char *from, int64_t length, Token *out) {
    Status status = OK;
    char *text = NULL;
    NEW(lexer->work, text, length + 1);
    memcpy(text, from, (size_t)length);
    out->text = text;
done:
    return status;
}

/* "text", 'text' and `name`: up to the same mark; a backslash protects the mark and itself. */
static Status quoted(Lexer *lexer, Token *out) {
    Status status = OK;
    const char *p = lexer->source + lexer->at;
    int64_t n = 1, length = 0;
    char *text = NULL;
    NEW(lexer->work, text, strlen(p) + 1);
    for (; p[n] && p[n] != p[0]; n++) {
        if (p[n] == '\\' && (p[n + 1] == p[0] || p[n + 1] == '\\')) n++;
        text[length++] = p[n];
    }
    if (!p[n]) return lexer_fail(lexer, lexer->at, "this %c is not closed", p[0]);
    *out = (Token){ .kind = p[0] == '`' ? TOKEN_NAME : TOKEN_TEXT,
                    .start = lexer->at,
                    .end = lexer->at + n + 1,
                    .column = -1,
                    .quoted = true,
                    .text = text };
    if (out->kind == TOKEN_NAME) out->column = table_find(lexer->table, text);
    lexer->at = out->end;
done:
    return status;
}

static bool token_number(const char *p, int64_t length, double *out) {
    char text[64] = "0"; /* .5 reads as 0.5 */
    if (*p != '.' || length > 60) return read_real(p, p + length, '.', out);
    memcpy(text + 1, p, (size_t)length);
    return read_real(text, text + 1 + length, '.', out);
}

static Status plain(Lexer *lexer, bool value, Token *out) {
    const char *p = lexer->source + lexer->at;
    int64_t length = number_length(p), place = -1, name = 0;
    out->kind = TOKEN_NUMBER;
    if (!length && letter(*p)) {
        out->kind = TOKEN_NAME;
        while (inner(p[length])) length++;
    } else if (!length) {
        out->kind = TOKEN_MARK;
        length = mark_length(p);
    }
    if (value) name = column_here(lexer, p, &place);
    if (name > length || (name == length && out->kind == TOKEN_NAME && name)) {
        out->kind = TOKEN_NAME;
        length = name;
        out->column = place;
    }
    if (!length) return lexer_fail(lexer, lexer->at, "'%.*s' cannot be read here", utf8_length(p, p + strlen(p)), p);
    if (out->kind == TOKEN_NUMBER && !token_number(p, length, &out->number))
        return lexer_fail(lexer, lexer->at, "this number is out of range");
    if (out->kind == TOKEN_NUMBER && inner(p[length]))
        return lexer_fail(lexer, lexer->at, "a number runs into a name here; a name that begins with a digit goes in backticks");
    out->end = lexer->at += length;
    return copy_token(lexer, p, length, out);
}

Status lexer_next(Lexer *lexer, bool value, Token *out) {
    const char *s = lexer->source;
    while (s[lexer->at] == ' ' || s[lexer->at] == '\t' || s[lexer->at] == '\n' || s[lexer->at] == '\r') lexer->at++;
    *out = (Token){ .kind = TOKEN_END, .start = lexer->at, .end = lexer->at, .column = -1, .text = "" };
    if (!s[lexer->at]) return OK;
    if (strchr("\"'`", s[lexer->at])) return quoted(lexer, out);
    return plain(lexer, value, out);
}
