/* Threads that are left where they are.
 *
 * A thread that does nothing others could notice for longer than anybody wants to wait, takes all the memory
 * there is, does something that cannot be followed, or performs most of the operations that an execution may
 * have, goes no further in this execution. The others do: what goes wrong among them is an error whatever
 * becomes of that thread, since all that it has done so far it has done. (Its local work since its last
 * operation is seen by nobody, but for races, which are errors by themselves.) It is treated as one whose
 * assumption does not hold, promise (3) of machine.h: the execution is none of the traces, and who waits for
 * the thread is in no deadlock. Without an error the verdict is incomplete and says where the first one was
 * left.
 *
 * How long local work takes depends on the machine, and so may what it has written up to then. A second time
 * nobody waits so long at that place. */
#include <string.h>

#include "program/describe/names.h"
#include "program/describe/stuck.h"
#include "program/program.h"
#include "program/world/learning.h"
#include "program/world/turns.h"
#include "program/world/world.h"

/* ---- where they were left before ------------------------------------------------------------------------
 */

enum { MOST_PLACES = 64, MOST_TOLD = 4 };

/* After this operation, or at the beginning of a thread with this function. */
typedef struct place {
    uintptr_t pc;
    void *(*start)(void *);
    bool takes_long, is_slow; /* for the search; for one of its stages (session/stages.c) */
    uint64_t heap_used;       /* 0: that was not too much */
} place;

static place places[MOST_PLACES];
static size_t place_count;

static place *find_place(const mz__thread *t)
{
    for (size_t i = 0; i < place_count; i++)
        if (places[i].pc == t->pc && (t->pc || places[i].start == t->cold.start))
            return &places[i];
    return NULL;
}

static place *this_place(void)
{
    const mz__thread *t = mz__w.current;
    place *p = find_place(t);
    if (p || place_count == MOST_PLACES)
        return p;
    p = &places[place_count++];
    *p = (place){.pc = t->pc, .start = t->cold.start};
    return p;
}

bool mz__takes_long_here(void)
{
    const place *p = mz__w.goes_on ? find_place(mz__w.current) : NULL;
    return p && (p->takes_long || (p->is_slow && mz__w.most_events > 0));
}

void mz__has_taken_long(void)
{
    place *p = mz__w.goes_on ? this_place() : NULL;
    if (mz__w.most_events > 0)
        mz__w.has_left_threads = true;
    if (p && mz__w.most_events > 0)
        p->is_slow = true;
    else if (p)
        p->takes_long = true;
}

bool mz__takes_much_here(uint64_t heap_used)
{
    const place *p = mz__w.goes_on ? find_place(mz__w.current) : NULL;
    return p && p->heap_used > 0 && heap_used > p->heap_used / 8;
}

void mz__has_taken_much(uint64_t heap_used)
{
    place *p = mz__w.goes_on ? this_place() : NULL;
    if (!p)
        return;
    p->heap_used = heap_used;
    mz__w.takes_too_much = true;
    mz__begin_again(); /* what it took is still there */
}

/* ---- for the verdict ------------------------------------------------------------------------------------
 */

static mz_text told[MOST_TOLD];
static size_t told_count;
static uint64_t others;

/* The first one's schedule is kept, for people. */
static void keep_way(void)
{
    const mz_flight *now = mz__w.flight;
    mz_flight *way = mz__w.stuck_way;
    if (!now || !way)
        return;
    way->steps = now->steps;
    way->choice_count = now->choice_count;
    way->initial_choices = now->initial_choices;
    memcpy(way->threads, now->threads, now->steps * sizeof *now->threads);
    memcpy(way->first_choice, now->first_choice, now->steps * sizeof *now->first_choice);
    memcpy(way->choices, now->choices, now->choice_count * sizeof *now->choices);
}

static void note(const char *words)
{
    for (size_t i = 0; i < told_count; i++)
        if (strcmp(mz_text_string(&told[i]), words) == 0)
            return;
    if (told_count == 0)
        keep_way();
    if (told_count == MOST_TOLD) {
        others++;
        return;
    }
    mz_text_clear(&told[told_count]);
    mz_text_add(&told[told_count++], "%s", words);
}

const char *mz_native_stuck(const mz_machine *machine)
{
    (void)machine;
    return told_count > 0 ? mz_text_string(&told[0]) : NULL;
}

/* "an execution is too long: thread 1 was left at a.c:4; a hint": from where to where it tells of its thread.
 * What stands around that may be the same for others, and is told once. */
static const char *own_part(const char *words, const char **end)
{
    const char *begin = strstr(words, ": thread ");
    begin = begin ? begin + 2 : words;
    *end = strstr(begin, "; ");
    *end = *end ? *end : begin + strlen(begin);
    return begin;
}

