/* Declarations are found by their shape: `RESULT NAME(PARAMETER, …);` outside of braces, comments and
 * preprocessor lines. What this does not understand it leaves out; the user edits the result anyway. */
#define _GNU_SOURCE /* memmem */
#include "client/header.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

enum { MOST_FUNCTIONS = 400, MOST_PARAMETERS = 8, MOST_TEXT = 80 };

typedef struct function {
    char result[MOST_TEXT], name[MOST_TEXT];
    char types[MOST_PARAMETERS][MOST_TEXT], names[MOST_PARAMETERS][MOST_TEXT];
    size_t parameters;
} function;

typedef struct header {
    function *functions;
    size_t count;
    char handle[MOST_TEXT]; /* "queue *" */
} header;

/* ---- reading --------------------------------------------------------------------------------------------
 */

/* Without comments, preprocessor lines and bodies; bodies become `;`. */
static char *plain_text(const char *text)
{
    char *plain = mz_allocate(strlen(text) + 2), *to = plain;
    int depth = 0;
    bool line_begins = true;
    for (const char *at = text; *at; at++) {
        if (line_begins && *at == '#') {
            while (*at && *at != '\n')
                at += at[0] == '\\' && at[1] == '\n' ? 2 : 1;
            if (!*at)
                break;
        } else if (at[0] == '/' && at[1] == '*') {
            const char *end = strstr(at + 2, "*/");
            if (!end)
                break;
            at = end + 1;
            continue;
        } else if (at[0] == '/' && at[1] == '/') {
            at += strcspn(at, "\n");
            if (!*at)
                break;
        }
        line_begins = *at == '\n' || (line_begins && isspace((unsigned char)*at));
        bool is_linkage =
            *at == '{' && to - plain >= 4 && strstr(to - plain >= 12 ? to - 12 : plain, "\"C\"");
        if (*at == '{' && !is_linkage && depth++ == 0)
            *to++ = ';';
        else if (*at == '}' && depth > 0)
            depth--;
        else if (depth == 0)
            *to++ = is_linkage || *at == '}' ? ';' : isspace((unsigned char)*at) ? ' ' : *at;
        *to = '\0';
    }
    *to = '\0';
    return plain;
}

/* Blanks only where they separate words, and one before a star. */
static void copy_type(char *to, const char *from, size_t length)
{
    static const char *const dropped[] = {"extern", "static", "inline", "register", "restrict"};
    size_t written = 0;
    for (size_t i = 0; i < length && written + 2 < MOST_TEXT;) {
        size_t word = 0;
        while (i + word < length && (isalnum((unsigned char)from[i + word]) || from[i + word] == '_'))
            word++;
        bool drop = false;
        for (size_t k = 0; k < sizeof dropped / sizeof *dropped; k++)
            drop |= strlen(dropped[k]) == word && strncmp(from + i, dropped[k], word) == 0;
        if (word > 0 && !drop && written + word + 2 < MOST_TEXT) {
            written += written > 0 ? (size_t)(to[written] = ' ', 1) : 0;
            memcpy(to + written, from + i, word);
            written += word;
        } else if (word == 0 && from[i] == '*') {
            if (written > 0 && to[written - 1] != '*')
                to[written++] = ' ';
            to[written++] = '*';
        }
        i += word ? word : 1;
    }
    to[written] = '\0';
}

/* `TYPE NAME`: where the name begins; the end if there is none. */
static size_t name_of(const char *text, size_t length)
{
    size_t end = length;
    while (end > 0 && isspace((unsigned char)text[end - 1]))
        end--;
    size_t start = end;
    while (start > 0 && (isalnum((unsigned char)text[start - 1]) || text[start - 1] == '_'))
        start--;
    bool has_type = false;
    for (size_t i = 0; i < start; i++)
        has_type |= !isspace((unsigned char)text[i]);
    return has_type ? start : length;
}

static void copy_name(char *to, const char *from, size_t length)
{
    while (length > 0 && isspace((unsigned char)from[length - 1]))
        length--;
    snprintf(to, MOST_TEXT, "%.*s", (int)(length < MOST_TEXT - 1 ? length : MOST_TEXT - 1), from);
}

static void read_parameters(function *f, const char *text, size_t length)
{
    for (size_t at = 0; at < length && f->parameters < MOST_PARAMETERS;) {
        const char *comma = memchr(text + at, ',', length - at);
        size_t size = comma ? (size_t)(comma - text) - at : length - at, name = name_of(text + at, size);
        copy_type(f->types[f->parameters], text + at, name);
        copy_name(f->names[f->parameters], text + at + name, size - name);
        if (f->types[f->parameters][0] && strcmp(f->types[f->parameters], "void") != 0)
            f->parameters++;
        at += size + 1;
    }
}

static bool read_function(function *f, const char *text, size_t length)
{
    const char *open = memchr(text, '(', length),
               *close = open ? memchr(open, ')', length - (size_t)(open - text)) : NULL;
    *f = (function){0};
    if (!close || memchr(open + 1, '(', (size_t)(close - open - 1)) || memchr(text, '=', length) ||
        memmem(text, length, "typedef", 7))
        return false;
    size_t name = name_of(text, (size_t)(open - text));
    copy_type(f->result, text, name);
    copy_name(f->name, text + name, (size_t)(open - text) - name);
    if (!f->name[0] || !f->result[0] || strcmp(f->result, "return") == 0)
        return false;
    read_parameters(f, open + 1, (size_t)(close - open - 1));
    return true;
}

static void read_header(header *h, const char *text)
{
    char *plain = plain_text(text);
    h->functions = mz_allocate_zeroed(MOST_FUNCTIONS, sizeof *h->functions);
    for (const char *at = plain; *at && h->count < MOST_FUNCTIONS;) {
        size_t length = strcspn(at, ";");
        h->count += read_function(&h->functions[h->count], at, length);
        at += length + (at[length] == ';');
    }
    mz_release(plain);
}

