/* --unroll: a thread that comes to the same operation once too often goes no further.
 *
 * Where it would go on is known by the place in the code, and to people by the line of the source: that is
 * what a limit of its own (--unroll=FILE:LINE:K) is given for, and what the verdict names. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "program/describe/names.h"
#include "program/loops/spin.h"
#include "program/program.h"
#include "program/world/turns.h"
#include "program/world/world.h"

/* "src/queue.c" is meant by "queue.c", too. */
static bool is_file(const char *path, const char *name)
{
    size_t path_length = strlen(path), length = strlen(name);
    if (length > path_length || strcmp(path + path_length - length, name) != 0)
        return false;
    return length == path_length || path[path_length - length - 1] == '/';
}

static uint32_t look_up_limit(uintptr_t pc)
{
    mz_position position = {0};
    mz__position_of(pc, &position);
    for (size_t i = 0; position.file && i < mz__w.unroll_place_count; i++) {
        const mz_unroll_place *place = &mz__w.unroll_places[i];
        if (place->line == position.line && is_file(position.file, place->file))
            return place->count;
    }
    return mz__w.unroll;
}

/* How often a thread may come to this place; 0: as often as it likes. Finding the line takes long: kept. */
static uint32_t limit_at(uintptr_t pc)
{
    if (mz__w.unroll_place_count == 0)
        return mz__w.unroll;
    struct mz__unroll_limit *known = &mz__w.unroll_limits[mz_mix64(pc) % MZ__UNROLL_SLOTS];
    if (known->pc != pc)
        *known = (struct mz__unroll_limit){pc, look_up_limit(pc)};
    return known->limit;
}

static void note_cut(uintptr_t pc, uint32_t limit)
{
    for (size_t i = 0; i < mz__w.cut_count; i++)
        if (mz__w.cuts[i].pc == pc)
            return;
    if (mz__w.cut_count < MZ__MOST_CUTS)
        mz__w.cuts[mz__w.cut_count] = (struct mz__unroll_limit){pc, limit};
    mz__w.cut_count++;
}

void mz__count_iteration(mz__thread *t)
{
    uintptr_t pc = mz__caller.pc;
    uint32_t limit = limit_at(pc);
    if (limit == 0)
        return;
    uint32_t slot = (uint32_t)(mz_mix64(pc) % MZ__UNROLL_SLOTS);
    uint32_t tried = 0;
    for (; tried < MZ__UNROLL_SLOTS && t->iterations[slot].pc && t->iterations[slot].pc != pc; tried++)
        slot = (slot + 1) % MZ__UNROLL_SLOTS;
    if (tried < MZ__UNROLL_SLOTS) { /* else: more places than we can count, so that the bound is here */
        MZ__SAVE(t->iterations[slot]);
        t->iterations[slot].pc = pc;
        if (++t->iterations[slot].count <= limit)
            return;
    }
    if (!mz__w.trying)
        note_cut(pc, limit);
    mz__cut();
}

void mz__write_cuts(mz_bytes *out)
{
    size_t known = mz__w.cut_count < MZ__MOST_CUTS ? mz__w.cut_count : MZ__MOST_CUTS;
    mz_bytes_add_number(out, known);
    for (size_t i = 0; i < known; i++) {
        mz_bytes_add_number(out, mz__w.cuts[i].pc - mz__w.memory.code);
        mz_bytes_add_number(out, mz__w.cuts[i].limit);
    }
}

void mz__hear_cuts(mz_byte_reader *r)
{
    for (uint64_t count = mz_read_number_to(r, MZ__MOST_CUTS); count > 0; count--) {
        uintptr_t pc = mz__w.memory.code + (uintptr_t)mz_read_number(r);
        note_cut(pc, (uint32_t)mz_read_number(r));
    }
}

static int compare_cuts(const void *a, const void *b)
{
    const struct mz__unroll_limit *x = a, *y = b;
    return x->pc < y->pc ? -1 : x->pc > y->pc;
}

void mz__describe_cuts(mz_text *out)
{
    if (mz__w.cut_count <= MZ__MOST_CUTS) /* whoever came to them first */
        qsort(mz__w.cuts, mz__w.cut_count, sizeof *mz__w.cuts, compare_cuts);
    size_t shown = mz__w.cut_count < MZ__MOST_CUTS ? mz__w.cut_count : MZ__MOST_CUTS;
    for (size_t i = 0; i < shown; i++) {
        mz_position position = {0};
        mz__position_of(mz__w.cuts[i].pc, &position);
        mz_text_add(out, "%s", i ? ", " : out->length > 0 ? "; " : "");
        mz_text_add(out, "%s", i ? "" : "loops were followed no further than --unroll allows: ");
        if (position.file)
            mz_text_add(out, "%s:%u", position.file, position.line);
        else
            mz_text_add(out, "at a place without a line");
        mz_text_add(out, " (%u)", mz__w.cuts[i].limit);
    }
    if (mz__w.cut_count > shown)
        mz_text_add(out, ", and more");
}