static bool same_around(const char *a, const char *b)
{
    const char *a_end, *b_end;
    const char *a_own = own_part(a, &a_end), *b_own = own_part(b, &b_end);
    return a_own > a && a_own - a == b_own - b && strncmp(a, b, (size_t)(a_own - a)) == 0 &&
           strcmp(a_end, b_end) == 0;
}

void mz__describe_stuck(mz_text *out)
{
    for (size_t i = 0; i < told_count; i++) {
        const char *words = mz_text_string(&told[i]), *end;
        const char *own = own_part(words, &end);
        bool goes_on = i > 0 && same_around(mz_text_string(&told[i - 1]), words);
        bool is_last = i + 1 == told_count || !same_around(words, mz_text_string(&told[i + 1]));
        mz_text_add(out, "%s", goes_on ? ", " : out->length > 0 ? "; " : "");
        mz_text_add_bytes(out, goes_on ? own : words, (size_t)(end - (goes_on ? own : words)));
        mz_text_add(out, "%s", is_last ? end : "");
    }
    if (others > 0)
        mz_text_add(out, "; and more");
}

void mz__write_stuck(mz_bytes *out)
{
    mz_bytes_add_number(out, told_count);
    for (size_t i = 0; i < told_count; i++) {
        mz_bytes_add_number(out, told[i].length);
        mz_bytes_add(out, told[i].bytes, told[i].length);
    }
    mz_bytes_add_number(out, others);
}

void mz__hear_stuck(mz_byte_reader *r)
{
    for (uint64_t count = mz_read_number_to(r, MOST_TOLD); count > 0 && !r->failed; count--) {
        mz_text words = {0};
        size_t length = mz_read_count(r);
        mz_text_add_bytes(&words, (const char *)r->data + r->at, length);
        r->at += length;
        note(mz_text_string(&words));
        mz_text_release(&words);
    }
    others += mz_read_number(r) > 0;
}

void mz__forget_stuck(void)
{
    told_count = 0;
    others = 0;
}

void mz_native_go_on(mz_machine *machine, mz_flight *way)
{
    (void)machine;
    mz__w.goes_on = true;
    mz__w.stuck_way = way;
}

void mz_native_limit_steps(mz_machine *machine, uint64_t most)
{
    (void)machine;
    mz__w.allowed_steps = most > 0 ? most : UINT64_MAX;
    mz__w.most_steps = mz__w.most_events > 0 ? 0 : mz__w.allowed_steps;
}

/* With no steps allowed, mz__is_too_long() is asked after each. */
void mz_native_limit_events(mz_machine *machine, uint64_t most)
{
    (void)machine;
    mz__w.most_events = most;
    mz__w.most_steps = most > 0 ? 0 : mz__w.allowed_steps;
    mz__w.has_left_threads = false;
}

bool mz_native_left_threads(const mz_machine *machine)
{
    (void)machine;
    return mz__w.has_left_threads;
}

void mz_native_set_deadline(mz_machine *machine, double seconds)
{
    (void)machine;
    mz__w.deadline = seconds;
}

/* ---- leaving them ---------------------------------------------------------------------------------------
 */

/* What is only tried is tried once more when it happens. */
void mz__is_stuck(void)
{
    if (!mz__w.trying) {
        mz__w.was_stuck = true;
        if (mz__w.exploring)
            note(mz_text_string(&mz__w.base.stuck.message));
    }
    mz__cut();
}

/* Not the one that happens to come last, but one with a good part of all the steps. */
void mz__is_too_long(mz__thread *t)
{
    mz_failure *stuck = &mz__w.base.stuck;
    if (t->events < (mz__w.most_events > 0 ? mz__w.most_events : mz__w.most_steps / 4))
        return;
    mz__w.has_left_threads = true;
    stuck->thread = t->number;
    mz__position_of_failure(t->pc, &stuck->position);
    mz_text_clear(&stuck->message);
    mz_text_add(&stuck->message, "an execution is longer than %llu events (--max-depth): thread %u was left",
                (unsigned long long)mz__w.allowed_steps, t->number);
    if (stuck->position.file)
        mz_text_add(&stuck->message, " at %s:%u", stuck->position.file, stuck->position.line);
    mz_text_add(&stuck->message, "; %s", mz__w.base.class->loop_hint);
    t->life = MZ__CUT; /* its record is saved: it has run in this step */
    mz__w.was_pruned = mz__w.was_stuck = true;
    if (mz__w.exploring)
        note(mz_text_string(&stuck->message));
}
