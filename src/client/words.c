#include "client/words.h"

#include <ctype.h>
#include <string.h>

#include "base/memory.h"
#include "base/statement.h"

/* ---- what is wrong --------------------------------------------------------------------------------------
 */

static uint32_t times_returned(const mz_history *h, uint32_t operation, const char *result)
{
    uint32_t times = 0;
    for (uint32_t i = 0; i < h->count; i++)
        times += h->calls[i].returned && h->calls[i].operation == operation &&
                 strcmp(h->calls[i].result, result) == 0;
    return times;
}

static void add_times(mz_text *out, uint32_t times)
{
    if (times == 2)
        mz_text_add(out, " twice");
    else if (times > 2)
        mz_text_add(out, " %u times", times);
}

void mz_history_sentence(const mz_explaining *how, const mz_words *operations, const mz_history *h,
                         const mz_timing *timing, mz_text *out)
{
    for (uint32_t i = 0; i < h->count && !timing->in_any_order; i++) {
        const mz_client_call *c = &h->calls[i];
        uint32_t times = times_returned(h, c->operation, c->result);
        if (!c->result[0] || times <= mz_most_returned(how, h, c->operation, c->result))
            continue;
        mz_text_add(out, "%s returned %s", operations->items[c->operation], c->result);
        add_times(out, times);
        mz_text_add(out, "; in no order of the %u calls does it", h->count);
        return;
    }
    mz_text_add(out, "not %s: in no order of the %u calls%s do they return what they returned",
                how->criterion == MZ_SEQUENTIAL  ? "sequentially consistent"
                : how->criterion == MZ_QUIESCENT ? "quiescently consistent"
                                                 : "linearizable",
                h->count, timing->in_any_order ? " that keeps who was done before whom" : "");
}

/* ---- intervals ------------------------------------------------------------------------------------------
 */

static size_t widest_text(const mz_words *operations, const mz_history *h)
{
    size_t widest = 0;
    for (uint32_t i = 0; i < h->count; i++) {
        size_t width = strlen(operations->items[h->calls[i].operation]);
        widest = width > widest ? width : widest;
    }
    return widest < 30 ? widest : 30;
}

static void add_interval(mz_text *out, uint32_t begin, uint32_t end, uint32_t moments, uint32_t wide)
{
    for (uint32_t at = 0; at <= moments * wide; at++)
        mz_text_add(out, "%s",
                    at == begin * wide                     ? "|"
                    : at == end * wide && end < moments    ? "|"
                    : at > begin * wide && at / wide < end ? "-"
                                                           : " ");
}

void mz_history_picture(const mz_words *operations, const mz_history *h, const mz_timing *timing,
                        mz_text *out)
{
    uint32_t wide = timing->moments > 12 ? 2 : timing->moments > 8 ? 3 : 4;
    int width = (int)widest_text(operations, h);
    for (uint32_t t = 1; t <= MZ_CLIENT_THREADS; t++)
        for (uint32_t i = 0; i < h->count; i++) {
            const mz_client_call *c = &h->calls[i];
            if (c->thread != t)
                continue;
            const char *text = operations->items[c->operation];
            mz_text_add(out, "  T%u  %.*s%*s  ", t, width, text,
                        (int)strlen(text) < width ? width - (int)strlen(text) : 0, "");
            add_interval(out, timing->begins[i], timing->ends[i], timing->moments, wide);
            mz_text_add(out, " %s%s\n", c->result[0] ? "= " : "", c->returned ? c->result : "…");
        }
}

/* ---- a program ------------------------------------------------------------------------------------------
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

/* The expression, with addresses of variables where it has `{out TYPE}`. */
static void add_call(mz_text *out, const char *operation, uint32_t thread, uint32_t number)
{
    mz_text before = {0}, call = {0};
    unsigned outs = 0;
    for (const char *at = operation; *at; at++) {
        const char *end = strncmp(at, "{out ", 5) == 0 ? strchr(at, '}') : NULL;
        if (end) {
            mz_text_add(&before, "    %.*s out%u_%u_%u;\n", (int)(end - at - 5), at + 5, thread, number,
                        outs);
            mz_text_add(&call, "&out%u_%u_%u", thread, number, outs++);
            at = end;
        } else {
            mz_text_add_bytes(&call, at, 1);
        }
    }
    mz_text_add(out, "%s    ", mz_text_string(&before));
    mz_text_add(out, "%s;\n", mz_text_string(&call));
    mz_text_release(&before);
    mz_text_release(&call);
}

static bool is_number(const char *text)
{
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0 || strcmp(text, "NULL") == 0)
        return true;
    text += *text == '-';
    return *text && text[strspn(text, "0123456789")] == '\0';
}

