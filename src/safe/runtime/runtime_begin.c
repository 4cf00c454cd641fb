/* How a program finds its plan. (If inputs decide which one it is: runtime_stage.c.) */
#include "safe/runtime/runtime_boundary.h"
#include "safe/runtime/runtime_plan.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A descriptor that the environment names is ours, and nobody else's. */
static int take_descriptor(const char *variable)
{
    const char *word = mz__variable(variable);
    int descriptor = word && *word ? atoi(word) : -1;
    mz__forget_variable(variable);
    return descriptor;
}

static void *map_descriptor(const char *variable, int protection, size_t least)
{
    int descriptor = take_descriptor(variable);
    struct stat status;
    if (descriptor < 0)
        return NULL;
    void *memory = MAP_FAILED;
    if (fstat(descriptor, &status) == 0 && (size_t)status.st_size >= least)
        memory = mmap(NULL, (size_t)status.st_size, protection, MAP_SHARED, descriptor, 0);
    close(descriptor);
    return memory == MAP_FAILED ? NULL : memory;
}

static void check_plan(void)
{
    if (mz__symbolic->magic == MZ_SYMBOLIC_IMAGE_MAGIC && mz__plan_number(0)->magic == MZ_PLAN_IMAGE_MAGIC)
        return;
    mz__message message = {.length = 0};
    mz__add_text(&message, "mazurka: the plan is none, or of another version\n");
    mz__say(&message);
    _exit(MZ_PLAN_EXIT_DIVERGED);
}

void mz__nondet_range(int64_t *low, int64_t *high)
{
    *low = mz__symbolic ? mz__symbolic->nondet_low : MZ_NONDET_LOW;
    *high = mz__symbolic ? mz__symbolic->nondet_high : MZ_NONDET_HIGH;
}

static void use_flags(uint32_t flags)
{
    mz__counts_accesses |= (flags & MZ_PLAN_COUNTS_ACCESSES) != 0;
    __tsan_exact = mz__counts_accesses;
    mz__needs_fences |= (flags & MZ_PLAN_NEEDS_FENCES) != 0;
}

/* Nothing that the program starts inherits the plan. */
void mz__find_plan(int count, char **arguments, char **environment);
void mz__find_plan(int count, char **arguments, char **environment)
{
    mz__note_environment(environment);
    bool wanted = mz__variable(MZ_PLAN_ENVIRONMENT) != NULL;
    mz__symbolic = map_descriptor(MZ_PLAN_ENVIRONMENT, PROT_READ, sizeof *mz__symbolic);
    if (mz__symbolic)
        check_plan();
    else if (wanted) /* rather not at all than without constraints */
        _exit(MZ_PLAN_EXIT_DIVERGED);
    mz__count_processors();
    mz__begin_recording(
        map_descriptor(MZ_RECORD_ENVIRONMENT, PROT_READ | PROT_WRITE, sizeof(mz_record_header)));
    if (!mz__symbolic)
        return;
    use_flags(mz__plan_number(0)->flags);
    mz__iterates = mz__plan_number(0)->flags & MZ_PLAN_ITERATIONS;
    mz__let_run(0);
    mz__begin_deciding();
    mz__become(0);
    mz__keep_freed(mz__symbolic->quarantine);
    mz__compare_premises(count, arguments, environment);
}

MZ__BEFORE_ALL_ELSE(mz__find_plan);
