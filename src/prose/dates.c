/* Dates moved by a number of days in the form they stand in. */
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include "base/number_text.h"
#include "prose/check_digits.h"
#include "prose/replace.h"

static const char *const months[7][12] = {
    { "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December" },
    { "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre" },
    { "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November", "Dezember" },
    { "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre" },
    { "januari", "februari", "maart", "april", "mei", "juni", "juli", "augustus", "september", "oktober", "november", "december" },
    { "gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno", "luglio", "agosto", "settembre", "ottobre", "novembre", "dicembre" },
    { "janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto", "setembro", "outubro", "novembro", "dezembro" }
};
static const char *const days[4][7] = { { "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday" },
                                        { "lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo" },
                                        { "Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag" },
                                        { "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche" } };

typedef struct Word {
    int language, value;
    bool brief;
} Word;

/* A month by its word: whole, or its first three or four letters; without accents and case. */
static bool month_word(const char *at, size_t size, Word *out) {
    char word[32], full[32];
    size_t n = word_fold(at, size, word, sizeof word);
    for (int brief = 0; brief < 2; brief++)
        for (int l = 0; l < 7; l++)
            for (int m = 0; m < 12; m++) {
                size_t f = word_fold(months[l][m], strlen(months[l][m]), full, sizeof full);
                if (brief ? n < f && n >= 3 && n <= 4 && !memcmp(word, full, n) : n == f && !memcmp(word, full, n)) {
                    *out = (Word){ l, m + 1, brief };
                    return true;
                }
            }
    *out = (Word){ !strcmp(word, "janner") ? 2 : 1, !strcmp(word, "janner") ? 1 : 9, false };
    return !strcmp(word, "janner") || !strcmp(word, "setiembre");
}

/* "mai" is French and German, "November" English and German: the caller's language where it has the month so; else small letters are French
 * or Spanish, and a full stop behind the day German. */
static int month_language(const Word *month, const char *word, size_t size, Language language, bool points) {
    int length, likely[5] = { language ? (int)language - 1 : month->language, 0, 2, 3, 1 };
    bool small = !code_is_upper(code_point(word, word + size, &length));
    char given[32], full[32];
    size_t n = word_fold(word, size, given, sizeof given);
    if (!language) likely[0] = small ? 3 : points ? 2 : 0;
    if (!language && small) likely[1] = 1;
    for (int i = 0; i < 5; i++) {
        const char *name = months[likely[i]][month->value - 1];
        size_t f = word_fold(name, strlen(name), full, sizeof full);
        if (n <= f && (month->brief || n == f) && !memcmp(given, full, n)) return likely[i];
    }
    return month->language;
}

/* A weekday by its word: whole, or cut short; German ones to two letters, others to three and more. */
static bool day_word(const char *at, size_t size, Word *out) {
    static const int order[] = { 0, 1, 3, 2 }; /* German last: "sam" is French */
    char word[32], full[32];
    size_t n = word_fold(at, size, word, sizeof word);
    for (int brief = 0; brief < 2; brief++)
        for (int o = 0; o < 4; o++)
            for (int l = order[o], d = 0; d < 7; d++) {
                size_t f = word_fold(days[l][d], strlen(days[l][d]), full, sizeof full);
                if (brief ? n < f && n >= (l == 2 ? 2 : 3) && n <= 5 && !memcmp(word, full, n) : n == f && !memcmp(word, full, n)) {
                    *out = (Word){ l, d, brief };
                    return true;
                }
            }
    return false;
}

/* The parts of a date as they stand in the text; −1 where it has none. */
typedef struct Part {
    size_t start, end;
    int value;
    bool short_year; /* '19 */
} Part;
typedef struct Parts {
    Part number[3];
    int numbers;
    Part word;
    Word month;
    bool has_month, has_day;
    bool odd; /* a word that is none of these, such as a day in letters: it would stay where the rest moves */
    Word weekday;
} Parts;

/* 20190314 */
static size_t digits_at(const char *text, size_t size) {
    size_t n = 0;
    while (n < size && text[n] >= '0' && text[n] <= '9') n++;
    return n;
}
static bool read_compact(const char *text, size_t size) { return digits_at(text, size) == 8 && check_compact(text, 8); }

