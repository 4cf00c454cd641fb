/* The locks that each thread holds, with where it has taken them: for reports of data races, and for what is
 * suspicious although it has not gone wrong (lock_order.c, locks that are never given back).
 *
 * They are a chain through a log, which only grows in an execution: giving back the last one taken means
 * going on at the one before, giving back another one means that the later ones are entered again. Nothing in
 * the log ever changes. So going back in an execution is going back to an earlier count, which is part of the
 * thread's record, and an index of the log tells for good what the thread held at that time. */
#include "program/order/held.h"
#include "base/hash.h"
#include "base/memory.h"
#include "program/describe/names.h"
#include "program/describe/suppressions.h"
#include "program/describe/warnings.h"
#include "program/order/lock_callers.h"
#include "program/world/world.h"

enum { FIRST_ROOM = 64 };

static __attribute__((noinline)) void make_room(mz__thread *t)
{
    size_t wanted = t->hold_capacity ? 2 * t->hold_capacity : FIRST_ROOM;
    t->holds = mz_grow(t->holds, &t->hold_capacity, wanted, sizeof *t->holds);
}

static inline uint32_t enter(mz__thread *t, mz__hold hold)
{
    uint32_t index = ++t->hold_count;
    if (index >= t->hold_capacity)
        make_room(t);
    hold.set = (hold.outer ? t->holds[hold.outer].set : 0) + mz_mix64(hold.object << 1 | hold.shared);
    t->holds[index] = hold;
    return index;
}

/* A section waits in front of all that it does. */
static inline uint32_t held_while_waiting(const mz__thread *t)
{
    return MZ_UNLIKELY(t->section) ? t->cold.held_before : t->held_last;
}

void mz__now_holds(const void *object, bool shared, bool waited)
{
    mz__thread *t = mz__w.current;
    uint32_t held = held_while_waiting(t);
    if (held && waited)
        mz__note_lock_order(held, object, shared);
    t->held_last = enter(t, (mz__hold){.object = (uintptr_t)object,
                                       .pc = mz__call_in_program(),
                                       .outer = t->held_last,
                                       .taking = mz__note_taking(mz__call_in_program()) & INT32_MAX,
                                       .shared = shared});
}

static uint32_t find(const mz__thread *t, const void *object)
{
    uint32_t link = t->held_last;
    while (link && t->holds[link].object != (uintptr_t)object)
        link = t->holds[link].outer;
    return link;
}

/* The chain from `link` on, without `left_out`. */
static uint32_t without(mz__thread *t, uint32_t link, uint32_t left_out)
{
    mz__hold hold = t->holds[link];
    if (link == left_out)
        return hold.outer;
    hold.outer = without(t, hold.outer, left_out);
    return enter(t, hold);
}

static __attribute__((noinline)) void leave_out(mz__thread *t, const void *object)
{
    uint32_t link = find(t, object);
    if (link)
        t->held_last = without(t, t->held_last, link);
}

static __attribute__((noinline)) void note_giving(const mz__thread *t, const void *object)
{
    uint32_t link = find(t, object);
    if (link)
        mz__note_giving(t->holds[link].taking, t->holds[link].pc);
}

void mz__no_longer_holds(const void *object)
{
    mz__thread *t = mz__w.current;
    if (!t->held_last)
        return;
    const mz__hold *last = &t->holds[t->held_last];
    if (MZ_UNLIKELY(mz__w.base.sought != NULL))
        note_giving(t, object);
    if (last->object == (uintptr_t)object) /* most often */
        t->held_last = last->outer;
    else
        leave_out(t, object);
}

uintptr_t mz__held_since(const mz__thread *thread, const void *object)
{
    uint32_t link = find(thread, object);
    return link ? thread->holds[link].pc : 0;
}

/* " (locked at queue.c:5, called by put() queue.c:12)" */
static void add_locked_at(const mz__thread *thread, const mz__hold *hold, mz_text *out)
{
    mz_position place;
    mz__position_in_program(hold->pc, &place);
    if (!place.file)
        return;
    mz_text_add(out, " (locked at %s:%u", place.file, place.line);
    mz__add_callers(thread, hold->taking, hold->pc, out);
    mz_text_add(out, ")");
}

void mz__add_held_since(const mz__thread *thread, const void *object, mz_text *out)
{
    uint32_t link = find(thread, object);
    if (link)
        add_locked_at(thread, &thread->holds[link], out);
}

void mz__add_callers_of_taking(const mz__thread *thread, const void *object, mz_text *out)
{
    uint32_t link = find(thread, object);
    if (link)
        mz__add_callers(thread, thread->holds[link].taking, thread->holds[link].pc, out);
}

bool mz__reads_under(const mz__thread *thread, const void *object)
{
    uint32_t link = find(thread, object);
    return link && thread->holds[link].shared;
}

void mz__add_holding(const mz__thread *thread, uint32_t link, mz_text *out)
{
    mz_text_add(out, "%s", link ? ", holding " : ", holding no lock");
    for (bool first = true; link; link = thread->holds[link].outer, first = false) {
        const mz__hold *hold = &thread->holds[link];
        mz_text name = {0};
        mz__name_object(hold->object, &name);
        mz_text_add(out, "%s%s%s", first ? "" : " and ", mz_text_string(&name),
                    hold->shared ? " for reading" : "");
        mz_text_release(&name);
        add_locked_at(thread, hold, out);
    }
}

static bool is_suppressed(const mz__hold *hold, const char *name)
{
    mz_suppression_name names[1 + MZ__NAMES_OF_PLACE] = {{.name = name}};
    size_t count = 1 + mz__names_of_place(hold->pc, names + 1);
    return mz_suppressed(mz__w.suppressions, MZ_SUPPRESS_LOCK_KEPT, names, count);
}

void mz__warn_of_kept_locks(void)
{
    const mz__thread *t = mz__w.current;
    for (uint32_t link = t->held_last; link && !mz__w.trying; link = t->holds[link].outer) {
        const mz__hold *hold = &t->holds[link];
        if (!mz__is_new_warning(MZ_WARN_LOCK_KEPT, hold->pc, 0))
            continue;
        mz_text name = {0};
        mz__name_object(hold->object, &name);
        if (!is_suppressed(hold, mz_text_string(&name)))
            mz__warn(MZ_WARN_LOCK_KEPT, hold->pc,
                     "thread %u ends while it holds %s, which it has locked here", t->number,
                     mz_text_string(&name));
        mz_text_release(&name);
    }
}
