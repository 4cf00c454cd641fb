/* What the hooks tell the scheduler, and what the machine asks of it. */
#ifndef MZ_PROGRAM_RUNTIME_SCHEDULE_H
#define MZ_PROGRAM_RUNTIME_SCHEDULE_H

#include "program/runtime/world.h"

/* ---- for hooks: about the running thread --------------------------------------------------------------- */

/* It is about to perform an operation. Returns when it is to happen, and then it must happen at once: also at
 * once where nobody can notice. `reads`: its result decides what the thread does next, as in a spinning loop.
 */
/* Begin to describe it: nothing touched yet, free to happen. */
static inline mz__pending *mz__plan(mz__thread *thread, mz_operation_kind kind, const char *verb)
{
    mz__pending *p = &thread->pending;
    p->kind = kind;
    p->guard = p->condition = MZ__FREE;
    p->size = 0;
    p->counted = p->resumable = false;
    p->verb = verb;
    p->access_count = 0;
    return p;
}
void mz__plan_new_data(mz__pending *pending, uintptr_t address, uint32_t size, uint32_t kind);
static inline void mz__plan_data(mz__pending *p, uintptr_t address, uint32_t size, uint32_t kind)
{
    uint32_t cell = mz__known_cell(address, size);
    if (cell == MZ__NO_CELL) {
        mz__plan_new_data(p, address, size, kind);
        return;
    }
    p->address = address;
    p->size = size;
    p->access_count = p->own_count = 1;
    p->accesses[0] = (mz_access){cell, kind};
}
/* It is one of those by which plans name events (wire/plan_format.h). The count is part of the thread's record: it
 * is taken back with it. */
static inline void mz__count(mz__thread *thread)
{
    thread->operations++;
    thread->pending.counted = true;
}
static inline void mz__announce(mz__pending *pending, bool reads);
/* The operation turned out to be less than announced: a failed compare-and-swap is a read. */
void mz__executed_as(mz_operation_kind kind, bool writes);
/* It waits, with what it has planned, until mz__wake() is called for it. */
static inline void mz__wait(void);
/* It stops for good. */
void mz__stop(mz__life life) __attribute__((noreturn));
/* The same because the execution is not to be followed any further: it does not count. */
void mz__prune(void) __attribute__((noreturn));
/* The same because it is not followed any further, though it would go on: it waits for nothing. */
void mz__cut(void) __attribute__((noreturn));
void mz__finish_thread(void) __attribute__((noreturn));
void mz__fail(mz_failure_kind kind, uintptr_t pc, const char *format, ...)
    __attribute__((format(printf, 3, 4), noreturn));
