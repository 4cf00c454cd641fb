/* `mazurka clients`: the driver that is compiled behind the source of a library. One program serves all
 * clients: each thread asks the checker which of the operations is its next one (mz_client_next), and tells
 * what it returned (mz_client_result; program/verifier/clients.c has the other side).
 *
 * Every text of the user's is a file of its own to the compiler (#line), whose name is that text: so messages
 * name what was written, not what was made of it.
 *
 * What type a result has stands in the debug information: of a pointer to it, mz_typed, whose address is
 * told.
 *
 *   setup       `queue *q = queue_new(2); queue_open(q)`: declarations become variables with static storage,
 *               what has a value gets it before the threads begin
 *   operation   `push(q, 1)`, `pop(q, {out int})`: an expression; what `{out TYPE}` holds afterwards counts
 * as a part of the result finally     statements
 */
#include <ctype.h>
#include <string.h>

#include "base/memory.h"
#include "base/statement.h"
#include "program/build/compile_internal.h"

static const char preamble_c[] =
    "extern int mz_client_next(int thread);\n"
    "extern void mz_client_result(int thread, int kind, const void *value, unsigned long size,\n"
    "    const void *typed);\n"
    "extern void mz_client_made(const void *const *pointer, const char *name);\n"
    "#define MZ_KIND(x) _Generic((x), _Bool: 1, char: 2, signed char: 3, short: 3, int: 3, long: 3, \\\n"
    "    long long: 3, unsigned char: 4, unsigned short: 4, unsigned: 4, unsigned long: 4, \\\n"
    "    unsigned long long: 4, float: 5, double: 5, long double: 5, char *: 6, const char *: 6, \\\n"
    "    default: __builtin_classify_type(x) == 5 ? 7 : 0)\n"
    "#define MZ_NOTE(x) do { static __typeof__(x) *mz_typed; \\\n"
    "    mz_client_result(mz_thread, MZ_KIND(x), &(x), sizeof(x), &mz_typed); } while (0)\n"
    "#define MZ_MADE(x) (__builtin_classify_type(x) == 5 ? mz_client_made((const void *)&(x), #x) : "
    "(void)0)\n";

/* What a comma makes of an expression is nothing if the expression is void, and its value otherwise. A string
 * or an optional value of the library is told by what it holds. */
static const char preamble_cxx[] =
    "extern \"C\" {\n"
    "int mz_client_next(int thread);\n"
    "void mz_client_result(int thread, int kind, const void *value, unsigned long size,\n"
    "    const void *typed);\n"
    "void mz_client_made(const void *const *pointer, const char *name);\n"
    "}\n"
    "namespace mz_driver {\n"
    "struct nothing {};\n"
    "template <class T> const T &operator,(const T &value, nothing) { return value; }\n"
    "struct worst {}; struct better : worst {}; struct best : better {};\n"
    "template <class T> auto text_of(const T &v, best) -> decltype(v.c_str()) { return v.c_str(); }\n"
    "template <class T> const char *text_of(const T &, worst) { return 0; }\n"
    "template <class T> struct kind { enum { is = __is_enum(T) ? 3 : 0 }; };\n"
    "template <class T> struct kind<T *> { enum { is = 7 }; };\n"
    "#define MZ_IS(T, K) template <> struct kind<T> { enum { is = K }; };\n"
    "MZ_IS(bool, 1) MZ_IS(char, 2) MZ_IS(signed char, 3) MZ_IS(short, 3) MZ_IS(int, 3) MZ_IS(long, 3)\n"
    "MZ_IS(long long, 3) MZ_IS(unsigned char, 4) MZ_IS(unsigned short, 4) MZ_IS(unsigned, 4)\n"
    "MZ_IS(unsigned long, 4) MZ_IS(unsigned long long, 4) MZ_IS(float, 5) MZ_IS(double, 5)\n"
    "MZ_IS(long double, 5) MZ_IS(char *, 6) MZ_IS(const char *, 6)\n"
    "#undef MZ_IS\n"
    "inline void note(int, const nothing &, best) {}\n"
    "template <class T> void note(int t, const T &v, worst) {\n"
    "    static T *mz_typed;\n"
    "    if (const char *text = text_of(v, best())) mz_client_result(t, 6, &text, sizeof text, 0);\n"
    "    else mz_client_result(t, kind<T>::is, &v, sizeof v, &mz_typed);\n"
    "}\n"
    "template <class T> auto note(int t, const T &v, better) -> decltype(v.has_value(), *v, void()) {\n"
    "    const char *none = \"nothing\";\n"
    "    if (v.has_value()) note(t, *v, best()); else mz_client_result(t, 6, &none, sizeof none, 0);\n"
    "}\n"
    "template <class T> void made(const T &, const char *) {}\n"
    "template <class T> void made(T *const &p, const char *name) {\n"
    "    const void *pointer = p; mz_client_made(&pointer, name);\n"
    "}\n"
    "}\n"
    "#define MZ_NOTE(x) mz_driver::note(mz_thread, (x), mz_driver::best())\n"
    "#define MZ_MADE(x) mz_driver::made((x), #x)\n";

