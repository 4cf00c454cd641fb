/* A client as a program of its own, to be kept as a test. If it is what calls returned that is wrong, it
 * asserts that they do not return that: their results are texts (program/verifier/results.c), of which most
 * can be written as comparisons. */
#include "client/words.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/statement.h"

/* ---- the setup ------------------------------------------------------------------------------------------
 */

/* What the setup declares has to be known to the threads: it stands outside of functions, without its value.
 */
static void add_declaration(mz_text *out, const char *statement, const mz_declaration *d, mz_text *body)
{
    int name = (int)d->name_length;
    if (!d->value) {
        mz_text_add(out, "static %s;\n", statement);
        return;
    }
    size_t declared = (size_t)(d->value - 1 - d->type);
    const char *value = d->value + strspn(d->value, " ");
    if (d->is_untyped)
        mz_text_add(out, "static __typeof__(%s) %.*s;\n", value, name, d->name);
    else
        mz_text_add(out, "static %.*s;\n", (int)(declared - (statement[declared - 1] == ' ')), d->type);
    mz_text_add(body, "    %.*s = ", name, d->name);
    if (*value == '{')
        mz_text_add(body, "(__typeof__(%.*s))", name, d->name);
    mz_text_add(body, "%s;\n", value);
}

static void add_setup(mz_text *out, const char *setup, bool is_cxx)
{
    mz_text body = {0};
    for (const char *at = setup; *at;) {
        at += strspn(at, " \t\n;");
        size_t length = mz_statement_length(at);
        char *statement = mz_copy_bytes(at, length);
        mz_declaration d = mz_read_declaration(statement, is_cxx);
        if (d.name)
            add_declaration(out, statement, &d, &body);
        else if (*statement)
            mz_text_add(&body, "    %s;\n", statement);
        mz_release(statement);
        at += length;
    }
    mz_text_add(out, "\nstatic void setup(%s)\n{\n%s}\n", is_cxx ? "" : "void", mz_text_string(&body));
    mz_text_release(&body);
}

/* ---- results as text ------------------------------------------------------------------------------------
 */

/* How long the text is up to the comma that ends this part of it, or its end. */
static size_t part_length(const char *text)
{
    int depth = 0;
    char quote = 0;
    const char *at = text;
    for (; *at; at++) {
        if (quote && *at == '\\' && at[1])
            at++;
        else if (quote)
            quote = *at == quote ? 0 : quote;
        else if (*at == '"' || *at == '\'')
            quote = *at;
        else if (*at == ',' && depth == 0)
            break;
        else
            depth += *at == '{' ? 1 : *at == '}' ? -1 : 0;
    }
    return (size_t)(at - text);
}

static const char *next_part(const char *part, size_t length)
{
    return part[length] ? part + length + strspn(part + length, ", ") : NULL;
}

static size_t count_parts(const char *text)
{
    size_t count = 0;
    for (const char *part = *text ? text : NULL; part; part = next_part(part, part_length(part)))
        count++;
    return count;
}

/* A number, a character, a name of an enumeration or a constant. */
static bool is_literal(const char *text, size_t length)
{
    if (text[0] == '\'')
        return true;
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)text[i]) && !strchr("_.+-", text[i]))
            return false;
    return length > 0 && !strstr(text, "nan") && !strstr(text, "inf");
}

static bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(text, word, length) == 0;
}

static bool add_comparison(mz_text *out, const char *expression, const char *text, size_t length, bool cxx);

/* "{.count = 1, .name = "a"}", "{1, 2}": of what has no name in a struct, the parts are its own. */
static bool add_parts(mz_text *out, const char *expression, const char *text, size_t length, bool cxx)
{
    char *inside = mz_copy_bytes(text + 1, length - 2);
    bool is_record = strstr(inside, ".") == inside || strstr(inside, ", ."), is_first = true, works = true;
    size_t index = 0;
    for (const char *part = *inside ? inside : NULL; part && works;) {
        size_t size = part_length(part), name = *part == '.' ? strcspn(part, " ") : 0;
        mz_text inner = {0};
        const char *value = name ? part + name + 3 : part;
        mz_text_add(&inner, "%s%.*s", expression, (int)name, part);
        if (!is_record)
            mz_text_add(&inner, "[%zu]", index++);
        mz_text_add(out, "%s", is_first ? "" : " && ");
        works = add_comparison(out, mz_text_string(&inner), value, size - (size_t)(value - part), cxx);
        mz_text_release(&inner);
        is_first = false;
        part = next_part(part, size);
    }
    mz_text_add(out, "%s", is_first ? "1" : "");
    mz_release(inside);
    return works;
}

