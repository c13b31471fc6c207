/* scrim inspect: what its files share. */
#ifndef SCRIM_VERB_INSPECT_H
#define SCRIM_VERB_INSPECT_H
#include "method/parts.h"
#include "profile/table_roles.h"
#include "table/measurement_level.h"

typedef struct InspectArgs {
    const Table *data, *beside;
    bool charts, schema;
    Columns vars;
    Tables files;
} InspectArgs;

/* Where the records are: in `data`; or, where it comes in parts, in what was learned from them, and `data` has the columns alone. */
typedef struct Source {
    const Table *data;
    int64_t rows;
    const PartState *fit, *done; /* NULL: the table is whole */
} Source;

/* What is known of a column. */
typedef struct Seen {
    const Column *column; /* every value; in parts each once, where its first record was */
    const Column *head;   /* its first cells, as many as their forms are asked of */
    const char *type;
    Codes codes;
    int64_t *size;            /* the records of each code */
    int64_t missing, present; /* records */
    int64_t *of_code;         /* of the missing ones: those with each of the codes that column->about lists; NULL where it lists none */
    MeasureLevel level;
    Profile profile;
    SuggestedRole suggested;
    Table *values;    /* in parts: what `column` is of */
    Column *own_head; /* in parts */
} Seen;
/* Ends with inspect_drop, whatever it gives. */
MUST_CHECK Status inspect_see(Work *work, const Source *source, int64_t column, Seen *out);
/* Makes room for of_code, all 0. */
MUST_CHECK Status inspect_count_codes(Work *work, Seen *seen);
/* The same of what was learned in parts, but for the profile and the role. */
MUST_CHECK Status inspect_learned(Work *work, const Source *source, int64_t column, Seen *out);
void inspect_drop(Work *work, Seen *seen);
MUST_CHECK Status inspect_tell(Run *run, const InspectArgs *args, const Source *source);
extern const InParts inspect_parts;

/* How the other files and this one refer to each other. */
MUST_CHECK Status inspect_links(Run *run, const InspectArgs *args);
#define INSPECT_LINKS "file:text column:text refers_to:text key:text records:integer without:integer"
#define INSPECT_FILES "file:text records:integer person:text parent:text"

#define INSPECT_SCHEMA "column:text declaration:text source:text"
typedef struct SchemaLine {
    const char *text, *source; /* NULL: the column is left out; where the line comes from, or why there is none */
    bool derived;              /* from the data: to be confirmed */
} SchemaLine;
void inspect_schema_line(Work *work, const Seen *seen, SchemaLine *out);
void inspect_say_schema(Run *run, const Table *data, const SchemaLine *line, const SuggestedRole *role);

#define INSPECT_PROFILE "column:text type:text level:text missing:integer distinct:integer uniques:integer role:text reason:text"
#define INSPECT_CODES "column:text code:text records:integer"
#define INSPECT_VALUES "column:text least:text mean:real most:text commonest:text picture:text"
/* A row of the grid for one column. */
void inspect_values(Grid *grid, const Seen *seen);
/* The sets of suggested keys that single out most, small ones first. */
enum { INSPECT_MOST_KEYS = 16 };
#define INSPECT_KEYS "keys:text alone:integer share:real"
typedef struct Keys {
    int count;
    int64_t column[INSPECT_MOST_KEYS]; /* places in the table */
    int64_t alone[INSPECT_MOST_KEYS];  /* records whose value, or lack of one, no other has */
} Keys;
void inspect_key(Keys *keys, int64_t column, const Seen *seen); /* takes it up where it is suggested as one */
bool inspect_pairs(const Keys *keys, int64_t rows);             /* are sets of two counted? */
MUST_CHECK Status inspect_keys(Run *run, const Source *source, const Keys *keys);
#endif
