/* Data races: what becomes of one that happens_before.c has found, and how it is told. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "program/describe/failures.h"
#include "program/describe/heap_names.h"
#include "program/describe/names.h"
#include "program/describe/suppressions.h"
#include "program/describe/warnings.h"
#include "program/memory/block_header.h"
#include "program/memory/heap.h"
#include "program/order/happens_before.h"
#include "program/order/held.h"
#include "program/order/special_words.h"
#include "program/program.h"
#include "program/symbols/symbols.h"
#include "program/world/world.h"

/* ---- words -------------------------------------------------------------------------------------------- */

static bool is_on_stack(uintptr_t word)
{
    return word - MZ__ARENA >= MZ__HEAPS && word - MZ__ARENA < MZ__ARENA_BYTES;
}

/* "writes", "atomically read", "freed": now or before. A local variable is abandoned when its function
 * returns. */
static void add_verb(mz_text *out, uintptr_t word, uint8_t how, bool now)
{
    bool abandons = (how & MZ__ENTRY_FREES) && is_on_stack(word);
    mz_text_add(out, "%s%s", how & MZ__ENTRY_ATOMIC ? "atomically " : "",
                abandons                 ? (now ? "abandons" : "abandoned")
                : how & MZ__ENTRY_FREES  ? (now ? "frees" : "freed")
                : how & MZ__ENTRY_WRITES ? (now ? "writes" : "wrote")
                                         : (now ? "reads" : "read"));
}

static bool place_of(uintptr_t pc, mz_code_place *place)
{
    return pc && mz_symbols_code(mz__w.symbols, pc - 1, place);
}

static void add_place(uintptr_t pc, mz_text *out)
{
    mz_code_place place;
    if (!place_of(pc, &place))
        return;
    mz_text_add(out, " in %s()", place.function ? place.function : "?");
    if (place.file)
        mz_text_add(out, " %s:%u", place.file, place.line);
}

/* (Another function's variables are there now.) */
static void add_variable(const mz__race *r, mz_text *out)
{
    mz_value_type kind;
    if ((r->how_before & MZ__ENTRY_FREES) && is_on_stack(r->word)) {
        mz_text_add(out, "a local variable of thread %u", r->other);
        return;
    }
    mz__name_data(r->word + (uintptr_t)__builtin_ctz(r->bytes), 1, out, &kind);
}

/* Of a block of the heap: who has allocated it. */
static void add_allocation(const mz__race *r, mz_text *out)
{
    mz__block block;
    if (r->word - MZ__ARENA >= MZ__HEAPS || !mz__heap_find(r->word, &block) || block.freed_by ||
        block.start == mz__w.libc_variables)
        return;
    mz_text_add(out, "; in ");
    mz__heap_add_life(out, &block);
}

/* "; thread 1 was created in main() a.c:12, thread 2 in main() a.c:13" */
static void add_creations(uint32_t one, uint32_t other, mz_text *out)
{
    const uint32_t threads[] = {one < other ? one : other, one < other ? other : one};
    bool first = true;
    for (int i = 0; i < 2; i++) {
        mz_code_place place;
        uintptr_t pc = mz__w.threads[threads[i]].cold.created_by;
        if (threads[i] == 0 || !place_of(pc, &place) || mz__is_generated(place.function))
            continue;
        mz_text_add(out, "%s %u%s", first ? "; thread" : ", thread", threads[i], first ? " was created" : "");
        add_place(pc, out);
        first = false;
    }
}

/* The same race as the one we are looking for the first half of, or a new one. */
static bool is_watched(const mz__race *r)
{
    return mz__w.watch_address == r->word && mz__w.watch_bytes == r->bytes &&
           mz__w.watch_epoch == r->epoch_before && mz__w.watch_place == r->place_before;
}

