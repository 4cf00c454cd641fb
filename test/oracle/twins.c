#include "oracle/twins.h"

#include <stdio.h>

static struct {
    uint64_t programs, racing, deadlocking, commuting, sections, swapped, published, refined;
} tally;

void generate_twin_program(uint64_t seed, uint32_t index, mz_text *out)
{
    twin_program program;
    twin_generate(seed, false, &program);
    twin_write(&program, index, out);
}

int check_twin(task the, uint64_t seed, mz_text *out)
{
    twin_program program;
    twin_result result;
    twin_generate(seed, false, &program);
    twin_enumerate(&program, &result);
    if (result.too_large)
        return TOO_LARGE;
    if (result.broken)
        mz_text_add(out, " the definition: %s\n", result.broken);
    the.job = TWINS;
    the.twin = &result;
    int agrees = run_job(&the, out);
    if (agrees != AGREE)
        return agrees;
    tally.programs++;
    tally.racing += result.race;
    tally.deadlocking += result.deadlock;
    tally.commuting += result.classes[TWIN_CLASSES] < result.classes[TWIN_PUBLISHED];
    tally.sections += result.classes[TWIN_SECTIONS] < result.classes[TWIN_PUBLISHED];
    tally.swapped += result.by_swaps[TWIN_CLASSES] > 0;
    tally.published += result.classes[TWIN_PUBLISHED];
    tally.refined += result.classes[TWIN_CLASSES | TWIN_SECTIONS];
    return result.broken ? DISAGREE : AGREE;
}

void twins_print(void)
{
    printf(
        "twins: %llu with races, %llu with deadlocks; %llu with operations that commute, %llu with sections "
        "that do; %llu compared by swaps; %llu traces, %llu up to what commutes; %llu times more than "
        "classes of sections\n",
        (unsigned long long)tally.racing, (unsigned long long)tally.deadlocking,
        (unsigned long long)tally.commuting, (unsigned long long)tally.sections,
        (unsigned long long)tally.swapped, (unsigned long long)tally.published,
        (unsigned long long)tally.refined, (unsigned long long)oracle_shared->coarser);
}
