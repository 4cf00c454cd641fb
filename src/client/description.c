#include "client/description.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* ---- operations -----------------------------------------------------------------------------------------
 */

/* One set of values in a text: `{…}` as an argument, that is behind `(` or `,`. */
typedef struct place {
    const char *start, *end; /* the braces */
    char separator;          /* ',' or '|' */
    uint32_t size;
} place;

enum { MOST_VALUES = 64 }; /* of a range */

static bool is_argument(const char *text, const char *brace)
{
    while (brace > text && isspace((unsigned char)brace[-1]))
        brace--;
    return brace > text && strchr("(,", brace[-1]) && strncmp(brace, "{out ", 5) != 0;
}

static const char *skip_blanks(const char *at)
{
    while (isspace((unsigned char)*at))
        at++;
    return at;
}

/* "1..4": all numbers between. */
static bool is_range(const place *p, long *low, long *high)
{
    char *end;
    *low = strtol(p->start + 1, &end, 0);
    if (end == p->start + 1 || strncmp(end, "..", 2) != 0)
        return false;
    const char *second = end + 2;
    *high = strtol(second, &end, 0);
    return end > second && skip_blanks(end) == p->end && *low <= *high && *high - *low < MOST_VALUES;
}

/* It was meant as one, and is none. */
static bool is_wrong_range(const place *p)
{
    long low, high;
    const char *dots = strstr(p->start, "..");
    return dots && dots < p->end && dots[2] != '.' && !is_range(p, &low, &high);
}

static void measure(place *p)
{
    long low, high;
    size_t bars = 0, commas = 0;
    int depth = 0;
    for (const char *at = p->start + 1; at < p->end; at++) {
        depth += strchr("([{", *at) ? 1 : strchr(")]}", *at) ? -1 : 0;
        bars += depth == 0 && *at == '|';
        commas += depth == 0 && *at == ',';
    }
    p->separator = bars ? '|' : ',';
    p->size = is_range(p, &low, &high) ? (uint32_t)(high - low + 1) : (uint32_t)(bars ? bars : commas) + 1;
}

/* NULL: nothing is. */
static const char *what_is_wrong(const place *p, size_t before)
{
    return !p->end                               ? "a brace is not closed"
           : before == MZ_CLIENT_PARAMETERS      ? "there are too many sets of values"
           : skip_blanks(p->start + 1) == p->end ? "there is a set without values"
           : is_wrong_range(p)                   ? "a range is not LOW..HIGH with 64 values at most"
                                                 : NULL;
}

static size_t find_places(const char *text, place *places, mz_error *error)
{
    size_t count = 0;
    for (const char *at = text; (at = strchr(at, '{')); at++) {
        const place p = {.start = at, .end = strchr(at, '}')};
        const char *shown = strncmp(skip_blanks(at + 1), "out ", 4) == 0 ? "out" : "";
        if (!is_argument(text, at) || *shown)
            continue;
        const char *wrong = what_is_wrong(&p, count);
        if (wrong) {
            mz_error_set(error, (mz_position){0}, "option --op: %s in '%s'", wrong, text);
            mz_error_set_hint(error,
                              "for example --op='push(q, {1,2})': values that may be exchanged; {1|2}: "
                              "that may not; {out int}: a result");
            return 0;
        }
        places[count] = p;
        measure(&places[count++]);
    }
    return count;
}

/* The index-th value of the set. */
static void add_value(mz_text *out, const place *p, uint32_t index)
{
    long low, high;
    if (is_range(p, &low, &high)) {
        mz_text_add(out, "%ld", low + (long)index);
        return;
    }
    const char *start = p->start + 1, *at = start;
    int depth = 0;
    for (; at < p->end; at++) {
        depth += strchr("([{", *at) ? 1 : strchr(")]}", *at) ? -1 : 0;
        if (depth != 0 || *at != p->separator)
            continue;
        if (index-- == 0)
            break;
        start = at + 1;
    }
    start = skip_blanks(start);
    while (at > start && isspace((unsigned char)at[-1]))
        at--;
    mz_text_add_bytes(out, start, (size_t)(at - start));
}

