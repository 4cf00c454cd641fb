/* How a program finds its plan. (If inputs decide which one it is: runtime_stage.c.) */
#include "safe/runtime/follow/runtime_deployed.h"
#include "safe/runtime/follow/runtime_plan.h"
#include "safe/runtime/follow/runtime_serial.h"
#include "safe/runtime/runtime_boundary.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The descriptor that the environment names is ours, and nobody else's. */
static void *map_recording(void)
{
    const char *word = mz__variable(MZ_RECORD_ENVIRONMENT);
    int descriptor = word && *word ? atoi(word) : -1;
    struct stat status;
    mz__forget_variable(MZ_RECORD_ENVIRONMENT);
    if (descriptor < 0)
        return NULL;
    void *memory = MAP_FAILED;
    if (fstat(descriptor, &status) == 0 && (size_t)status.st_size >= sizeof(mz_record_header))
        memory = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    close(descriptor);
    return memory == MAP_FAILED ? NULL : memory;
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
    if (flags & MZ_PLAN_SERIALISES)
        mz__prepare_serial();
}

/* Nothing that the program starts inherits the plan. */
void mz__find_plan(int count, char **arguments, char **environment);
void mz__find_plan(int count, char **arguments, char **environment)
{
    mz__note_environment(environment);
    char name[MZ_MOST_PLAN_NAME + 1];
    mz__symbolic = mz__deployed_plan(arguments, name);
    mz__forget_variable(MZ_PLAN_ENVIRONMENT);
    mz__count_processors();
    mz__begin_recording(map_recording());
    if (!mz__symbolic) {
        mz__take_out_hooks();
        mz__show_status(name);
        return;
    }
    use_flags(mz__plan_number(0)->flags);
    mz__take_out_hooks();
    mz__iterates = mz__plan_number(0)->flags & MZ_PLAN_ITERATIONS;
    if (mz__iterates)
        mz__find_sources(mz__plan_number(0));
    mz__let_run(0);
    mz__begin_deciding();
    mz__become(0);
    mz__keep_freed(mz__symbolic->quarantine);
    mz__compare_premises(count, arguments, environment);
    mz__show_status(name);
}

MZ__BEFORE_ALL_ELSE(mz__find_plan);