/* What may stand beside the parts of a date and stays as it is. */
static bool is_joint(const char *word, size_t size) {
    static const char *const joints[] = { "of", "de", "del", "the", "le", "el", "to", "bis", "zum", "au", "al", "st",
                                          "nd", "rd", "th",  "er",  "º",  "–",  "’",  "T",   "Z",   "am", "pm" };
    for (size_t i = 0; i < sizeof joints / sizeof *joints; i++)
        if (strlen(joints[i]) == size && !strncasecmp(word, joints[i], size)) return true;
    return false;
}

static bool read_parts(const char *text, size_t size, Parts *out) {
    *out = (Parts){ 0 };
    for (size_t i = 0; i < size;) {
        unsigned char c = (unsigned char)text[i];
        size_t start = i;
        if (read_compact(text + i, size - i)) {
            if (out->numbers) break;
            for (int part = 0; part < 3; part++) {
                size_t width = part ? 2 : 4;
                int value = 0;
                for (size_t d = 0; d < width; d++) value = value * 10 + (text[i + d] - '0');
                out->number[out->numbers++] = (Part){ i, i + width, value, false };
                i += width;
            }
            break; /* a time of day stays */
        }
        if (c >= '0' && c <= '9') {
            int value = 0;
            for (; i < size && text[i] >= '0' && text[i] <= '9' && i - start < 5; i++) value = value * 10 + (text[i] - '0');
            if (out->numbers == 3 || (i < size && text[i] == ':')) break; /* a time of day stays */
            bool mark = start && (text[start - 1] == '\'' || (start > 2 && !memcmp(text + start - 3, "’", 3)));
            out->number[out->numbers++] = (Part){ start, i, value, mark };
        } else if (c >= 0x80 || ((c | 32) >= 'a' && (c | 32) <= 'z')) {
            while (i < size && ((unsigned char)text[i] >= 0x80 || ((text[i] | 32) >= 'a' && (text[i] | 32) <= 'z'))) i++;
            if (!out->has_month && month_word(text + start, i - start, &out->month)) {
                out->has_month = true;
                out->word = (Part){ start, i, 0, false };
            } else if (!out->has_month && day_word(text + start, i - start, &out->weekday)) {
                out->has_day = true;
                out->word = (Part){ start, i, 0, false };
            } else if (!is_joint(text + start, i - start)) out->odd = true;
        } else i++;
    }
    return out->numbers || out->has_day || out->has_month;
}

/* Which number is which: year first where it has four digits and stands first; else as the order of the dates around it says. */
typedef struct Roles {
    int day, month, year;
    int last; /* of a range of days: "5-7 May" */
} Roles;      /* places in `number`, or −1 */
/* "5-7 May", "12 au 19 janvier", "May 5-7": two days of one month. */
static bool is_range(const Parts *p, const char *text) {
    const Part *n = p->number;
    if (!p->has_month || p->numbers < 2 || n[0].value > 31 || n[1].value > 31 || n[1].end - n[1].start > 2 || n[1].short_year) return false;
    if (n[1].end <= p->word.start) return true;
    return n[0].start > p->word.end && (text[n[1].start - 1] == '-' || (unsigned char)text[n[1].start - 1] >= 0x80);
}
/* Day or month first? Points are day first; a number above 12 is no month; 05/05 is the same either way. UNKNOWN where it cannot be told. */
static DateOrder first_of(const Part *n, bool points, DateOrder order) {
    if (points || n[0].value > 12 || n[0].value == n[1].value) return ORDER_DAY;
    if (n[1].value > 12) return ORDER_MONTH;
    return order == ORDER_DAY || order == ORDER_MONTH ? order : ORDER_UNKNOWN;
}

static bool read_roles(const Parts *p, const char *text, DateOrder order, bool points, Roles *out) {
    *out = (Roles){ -1, -1, -1, -1 };
    const Part *n = p->number;
    if (is_range(p, text)) {
        *out = (Roles){ 0, -1, p->numbers > 2 ? 2 : -1, 1 };
        return true;
    }
    if (p->has_month) {
        for (int i = 0; i < p->numbers; i++) {
            if (n[i].end - n[i].start == 4 || n[i].value > 31 || n[i].short_year) out->year = i;
            else if (out->day < 0) out->day = i;
            else out->year = i;
        }
        return p->numbers > 0;
    }
    if (p->numbers == 1) out->year = n[0].end - n[0].start == 4 ? 0 : -1;
    if (p->numbers == 1) return out->year == 0;
    if (p->numbers == 2 && n[1].value > 31) *out = (Roles){ -1, 0, 1, -1 };
    else if (n[0].end - n[0].start == 4) *out = p->numbers == 3 ? (Roles){ 2, 1, 0, -1 } : (Roles){ -1, 1, 0, -1 };
    else {
        DateOrder first = first_of(n, points, order);
        if (first == ORDER_UNKNOWN) return false;
        *out = first == ORDER_MONTH ? (Roles){ 1, 0, 2, -1 } : (Roles){ 0, 1, 2, -1 };
        if (p->numbers < 3) out->year = -1;
    }
    return true;
}