/* False: it cannot be said in C. */
static bool add_comparison(mz_text *out, const char *expression, const char *text, size_t length, bool cxx)
{
    size_t start = out->length;
    bool is_whole = length > 1 && text[0] == '{' && text[length - 1] == '}';
    if (is_whole)
        return add_parts(out, expression, text, length, cxx);
    if (text[0] == '"' && cxx && is_word(text, length, "\"nothing\""))
        mz_text_add(out, "is_nothing(%s, 0)", expression);
    else if (text[0] == '"' && cxx)
        mz_text_add(out, "std::string(%s) == %.*s", expression, (int)length, text);
    else if (text[0] == '"')
        mz_text_add(out, "strcmp(%s, %.*s) == 0", expression, (int)length, text);
    else if (is_word(text, length, "a pointer"))
        mz_text_add(out, "%s != NULL", expression);
    else if (is_word(text, length, "true") || is_word(text, length, "false"))
        mz_text_add(out, "%s == %d", expression, *text == 't');
    else if (is_literal(text, length))
        mz_text_add(out, "%s == %.*s", expression, (int)length, text);
    return out->length > start;
}

/* ---- calls ----------------------------------------------------------------------------------------------
 */

static size_t count_outs(const char *operation)
{
    size_t count = 0;
    for (const char *at = operation; (at = strstr(at, "{out ")); at++)
        count++;
    return count;
}

/* The i-th call of a thread; NULL: it is not looked at. */
static const mz_client_call *call_of(const mz_history *h, uint32_t thread, uint32_t i)
{
    for (uint32_t k = 0; h && k < h->count; k++)
        if (h->calls[k].thread == thread && i-- == 0)
            return &h->calls[k];
    return NULL;
}

/* Beside what it leaves in variables. */
static bool returns_value(const mz_client_call *call, const char *operation)
{
    return call && count_parts(call->result) > count_outs(operation);
}

/* The expression, with addresses of variables where it has `{out TYPE}`. */
static void add_expression(mz_text *out, const char *operation, uint32_t thread, uint32_t number)
{
    unsigned outs = 0;
    for (const char *at = operation; *at; at++) {
        const char *end = strncmp(at, "{out ", 5) == 0 ? strchr(at, '}') : NULL;
        if (end)
            mz_text_add(out, "&out%u_%u_%u", thread, number, outs++);
        else
            mz_text_add_bytes(out, at, 1);
        at = end ? end : at;
    }
}

static void add_call(mz_text *out, const char *operation, uint32_t thread, uint32_t number, bool keeps)
{
    mz_text_add(out, "    ");
    if (keeps)
        mz_text_add(out, "result_%u_%u = ", thread, number);
    add_expression(out, operation, thread, number);
    mz_text_add(out, ";\n");
}

/* What is looked at in the end stands outside of functions. */
static void add_variables(mz_text *out, const mz_client *c, const mz_history *h, const mz_words *operations,
                          bool cxx)
{
    for (uint32_t t = 0; t <= c->threads; t++)
        for (uint32_t i = 0; i < c->length[t]; i++) {
            const char *text = operations->items[c->operations[t][i]];
            unsigned outs = 0;
            for (const char *at = text; (at = strstr(at, "{out ")); at++)
                mz_text_add(out, "static %.*s out%u_%u_%u;\n", (int)strcspn(at + 5, "}"), at + 5, t, i + 1,
                            outs++);
            if (!returns_value(call_of(h, t, i), text))
                continue;
            mz_text_add(out, cxx ? "static std::decay_t<decltype(" : "static __typeof__(");
            add_expression(out, text, t, i + 1);
            mz_text_add(out, cxx ? ")> result_%u_%u;\n" : ") result_%u_%u;\n", t, i + 1);
        }
}

static void add_thread(mz_text *out, const mz_client *c, uint32_t thread, const mz_client_source *s)
{
    mz_text_add(out, "\nstatic void *thread_%u(void *unused)\n{\n", thread);
    for (uint32_t i = 0; i < c->length[thread]; i++) {
        const char *text = s->operations->items[c->operations[thread][i]];
        add_call(out, text, thread, i + 1, returns_value(call_of(s->history, thread, i), text));
    }
    mz_text_add(out, "    return unused;\n}\n");
}

static bool add_result(mz_text *out, const mz_client_call *call, const char *operation, uint32_t number,
                       bool cxx)
{
    bool value = returns_value(call, operation), works = true;
    size_t outs = 0;
    for (const char *part = *call->result ? call->result : NULL; part && works;) {
        size_t length = part_length(part);
        char name[64];
        if (value)
            snprintf(name, sizeof name, "result_%u_%u", call->thread, number);
        else
            snprintf(name, sizeof name, "out%u_%u_%zu", call->thread, number, outs++);
        value = false;
        mz_text_add(out, "%s", out->length ? " && " : "");
        works = add_comparison(out, name, part, length, cxx);
        part = next_part(part, length);
    }
    return works && outs <= count_outs(operation);
}