/* The i-th call of a thread; it has returned something. */
static bool returns(const mz_history *h, uint32_t thread, uint32_t i)
{
    for (uint32_t k = 0; h && k < h->count; k++)
        if (h->calls[k].thread == thread && i-- == 0)
            return h->calls[k].result[0];
    return false;
}

static void add_thread(mz_text *out, const mz_client *c, uint32_t thread, const mz_client_source *s)
{
    mz_text_add(out, "\nstatic void *thread_%u(void *unused)\n{\n", thread);
    for (uint32_t i = 0; i < c->length[thread]; i++) {
        const char *text = s->operations->items[c->operations[thread][i]];
        if (returns(s->history, thread, i))
            mz_text_add(out, "    result_%u_%u = %s;\n", thread, i + 1, text);
        else
            add_call(out, text, thread, i + 1);
    }
    mz_text_add(out, "    return unused;\n}\n");
}

/* Can all results be compared in C? */
static bool can_assert(const mz_history *h, const mz_words *operations)
{
    for (uint32_t i = 0; h && i < h->count; i++)
        if ((h->calls[i].result[0] && !is_number(h->calls[i].result)) ||
            strstr(operations->items[h->calls[i].operation], "{out "))
            return false;
    return h;
}

static void add_results(mz_text *out, const mz_client *c, const mz_history *h, const mz_words *operations)
{
    mz_text_add(out, "\n");
    for (uint32_t t = 1; t <= c->threads; t++)
        for (uint32_t i = 0; i < c->length[t]; i++)
            if (returns(h, t, i))
                mz_text_add(out, "static __typeof__(%s) result_%u_%u;\n",
                            operations->items[c->operations[t][i]], t, i + 1);
}

static void add_assertion(mz_text *out, const mz_history *h)
{
    uint32_t number[MZ_CLIENT_THREADS + 1] = {0};
    bool is_first = true;
    mz_text_add(out, "    assert(!(");
    for (uint32_t i = 0; i < h->count; i++) {
        const mz_client_call *call = &h->calls[i];
        number[call->thread]++;
        if (!call->result[0])
            continue;
        mz_text_add(out, "%sresult_%u_%u == %s", is_first ? "" : " && ", call->thread, number[call->thread],
                    strcmp(call->result, "true") == 0    ? "1"
                    : strcmp(call->result, "false") == 0 ? "0"
                                                         : call->result);
        is_first = false;
    }
    mz_text_add(out, "));\n");
}

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

void mz_client_program(const mz_client *c, const mz_client_source *s, mz_text *out)
{
    mz_client_source source = *s;
    if (!can_assert(s->history, s->operations))
        source.history = NULL;
    mz_text_add(out, "/* %s\n * This client shows it: mazurka check THIS_FILE", s->why);
    for (size_t i = 0; i < s->file_count; i++)
        if (is_object(s->files[i]))
            mz_text_add(out, " %s", s->files[i]);
    mz_text_add(out, " */\n#include <assert.h>\n#include <pthread.h>\n#include <stddef.h>\n");
    for (size_t i = 0; i < s->file_count; i++)
        if (!is_object(s->files[i]))
            mz_text_add(out, "#include \"%s\"\n", s->files[i]);
    for (size_t i = 0; i + 1 < s->flag_count; i++) /* of objects that is how their header is known */
        if (strcmp(s->flags[i], "-include") == 0)
            mz_text_add(out, "#include \"%s\"\n", s->flags[i + 1]);
    mz_text_add(out, "\n");
    add_setup(out, s->setup ? s->setup : "", is_cxx(s));
    if (source.history)
        add_results(out, c, source.history, s->operations);
    for (uint32_t t = 1; t <= c->threads; t++)
        add_thread(out, c, t, &source);
    mz_text_add(out, "\nint main(%s)\n{\n    setup();\n", is_cxx(s) ? "" : "void");
    for (uint32_t i = 0; i < c->length[0]; i++)
        add_call(out, s->operations->items[c->operations[0][i]], 0, i + 1);
    if (c->threads > 0)
        mz_text_add(out, "    pthread_t threads[%u];\n", c->threads);
    for (uint32_t t = 1; t <= c->threads; t++)
        mz_text_add(out, "    pthread_create(&threads[%u], NULL, thread_%u, NULL);\n", t - 1, t);
    for (uint32_t t = 1; t <= c->threads; t++)
        mz_text_add(out, "    pthread_join(threads[%u], NULL);\n", t - 1);
    if (source.history)
        add_assertion(out, source.history);
    if (s->finally && *s->finally)
        mz_text_add(out, "    %s;\n", s->finally);
    mz_text_add(out, "    return 0;\n}\n");
}