static void put_case(Buffer *out, const char *word, size_t size, const char *like, size_t like_size) {
    char low[48];
    size_t n = word_lower(word, size, low, sizeof low);
    int length, other;
    uint32_t first = code_point(like, like + like_size, &length),
             second = like_size > (size_t)length ? code_point(like + length, like + like_size, &other) : 'a';
    for (size_t i = 0; i < n;) {
        char bytes[4];
        uint32_t code = code_point(low + i, low + n, &length);
        bool upper = i == 0 ? code_is_upper(first) : code_is_upper(first) && code_is_upper(second);
        buffer_add(out, bytes, (size_t)code_put(upper ? code_upper(code) : code, bytes));
        i += (size_t)length;
    }
}

/* Two digits stay two where the date is written so: "09" for "12" in "June 12" would say that two stood there. */
static bool is_padded(const Parts *p, const char *text) {
    const Part *n = p->number;
    bool tight = p->numbers && (n[0].end == p->word.start || (n[0].end + 1 == p->word.start && text[n[0].end] == '-')); /* 14MAR2019 */
    bool zero = !p->has_month || tight;
    for (int i = 0; i < p->numbers; i++) {
        if (n[i].end - n[i].start == 1) return false;
        zero |= n[i].end - n[i].start == 2 && n[i].value < 10 && !n[i].short_year;
    }
    return zero;
}

/* As many digits as stood there. */
static void put_number(Buffer *out, const Part *part, int64_t value, bool padded) {
    int width = (int)(part->end - part->start);
    buffer_print(out, "%0*lld", width == 4 || (width == 2 && padded) ? width : 1, (long long)(width == 2 ? value % 100 : value));
}

/* 1st, 2nd, 3rd, 4th after an English day. */
static size_t put_ordinal(const Spot *s, const char *text, size_t size, size_t at, int64_t day) {
    static const char *const ends[] = { "st", "nd", "rd", "th" };
    for (int i = 0; i < 4; i++)
        if (at + 2 <= size && !strncasecmp(text + at, ends[i], 2)) {
            int64_t right = day % 100 >= 11 && day % 100 <= 13 ? 3 : day % 10 >= 1 && day % 10 <= 3 ? day % 10 - 1 : 3;
            buffer_text(s->out, ends[right]);
            return at + 2;
        }
    return at;
}

/* Bytes of a word's first letters. */
static size_t first_letters(const char *word, int letters) {
    size_t n = 0;
    for (; word[n] && letters > 0; letters--) do
            n++;
        while (((unsigned char)word[n] & 0xc0) == 0x80);
    return n;
}

static void put_word(const Spot *s, const char *text, const Parts *p, int64_t month) {
    const char *word = months[p->month.language][month - 1];
    put_case(s->out, word, p->month.brief ? first_letters(word, 3) : strlen(word), text + p->word.start, p->word.end - p->word.start);
}

int64_t subject_shift(const Replacer *r, const People *people) {
    const char *bytes = people->nobody ? "nobody" : people->subject;
    return secret_shift(&r->shift, (uint64_t)people->nobody, bytes, strlen(bytes), r->shift_days);
}

bool date_year(const char *text, size_t size, char out[5]) {
    for (size_t i = 0; i + 4 <= size; i++) {
        size_t n = digits_at(text + i, size - i);
        if (n == 4 || read_compact(text + i, size - i)) {
            memcpy(out, text + i, 4);
            out[4] = 0;
            return true;
        }
        i += n;
    }
    return false;
}

static bool shift_weekday(const Spot *s, const char *text, size_t size, const Parts *p, int64_t by) {
    int64_t day = ((p->weekday.value + by) % 7 + 7) % 7;
    const char *word = days[p->weekday.language][day];
    buffer_add(s->out, text, p->word.start);
    size_t used = p->word.end - p->word.start;
    put_case(s->out, word, p->weekday.brief ? first_letters(word, used == 2 ? 2 : 3) : strlen(word), text + p->word.start, used);
    buffer_add(s->out, text + p->word.end, size - p->word.end);
    return true;
}

