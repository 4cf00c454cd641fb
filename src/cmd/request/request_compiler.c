/* Options of the compiler that people are used to give, without --cflags and --ldflags around them. */
#include <string.h>

#include "cmd/request/request.h"

static bool begins_with_one_of(const char *word, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strncmp(word, list[i], strlen(list[i])) == 0)
            return true;
    return false;
}

#define BEGINS(word, ...)                                                                                    \
    begins_with_one_of(word, (const char *const[]){__VA_ARGS__},                                             \
                       sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static bool is_for_linking(const char *word)
{
    return BEGINS(word, "-l", "-L", "-Wl,", "-rdynamic", "-static", "-fuse-ld");
}

static bool is_compiler_option(const char *word)
{
    return is_for_linking(word) ||
           BEGINS(word, "-O", "-W", "-f", "-m", "-std=", "-g", "-pthread", "-isystem", "-iquote",
                  "-idirafter", "-include", "-imacros", "-U", "-w", "-ansi", "-pedantic", "-pipe");
}

/* The word behind it is its value. */
static bool takes_next(const char *word)
{
    static const char *const list[] = {"-isystem", "-iquote", "-idirafter", "-include",
                                       "-imacros", "-U",      "-l",         "-L"};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (strcmp(word, list[i]) == 0)
            return true;
    return false;
}

int mz_request_take_compiler_option(mz_settings *s, const char *word, const char *next, mz_error *error)
{
    mz_words *flags = is_for_linking(word) ? &s->link_flags : &s->compile_flags;
    bool takes = takes_next(word);
    if (!is_compiler_option(word))
        return 0;
    if (takes && !next) {
        mz_error_set(error, (mz_position){0}, "option %s needs a value", word);
        return 1;
    }
    if (takes && flags == &s->link_flags) { /* -l q is -lq */
        mz_words_add_prefixed(flags, word, next);
        return 2;
    }
    mz_words_add(flags, word);
    if (takes)
        mz_words_add(flags, next);
    if (BEGINS(word, "-pthread", "-m"))
        mz_words_add(&s->link_flags, word); /* matters to both */
    return takes ? 2 : 1;
}
