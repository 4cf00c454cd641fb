/* Functions that a program calls without having declared them. Compilers know those of the standard library,
 * and take their real types; but not if they are told to treat them as any other function, which we do
 * (compile_flags.c). Then the result of malloc() would be cut to an int. So a source whose compiler complains
 * of such a call is compiled again, with the declaration in front. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "program/build/compile_internal.h"

#define SIZE "__SIZE_TYPE__"
static const struct {
    const char *name, *declaration;
} known[] = {
    {"malloc", "void *malloc(" SIZE ");"},
    {"calloc", "void *calloc(" SIZE ", " SIZE ");"},
    {"realloc", "void *realloc(void *, " SIZE ");"},
    {"aligned_alloc", "void *aligned_alloc(" SIZE ", " SIZE ");"},
    {"memalign", "void *memalign(" SIZE ", " SIZE ");"},
    {"strdup", "char *strdup(const char *);"},
    {"strndup", "char *strndup(const char *, " SIZE ");"},
    {"memset", "void *memset(void *, int, " SIZE ");"},
    {"memcpy", "void *memcpy(void *, const void *, " SIZE ");"},
    {"memmove", "void *memmove(void *, const void *, " SIZE ");"},
    {"mempcpy", "void *mempcpy(void *, const void *, " SIZE ");"},
    {"memchr", "void *memchr(const void *, int, " SIZE ");"},
    {"strcpy", "char *strcpy(char *, const char *);"},
    {"strncpy", "char *strncpy(char *, const char *, " SIZE ");"},
    {"stpcpy", "char *stpcpy(char *, const char *);"},
    {"strcat", "char *strcat(char *, const char *);"},
    {"strncat", "char *strncat(char *, const char *, " SIZE ");"},
    {"strchr", "char *strchr(const char *, int);"},
    {"strrchr", "char *strrchr(const char *, int);"},
    {"strstr", "char *strstr(const char *, const char *);"},
};

/* Messages may be in colours: \033[01m\033[Kmalloc\033[m\033[K. */
static const char *behind_colours(const char *at)
{
    while (*at == '\033') {
        at += strcspn(at, "mK");
        at += *at != 0;
    }
    return at;
}

/* "… implicit declaration of function 'malloc' …", in whatever quotes. */
static bool tells_of(const char *messages, const char *name)
{
    static const char phrase[] = "implicit declaration of function ";
    size_t length = strlen(name);
    for (const char *at = messages; (at = strstr(at, phrase));) {
        at += sizeof phrase - 1;
        const char *quote = behind_colours(at);
        quote += strncmp(quote, "\xe2\x80\x98", 3) == 0 ? 3 : *quote == '\'' || *quote == '`';
        const char *found = behind_colours(quote), *end = found + length;
        if (strncmp(found, name, length) == 0 && strchr("'\xe2\033", *end))
            return true;
    }
    return false;
}

static bool write_declarations(const char *messages, const char *path)
{
    mz_text text = {0};
    mz_error ignored = {0};
    for (size_t i = 0; i < MZ_LENGTH(known); i++)
        if (tells_of(messages, known[i].name))
            mz_text_add(&text, "%s\n", known[i].declaration);
    bool any = text.length > 0 && mz__write_file(path, mz_text_string(&text), text.length, &ignored);
    mz_error_release(&ignored);
    mz_text_release(&text);
    return any;
}

/* Where such calls were right: compilers say nothing of them unless they are asked. */
static bool is_old_standard(const char *word)
{
    return strcmp(word, "-ansi") == 0 || (strncmp(word, "-std=", 5) == 0 &&
                                          (strstr(word, "89") || strstr(word, "90") || strstr(word, "1994")));
}

static bool silences(const char *word)
{
    return strcmp(word, "-w") == 0 || strcmp(word, "-Wno-implicit") == 0 ||
           strcmp(word, "-Wno-implicit-function-declaration") == 0;
}

static bool stays_silent(const mz_words *words)
{
    bool silent = false;
    for (size_t i = 1; i < words->count; i++)
        silent |= silences(words->items[i]) || is_old_standard(words->items[i]);
    return silent;
}

/* The same source once more, for what would have been said of it. */
static void ask_again(const mz_job *job, const char *directory, mz_text *messages)
{
    mz_job again = {.subject = job->subject};
    for (size_t i = 0; i < job->words.count; i++)
        if (i == 0 || !silences(job->words.items[i]))
            mz_words_add(&again.words, job->words.items[i]);
    mz_words_add(&again.words, "-fsyntax-only");
    mz_words_add(&again.words, "-Wimplicit-function-declaration");
    mz_words_add(&again.words, "-Wno-error");
    mz__run_quietly(&again, directory, messages);
    mz_words_release(&again.words);
}

/* If that does not work, what was made before stays. */
static void declare(const mz_job *job, const char *messages, const char *assembly, const char *directory)
{
    mz_text header = {0}, made = {0}, said = {0};
    mz_job again = {.subject = job->subject};
    mz_text_add(&header, "%s/implicit.h", directory);
    mz_text_add(&made, "%s/implicit.s", directory);
    if (write_declarations(messages, mz_text_string(&header))) {
        mz_words_add(&again.words, job->words.items[0]);
        mz_words_add(&again.words, "-include");
        mz_words_add(&again.words, mz_text_string(&header));
        for (size_t i = 1; i < job->words.count; i++)
            mz_words_add(&again.words, strcmp(job->words.items[i], assembly) == 0 ? mz_text_string(&made)
                                                                                  : job->words.items[i]);
        mz_words_add(&again.words, "-w"); /* all was said before */
        if (mz__run_quietly(&again, directory, &said))
            rename(mz_text_string(&made), assembly);
        mz_words_release(&again.words);
    }
    mz_text_release(&header);
    mz_text_release(&made);
    mz_text_release(&said);
}

void mz__declare_implicit(const mz_job *job, const char *messages, const char *assembly,
                          const char *directory)
{
    mz_text asked = {0};
    if (stays_silent(&job->words))
        ask_again(job, directory, &asked);
    declare(job, asked.length > 0 ? mz_text_string(&asked) : messages, assembly, directory);
    mz_text_release(&asked);
}