/* Days from the first of January 1970 to the Monday of week 1 of a year (ISO 8601: the week with the fourth of January in it). */
static int64_t week_one(int64_t year) {
    int64_t fourth = days_of(year, 1, 4);
    return fourth - ((fourth + 3) % 7 + 7) % 7; /* day 0 was a Thursday */
}

/* 2019-W11, 2019-W11-3, 2019W113: a week moves with its Thursday, in whose year it is counted. */
static bool shift_week(const Spot *s, const char *text, size_t size, int64_t by) {
    size_t dash = text[4] == '-', at = 4 + dash;
    if (size < at + 3 || text[at] != 'W' || digits_at(text + at + 1, size - at - 1) < 2) return false;
    int64_t year = 0, week = (text[at + 1] - '0') * 10 + (text[at + 2] - '0'), month, day;
    for (int i = 0; i < 4; i++) year = year * 10 + (text[i] - '0');
    bool with_day = size > at + 3;
    int64_t weekday = with_day ? text[size - 1] - '1' : 3, moved = week_one(year) + (week - 1) * 7 + weekday + by;
    int64_t thursday = moved - ((moved + 3) % 7 + 7) % 7 + 3;
    date_of(thursday, &year, &month, &day);
    buffer_print(s->out, "%04lld%sW%02lld", (long long)year, dash ? "-" : "", (long long)((thursday - week_one(year)) / 7 + 1));
    if (with_day) buffer_print(s->out, "%s%lld", text[size - 2] == '-' ? "-" : "", (long long)(moved - thursday + 4));
    return true;
}

/* 2019-074: the day of the year. */
static bool shift_ordinal(const Spot *s, const char *text, size_t size, int64_t by) {
    int64_t year = 0, nth = 0, month, day;
    if (size != 8 || text[4] != '-' || digits_at(text + 5, 3) != 3) return false;
    for (int i = 0; i < 4; i++) year = year * 10 + (text[i] - '0');
    for (int i = 5; i < 8; i++) nth = nth * 10 + (text[i] - '0');
    int64_t moved = days_of(year, 1, 1) + nth - 1 + by;
    date_of(moved, &year, &month, &day);
    buffer_print(s->out, "%04lld-%03lld", (long long)year, (long long)(moved - days_of(year, 1, 1) + 1));
    return true;
}

/* A month alone moves with its fifteenth. */
static bool shift_month(const Spot *s, const char *text, size_t size, const Parts *p, int64_t by) {
    int64_t year = 2001, month = p->month.value, day = 15;
    if (p->word.start || p->word.end != size) return false;
    date_of(days_of(year, month, day) + by, &year, &month, &day);
    put_word(s, text, p, month);
    return true;
}

/* The parts of a date as numbers, moved; false where they are no date, or where a range would then lie in two months. */
typedef struct Moved {
    int64_t year, month, day, last;
} Moved;
static bool move(const Parts *p, const Roles *r, int64_t by, Moved *out) {
    int64_t month = p->has_month ? p->month.value : r->month >= 0 ? p->number[r->month].value : 7;
    int64_t day = r->day >= 0 ? p->number[r->day].value : 15, year = r->year >= 0 ? p->number[r->year].value : 2001, other, its_year;
    if (r->year >= 0 && p->number[r->year].end - p->number[r->year].start == 2) year += year < 40 ? 2000 : 1900;
    if (month < 1 || month > 12 || day < 1 || day > 31) return false; /* without a year, one that is no leap year */
    *out = (Moved){ .year = year };
    date_of(days_of(year, month, day) + by, &out->year, &out->month, &out->day);
    if (r->last < 0) return true;
    date_of(days_of(year, month, p->number[r->last].value) + by, &its_year, &other, &out->last);
    return p->number[r->last].value >= 1 && other == out->month && its_year == out->year;
}