/* With a text that is released. */
void mz__fail_with(mz_failure_kind kind, uintptr_t pc, mz_text *message) __attribute__((noreturn));
/* The same, but it goes on. */
void mz__report(mz_failure_kind kind, uintptr_t pc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same for a thread that does not run, with a text that is released. */
void mz__report_for(mz_failure_kind kind, uint32_t thread, uintptr_t pc, mz_text *message);
/* The program cannot be followed any further; or, where the others are to go on, the running thread. */
void mz__give_up(uintptr_t pc, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* It does something that others can notice. */
void mz__was_put_off_wrongly(mz__thread *thread);
static inline void mz__is_noticed(mz__thread *thread)
{
    if (thread->put_off)
        mz__was_put_off_wrongly(thread);
}
/* Every other thread is over, and all it did comes before us. */
bool mz__alone(void);
/* … and nobody asks for events then. */
bool mz__unnoticed(void);
int64_t mz__choose(int64_t low, int64_t high);
/* … of the input with this name, which lives as long as we do. */
int64_t mz__choose_input(int64_t low, int64_t high, const char *name);
/* … where spin.c keeps account of what came of it (mz__chose_in_vain). */
int64_t mz__choose_without_progress(int64_t low, int64_t high, const char *name);
void mz__call_program(void (*function)(void));
/* The frame of the running function reaches from its stack pointer at least to that of its caller: how large
 * frames are decides how much of a stack is looked at. */
void mz__note_large_frame(uintptr_t size);
static inline bool mz__has_large_frame(const mz__thread *thread)
{
    enum { OF_INTEREST = 8192 };
    return thread->body_sp - mz__caller.sp > OF_INTEREST;
}
static inline void mz__note_frame(const mz__thread *thread)
{
    if (mz__has_large_frame(thread))
        mz__note_large_frame(thread->body_sp - mz__caller.sp);
}
/* It is about to return from a function whose frame lies at sp. */
void mz__save_more_stack(mz__thread *thread, uintptr_t sp);
uint32_t mz__create_thread(void *(*start)(void *), void *argument, bool detached, uintptr_t pc);

/* The running thread has come to an operation, or to its end. */
static inline void mz__note_place(mz__thread *t)
{
    mz__w.pulse++;
    t->pc = mz__caller.pc;
    t->entry_sp = mz__caller.sp;
    t->frame_pointer = mz__caller.preserved[MZ__FRAME_POINTER];
}

/* The thread goes on in its hook; others may have called hooks since it was there. */
static inline void mz__come_back(void)
{
    const mz__thread *t = mz__w.current;
    mz__caller.pc = t->pc;
    mz__caller.sp = t->entry_sp;
}

/* Back to the scheduler; returns when the thread is resumed. */
static inline __attribute__((always_inline)) void mz__leave_fiber(void)
{
    mz__thread *t = mz__w.current;
    mz__note_place(t);
    mz__leave(&t->sp, mz__scheduler_sp);
    mz__come_back();
}

/* All that can be decided before: false if the operation may happen at once. */
bool mz__must_wait_for_turn(mz__pending *pending, bool reads);

/* Stretches (stretch.c): the running thread, with what it has planned, is the next one in any case. Then this
 * is a step of its own, but the thread stays in its fiber. False if it has to leave. */
bool mz__may_stay(const mz__thread *thread);
bool mz__stay(mz__thread *thread); /* without being saved; if it may */
void mz__take_step(void);
static inline __attribute__((always_inline)) bool mz__goes_on(mz__thread *t)
{
    const mz_machine *machine = &mz__w.base;
    uint32_t count = machine->further_count;
    bool alone = mz_threads_equal(mz__w.state.status.ready, mz_threads_of(t->number));
    if (count < machine->together || (count < machine->most_further && alone))
        return mz__stay(t);
    if (count >= machine->goes_on || !mz__may_stay(t))
        return false;
    mz__note_place(t);
    mz__call_as_left(&t->sp, mz__take_step);
    mz__come_back();
    return true;
}

static inline __attribute__((always_inline)) void mz__announce(mz__pending *pending, bool reads)
{
    if (!mz__must_wait_for_turn(pending, reads))
        return;
    if (!mz__goes_on(mz__w.current))
        mz__leave_fiber();
    mz__w.in_operation = true;
    pending = &mz__w.current->pending;
    if (pending->address - MZ__ARENA < MZ__HEAPS || pending->gone) /* others may have freed it meanwhile */
        mz__check_memory((const void *)pending->address, pending->size ? pending->size : 1, false,
                         mz__caller.pc);
}

static inline __attribute__((always_inline)) void mz__wait(void)
{
    mz__w.current->pending.guard = MZ__WOKEN;
    mz__leave_fiber();
}

/* ---- about other threads --------------------------------------------------------------------------------
 */

void mz__wake(uint32_t thread);
/* Its record is about to be changed by another thread. */
void mz__change_thread(mz__thread *thread);
/* What a step may change of it: the trail brings it back. */
void mz__save_record(mz__thread *thread);
void mz__add_cause(mz__thread *thread, uint32_t other, uint32_t index);
uint32_t mz__list_causes(const mz__thread *thread, mz_cause *causes);
void mz__inherit_causes(mz__thread *to, const mz__thread *from);

/* Something was learned that the search so far did not know. */
void mz__learned(void);
void mz__begin_again(void);

/* ---- spinning (spin.c) ----------------------------------------------------------------------------------
 */

/* Returns true, so that it can be called last. */
bool mz__look_for_spinning(mz__thread *thread);
/* The operation has read this: while it stays so, the same loop does the same again. */
void mz__note_read(uintptr_t address, uint32_t size);
/* It has written what was there: a loop that does so goes on as long as that stays. */
void mz__has_written_same(uintptr_t address, uint32_t size);
/* … and plain data, outside of its stack. */
static inline bool mz__may_be_spinning(const mz__thread *thread)
{
    return thread->visit_count > thread->visits_from;
}
void mz__note_plain_read(uintptr_t address, uint32_t size);
/* … and what an atomic section is about to read or write. */
void mz__note_before_section(uintptr_t address, uint32_t size, const uint32_t *cells, uint32_t count);
/* It has come to the end of one: has that changed anything? */
void mz__look_for_progress(mz__thread *thread);
/* The thread has changed something: what it did before is no part of a loop without effect. */
static inline void mz__made_progress(void)
{
    mz__thread *t = mz__w.current;
    t->visits_from = t->visit_count;
    t->reads_from = t->read_count;
    t->visit_places = 0;
}
bool mz__has_changed(const mz__thread *thread);
/* The running thread is about to choose, and has chosen in this very state before: nothing came of it. */
bool mz__chose_in_vain(void);
void mz__forget_vain(void);
bool mz__is_not_in_vain(const mz__pending *pending);
void mz__count_iteration(mz__thread *thread);
/* Where --unroll has cut what threads do. */
void mz__describe_cuts(mz_text *out);

/* ---- threads that have not come back for long (tired.c)
 * ----------------------------------------------------
 */

/* The running one has been silent for a while … */
void mz__look_closer(void);
/* … and for longer: what it has for itself is to be looked at, too. */
void mz__expose(void);
/* From hooks, if `tired` is set. */
void mz__give_up_if_tired(void);
/* … before a read: is it here again, and nothing has happened? */
bool mz__comes_back(void);
/* … before a plain read within one word: is it here again, and nothing has happened? Then it is to be an
 * event. */
bool mz__loops_over(uintptr_t address, size_t size);

/* ---- threads that are left where they are (stuck.c)
 * --------------------------------------------------------
 */

/* The running one is, for the reason in mz__w.base.stuck. */
void mz__is_stuck(void) __attribute__((noreturn));
/* One that has just come to an operation, in an execution that has as many as it may. */
void mz__is_too_long(mz__thread *thread);
/* Has a thread taken too long before, after the operation from which the running one comes now? Or too much
 * memory, and does this one now? And: it has. */
bool mz__takes_long_here(void);
bool mz__takes_much_here(uint64_t heap_used);
void mz__has_taken_long(void);
void mz__has_taken_much(uint64_t heap_used);
void mz__describe_stuck(mz_text *out);
void mz__forget_stuck(void);
mz_threads mz__locked_for_ever(const mz_machine *machine);

/* ---- warnings (warnings.c) ------------------------------------------------------------------------------
 */

/* Is this the first of its kind at these places? Then it is to be described with mz__warn(). */
bool mz__is_new_warning(mz_warning_kind kind, uintptr_t place, uintptr_t other_place);
void mz__warn(mz_warning_kind kind, uintptr_t pc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- objects that may not have been initialised (objects.c) ---------------------------------------------
 */

/* The program writes this word, or has been given it with zeroes in it. */
void mz__object_is_set(uintptr_t address);

/* ---- atomic sections (sections.c) ------------------------------------------------------------------------
 */

void mz__section_begin(void);
void mz__section_end(void);
extern const char mz__std_lock[]; /* what it is called as a pending operation */
void mz__lock_together_begin(void);
void mz__lock_together_end(void);
void mz__begin_section(void);
/* In a section: what is accessed becomes part of its footprint. */
void mz__section_access(uintptr_t address, size_t size, uint32_t kind);
void mz__section_operation(const mz__pending *pending);
/* An assumption in the section does not hold now. */
void mz__section_blocks(void) __attribute__((noreturn));
bool mz__section_is_possible(mz__thread *thread);
static inline bool mz__awaits_section(const mz__thread *thread)
{
    return thread->pending.guard == MZ__SECTION || thread->pending.guard == MZ__SECTION_CHANGED;
}
/* The running thread is in a section that is an event, not in one that began where nobody could notice … */
bool mz__in_section_event(void);
/* … and makes a choice there: it was drawn before. */
int64_t mz__section_choose(int64_t low, int64_t high);
bool mz__section_has_chosen(void);
/* Sections that begin at this place take one more choice than is known. */
void mz__know_draw(uintptr_t place, int64_t low, int64_t high);
void mz__section_footprint_begin(const mz__thread *thread);
const mz_access *mz__section_footprint(bool without_writes, uint32_t *count);

/* ---- happens-before (order.c) ----------------------------------------------------------------------------
 */

/* The running thread is about to fail because of this byte, which is not there any more. Others may have done
 * that to it in an order that nothing forces: without their steps it does not fail. If nobody wants to know
 * that, but about races, it fails because of that one. */
void mz__blame_others(uintptr_t address, bool writes, uintptr_t pc);
/* Are these bytes touched by others at the same time, as far as the program's own order goes? */
void mz__access(uintptr_t address, size_t size, bool writes, bool atomic, uintptr_t pc);
/* The same for a plain access of the program to bytes of one word, which has this shadow. */
void mz__plain_word_access(mz__shadow *shadow, uintptr_t address, size_t size, bool writes);
/* The same for an atomic access. Most often its word has seen no others, so that there is nothing to do:
 * tells whether that is so. */
bool mz__atomic_access(uintptr_t address, size_t size, bool writes);
/* The same for the operation that the running thread performs. */
void mz__unsettled_access(uintptr_t address, size_t size, bool writes);
static inline void mz__operation_access(uintptr_t address, size_t size, bool writes)
{
    const mz__pending *p = &mz__w.current->pending;
    if (p->own_count != 1 || !mz__w.cells[p->accesses[0].location].settled)
        mz__unsettled_access(address, size, writes);
}
/* From the next beginning on the word of memory has this flag (MZ__WORD_…). */
void mz__remember_word(uintptr_t word, uint32_t flag);

/* What the running thread does to a word now, and another one has done before: nothing orders the two. */
typedef struct mz__race {
    uintptr_t word, pc;
    uint8_t bytes, how, how_before; /* MZ__ENTRY_… */
    uint32_t other, epoch_before, place_before, held_before;
} mz__race;
void mz__found_race(const mz__race *race);
/* The running thread does this, and looks for the earlier access of a race. */
void mz__watch_access(uintptr_t word, uint8_t bytes, uint8_t how, uint32_t place);
void mz__acquire_clock(uint32_t cell);
static inline void mz__acquire(uint32_t cell)
{
    if (!mz__w.ignores_order)
        mz__acquire_clock(cell);
}
void mz__release_clock(uint32_t cell, bool joins);
static inline void mz__release(uint32_t cell, bool joins)
{
    if (!mz__w.ignores_order)
        mz__release_clock(cell, joins);
}
void mz__acquire_relaxed(uint32_t cell);
void mz__release_relaxed(uint32_t cell, bool joins);
void mz__fence(bool acquires, bool releases);
void mz__order_threads(uint32_t from, uint32_t to);
void mz__acquire_thread(uint32_t other);

/* ---- plain accesses (accesses.c) -------------------------------------------------------------------------
 */

/* Some plain accesses are events: others may come in between those of a function that makes several. */
static inline bool mz__plain_may_be_events(void)
{
    return mz__w.special_word_count > mz__w.object_word_count || mz__w.plain_events;
}
/* By the program itself, or by a library function in its name. */
void mz__plain_access(uintptr_t address, size_t size, bool writes);
/* A write after which the bytes are not to be accessed any more: unlike others it tells which write came
 * before it, because that one must not come later. */
void mz__last_access(uintptr_t address, size_t size);
/* Before an operation on these bytes is planned: are they there? */
void mz__check_operand(uintptr_t address, size_t size, bool writes);
/* A string with its end, read as a whole by a library function. */
size_t mz__string_length(const char *text);
/* Has nobody but its thread ever touched this stack or heap? Every access by others must ask. */
bool mz__is_own_only(uintptr_t address);
/* Others know of what lies on it. Then the program asks us about its own frames, too. */
void mz__share_stack(uint32_t owner);
extern bool __tsan_shared_frames;
/* Before memory of the program is written: on the trail with it. The first also counts as progress. */
void mz__before_write(uintptr_t address, size_t size);
void mz__before_write_quietly(uintptr_t address, size_t size);

/* ---- steps -----------------------------------------------------------------------------------------------
 */

void mz__run_fiber(mz__thread *thread);
mz_outcome mz__reset(mz_choices *choices);
mz_outcome mz__step(mz_machine *machine, uint32_t thread, mz_choices *choices, mz_operation *executed);
void mz__rewind(size_t steps);
/* What is seldom: atomic sections, what comes after other threads, operations that may only read. */
void mz__add_details(mz__thread *thread, mz_operation *operation);
static inline bool mz__has_details(const mz__thread *thread)
{
    const mz__pending *p = &thread->pending;
    return p->kind == MZ_OP_ATOMIC || p->condition != MZ__FREE ||
           mz_threads_any(thread->caused_by | thread->joined);
}
/* Valid until the thread runs. */
static inline void mz__operation_of(mz__thread *thread, mz_operation *operation)
{
    const mz__pending *p = &thread->pending;
    *operation = (mz_operation){
        .kind = p->kind,
        .blocking = p->guard != MZ__FREE,
        .access_count = p->access_count,
        .accesses = p->accesses,
        .causes = thread->causes,
    };
    if (MZ_SELDOM(mz__has_details(thread)))
        mz__add_details(thread, operation);
}
/* It waits in a loop of its own, or would. */
static inline bool mz__is_spinning(const mz__thread *t)
{
    return t->pending.guard == MZ__CHANGED || t->pending.guard == MZ__NOT_IN_VAIN ||
           t->pending.guard == MZ__MUTEX_CHANGED || t->pending.guard == MZ__SECTION_CHANGED;
}
mz_threads mz__independent(mz_machine *machine, mz_threads threads, const mz_operation *operation);

/* ---- what is to be known of the executions (notes.c) -----------------------------------------------------
 */

void mz__note_status(int status, uintptr_t pc);
void mz__note_abort(uintptr_t pc);
/* An execution has come to its end. */
void mz__note_end(void);
/* … but what came before the search does not count. */
void mz__forget_ends(void);
void mz__note_assumption(uintptr_t pc, bool holds);

/* The program ends here: exit(), with these registers, or return of main, with none. */
void mz__exit(int status, uintptr_t pc, const mz__registers *registers) __attribute__((noreturn));
/* An assertion does not hold, or somebody called abort(). */
void mz__assertion(uintptr_t pc, const char *format, ...) __attribute__((format(printf, 2, 3), noreturn));

/* ---- the loaded program (load.c) --------------------------------------------------------------------------
 */

void mz__restore_image(void);
void mz__create_main(void);
void mz__mark_special_words(void);

#endif
