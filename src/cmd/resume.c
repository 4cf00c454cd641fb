/* `mazurka resume`: go on with a search that was saved. */
#define _GNU_SOURCE /* realpath */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/check.h"
#include "cmd/command.h"
#include "cmd/print.h"
#include "pool/checkpoint.h"

static void print_help(void)
{
    mz_print_help(
        stdout,
        "usage: mazurka resume FILE [options]\n\n"
        "Goes on with the search that was saved in FILE (mazurka check --checkpoint=FILE, or mazurka\n"
        "clients; Ctrl-C saves it, too), with the options it was begun with. It is saved in FILE again.\n\n"
        "  -j N, --timeout=TIME, --max-memory=SIZE, --checkpoint-every=TIME, --trace=FILE, -q\n"
        "  and the output formats of mazurka check can be given anew");
}

/* What does not change which search it is. */
static bool is_allowed(const char *word)
{
    static const char *const allowed[] = {
        "-j",      "--jobs",    "--timeout", "--max-memory", "--checkpoint-every",
        "--trace", "-q",        "--quiet",   "--json",       "--html",
        "--junit", "--sarif",   "--witness", "--gcc",        "--github",
        "--dot",   "--perfetto"};
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
        if (strncmp(word, allowed[i], strlen(allowed[i])) == 0)
            return true;
    return false;
}

/* "--timeout=5s" and "--timeout=1m", "-j 2" and "-j4" are about the same. */
static bool is_same_option(const char *a, const char *b)
{
    if (a[0] == '-' && a[1] != '-')
        return b[0] == '-' && a[1] == b[1];
    size_t length = strcspn(a, "=");
    return strncmp(a, b, length) == 0 && (b[length] == '=' || b[length] == '\0');
}

/* The words of the saved command but for those that are given anew, and these. */
static void add_words(const mz_words *saved, const mz_words *given, mz_words *out)
{
    size_t first = 0; /* words behind -- are the program's */
    for (; first < saved->count && strcmp(saved->items[first], "--") != 0; first++) {
        bool replaced = false;
        for (size_t k = 0; k < given->count; k++)
            replaced |= is_same_option(given->items[k], saved->items[first]);
        if (!replaced)
            mz_words_add(out, saved->items[first]);
        else if (strcmp(saved->items[first], "-j") == 0)
            first++; /* its number is a word of its own */
    }
    for (size_t k = 0; k < given->count; k++)
        mz_words_add(out, given->items[k]);
    for (; first < saved->count; first++)
        mz_words_add(out, saved->items[first]);
}

static const char *take_words(int argc, char **argv, mz_words *given, bool *help, mz_error *error)
{
    const char *file = NULL;
    for (int i = 1; i < argc && !error->set; i++) {
        const char *word = argv[i];
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
            *help = true;
        else if (word[0] == '-' && is_allowed(word))
            mz_words_add(given, word);
        else if (word[0] == '-')
            mz_error_set(error, (mz_position){0},
                         "option %s: a search goes on with the options it was begun with", word);
        else if (given->count > 0 && strcmp(given->items[given->count - 1], "-j") == 0 && i > 1 &&
                 strcmp(argv[i - 1], "-j") == 0)
            mz_words_add(given, word);
        else if (file)
            mz_error_set(error, (mz_position){0}, "one checkpoint at a time: '%s' is too much", word);
        else
            file = word;
    }
    if (!file && !*help && !error->set) {
        mz_error_set(error, (mz_position){0}, "nothing to go on with: name a checkpoint");
        mz_error_set_hint(error, "mazurka check --checkpoint=FILE … writes one, and so does Ctrl-C");
    }
    return file;
}

static int resume(const mz_checkpoint *saved, const char *path, const mz_words *given, char **argv,
                  mz_error *error)
{
    mz_request request;
    mz_words words = {0};
    int code = MZ_EXIT_USAGE;
    mz_words_add(&words, mz_text_string(&saved->subcommand));
    add_words(&saved->command, given, &words);
    if (strcmp(mz_text_string(&saved->subcommand), "clients") == 0) {
        code = mz_clients_and_print("resume", (int)words.count, words.items, argv, saved, path, error);
        mz_words_release(&words);
        return code;
    }
    mz_request_parse(&request, MZ_FOR_CHECK, (int)words.count, words.items, error);
    mz_settings *s = &request.plan.check;
    if (!error->set) {
        s->resumed = saved;
        s->checkpoint = path;
        mz_words_add_list(&s->command, mz_words_list(&saved->command), saved->command.count);
        code = mz_check_and_print("resume", &request, argv, error);
    }
    mz_request_release(&request);
    mz_words_release(&words);
    return code;
}

int mz_command_resume(int argc, char **argv)
{
    mz_error error = {0};
    mz_words given = {0};
    mz_checkpoint saved = {0};
    char path[PATH_MAX];
    bool help = false;
    int code = MZ_EXIT_SAFE;
    const char *file = take_words(argc, argv, &given, &help, &error);
    if (help) {
        print_help();
    } else if (!error.set && mz_checkpoint_read(&saved, file, &error)) {
        if (!realpath(file, path) || chdir(mz_text_string(&saved.directory)) != 0)
            mz_error_set(&error, (mz_position){.file = file}, "the directory of the search is not there: %s",
                         mz_text_string(&saved.directory));
        else
            code = resume(&saved, path, &given, argv - 1, &error);
    }
    if (mz_print_error("resume", &error))
        code = MZ_EXIT_USAGE;
    mz_checkpoint_release(&saved);
    mz_words_release(&given);
    return code;
}