/* ---- proposing ------------------------------------------------------------------------------------------
 */

static bool is_pointer(const char *type)
{
    return type[0] && type[strlen(type) - 1] == '*';
}

static bool is_const_of(const char *type, const char *handle)
{
    return strncmp(type, "const ", 6) == 0 && strcmp(type + 6, handle) == 0;
}

static bool takes(const function *f, const char *handle)
{
    return f->parameters > 0 && (strcmp(f->types[0], handle) == 0 || is_const_of(f->types[0], handle));
}

/* The pointer that most functions take first. */
static bool find_handle(header *h)
{
    size_t most = 1;
    for (size_t i = 0; i < h->count; i++) {
        const char *type = h->functions[i].parameters > 0 ? h->functions[i].types[0] : "";
        size_t count = 0;
        for (size_t k = 0; k < h->count; k++)
            count += takes(&h->functions[k], type);
        if (is_pointer(type) && strncmp(type, "const ", 6) != 0 && strcmp(type, "void *") != 0 &&
            count > most) {
            most = count;
            snprintf(h->handle, sizeof h->handle, "%s", type);
        }
    }
    return h->handle[0];
}

static bool mentions(const char *name, const char *const *words)
{
    for (; *words; words++)
        if (strstr(name, *words))
            return true;
    return false;
}

static bool is_maker(const header *h, const function *f)
{
    return strcmp(f->result, h->handle) == 0 && !takes(f, h->handle);
}

static bool is_end(const header *h, const function *f)
{
    static const char *const words[] = {"free", "destroy", "delete", "close", "fini", "release", NULL};
    return takes(f, h->handle) && f->parameters == 1 && mentions(f->name, words);
}

static bool is_beginning(const header *h, const function *f)
{
    static const char *const words[] = {"init", NULL};
    return takes(f, h->handle) && mentions(f->name, words);
}

static bool is_integer(const char *type)
{
    static const char *const words[] = {"int", "long", "short", "size_t", "unsigned", "char", NULL};
    return !is_pointer(type) && mentions(type, words);
}

/* False: nobody knows what to give. */
static bool add_argument(mz_text *out, const char *type, bool of_operation)
{
    static const char *const booleans[] = {"bool", "_Bool", NULL};
    size_t length = strlen(type);
    if (!is_pointer(type) && mentions(type, booleans))
        mz_text_add(out, of_operation ? "{0|1}" : "1");
    else if (is_integer(type))
        mz_text_add(out, of_operation ? "{1,2}" : "2");
    else if (strcmp(type, "const char *") == 0)
        mz_text_add(out, of_operation ? "{\"a\",\"b\"}" : "\"a\"");
    else if (is_pointer(type) && strncmp(type, "const ", 6) != 0 && of_operation &&
             strcmp(type, "void *") != 0)
        mz_text_add(out, "{out %.*s}", (int)(type[length - 2] == ' ' ? length - 2 : length - 1), type);
    else
        return false;
    return true;
}

/* `name(first, …)`, with values for the others. */
static void add_call(mz_text *out, const char *key, const function *f, const char *first, const char *before,
                     bool of_operation)
{
    mz_text call = {0};
    bool known = true;
    mz_text_add(&call, "%s: %s%s(%s", key, before, f->name, first);
    for (size_t i = *first ? 1 : 0; i < f->parameters; i++) {
        mz_text_add(&call, "%s", i > 0 ? ", " : "");
        if (!add_argument(&call, f->types[i], of_operation)) {
            mz_text_add(&call, "%s", f->names[i][0] ? f->names[i] : "?");
            known = false;
        }
    }
    mz_text_add(out, "%s%s)\n", known ? "" : "# give it values: ", mz_text_string(&call));
    mz_text_release(&call);
}

static void add_setup(const header *h, mz_text *out)
{
    char before[MOST_TEXT + 8];
    bool is_made = false;
    snprintf(before, sizeof before, "%sh = ", h->handle);
    for (size_t i = 0; i < h->count && !is_made; i++)
        if (is_maker(h, &h->functions[i])) {
            add_call(out, "setup", &h->functions[i], "", before, false);
            is_made = true;
        }
    if (!is_made)
        mz_text_add(out, "setup: %.*s object; %sh = &object\n", (int)(strlen(h->handle) - 1), h->handle,
                    h->handle);
    for (size_t i = 0; i < h->count && !is_made; i++)
        if (is_beginning(h, &h->functions[i]))
            add_call(out, "setup", &h->functions[i], "h", "", false);
}

void mz_header_propose(const char *name, const char *text, mz_text *out, mz_error *error)
{
    header h = {0};
    read_header(&h, text);
    if (!find_handle(&h)) {
        mz_error_set(error, (mz_position){.file = name},
                     "there is no type to which several functions take a pointer");
        mz_error_set_hint(error, "write the operations: --op='push(q, {1,2})' --op='pop(q)'");
    } else {
        mz_text_add(out,
                    "# What %s proposes: functions that take a '%s'. To be edited, and then given:\n"
                    "# mazurka clients FILE.c --clients=THIS_FILE\n",
                    name, h.handle);
        add_setup(&h, out);
        for (size_t i = 0; i < h.count; i++)
            if (takes(&h.functions[i], h.handle) && !is_end(&h, &h.functions[i]) &&
                !is_beginning(&h, &h.functions[i]))
                add_call(out, "op", &h.functions[i], "h", "", true);
        for (size_t i = 0; i < h.count; i++)
            if (is_end(&h, &h.functions[i]))
                add_call(out, "finally", &h.functions[i], "h", "", false);
    }
    mz_release(h.functions);
}
