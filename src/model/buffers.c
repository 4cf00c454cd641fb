#include "model/buffers.h"

#include <string.h>

#include "base/memory.h"

/* How many writes of the process can wait at once: without loops, no more than it has. */
static uint32_t capacity_of(const mz_code *code, uint32_t process)
{
    uint32_t stores = 0;
    for (uint32_t at = code->processes[process].start; code->instructions[at].code != MZ_CODE_FINISH; at++) {
        const mz_instruction *in = &code->instructions[at];
        if (in->code == MZ_CODE_EVENT)
            stores += code->operations[in->a].stores;
        if ((in->code == MZ_CODE_JUMP && in->a <= at) || stores >= MZ__BUFFER_SIZE)
            return MZ__BUFFER_SIZE;
    }
    return stores;
}

size_t mz__place_buffers(mz__vm *m, size_t bytes)
{
    m->buffer_offset = mz_allocate_zeroed(m->processes, sizeof *m->buffer_offset);
    m->view = mz_allocate_zeroed((size_t)m->code->shared_count + 1, sizeof *m->view);
    for (uint32_t p = 0; p < m->processes; p++) {
        m->buffer_offset[p] = bytes;
        bytes += sizeof(mz__buffer) + capacity_of(m->code, p) * sizeof(mz__delayed);
    }
    return bytes;
}

int64_t *mz__seen_by(mz__vm *m, uint32_t process)
{
    const mz__buffer *b = mz__buffer_of(m, process);
    memcpy(m->view, m->shared, m->code->shared_count * sizeof *m->view);
    for (uint32_t i = 0; i < b->count; i++)
        m->view[b->waiting[i].cell] = b->waiting[i].value;
    return m->view;
}

void mz__delay(mz__vm *m, uint32_t process, uint32_t cell, int64_t value)
{
    mz__buffer *b = mz__buffer_of(m, process);
    uint32_t operation = m->code->instructions[mz__thread_words(m, process)[0]].a;
    b->waiting[b->count++] =
        (mz__delayed){.value = value, .cell = cell, .operation = operation, .event = b->events};
    b->stored++;
    m->writer = process;
}

bool mz__waits_for_buffer(const mz__vm *m, uint32_t process, const mz_static_operation *operation)
{
    uint32_t count = mz__buffer_of(m, process)->count;
    return (operation->drains && count > 0) || (operation->stores && count == MZ__BUFFER_SIZE);
}

void mz__add_cause_of_buffer(const mz__vm *m, uint32_t process, const mz_static_operation *operation,
                             mz_cause *cause, mz_operation *out)
{
    const mz__buffer *b = mz__buffer_of(m, process);
    uint32_t index = operation->drains                                   ? b->come_out
                     : operation->stores && b->stored >= MZ__BUFFER_SIZE ? b->stored - MZ__BUFFER_SIZE + 1
                                                                         : 0;
    if (index == 0)
        return;
    *cause = (mz_cause){.thread = m->processes + process, .index = index};
    out->causes = cause;
    out->cause_count = 1;
}

void mz__pending_of_buffer(mz__vm *m, uint32_t thread, mz_operation *out)
{
    uint32_t process = thread - m->processes;
    const mz__delayed *first = &mz__buffer_of(m, process)->waiting[0];
    m->pending_write = (mz_access){first->cell, MZ_WRITE};
    m->pending_cause = (mz_cause){.thread = process, .index = first->event};
    *out = (mz_operation){.kind = MZ_OP_WRITE,
                          .access_count = 1,
                          .accesses = &m->pending_write,
                          .cause_count = 1,
                          .causes = &m->pending_cause};
}

void mz__step_of_buffer(mz__vm *m, uint32_t thread, mz_operation *executed)
{
    mz__buffer *b = mz__buffer_of(m, thread - m->processes);
    mz__pending_of_buffer(m, thread, executed);
    m->executed_write = m->pending_write; /* other operations may be asked for before this one is looked at */
    m->executed_cause = m->pending_cause;
    executed->accesses = &m->executed_write;
    executed->causes = &m->executed_cause;
    m->shared[b->waiting[0].cell] = b->waiting[0].value;
    b->count--;
    b->come_out++;
    memmove(&b->waiting[0], &b->waiting[1], b->count * sizeof b->waiting[0]);
    b->waiting[b->count] = (mz__delayed){0}; /* equal states have equal bytes */
}

void mz__update_buffers(mz__vm *m)
{
    for (uint32_t p = 0; p < m->processes; p++) {
        mz_threads bit = mz_threads_of(m->processes + p);
        bool waits = mz__buffer_of(m, p)->count > 0;
        m->base.status->ready = waits ? m->base.status->ready | bit : m->base.status->ready & ~bit;
    }
}