/* The locks are told if there are any: that the two have none in common is what is wrong with them. */
static void describe(const mz__race *r, mz_text *out)
{
    const mz__thread *me = mz__w.current, *other = &mz__w.threads[r->other];
    bool locks = me->held_last || r->held_before;
    mz_text_add(out, "data race on ");
    add_variable(r, out);
    mz_text_add(out, ": thread %u ", me->number);
    add_verb(out, r->word, r->how, true);
    mz_text_add(out, " it in ");
    mz__add_stack(out);
    if (locks)
        mz__add_holding(me, me->held_last, out);
    mz_text_add(out, "; thread %u ", r->other);
    add_verb(out, r->word, r->how_before, false);
    mz_text_add(out, " it before");
    if (is_watched(r) && mz__w.watch_found.length > 0)
        mz_text_add(out, " in %s", mz_text_string(&mz__w.watch_found));
    else if (r->place_before)
        add_place(mz__w.memory.code + r->place_before, out);
    if (locks)
        mz__add_holding(other, r->held_before, out);
    mz_text_add(out, "; nothing orders the two");
    if (mz__is_volatile(r->pc) || (r->place_before && mz__is_volatile(mz__w.memory.code + r->place_before)))
        mz_text_add(out, " (volatile does not; --volatile=atomic takes such accesses for atomic ones)");
}

/* ---- races that are no errors ------------------------------------------------------------------------- */

/* The name up to what is only a part of it: "stats" of "stats[2].hits". */
static char *whole_variable(const char *name)
{
    return mz_copy_bytes(name, strcspn(name, "[.+-"));
}

/* The variable, the functions in which the two accesses stand, and their files. */
static bool is_suppressed(const mz__race *r)
{
    mz_text variable = {0};
    add_variable(r, &variable);
    char *whole = whole_variable(mz_text_string(&variable));
    mz_suppression_name names[2 + 2 * MZ__NAMES_OF_PLACE] = {{.name = mz_text_string(&variable)},
                                                             {.name = whole}};
    size_t count = 2 + mz__names_of_place(r->pc, names + 2);
    if (r->place_before)
        count += mz__names_of_place(mz__w.memory.code + r->place_before, names + count);
    bool suppressed = mz_suppressed(mz__w.suppressions, MZ_SUPPRESS_RACE, names, count);
    mz_release(whole);
    mz_text_release(&variable);
    return suppressed;
}

/* One warning for two lines, whichever comes first and whatever they do. */
static uint64_t line_of(uintptr_t pc)
{
    mz_position position;
    mz__position_of(pc, &position);
    return mz_mix64((uintptr_t)position.file) + position.line;
}

static bool is_new(const mz__race *r)
{
    uint64_t now = line_of(r->pc), before = line_of(mz__w.memory.code + r->place_before);
    return mz__is_new_warning(MZ_WARN_RACE, now < before ? now : before, now < before ? before : now);
}

/* Each race, which is two places and a word, is looked at once. From then on accesses to the word are events,
 * but still looked at: another race there may be one that matters. */
static bool is_tolerated(const mz__race *r)
{
    if (mz__w.races == MZ_RACES_ARE_ERRORS && !mz__w.suppressions)
        return false;
    mz_hash key = mz_hash_add(mz_hash_add(mz_hash_start(r->word), r->pc), r->place_before);
    if (mz_hash_set_has(&mz__w.known_races, key))
        return true;
    bool suppressed = is_suppressed(r);
    if (!suppressed && mz__w.races == MZ_RACES_ARE_ERRORS)
        return false;
    if (!suppressed && is_new(r)) {
        mz_text text = {0};
        describe(r, &text);
        mz__warn(MZ_WARN_RACE, r->pc, "%s", mz_text_string(&text));
        mz_text_release(&text);
    }
    mz_hash_set_add(&mz__w.known_races, key);
    mz__remember_word(r->word, MZ__WORD_IS_EVENT);
    return true;
}

/* ---- and those that are ------------------------------------------------------------------------------- */

