/* Words for reports. */
#include <string.h>

#include "model/buffers.h"

void mz__vm_describe_pending(mz_machine *machine, uint32_t thread, mz_text *out, mz_position *position)
{
    mz__vm *m = mz__vm_of(machine);
    bool process = thread < m->processes;
    const mz_static_operation *operation =
        process ? mz__operation_at(m, thread)
                : &m->code->operations[mz__buffer_of(m, thread - m->processes)->waiting[0].operation];
    m->viewer = process ? thread : UINT32_MAX;
    mz_text_add(out, "%s", operation->text);
    *position = operation->position;
}

void mz__vm_describe_location(const mz_machine *machine, uint32_t location, mz_text *out)
{
    const mz_program *program = ((const mz__vm *)machine)->program;
    for (size_t i = 0; i < program->variable_count; i++) {
        const mz_variable *v = program->variables[i];
        if (v->storage != MZ_SHARED || location < v->base || location >= v->base + v->length)
            continue;
        mz_text_add(out, "%s", v->name);
        if (v->length > 1)
            mz_text_add(out, "[%u]", location - v->base);
        return;
    }
}

void mz__vm_describe_wait(mz_machine *machine, uint32_t thread, mz_text *out)
{
    mz__vm *m = mz__vm_of(machine);
    const mz_static_operation *operation = mz__operation_at(m, thread);
    if (mz__has_buffers(m) && mz__waits_for_buffer(m, thread, operation)) {
        mz_text_add(out, "its store buffer");
    } else if (operation->told.kind == MZ_OP_LOCK) {
        mz_operation lock;
        machine->class->pending(machine, thread, &lock);
        uint32_t location = lock.accesses[0].location;
        for (uint32_t i = 0; i < lock.access_count; i++)
            if (lock.accesses[i].kind & MZ_WRITE)
                location = lock.accesses[i].location;
        mz__vm_describe_location(machine, location, out);
        int64_t holder = m->shared[location] - 1;
        if (holder == (int64_t)thread)
            mz_text_add(out, ", which it holds itself");
        else if (holder >= 0 && holder < machine->thread_capacity)
            mz_text_add(out, ", held by process %lld", (long long)holder);
    } else {
        const char *condition = operation->text;
        if (strncmp(condition, "await", 5) == 0)
            condition += 5;
        mz_text_add(out, "%s", condition + strspn(condition, " "));
    }
}

/* As the process sees it whose operation has just been described: that may be what waits in its buffer. */
void mz__vm_describe_value(const mz_machine *machine, uint32_t location, mz_text *out)
{
    const mz__vm *m = (const mz__vm *)machine;
    int64_t value = m->shared[location];
    if (mz__has_buffers(m) && m->viewer < m->processes) {
        const mz__buffer *b = mz__buffer_of(m, m->viewer);
        for (uint32_t i = 0; i < b->count; i++)
            value = b->waiting[i].cell == location ? b->waiting[i].value : value;
    }
    mz_text_add(out, "%lld", (long long)value);
}

void mz__vm_describe_thread(mz_machine *machine, uint32_t thread, mz_text *out)
{
    uint32_t processes = mz__vm_of(machine)->processes;
    if (thread >= processes)
        mz_text_add(out, "buffer of %u", thread - processes);
}

void mz__vm_describe_consequence(mz_machine *machine, mz_text *out)
{
    const mz__vm *m = mz__vm_of(machine);
    if (!mz__has_buffers(m) || m->writer >= m->processes)
        return;
    const mz__buffer *b = mz__buffer_of(m, m->writer);
    const mz__delayed *last = &b->waiting[b->count - 1];
    mz_text_add(out, "in its buffer: ");
    mz__vm_describe_location(machine, last->cell, out);
    mz_text_add(out, " = %lld", (long long)last->value);
}