static bool is_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Its last character, if a comment begins here. */
static const char *end_of_comment(const char *at)
{
    if (at[0] != '/' || (at[1] != '/' && at[1] != '*'))
        return at;
    const char *end = strstr(at, at[1] == '/' ? "\n" : "*/");
    return end ? end : at + strlen(at) - 1;
}

/* Names of the text at the outermost level, where variables are declared that an entry can mean. */
bool mz__declares(const char *text, const char *name, size_t length)
{
    int depth = 0;
    for (const char *at = text; *at; at++) {
        at = end_of_comment(at);
        depth += strchr("({", *at) ? 1 : strchr(")}", *at) ? -1 : 0;
        if (depth == 0 && strncmp(at, name, length) == 0 && !is_name_char(at[length]) &&
            (at == text || !is_name_char(at[-1])))
            return true;
    }
    return false;
}

/* The text as the name of a file. */
static void add_line(mz_text *out, const char *option, const char *text)
{
    mz_text_add(out, "\n#line 1 \"%s=", option);
    for (; *text; text++)
        mz_text_add(out, *text == '"' || *text == '\\' ? "\\%c" : *text == '\n' ? " " : "%c", *text);
    mz_text_add(out, "\"\n");
}

/* ---- the setup ------------------------------------------------------------------------------------------
 */

static void add_variable(mz_text *out, const mz_declaration *d, const char *source)
{
    if (d->type_length == 0 && mz__declares(source, d->name, d->name_length))
        return;
    if (d->value && d->is_untyped)
        mz_text_add(out, "static __typeof__(%s) %.*s;\n", d->value, (int)d->name_length, d->name);
    else if (d->value && memchr(d->name, '[', (size_t)(d->value - d->name)))
        mz_text_add(out, "static %.*s;\n", (int)(d->value - d->type - 1), d->type);
    else if (d->value)
        mz_text_add(out, "static %.*s %.*s;\n", (int)d->type_length, d->type, (int)d->name_length, d->name);
    else
        mz_text_add(out, "static %s;\n", d->type);
}

static void add_assignment(mz_text *out, const mz_declaration *d)
{
    const char *value = d->value + strspn(d->value, " \t");
    mz_text_add(out, "%.*s = ", (int)d->name_length, d->name);
    if (*value == '{')
        mz_text_add(out, "(__typeof__(%.*s))", (int)d->name_length, d->name);
    mz_text_add(out, "%s; MZ_MADE(%.*s); ", value, (int)d->name_length, d->name);
}

static void add_setup(mz_text *out, const char *setup, const char *source, bool cxx)
{
    mz_text body = {0};
    for (const char *at = setup; *at;) {
        at += strspn(at, " \t\n;");
        size_t length = mz_statement_length(at);
        char *statement = mz_copy_bytes(at, length);
        mz_declaration d = mz_read_declaration(statement, cxx);
        add_line(out, "--setup", setup);
        if (d.name)
            add_variable(out, &d, source);
        if (d.name && d.value)
            add_assignment(&body, &d);
        else if (!d.name && *statement)
            mz_text_add(&body, "%s; ", statement);
        mz_release(statement);
        at += length;
    }
    add_line(out, "--setup", setup);
    mz_text_add(out, "static void mz_setup(void) { %s}\n", mz_text_string(&body));
    mz_text_release(&body);
}

