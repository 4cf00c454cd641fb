/* Models written inside a test, and how to look at the machine that runs them. */
#ifndef TEST_UNIT_MODELS_H
#define TEST_UNIT_MODELS_H

#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "machine/machine.h"
#include "model/model.h"
#include "support.h"

typedef struct model_under_test {
    mz_model *model;
    mz_machine *machine;
    mz_choices choices; /* of the last reset or step */
    mz_operation executed;
    mz_outcome outcome;
} model_under_test;

static inline mz_model *parse_model(const char *source)
{
    mz_error error = {0};
    mz_model *model = mz_model_parse("test.dlang", source, strlen(source), NULL, 0, &error);
    if (!model)
        fail_msg("%u:%u: %s in: %s", error.position.line, error.position.column,
                 mz_text_string(&error.message), source);
    return model;
}

/* The machine is reset, its first choices at their low ends. */
static inline model_under_test load_model(const char *source)
{
    model_under_test m = {.model = parse_model(source)};
    m.machine = mz_model_machine(m.model, MZ_MEMORY_SC);
    mz_choices_prescribe(&m.choices, NULL, 0);
    m.outcome = m.machine->class->reset(m.machine, &m.choices);
    return m;
}

static inline void unload_model(model_under_test *m)
{
    m->machine->class->destroy(m->machine);
    mz_model_destroy(m->model);
    mz_release(m->choices.made);
}

static inline uint32_t location_called(const model_under_test *m, const char *name)
{
    uint32_t found = UINT32_MAX;
    for (uint32_t location = 0; location < m->machine->location_count; location++) {
        mz_text text = {0};
        m->machine->class->describe_location(m->machine, location, &text);
        if (strcmp(mz_text_string(&text), name) == 0)
            found = location;
        mz_text_release(&text);
    }
    if (found == UINT32_MAX)
        fail_msg("there is no shared cell '%s'", name);
    return found;
}

/* As it is shown to people. */
static inline int64_t location_value(const mz_machine *machine, uint32_t location)
{
    mz_text text = {0};
    machine->class->describe_value(machine, location, &text);
    int64_t value = strtoll(mz_text_string(&text), NULL, 10);
    mz_text_release(&text);
    return value;
}

static inline int64_t value_of(const model_under_test *m, const char *name)
{
    return location_value(m->machine, location_called(m, name));
}

/* "x:r a[1]:rw", in the order of locations. */
static inline void write_footprint(const model_under_test *m, const mz_operation *operation, mz_text *out)
{
    for (uint32_t location = 0; location < m->machine->location_count; location++)
        for (uint32_t i = 0; i < operation->access_count; i++) {
            if (operation->accesses[i].location != location)
                continue;
            mz_text_add(out, "%s", out->length ? " " : "");
            m->machine->class->describe_location(m->machine, location, out);
            mz_text_add(out, ":%s%s", operation->accesses[i].kind & MZ_READ ? "r" : "",
                        operation->accesses[i].kind & MZ_WRITE ? "w" : "");
        }
}

static inline void assert_footprint(const model_under_test *m, const mz_operation *operation,
                                    const char *expected)
{
    mz_text text = {0};
    write_footprint(m, operation, &text);
    assert_string_equal(mz_text_string(&text), expected);
    mz_text_release(&text);
}

static inline mz_operation pending_of(model_under_test *m, uint32_t thread)
{
    mz_operation operation;
    m->machine->class->pending(m->machine, thread, &operation);
    return operation;
}

/* One step with given first choices. What was pending must be what is executed, at every step of every test.
 */
static inline mz_outcome step_choosing(model_under_test *m, uint32_t thread, const mz_choice *given,
                                       size_t count)
{
    assert_true(mz_threads_has(m->machine->status->ready, thread));
    mz_operation before = pending_of(m, thread);
    mz_text pending = {0}, executed = {0};
    write_footprint(m, &before, &pending);
    mz_choices_prescribe(&m->choices, given, count);
    m->outcome = m->machine->class->step(m->machine, thread, &m->choices, &m->executed);
    write_footprint(m, &m->executed, &executed);
    assert_string_equal(mz_text_string(&executed), mz_text_string(&pending));
    assert_int_equal(m->executed.kind, before.kind);
    assert_int_equal(m->executed.blocking, before.blocking);
    assert_int_equal(m->executed.branching, before.branching);
    assert_int_equal(m->executed.dynamic, before.dynamic);
    mz_text_release(&pending);
    mz_text_release(&executed);
    return m->outcome;
}

static inline mz_outcome step_model(model_under_test *m, uint32_t thread)
{
    return step_choosing(m, thread, NULL, 0);
}

#endif
