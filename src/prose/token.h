/* Running text cut into tokens: words, numbers, marks and line ends, each with what its form alone says. */
#ifndef SCRIM_PROSE_TOKEN_H
#define SCRIM_PROSE_TOKEN_H
#include "base/work.h"

/* The form of a token. Words first, so that `shape <= SHAPE_INITIAL` asks for a word. */
typedef enum {
    SHAPE_LOWER,
    SHAPE_CAPITAL,
    SHAPE_UPPER,
    SHAPE_MIXED,
    SHAPE_UNCASED,
    SHAPE_INITIAL, /* word, Word, WORD, McWord, 山, W */
    SHAPE_1,
    SHAPE_2,
    SHAPE_3,
    SHAPE_4,
    SHAPE_5,
    SHAPE_LONG,  /* digits, by how many */
    SHAPE_ALNUM, /* letters and digits: A12, 5th */
    SHAPE_MARK,
    SHAPE_LINE,
    SHAPE_PARAGRAPH,
    SHAPE_EDGE /* ',' and such; one line end; several; before the first, after the last */
} Shape;

typedef enum { TOKEN_SPACED = 1, TOKEN_SENTENCE = 2, TOKEN_LINE_START = 4, TOKEN_LINE_END = 8, TOKEN_POSSESSIVE = 16 } TokenFlag;

typedef struct Token {
    uint32_t start, end; /* bytes of the text */
    uint64_t hash;       /* of its letters in lower case */
    uint64_t word;       /* the same where a list has the word or it is a mark; else WORD_UNKNOWN: what the tagger knows it by */
    uint32_t lists;      /* which lists know it (prose/lists.h) */
    uint16_t cues;       /* which kinds of number it announces (prose/lists.h) */
    uint8_t shape, flags;
} Token;

enum { WORD_UNKNOWN = 5, WORD_NUMBER = 6 };
#define MARK_COMMA ((0xcbf29ce484222325u ^ ',') * 0x100000001b3u) /* the hash of a comma */
/* What was found out about words that no list has, kept for the next time (prose/lists.c). */
enum { MEMO = 4096 };
typedef struct Memo {
    uint64_t key;
    uint32_t lists;
} Memo;
typedef struct Tokens {
    Token *at;
    int64_t count, capacity;
    Memo *memo; /* MEMO of them, or NULL; free'd with the tokens */
} Tokens;

/* Appends the tokens of text[0…size); size below 2³². Any bytes will do: what is not UTF-8 is a mark of its own. `at` is malloc'd. */
MUST_CHECK Status tokens_cut(const char *text, size_t size, Tokens *out, Error *error);
void tokens_free(Tokens *tokens);

/* The code point at p and its length in bytes; an invalid byte is itself, of length 1, with 0x80000000 set. */
uint32_t code_point(const char *p, const char *end, int *length);
bool code_is_letter(uint32_t code);
bool code_is_upper(uint32_t code);
uint32_t code_lower(uint32_t code);
uint32_t code_upper(uint32_t code);
int code_put(uint32_t code, char out[4]); /* its bytes; how many */
/* A word in lower case, to at most room − 1 bytes; how many there are. */
size_t word_lower(const char *word, size_t size, char *out, size_t room);
/* Without accents, in lower case: "Muñoz" and "munoz" are one word. */
size_t word_fold(const char *word, size_t size, char *out, size_t room);
uint64_t letters_hash(const char *word, size_t size); /* of its lower case: what a token's hash is */
static inline bool shape_is_word(unsigned shape) { return shape <= SHAPE_INITIAL; }
static inline bool shape_is_cased(unsigned shape) { return shape >= SHAPE_CAPITAL && shape <= SHAPE_INITIAL; }
static inline bool shape_is_number(unsigned shape) { return shape >= SHAPE_1 && shape <= SHAPE_LONG; }
#endif