/* UINT32_MAX: its values may not be exchanged, or there is only one. */
static uint32_t set_of(mz_description *d, const place *p)
{
    size_t length = (size_t)(p->end - p->start) - 1;
    if (p->separator == '|' || p->size < 2)
        return UINT32_MAX;
    for (uint32_t i = 0; i < d->set_count; i++)
        if (strlen(d->sets[i].text) == length && strncmp(d->sets[i].text, p->start + 1, length) == 0)
            return i;
    if (d->set_count == MZ_CLIENT_PARAMETERS * 8)
        return UINT32_MAX;
    d->sets[d->set_count] = (mz_client_set){mz_copy_bytes(p->start + 1, length), p->size};
    return d->set_count++;
}

static void add_operation(mz_description *d, const char *text, const place *places, size_t count,
                          const uint32_t *values)
{
    mz_text out = {0};
    mz_client_operation *o = &d->operations[d->count++];
    *o = (mz_client_operation){.given = (uint32_t)d->given.count - 1, .parameters = (uint32_t)count};
    const char *at = text;
    for (size_t i = 0; i < count; i++) {
        mz_text_add_bytes(&out, at, (size_t)(places[i].start - at));
        add_value(&out, &places[i], values[i]);
        at = places[i].end + 1;
        o->sets[i] = set_of(d, &places[i]);
        o->values[i] = values[i];
    }
    mz_text_add(&out, "%s", at);
    mz_words_add(&d->texts, mz_text_string(&out));
    mz_text_release(&out);
}

static bool is_balanced(const char *text)
{
    int depth = 0;
    char quote = 0;
    for (; *text && depth >= 0; text++) {
        if (*text == '\\' && text[1])
            text++;
        else if (quote ? *text == quote : *text == '"' || *text == '\'')
            quote = quote ? 0 : *text;
        else if (!quote)
            depth += strchr("([{", *text) ? 1 : strchr(")]}", *text) ? -1 : 0;
    }
    return depth == 0 && !quote;
}

void mz_description_add(mz_description *d, const char *text, mz_error *error)
{
    place places[MZ_CLIENT_PARAMETERS];
    uint32_t values[MZ_CLIENT_PARAMETERS] = {0};
    text = skip_blanks(text);
    if (!*text) {
        mz_error_set(error, (mz_position){0}, "option --op: there is no operation");
        mz_error_set_hint(error, "for example --op='push(q, {1,2})'");
        return;
    }
    if (!is_balanced(text)) {
        mz_error_set(error, (mz_position){0}, "option --op: parentheses do not match in '%s'", text);
        return;
    }
    size_t count = find_places(text, places, error), last = 0;
    mz_words_add(&d->given, text);
    while (!error->set) {
        if (d->count == MZ_MOST_OPERATIONS) {
            mz_error_set(error, (mz_position){0}, "option --op: more than %d operations, with all values",
                         MZ_MOST_OPERATIONS);
            return;
        }
        add_operation(d, text, places, count, values);
        for (last = count; last > 0 && values[last - 1] + 1 == places[last - 1].size; last--)
            values[last - 1] = 0;
        if (last == 0)
            return;
        values[last - 1]++;
    }
}

void mz_description_release(mz_description *d)
{
    for (uint32_t i = 0; i < d->set_count; i++)
        mz_release(d->sets[i].text);
    mz_words_release(&d->given);
    mz_words_release(&d->texts);
}

/* ---- clients as words -----------------------------------------------------------------------------------
 */

uint32_t mz_client_calls(const mz_client *c)
{
    uint32_t calls = 0;
    for (uint32_t t = 0; t <= c->threads; t++)
        calls += c->length[t];
    return calls;
}

void mz_client_word(const mz_client *c, mz_text *out)
{
    for (uint32_t t = 0; t <= c->threads; t++) {
        mz_text_add(out, "%s", t ? "/" : "");
        for (uint32_t i = 0; i < c->length[t]; i++)
            mz_text_add(out, "%s%u", i ? "," : "", c->operations[t][i]);
    }
}

bool mz_client_of_word(const char *word, mz_client *c)
{
    *c = (mz_client){0};
    uint32_t calls = 0;
    while (*word) {
        char *end;
        if (*word == '/') {
            if (++c->threads > MZ_CLIENT_THREADS)
                return false;
            word++;
            continue;
        }
        unsigned long operation = strtoul(word, &end, 10);
        if (end == word || operation >= MZ_MOST_OPERATIONS || ++calls > MZ_CLIENT_CALLS)
            return false;
        c->operations[c->threads][c->length[c->threads]++] = (uint8_t)operation;
        word = *end == ',' ? end + 1 : end;
    }
    return true;
}
