/* `mazurka attach`: how a program that runs keeps to its plan. It is only looked at: its status page is an
 * open file of its own (wire/deployment.h). */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/options.h"
#include "cmd/command.h"
#include "cmd/print.h"
#include "wire/deployment.h"

typedef struct request {
    const char *process;
    bool help;
} request;

static const mz_option options[] = {
    {"help", 'h', NULL, "this text", .type = MZ_OPTION_SWITCH, .at = offsetof(request, help)},
};

void mz_offer_attach(mz_command_line *line, void *target)
{
    mz_options_offer(line, options, sizeof options / sizeof *options, 0, target);
}

static void take_word(void *context, const char *word, bool after_dashes, mz_error *error)
{
    request *r = context;
    (void)after_dashes;
    if (r->process)
        mz_error_set(error, (mz_position){0}, "one process at a time: '%s' is too much", word);
    r->process = word;
}

static bool is_number(const char *word)
{
    return *word && strspn(word, "0123456789") == strlen(word) && strlen(word) < 10;
}

/* Is it the name of an anonymous file of ours? */
static bool is_status(const char *directory, const char *descriptor)
{
    static const char wanted[] = "/memfd:" MZ_STATUS_FILE;
    char path[320], target[64];
    snprintf(path, sizeof path, "%s/%s", directory, descriptor);
    ssize_t length = readlink(path, target, sizeof target - 1);
    return length >= (ssize_t)sizeof wanted - 1 && strncmp(target, wanted, sizeof wanted - 1) == 0;
}

/* NULL: it has none. */
static const mz_status_page *map_page(const char *directory, const char *descriptor)
{
    char path[320];
    snprintf(path, sizeof path, "%s/%s", directory, descriptor);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    off_t size = file >= 0 ? lseek(file, 0, SEEK_END) : 0;
    const mz_status_page *page =
        size >= (off_t)sizeof *page ? mmap(NULL, sizeof *page, PROT_READ, MAP_SHARED, file, 0) : MAP_FAILED;
    if (file >= 0)
        close(file);
    return page != MAP_FAILED && page->magic == MZ_STATUS_MAGIC ? page : NULL;
}

static const mz_status_page *find_page(const char *process, mz_error *error)
{
    char directory[64];
    const mz_status_page *page = NULL;
    snprintf(directory, sizeof directory, "/proc/%s/fd", process);
    DIR *descriptors = opendir(directory);
    if (!descriptors) {
        mz_error_set(error, (mz_position){0}, "process %s cannot be looked at: %s", process,
                     errno == ENOENT ? "there is none" : strerror(errno));
        return NULL;
    }
    for (const struct dirent *entry; !page && (entry = readdir(descriptors));)
        if (is_status(directory, entry->d_name))
            page = map_page(directory, entry->d_name);
    closedir(descriptors);
    if (!page) {
        mz_error_set(error, (mz_position){0}, "process %s shows nothing of a plan", process);
        mz_error_set_hint(error, "a program shows it that 'mazurka cc' has linked, or 'mazurka run' has "
                                 "started, of this version");
    }
    return page;
}

static void print_plan(const mz_status_page *page)
{
    printf("plan         %s\n", *page->plan ? page->plan : "of the verifier beside it");
    printf("constraints  %u%s%s\n", page->constraints,
           page->is_set ? ", each for itself" : ", on a prefix that comes before all else",
           page->iterates ? ", in each iteration" : "");
}

static void print_waits(const mz_status_page *page)
{
    bool any = false;
    for (uint32_t t = 0; t < page->threads && t < MZ_PLAN_MOST_THREADS; t++) {
        uint64_t waits = __atomic_load_n(&page->waits[t], __ATOMIC_RELAXED);
        if (waits > 0)
            printf("%s thread %u: %llu\n", any ? "            " : "waits       ", t,
                   (unsigned long long)waits);
        any |= waits > 0;
    }
    if (!any)
        puts("waits        none");
}

static void print_page(const char *process, const mz_status_page *page)
{
    static const char *const states[] = {"runs without a plan: schedules are not constrained",
                                         "keeps to its plan",
                                         "has left verified ground: schedules are no longer constrained",
                                         "has left verified ground: one thread runs at a time"};
    uint32_t state = __atomic_load_n(&page->state, __ATOMIC_ACQUIRE);
    printf("process %s %s\n", process, state <= MZ_STATE_SERIAL ? states[state] : "is of another version");
    if (state == MZ_STATE_NO_PLAN || state > MZ_STATE_SERIAL)
        return;
    print_plan(page);
    print_waits(page);
    printf("divergence   %s\n", state >= MZ_STATE_DIVERGED ? page->divergence : "none");
}

static void print_help(const mz_command_line *line)
{
    mz_text text = {0};
    mz_text_add(&text,
                "usage: mazurka attach PROCESS\n\n"
                "Shows, of a process that runs under a plan, which plan that is, how often its threads\n"
                "had to wait for it, and whether it has left verified ground. It is not disturbed.\n"
                "Exit code: 0 it keeps to its plan; 3 it does not, or has none.\n\noptions:\n");
    mz_options_help(line, &text);
    mz_print_help(stdout, mz_text_string(&text));
    mz_text_release(&text);
}

int mz_command_attach(int argc, char **argv)
{
    request r = {0};
    mz_error error = {0};
    int code = MZ_EXIT_SAFE;
    mz_command_line line = {.context = &r, .word = take_word};
    mz_offer_attach(&line, &r);
    mz_options_parse(&line, argc, argv, &error);
    if (!error.set && !r.help && !(r.process && is_number(r.process))) {
        if (r.process)
            mz_error_set(&error, (mz_position){0}, "'%s' is no process: a number is needed", r.process);
        else
            mz_error_set(&error, (mz_position){0}, "name a process");
        mz_error_set_hint(&error, "mazurka attach 4711; pgrep finds the number of a program");
    }
    if (!error.set && r.help) {
        print_help(&line);
    } else if (!error.set) {
        const mz_status_page *page = find_page(r.process, &error);
        if (page) {
            print_page(r.process, page);
            code = page->state == MZ_STATE_PLANNED ? MZ_EXIT_SAFE : MZ_EXIT_INCOMPLETE;
        }
    }
    mz_options_release(&line);
    return mz_print_error("attach", &error) ? MZ_EXIT_USAGE : code;
}
