/* Store buffers: models under --memory=tso, as processors of the x86 family are (Owens, Sarkar, Sewell,
 * TPHOLs 2009). What a process writes waits in its buffer and comes to memory in the order in which it was
 * written, at any time; the process itself reads the newest that waits there, and only otherwise memory.
 *
 * Each buffer is a thread of its own behind the processes: process p of n has thread n + p, which is there
 * while something waits. Its operation writes one location; its cause is the event that has put the write
 * there. So a statement that only writes touches nothing. One that *drains* waits until its buffer is empty,
 * as a join waits for a thread, and acts on memory: cas, lock, atomic, fence.
 *
 * A read of what waits in the own buffer counts as a read of the location. It would be another one after the
 * write has come to memory; to be told apart from others' writes it need not be, but that is safe. */
#ifndef MZ_MODEL_BUFFERS_H
#define MZ_MODEL_BUFFERS_H

#include "model/vm_internal.h"

enum { MZ__BUFFER_SIZE = 64 }; /* of a process with loops; whose buffer is full waits for room */

typedef struct mz__delayed {
    int64_t value;
    uint32_t cell;
    uint32_t operation; /* that has written it */
    uint32_t event;     /* of the process */
    uint32_t unused;
} mz__delayed;

typedef struct mz__buffer {
    uint32_t count;                    /* of those that wait */
    uint32_t events, stored, come_out; /* so far: events of the process, writes of it, and those in memory */
    mz__delayed waiting[];             /* oldest first */
} mz__buffer;

static inline bool mz__has_buffers(const mz__vm *m)
{
    return __builtin_expect(m->buffer_offset != NULL, 0);
}

static inline mz__buffer *mz__buffer_of(const mz__vm *m, uint32_t process)
{
    return (mz__buffer *)(void *)(m->state + m->buffer_offset[process]);
}

/* Places for the buffers behind the first bytes of the state; returns the bytes of all. */
size_t mz__place_buffers(mz__vm *m, size_t bytes);

/* The shared cells as the process sees them; valid until this is called again. */
int64_t *mz__seen_by(mz__vm *m, uint32_t process);
/* The operation at which the process stands writes this; it waits. */
void mz__delay(mz__vm *m, uint32_t process, uint32_t cell, int64_t value);
/* Must the process wait for its buffer before this operation? */
bool mz__waits_for_buffer(const mz__vm *m, uint32_t process, const mz_static_operation *operation);
/* What the operation waited for comes before it. */
void mz__add_cause_of_buffer(const mz__vm *m, uint32_t process, const mz_static_operation *operation,
                             mz_cause *cause, mz_operation *out);

/* Of the thread of a buffer. */
void mz__pending_of_buffer(mz__vm *m, uint32_t thread, mz_operation *out);
void mz__step_of_buffer(mz__vm *m, uint32_t thread, mz_operation *executed);
/* Those of which something waits are ready. */
void mz__update_buffers(mz__vm *m);

#endif