bool shift_date(const Spot *s, int64_t by) {
    const char *text = s->text + s->find->start;
    size_t size = s->find->end - s->find->start, at = 0;
    Parts p;
    Roles r;
    Moved m;
    if (digits_at(text, size) == 4 && size > 6 && (shift_week(s, text, size, by) || shift_ordinal(s, text, size, by))) return true;
    if (!read_parts(text, size, &p) || p.odd) return false;
    bool points = memchr(text, '.', size) != NULL, padded = is_padded(&p, text);
    if (p.has_month)
        p.month.language = month_language(&p.month, text + p.word.start, p.word.end - p.word.start, s->replacer->language,
                                          p.numbers && p.number[0].end < size && text[p.number[0].end] == '.');
    if (p.has_month && !p.numbers) return shift_month(s, text, size, &p, by);
    if (p.has_day && !p.numbers) return shift_weekday(s, text, size, &p, by);
    if (!read_roles(&p, text, s->people ? s->people->order : ORDER_UNKNOWN, points, &r) || !move(&p, &r, by, &m)) return false;
    for (int i = 0; i <= p.numbers; i++) {
        size_t next = i < p.numbers ? p.number[i].start : size;
        if (p.has_month && p.word.start >= at && p.word.start < next) {
            buffer_add(s->out, text + at, p.word.start - at);
            put_word(s, text, &p, m.month);
            at = p.word.end;
        }
        buffer_add(s->out, text + at, next - at);
        at = next;
        if (i == p.numbers) break;
        int64_t value = i == r.day ? m.day : i == r.month ? m.month : i == r.year ? m.year : i == r.last ? m.last : p.number[i].value;
        put_number(s->out, &p.number[i], value, i == r.year || padded);
        at = p.number[i].end;
        if (i == r.day || i == r.last) at = put_ordinal(s, text, size, at, value);
    }
    return true;
}

/* ---- Day or month first: what the dates of a text say ---- */

DateOrder date_order_of(Language language) { return language <= LANGUAGE_EN ? ORDER_UNKNOWN : ORDER_DAY; }

DateOrder date_order_by(const DateEvidence *e) {
    enum { SLIPS = 100 }; /* one date in so many may be a slip of the pen */
    if (!e->day && !e->month) return ORDER_UNKNOWN;
    if (e->month * SLIPS <= e->day) return ORDER_DAY;
    return e->day * SLIPS <= e->month ? ORDER_MONTH : ORDER_MIXED;
}

/* A find that is a date of numbers without points, year last or missing: its two numbers and its year; false for any other. */
static bool slashed(const char *text, const Find *f, Parts *out) {
    const char *at = text + f->start;
    size_t size = f->end - f->start;
    if (f->kind != TRACE_DATE || !read_parts(at, size, out) || out->odd || out->has_month || out->has_day || out->numbers < 2) return false;
    const Part *n = out->number;
    bool year_second = out->numbers == 2 && n[1].value > 31;
    return n[0].end - n[0].start <= 2 && n[1].end - n[1].start <= 2 && !year_second && !memchr(at, '.', size) && n[0].value && n[1].value;
}

/* "3 January 2023 (03/01/2023)": a date in words within a few characters that is the same day read one way, and not the other. */
static DateOrder told_by_words(const char *text, const Find *words, const Parts *p) {
    Parts other;
    Roles roles;
    const Part *n = p->number;
    if (words->kind != TRACE_DATE || !read_parts(text + words->start, words->end - words->start, &other) || !other.has_month)
        return ORDER_UNKNOWN;
    if (!read_roles(&other, text + words->start, ORDER_UNKNOWN, false, &roles) || roles.day < 0 || roles.last >= 0) return ORDER_UNKNOWN;
    int day = other.number[roles.day].value, month = other.month.value;
    if (n[0].value == n[1].value) return ORDER_UNKNOWN;
    if (n[0].value == day && n[1].value == month) return ORDER_DAY;
    return n[0].value == month && n[1].value == day ? ORDER_MONTH : ORDER_UNKNOWN;
}

void date_evidence(const char *text, const Find *finds, int64_t count, DateEvidence *out) {
    enum { APART = 4 };
    Parts p;
    for (int64_t i = 0; i < count; i++) {
        if (!slashed(text, &finds[i], &p)) continue;
        DateOrder told = first_of(p.number, false, ORDER_UNKNOWN);
        if (p.number[0].value == p.number[1].value) told = ORDER_UNKNOWN;
        if (p.number[0].value > 12 && p.number[1].value > 12) continue; /* no date either way */
        if (told == ORDER_UNKNOWN && i && finds[i].start - finds[i - 1].end <= APART) told = told_by_words(text, &finds[i - 1], &p);
        if (told == ORDER_UNKNOWN && i + 1 < count && finds[i + 1].start - finds[i].end <= APART)
            told = told_by_words(text, &finds[i + 1], &p);
        out->day += told == ORDER_DAY;
        out->month += told == ORDER_MONTH;
    }
}
