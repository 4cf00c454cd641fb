/* What the files of the virtual machine share: vm.c (the machine), vm_run.c (instructions), vm_describe.c
 * (words), buffers.c (store buffers).
 *
 * The whole state is one contiguous block, so that a snapshot is one copy:
 *
 *     mz_status | threads at a blocking operation | shared cells | process 0: counter, locals | process 1 …
 *
 * and behind them, with store buffers, one for each process, or what peers have done, if they are told apart.
 */
#ifndef MZ_MODEL_VM_INTERNAL_H
#define MZ_MODEL_VM_INTERNAL_H

#include "model/vm.h"

typedef enum mz__run_mode {
    MZ__PERFORM, /* the operation and the local work after it */
    MZ__PREVIEW, /* the operation's footprint and guard; nothing is stored, nothing fails for good */
} mz__run_mode;

typedef struct mz__vm {
    mz_machine base;
    const mz_program *program;
    const mz_code *code;
    uint32_t processes;
    char *state;
    char *scratch;           /* another state: before a transaction, or to preview one */
    mz_threads *at_blocking; /* in the state */
    int64_t *shared;         /* in the state */
    size_t *thread_offset;   /* bytes from the start of the state */
    mz_access *executed, *previewed;
    size_t executed_capacity, previewed_capacity;
    uint32_t access_count; /* recorded by the current run */
    int64_t *stack;
    int64_t guard; /* what a previewed blocking operation found */

    /* Store buffers (buffers.h); without them all of this is NULL. */
    size_t *buffer_offset; /* as thread_offset */
    int64_t *view;         /* the shared cells as a process sees them */
    mz_cause pending_cause, executed_cause;
    mz_access pending_write, executed_write; /* of a buffer */
    /* Peers (peers.h): where in the state they stand, which is behind all the rest; 0: there are none. */
    size_t peers_at;
    size_t bytes;            /* of the state, with them */
    uint32_t viewer, writer; /* whose view values are told of, and who has just written; UINT32_MAX: nobody */
} mz__vm;

static inline mz__vm *mz__vm_of(mz_machine *machine)
{
    return (mz__vm *)machine;
}

/* [0] = counter, then locals */
static inline int64_t *mz__thread_words(const mz__vm *m, uint32_t thread)
{
    return (int64_t *)(void *)(m->state + m->thread_offset[thread]);
}

static inline const mz_static_operation *mz__operation_at(const mz__vm *m, uint32_t thread)
{
    const mz_instruction *in = &m->code->instructions[mz__thread_words(m, thread)[0]];
    return in->code == MZ_CODE_EVENT ? &m->code->operations[in->a] : NULL;
}

/* Run the thread from its counter: in MZ__PERFORM up to its next operation, in MZ__PREVIEW up to the end of
 * the current one. Returns with the counter where it stopped. Every access is checked, recorded if asked for,
 * and done. */
mz_outcome mz__vm_run(mz__vm *m, uint32_t thread, mz__run_mode mode, bool recording, mz_choices *choices);

void mz__vm_describe_pending(mz_machine *machine, uint32_t thread, mz_text *out, mz_position *position);
void mz__vm_describe_location(const mz_machine *machine, uint32_t location, mz_text *out);
void mz__vm_describe_wait(mz_machine *machine, uint32_t thread, mz_text *out);
void mz__vm_describe_value(const mz_machine *machine, uint32_t location, mz_text *out);
void mz__vm_describe_thread(mz_machine *machine, uint32_t thread, mz_text *out);
void mz__vm_describe_consequence(mz_machine *machine, mz_text *out);

#endif