/* As a failure, without words. */
static mz_failure failure_of(const mz__race *r)
{
    mz_failure failure = {.kind = MZ_FAIL_RACE, .thread = mz__me()};
    mz__position_of_failure(r->pc, &failure.position);
    mz__position_of(mz__w.raced_with, &failure.other);
    return failure;
}

/* In a loop the same two places meet again and again. */
static bool is_told_in_this_step(const mz_failure *failure)
{
    for (uint32_t i = 0; i < mz__w.base.failure_count; i++)
        if (mz_failure_repeated(&mz__w.base.failures[i], failure))
            return true;
    return false;
}

/* Of several races, the one that is to be told. */
static void watch_for_first_half(const mz__race *r, const mz_failure *failure)
{
    const mz_failure *sought = mz__w.base.sought;
    if (sought && !mz_failure_find(failure, 1, sought))
        return;
    mz__w.watch_failure = *failure;
    if (!is_watched(r))
        mz_text_clear(&mz__w.watch_found);
    mz__w.watch_address = r->word;
    mz__w.watch_bytes = r->bytes;
    mz__w.watch_how = r->how_before;
    mz__w.watch_thread = r->other;
    mz__w.watch_epoch = r->epoch_before;
    mz__w.watch_place = r->place_before;
}

void mz__found_race(const mz__race *r)
{
    if (mz__w.trying) {
        mz__w.trial.races = true;
        return; /* it will be met again */
    }
    if (mz__w.races == MZ_RACES_ARE_IGNORED) {
        mz__remember_word(r->word, MZ__WORD_IS_EVENT);
        return;
    }
    if (is_tolerated(r))
        return;
    mz_text text = {0};
    mz__w.raced_with = r->place_before ? mz__w.memory.code + r->place_before : 0;
    mz_failure failure = failure_of(r);
    if (is_told_in_this_step(&failure))
        return;
    describe(r, &text);
    add_allocation(r, &text);
    add_creations(mz__me(), r->other, &text);
    watch_for_first_half(r, &failure);
    char message[2048]; /* a thread that stops releases nothing */
    snprintf(message, sizeof message, "%s", mz_text_string(&text));
    mz_text_release(&text);
    const mz_failure *sought = mz__w.base.watch ? mz__w.base.sought : NULL; /* a debugger stops there */
    bool goes_on = mz__w.go_on_after_races && !(sought && mz_failure_find(&failure, 1, sought));
    if (goes_on || mz__w.looks_ahead) /* who waits does not run, and so cannot be stopped */
        mz__report(MZ_FAIL_RACE, r->pc, "%s", message);
    else
        mz__fail(MZ_FAIL_RACE, r->pc, "%s", message);
}

/* An execution begins. If it is repeated for another race, this one is not what is to be seen. */
void mz__begin_watch(void)
{
    const mz_failure *sought = mz__w.base.sought;
    bool is_other = sought && !mz_failure_find(&mz__w.watch_failure, 1, sought);
    if (!is_other)
        return;
    mz__w.watch_epoch = 0;
    mz__w.watch_failure = (mz_failure){.kind = MZ_FAIL_ASSERTION};
}

/* The earlier access of a race, met again while its execution is repeated. */
void mz__watch_access(uintptr_t word, uint8_t bytes, uint8_t how, uint32_t place)
{
    if (how != mz__w.watch_how || word != mz__w.watch_address || !(bytes & mz__w.watch_bytes) ||
        place != mz__w.watch_place)
        return;
    if (mz__w.watch_found.length == 0)
        mz__add_stack(&mz__w.watch_found);
    mz_text *words =
        how & MZ__ENTRY_ATOMIC ? NULL : mz__remark(mz__caller.pc); /* that is a step of its own */
    mz_value_type kind;
    if (!words)
        return;
    mz__learn_heap_names(); /* as they are here */
    add_verb(words, word, how, true);
    mz_text_add(words, " ");
    mz__name_data(word + (uintptr_t)__builtin_ctz(bytes), 1, words, &kind);
}
