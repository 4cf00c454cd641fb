/* Labels by which programs for CBMC make threads: `__CPROVER_ASYNC_1: f();` runs f() in one of its own. To a
 * C compiler they are labels and nothing else, and the program would be checked as if there was no such
 * thread. So it is refused.
 *
 * Where such a name stands in the text need not be part of the program: it may be in a comment, or left out
 * by the preprocessor. That one knows best: the name becomes a macro, which is an error where it is used. The
 * first of them is one always, because it may stand in a header. What is preprocessed already has no macros
 * (and no comments): there the text is looked at. */
#include <ctype.h>
#include <string.h>

#include "base/file.h"
#include "program/build/compile_internal.h"

static const char prefix[] = "__CPROVER_ASYNC_";
#define MESSAGE "threads by __CPROVER_ASYNC labels are not modelled; use pthread_create"

static size_t name_length(const char *at)
{
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_')
        length++;
    return length;
}

static void add_macro(mz_words *words, const char *name, size_t length)
{
    mz_text option = {0};
    mz_text_add(&option, "-D%.*s=_Pragma(\"GCC error \\\"" MESSAGE "\\\"\") %.*s", (int)length, name,
                (int)length, name);
    if (!mz_words_have(words, mz_text_string(&option)))
        mz_words_add(words, mz_text_string(&option));
    mz_text_release(&option);
}

void mz__add_label_macros(mz_words *words, const char *source)
{
    static const char first[] = "__CPROVER_ASYNC_1";
    mz_text text = {0};
    add_macro(words, first, sizeof first - 1);
    if (mz_file_read(source, MZ_FILE_ANY_SIZE, &text))
        for (const char *at = mz_text_string(&text); (at = strstr(at, prefix)); at += sizeof prefix - 1)
            add_macro(words, at, name_length(at));
    mz_text_release(&text);
}

static bool is_preprocessed(const char *file)
{
    const char *dot = strrchr(file, '.');
    return dot && (strcmp(dot, ".i") == 0 || strcmp(dot, ".ii") == 0);
}

static mz_position position_in(const char *file, const char *text, const char *at)
{
    mz_position position = {file, 1, 1};
    for (const char *c = text; c < at; c++) {
        position.line += *c == '\n';
        position.column = *c == '\n' ? 1 : position.column + 1;
    }
    return position;
}

bool mz__has_no_async_labels(const char *file, mz_error *error)
{
    mz_text text = {0};
    const char *all, *at;
    if (!is_preprocessed(file) || !mz_file_read(file, MZ_FILE_ANY_SIZE, &text))
        return true;
    for (at = all = mz_text_string(&text); (at = strstr(at, prefix)) && !error->set; at++) {
        const char *after = at + name_length(at);
        if (after[strspn(after, " \t\r\n")] == ':')
            mz_error_set(error, position_in(file, all, at), MESSAGE);
    }
    mz_text_release(&text);
    return !error->set;
}
