#include "base/toml.h"

#include <stdarg.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"

enum { LARGEST = 1 << 20, DEEPEST = 8 };

typedef struct reader {
    mz_toml *toml;
    const char *file, *text, *at, *end;
    const char *table;
    mz_error *error;
} reader;

const char *mz_toml_type_words(mz_toml_type type)
{
    static const char *const words[] = {"a string", "an integer", "true or false", "an array"};
    return words[type];
}

/* ---- places ---------------------------------------------------------------------------------------------
 */

static mz_position position_at(const reader *r, const char *at)
{
    mz_position position = {.file = r->file, .line = 1, .column = 1};
    for (const char *c = r->text; c < at; c++) {
        position.line += *c == '\n';
        position.column = *c == '\n' ? 1 : position.column + 1;
    }
    return position;
}

void mz_toml_wrong(const mz_toml *toml, mz_position position, mz_error *error, const char *format, ...)
{
    mz_text message = {0};
    va_list arguments;
    if (error->set)
        return;
    va_start(arguments, format);
    mz_text_add_list(&message, format, arguments);
    va_end(arguments);
    const char *line = mz_text_string(&toml->source);
    for (uint32_t i = 1; i < position.line && line; i++) {
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    mz_error_set(error, position, "%s", mz_text_string(&message));
    if (line)
        mz_error_set_source(error, line, strcspn(line, "\n"));
    mz_text_release(&message);
}

static void wrong(reader *r, const char *at, const char *what, const char *hint)
{
    if (r->error->set)
        return;
    mz_toml_wrong(r->toml, position_at(r, at), r->error, "%s", what);
    if (hint)
        mz_error_set_hint(r->error, "%s", hint);
}

/* ---- between things -------------------------------------------------------------------------------------
 */

static char here(const reader *r)
{
    return r->at < r->end ? *r->at : '\0';
}

static void skip_blanks(reader *r)
{
    while (here(r) == ' ' || here(r) == '\t')
        r->at++;
}

static void skip_comment(reader *r)
{
    if (here(r) == '#')
        while (r->at < r->end && *r->at != '\n')
            r->at++;
}

static bool is_line_end(const reader *r)
{
    return here(r) == '\n' || (here(r) == '\r' && r->at + 1 < r->end && r->at[1] == '\n');
}

/* Lines may end here, and comments stand. */
static void skip_space(reader *r)
{
    const char *before;
    do {
        before = r->at;
        skip_blanks(r);
        skip_comment(r);
        if (is_line_end(r))
            r->at += *r->at == '\r' ? 2 : 1;
    } while (r->at != before);
}

static void end_line(reader *r, const char *after)
{
    skip_blanks(r);
    skip_comment(r);
    if (r->at < r->end && !is_line_end(r) && !r->error->set) {
        mz_toml_wrong(r->toml, position_at(r, r->at), r->error, "there is something behind %s", after);
        mz_error_set_hint(r->error, "one entry per line; a comment begins with #");
    }
}

/* ---- values ---------------------------------------------------------------------------------------------
 */

static bool is_bare(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

static void add_code_point(mz_text *out, uint32_t c)
{
    char bytes[4];
    size_t count = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char first[] = {0, 0x00, 0xc0, 0xe0, 0xf0};
    for (size_t i = count - 1; i > 0; i--, c >>= 6)
        bytes[i] = (char)(0x80 | (c & 0x3f));
    bytes[0] = (char)(first[count] | c);
    mz_text_add_bytes(out, bytes, count);
}

/* \uXXXX or \UXXXXXXXX; at the first digit. */
static void read_code_point(reader *r, size_t digits, mz_text *out)
{
    const char *begin = r->at;
    uint32_t value = 0;
    for (size_t i = 0; i < digits; i++, r->at++) {
        static const char hex[] = "0123456789abcdef";
        char c = here(r);
        const char *digit = c ? strchr(hex, c >= 'A' && c <= 'F' ? c + 32 : c) : NULL;
        if (!digit) {
            wrong(r, begin - 2, "the escape has too few digits", "\\u00e9 has four, \\U0001f600 has eight");
            return;
        }
        value = value << 4 | (uint32_t)(digit - hex);
    }
    if (value == 0 || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
        wrong(r, begin - 2, "there is no such character", NULL);
    else
        add_code_point(out, value);
}

static void read_escape(reader *r, mz_text *out)
{
    static const char names[] = "btnfre\"\\", meanings[] = "\b\t\n\f\r\033\"\\";
    char c = here(r);
    const char *name = c && c != 'e' ? strchr(names, c) : NULL; /* \e is of TOML 1.1 */
    if (name) {
        mz_text_add_bytes(out, &meanings[name - names], 1);
        r->at++;
    } else if (c == 'u' || c == 'U') {
        r->at++;
        read_code_point(r, c == 'u' ? 4 : 8, out);
    } else {
        wrong(r, r->at - 1, "there is no such escape",
              "write \\\\ for a backslash, or '…', in which none is special");
    }
}

static bool is_control(char c)
{
    return ((unsigned char)c < 0x20 && c != '\t') || c == 0x7f;
}

static void read_string(reader *r, mz_toml_value *value)
{
    const char *begin = r->at;
    char quote = *r->at++;
    mz_text text = {0};
    value->type = MZ_TOML_STRING;
    if (r->end - r->at >= 2 && r->at[0] == quote && r->at[1] == quote)
        wrong(r, begin, "strings of several lines are not read here", "one line, in \"…\" or '…'");
    while (!r->error->set && here(r) != quote) {
        if (r->at >= r->end || is_line_end(r))
            wrong(r, begin, "the string is not closed on its line", NULL);
        else if (is_control(*r->at))
            wrong(r, r->at, "a control character stands in the string", "write it as an escape: \\u001b");
        else if (*r->at == '\\' && quote == '"') {
            r->at++;
            read_escape(r, &text);
        } else
            mz_text_add_bytes(&text, r->at++, 1);
    }
    r->at += !r->error->set;
    value->text = mz_arena_copy(&r->toml->arena, mz_text_string(&text), text.length);
    mz_text_release(&text);
}

/* 1_000: underscores between digits do not count. */
static void read_integer(reader *r, mz_toml_value *value)
{
    const char *begin = r->at;
    bool good = true, digit = false;
    mz_text text = {0};
    value->type = MZ_TOML_INTEGER;
    if (here(r) == '-' || here(r) == '+') {
        if (*r->at == '-')
            mz_text_add(&text, "-");
        r->at++;
    }
    const char *first = r->at;
    for (; is_bare(here(r)) || here(r) == '.' || here(r) == ':' || here(r) == '+'; r->at++) {
        bool now = *r->at >= '0' && *r->at <= '9';
        good = good &&
               (now || (*r->at == '_' && digit && r->at + 1 < r->end && r->at[1] >= '0' && r->at[1] <= '9'));
        digit = now;
        if (now)
            mz_text_add_bytes(&text, r->at, 1);
    }
    size_t length = (size_t)(r->at - first);
    if (!good || length == 0)
        wrong(r, begin, "this is no integer",
              "numbers are 0, 17, -3, 1_000; a time or a size is a string: timeout = \"30s\"");
    else if (*first == '0' && length > 1)
        wrong(r, begin, "an integer does not begin with 0", NULL);
    else if (length > 18)
        wrong(r, begin, "the integer is too large", NULL);
    value->text = mz_arena_copy(&r->toml->arena, mz_text_string(&text), text.length);
    mz_text_release(&text);
}

static bool take_word(reader *r, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length) != 0 || is_bare(r->at[length]))
        return false;
    r->at += length;
    return true;
}

static void read_value(reader *r, mz_toml_value *value, int depth);

static void read_array(reader *r, mz_toml_value *value, int depth)
{
    const char *begin = r->at++;
    mz_toml_value *items = NULL;
    size_t capacity = 0;
    value->type = MZ_TOML_ARRAY;
    if (depth >= DEEPEST)
        wrong(r, begin, "arrays are nested too deeply", NULL);
    for (skip_space(r); !r->error->set && here(r) != ']'; skip_space(r)) {
        if (r->at >= r->end) {
            wrong(r, begin, "the array is not closed", NULL);
            break;
        }
        items = mz_grow(items, &capacity, value->count + 1, sizeof *items);
        items[value->count] = (mz_toml_value){0};
        read_value(r, &items[value->count++], depth + 1);
        skip_space(r);
        if (here(r) == ',')
            r->at++;
        else if (here(r) != ']' && r->at < r->end)
            wrong(r, r->at, "a comma or ] is expected", NULL);
    }
    r->at += !r->error->set;
    mz_toml_value *kept = mz_arena_allocate(&r->toml->arena, value->count * sizeof *kept + 1);
    if (value->count > 0)
        memcpy(kept, items, value->count * sizeof *kept);
    value->items = kept;
    mz_release(items);
}

static void read_value(reader *r, mz_toml_value *value, int depth)
{
    value->position = position_at(r, r->at);
    char c = here(r);
    if (c == '"' || c == '\'') {
        read_string(r, value);
    } else if (c == '[') {
        read_array(r, value, depth);
    } else if (c == '{') {
        wrong(r, r->at, "inline tables are not read here", "a table has a header of its own: [target.NAME]");
    } else if (take_word(r, "true") || take_word(r, "false")) {
        value->type = MZ_TOML_BOOLEAN;
        value->text = r->at[-1] == 'e' && r->at[-2] == 'u' ? "true" : "false";
    } else if ((c >= '0' && c <= '9') || c == '-' || c == '+') {
        read_integer(r, value);
    } else {
        wrong(r, r->at, "a value is expected", "\"text\", 17, true, [\"a\", \"b\"]; texts stand in quotes");
    }
}

/* ---- entries --------------------------------------------------------------------------------------------
 */

static const char *read_bare(reader *r, const char *what)
{
    const char *begin = r->at;
    while (is_bare(here(r)))
        r->at++;
    if (r->at == begin || here(r) == '"' || here(r) == '\'') {
        mz_text message = {0};
        mz_text_add(&message, "%s is expected, of letters, digits, - and _", what);
        wrong(r, r->at, mz_text_string(&message), NULL);
        mz_text_release(&message);
    }
    return mz_arena_copy(&r->toml->arena, begin, (size_t)(r->at - begin));
}

/* Twice the same is a mistake, and likely a forgotten one. */
static void add(reader *r, const mz_toml_entry *entry, const char *at)
{
    mz_toml *t = r->toml;
    for (size_t i = 0; i < t->count && !r->error->set; i++)
        if (strcmp(t->entries[i].table, entry->table) == 0 && strcmp(t->entries[i].key, entry->key) == 0)
            mz_toml_wrong(t, position_at(r, at), r->error, "%s%s%s stands in line %u already",
                          entry->key[0] ? "" : "[", entry->key[0] ? entry->key : entry->table,
                          entry->key[0] ? "" : "]", t->entries[i].position.line);
    t->entries = mz_grow(t->entries, &t->capacity, t->count + 1, sizeof *t->entries);
    t->entries[t->count++] = *entry;
}

static void read_header(reader *r)
{
    const char *begin = r->at++;
    mz_text name = {0};
    if (here(r) == '[')
        wrong(r, begin, "arrays of tables are not read here", "a target is a table: [target.NAME]");
    do {
        skip_blanks(r);
        mz_text_add(&name, "%s%s", name.length ? "." : "", r->error->set ? "" : read_bare(r, "a name"));
        skip_blanks(r);
    } while (!r->error->set && here(r) == '.' && r->at++);
    if (here(r) != ']')
        wrong(r, r->at, "] is expected", NULL);
    r->at += !r->error->set;
    r->table = mz_arena_copy(&r->toml->arena, mz_text_string(&name), name.length);
    mz_text_release(&name);
    add(r, &(mz_toml_entry){.table = r->table, .key = "", .position = position_at(r, begin)}, begin);
    end_line(r, "the header");
}

static void read_entry(reader *r)
{
    const char *begin = r->at;
    mz_toml_entry entry = {.table = r->table, .position = position_at(r, begin)};
    entry.key = read_bare(r, "a key");
    skip_blanks(r);
    if (here(r) == '.')
        wrong(r, r->at, "dotted keys are not read here", "a table has a header of its own: [target.NAME]");
    else if (here(r) != '=')
        wrong(r, r->at, "= is expected behind the key", NULL);
    if (r->error->set)
        return;
    r->at++;
    skip_blanks(r);
    read_value(r, &entry.value, 0);
    if (!r->error->set)
        add(r, &entry, begin);
    end_line(r, "the value");
}

bool mz_toml_read(mz_toml *toml, const char *file, mz_error *error)
{
    *toml = (mz_toml){0};
    if (!mz_file_read_text(file, LARGEST, "a configuration", &toml->source, error))
        return false;
    const char *text = mz_text_string(&toml->source);
    reader r = {toml, file, text, text, text + toml->source.length, "", error};
    const char *zero = memchr(text, 0, toml->source.length);
    if (zero)
        wrong(&r, zero, "this is no text: it has a byte 0", NULL);
    for (skip_space(&r); r.at < r.end && !error->set; skip_space(&r))
        if (*r.at == '[')
            read_header(&r);
        else
            read_entry(&r);
    return !error->set;
}

void mz_toml_release(mz_toml *toml)
{
    mz_release(toml->entries);
    mz_arena_release(&toml->arena);
    mz_text_release(&toml->source);
    *toml = (mz_toml){0};
}
