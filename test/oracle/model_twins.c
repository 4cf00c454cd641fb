#include "oracle/model_twins.h"

#include "algo/algorithm.h"
#include "model/model.h"
#include "oracle/reference.h"

static size_t errors_of(const string_set *errors, bool deadlocks)
{
    size_t count = 0;
    for (size_t i = 0; i < errors->capacity; i++)
        count += errors->strings[i] && (errors->strings[i][0] == 'd') == deadlocks;
    return count;
}

static void compare_counts(const twin_result *twin, const reference_result *found, uint32_t relation,
                           mz_text *problem)
{
    size_t failing = 0, fail = errors_of(&found->errors, false);
    bool deadlock = errors_of(&found->errors, true) > 0;
    for (uint32_t t = 0; t < TWIN_THREADS; t++)
        failing += (size_t)__builtin_popcountll(twin->failing[t]);
    if (found->traces.count != twin->classes[relation])
        mz_text_add(problem, "%zu traces, by definition %llu%s\n", found->traces.count,
                    (unsigned long long)twin->classes[relation],
                    relation ? " up to commuting operations" : "");
    if (failing != fail || deadlock != twin->deadlock)
        mz_text_add(problem, "%zu assertions fail, by definition %zu; deadlocks: %d, %d\n", fail, failing,
                    deadlock, twin->deadlock);
}

bool model_twin_compare(uint64_t seed, size_t prefixes, variant_tally *tally, mz_text *problem)
{
    twin_program program;
    twin_result twin;
    twin_generate(seed, true, &program);
    twin_enumerate(&program, &twin);
    if (twin.too_large)
        return false;
    mz_text source = {0};
    twin_write_model(&program, &source);
    mz_error error = {0};
    mz_model *model = mz_model_parse("twin.dlang", mz_text_string(&source), source.length, NULL, 0, &error);
    bool is_small = true;
    if (twin.broken)
        mz_text_add(problem, "the definition: %s\n", twin.broken);
    if (!model) {
        mz_error_print(&error, problem);
        mz_error_release(&error);
    }
    static const mz_relation relations[] = {MZ_RELATION_PUBLISHED, MZ_REFINES_CLASSES};
    for (uint32_t r = 0; model && is_small && r < 2; r++) {
        mz_machine *machine = mz_model_machine(model, MZ_MEMORY_SC);
        reference_result reference;
        machine->relation = relations[r];
        reference_enumerate(machine, prefixes, &reference);
        is_small = !reference.too_large;
        if (is_small) {
            compare_counts(&twin, &reference, r, problem);
            for (size_t i = 0; i < variant_count(); i++) {
                variant way = variant_at(i);
                if ((way.algorithm->refinements & relations[r]) == relations[r] && !way.object_dependency)
                    variant_try(&way, machine, machine, &reference, tally, problem);
            }
        }
        reference_release(&reference);
        machine->class->destroy(machine);
    }
    if (problem->length > 0)
        mz_text_add(problem, "%s", mz_text_string(&source));
    mz_text_release(&source);
    mz_model_destroy(model);
    return is_small;
}
