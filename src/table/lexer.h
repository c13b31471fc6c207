/* Words of an expression or a formula. A reader asks for one at a time, and says whether a value may stand there: only then can a column's
 * name with other characters in it (hours-per-week) be meant. */
#ifndef SCRIM_TABLE_LEXER_H
#define SCRIM_TABLE_LEXER_H
#include "table/table.h"

typedef enum { TOKEN_END, TOKEN_NUMBER, TOKEN_TEXT, TOKEN_NAME, TOKEN_MARK } TokenKind;
typedef struct Token {
    TokenKind kind;
    int64_t start, end; /* bytes of the source */
    int64_t column;     /* TOKEN_NAME: its place in the table, or -1 */
    bool quoted;        /* TOKEN_NAME: stood in backticks */
    double number;
    const char *text; /* what it says: quotes taken off; in the arena */
} Token;

typedef struct Lexer {
    Work *work;
    const Table *table;
    const char *source, *what; /* "expression", "formula": for messages */
    int64_t at;                /* byte where the next token is looked for */
} Lexer;

/* The next token, and the lexer behind it. value: a value may stand here. */
MUST_CHECK Status lexer_next(Lexer *lexer, bool value, Token *out);
bool token_is(const Token *token, const char *mark); /* this operator, bracket or comma */
/* BAD, with what and where (counted in characters) and the source. */
Status lexer_fail(const Lexer *lexer, int64_t byte, const char *format, ...) FORMAT(3, 4);
/* The same for a name that is no column: with the nearest. */
Status lexer_no_column(const Lexer *lexer, const Token *token);
#endif