/* What the calls have returned, as a condition. False if that cannot be said. */
static bool add_results(mz_text *out, const mz_history *h, const mz_words *operations, bool cxx)
{
    uint32_t number[MZ_CLIENT_THREADS + 1] = {0};
    for (uint32_t i = 0; i < h->count; i++) {
        const mz_client_call *call = &h->calls[i];
        number[call->thread]++;
        if (!call->returned ||
            !add_result(out, call, operations->items[call->operation], number[call->thread], cxx))
            return false;
    }
    return out->length > 0;
}

/* ---- the program ----------------------------------------------------------------------------------------
 */

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static bool is_object(const char *file)
{
    return ends_with(file, ".o") || ends_with(file, ".a") || ends_with(file, ".so");
}

static bool is_cxx(const mz_client_source *s)
{
    return s->file_count > 0 && !ends_with(s->files[0], ".c") && !ends_with(s->files[0], ".h") &&
           !is_object(s->files[0]);
}

static const char is_nothing[] =
    "\ntemplate <class T> auto is_nothing(const T &value, int) -> decltype(value.has_value())\n"
    "{\n    return !value.has_value();\n}\n"
    "template <class T> bool is_nothing(const T &value, long)\n"
    "{\n    return std::string(value) == \"nothing\";\n}\n";

void mz_client_program(const mz_client *c, const mz_client_source *s, mz_text *out)
{
    mz_client_source source = *s;
    mz_text condition = {0};
    bool cxx = is_cxx(s);
    if (s->history && !add_results(&condition, s->history, s->operations, cxx))
        source.history = NULL;
    mz_text_add(out, "/* %s\n * This client shows it: mazurka check%s THIS_FILE", s->why,
                s->waits ? " --check=assertions" : "");
    for (size_t i = 0; i < s->file_count; i++)
        if (is_object(s->files[i]))
            mz_text_add(out, " %s", s->files[i]);
    mz_text_add(out, "%s */\n#include <assert.h>\n#include <pthread.h>\n#include <stddef.h>\n",
                s->waits
                    ? "\n * (A library that is right does not come to the end of it: some call waits there.)"
                    : "");
    mz_text_add(out, "%s", strstr(mz_text_string(&condition), "strcmp(") ? "#include <string.h>\n" : "");
    mz_text_add(out, "%s", cxx && source.history ? "#include <string>\n#include <type_traits>\n" : "");
    for (size_t i = 0; i < s->file_count; i++)
        if (!is_object(s->files[i]))
            mz_text_add(out, "#include \"%s\"\n", s->files[i]);
    for (size_t i = 0; i + 1 < s->flag_count; i++) /* of objects that is how their header is known */
        if (strcmp(s->flags[i], "-include") == 0)
            mz_text_add(out, "#include \"%s\"\n", s->flags[i + 1]);
    if (cxx && strstr(mz_text_string(&condition), "is_nothing("))
        mz_text_add(out, "%s", is_nothing);
    mz_text_add(out, "\n");
    add_setup(out, s->setup ? s->setup : "", cxx);
    mz_text_add(out, "\n");
    add_variables(out, c, source.history, s->operations, cxx);
    for (uint32_t t = 1; t <= c->threads; t++)
        add_thread(out, c, t, &source);
    mz_text_add(out, "\nint main(%s)\n{\n    setup();\n", cxx ? "" : "void");
    for (uint32_t i = 0; i < c->length[0]; i++)
        add_call(out, s->operations->items[c->operations[0][i]], 0, i + 1, false);
    if (c->threads > 0)
        mz_text_add(out, "    pthread_t threads[%u];\n", c->threads);
    for (uint32_t t = 1; t <= c->threads; t++)
        mz_text_add(out, "    pthread_create(&threads[%u], NULL, thread_%u, NULL);\n", t - 1, t);
    for (uint32_t t = 1; t <= c->threads; t++)
        mz_text_add(out, "    pthread_join(threads[%u], NULL);\n", t - 1);
    if (source.history)
        mz_text_add(out, "    assert(!(%s));\n", mz_text_string(&condition));
    if (s->finally && *s->finally)
        mz_text_add(out, "    %s;\n", s->finally);
    mz_text_add(out, "    return 0;\n}\n");
    mz_text_release(&condition);
}