/* ---- operations -----------------------------------------------------------------------------------------
 */

/* `pop(q, {out int})`: a variable for each of these, and the text with their addresses instead. */
static size_t add_outs(mz_text *out, const char *operation, bool cxx, mz_text *expression)
{
    size_t count = 0;
    for (const char *at = operation; *at; at++) {
        const char *end = strncmp(at, "{out ", 5) == 0 ? strchr(at, '}') : NULL;
        if (!end) {
            mz_text_add_bytes(expression, at, 1);
            continue;
        }
        mz_text_add(out, "%.*s mz_out_%zu = %s; ", (int)(end - at - 5), at + 5, count, cxx ? "{}" : "{0}");
        mz_text_add(expression, "&mz_out_%zu", count++);
        at = end;
    }
    return count;
}

/* Alone in a line, so that columns in messages are those of the text. */
static void add_expression(mz_text *out, const char *operation, const char *expression)
{
    add_line(out, "--op", operation);
    mz_text_add(out, "%s\n", expression);
}

static void add_operation(mz_text *out, size_t number, const char *operation, bool cxx)
{
    mz_text expression = {0};
    add_line(out, "--op", operation);
    mz_text_add(out, "static void mz_op_%zu(int mz_thread) { ", number);
    size_t outs = add_outs(out, operation, cxx, &expression);
    const char *e = mz_text_string(&expression);
    mz_text_add(out, cxx ? "MZ_NOTE(((" : "typedef __typeof__(");
    add_expression(out, operation, e);
    mz_text_add(out, "%s",
                cxx ? "), mz_driver::nothing())); "
                    : ") mz_type; enum { mz_void = __builtin_types_compatible_p(mz_type, void) }; "
                      "__typeof__(__builtin_choose_expr(mz_void, (int *)0, (mz_type *)0)) mz_at; "
                      "__typeof__(*mz_at) mz_result = __builtin_choose_expr(mz_void, ((");
    if (!cxx) {
        add_expression(out, operation, e);
        mz_text_add(out, "), 0), (");
        add_expression(out, operation, e);
        mz_text_add(out, ")); if (!mz_void) MZ_NOTE(mz_result); ");
    }
    for (size_t i = 0; i < outs; i++)
        mz_text_add(out, "MZ_NOTE(mz_out_%zu); ", i);
    mz_text_add(out, "(void)mz_thread; }\n");
    mz_text_release(&expression);
}

static void add_entry(mz_text *out, size_t number, const char *body, bool cxx)
{
    const char *linkage = cxx ? "extern \"C\" " : "";
    mz_text_add(out, "%svoid *mz_entry_%zu(void *mz_nothing);\n", linkage, number);
    mz_text_add(out, "void *mz_entry_%zu(void *mz_nothing) { %s; return mz_nothing; }\n", number, body);
}

void mz__add_driver(mz_text *out, const mz_compile_options *options, const char *source, bool cxx)
{
    mz_text_add(out, "#line 1 \"<clients>\"\n%s", cxx ? preamble_cxx : preamble_c);
    add_setup(out, options->entries[0], source, cxx);
    for (size_t i = 0; i < options->operation_count; i++)
        add_operation(out, i, options->operations[i], cxx);
    if (*options->entries[1]) {
        add_line(out, "--finally", options->entries[1]);
        add_entry(out, 1, options->entries[1], cxx);
    }
    mz_text_add(out, "\n#line 1 \"<clients>\"\nstatic void mz_client_run(int thread) {\n"
                     "    static void (*const operations[])(int) = {");
    for (size_t i = 0; i < options->operation_count; i++)
        mz_text_add(out, "%smz_op_%zu", i ? ", " : "", i);
    mz_text_add(out, "};\n    for (int next; (next = mz_client_next(thread)) >= 0;) operations[next](thread);"
                     "\n}\n");
    add_entry(out, 0, "mz_setup(); mz_client_run(0)", cxx);
    for (size_t i = 2; i < options->entry_count; i++) {
        mz_text body = {0};
        mz_text_add(&body, "mz_client_run(%zu)", i - 1);
        add_entry(out, i, mz_text_string(&body), cxx);
        mz_text_release(&body);
    }
}
