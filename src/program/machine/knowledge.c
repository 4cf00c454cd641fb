/* What has been learned about a program decides which of its operations are events: a step of a
 * counterexample means the same only where the same is known. As words, with blanks between them, for
 * counterexample files:
 *
 *   image+40:4      the threads share the 4 bytes at 0x40 of the program's writable memory …
 *   arena+40:8*3    … or 3 times 8 bytes, one after the other, of its heaps and stacks
 *   image+80:object a synchronisation object
 *   image+80:simple a mutex whose sections are one event each (simple_sections.c); image+80:ordinary: are not
 *   image+40!2      accesses to this word of memory are special: see MZ__WORD_IS_EVENT and its kin
 *   stack:2+7fe40   others touch the stack of thread 2, from this place of it on
 *   local:2+7fe40   … which touch this word of it
 *   heap:2          others touch the part of the heap of thread 2
 *   join+12f0       after this call of pthread_join a thread goes on at once
 *   draw+12f0:-1..2 a section that begins there may choose from this range (one word for each choice)
 *   freed+40:32@2   thread 2 has freed the block there, which has room for 32 bytes, and it may be used again
 *                   (@* if others have done so or taken it, too; in the order in which they were found)
 *   all             everything is taken for shared
 *   ends            the end of a thread is an event
 *   cancel          threads are cancelled: where that can end one is an event
 *   observation     found by observation: what a thread does when no other is left are events, too
 *   weak            under weak memory: the first choice of a step is where it reads from, or its place in mo
 *
 * What makes spinning reads wait (spin.c) is not needed: no counterexample has such reads. */
#include <stdlib.h>

#include "base/memory.h"
#include "program/program.h"
#include "program/runtime/reuse.h"
#include "program/runtime/sections.h"
#include "program/world/learning.h"
#include "program/world/world.h"

enum { FLAG_SHIFT = 27, MOST_KNOWN = 1 << 18 };

/* "image+40"; false for what belongs to a library: its addresses differ from one run to the next. */
static bool add_place(uintptr_t address, mz_text *out)
{
    const mz__memory *m = &mz__w.memory;
    if (address - MZ__ARENA < MZ__ARENA_BYTES)
        mz_text_add(out, " arena+%lx", (unsigned long)(address - MZ__ARENA));
    else if (address - m->image < m->image_end - m->image)
        mz_text_add(out, " image+%lx", (unsigned long)(address - m->image));
    else
        return false;
    return true;
}

static bool is_known(const mz__cell *cell)
{
    return cell->size > 0 && cell->owner == MZ__SHARED;
}

static int compare_cells(const void *a, const void *b)
{
    const mz__cell *x = a, *y = b;
    return x->address < y->address ? -1 : x->address > y->address;
}

static const char *word_for_object(const mz__cell *cell)
{
    return cell->simple ? "simple" : cell->never_simple ? "ordinary" : "object";
}

static void add_cells(mz_text *out)
{
    mz__cell *cells = mz_allocate(mz__w.cell_count * sizeof *cells);
    size_t count = 0, run;
    bool with_locks = mz__w.base.relation & MZ_REFINES_LOCKS;
    for (size_t i = 0; i < mz__w.cell_count; i++)
        if (is_known(&mz__w.cells[i]))
            cells[count++] = mz__w.cells[i];
    qsort(cells, count, sizeof *cells, compare_cells);
    for (size_t i = 0; i < count; i += run) {
        const mz__cell *cell = &cells[i];
        for (run = 1; i + run < count && !cell->object && !cell[run].object && cell[run].size == cell->size &&
                      cell[run].address == cell->address + run * cell->size;)
            run++;
        if (!add_place(cell->address, out))
            continue;
        if (cell->object)
            mz_text_add(out, ":%s", with_locks ? word_for_object(cell) : "object");
        else
            mz_text_add(out, ":%u", cell->size);
        if (run > 1)
            mz_text_add(out, "*%zu", run);
    }
    mz_release(cells);
}

static void add_freed(mz_text *out)
{
    uintptr_t block;
    size_t room;
    uint32_t owner;
    for (size_t i = 0; mz__freed_block(i, &block, &room, &owner); i++) {
        mz_text_add(out, " freed+%lx:%zu@", (unsigned long)(block - MZ__ARENA), room);
        if (owner == MZ__SHARED)
            mz_text_add(out, "*");
        else
            mz_text_add(out, "%u", owner);
    }
}

static void add_foreign_words(uint32_t thread, mz_text *out)
{
    uintptr_t base = MZ__STACK_BASE(thread), end = base + MZ__STACK_BYTES;
    for (uintptr_t word = mz__w.stack_shared_from[thread]; mz__w.foreign_words[thread] && word < end;
         word += 8)
        if (mz__is_foreign_word(thread, word))
            mz_text_add(out, " local:%u+%lx", thread, (unsigned long)(word - base));
}

void mz_native_knowledge(const mz_machine *machine, mz_text *out)
{
    (void)machine;
    mz_text words = {0};
    for (uint32_t t = 0; t < MZ_MAX_THREADS; t++) {
        if (mz__w.stack_is_shared[t])
            mz_text_add(&words, " stack:%u+%lx", t,
                        (unsigned long)(mz__w.stack_shared_from[t] - MZ__STACK_BASE(t)));
        if (mz__w.stack_is_shared[t])
            add_foreign_words(t, &words);
        if (mz__w.heap_is_shared[t])
            mz_text_add(&words, " heap:%u", t);
    }
    for (size_t i = 0; i < mz__w.eager_join_count; i++)
        mz_text_add(&words, " join+%lx", (unsigned long)(mz__w.eager_joins[i] - mz__w.memory.code));
    for (size_t i = 0; i < mz__w.draw_count; i++)
        mz_text_add(&words, " draw+%lx:%lld..%lld", (unsigned long)(mz__w.draws[i].place - mz__w.memory.code),
                    (long long)mz__w.draws[i].low, (long long)mz__w.draws[i].high);
    add_freed(&words);
    if (mz__w.all_shared)
        mz_text_add(&words, " all");
    if (mz__w.cancellation_used)
        mz_text_add(&words, " cancel");
    if (mz__w.joins_cancelled)
        mz_text_add(&words, " unjoined");
    if (mz__w.base.by_observation)
        mz_text_add(&words, " observation");
    if (mz__w.base.weak)
        mz_text_add(&words, " weak");
    if (mz__w.ends_watched)
        mz_text_add(&words, " ends");
    add_cells(&words);
    for (size_t i = 0; i < mz__w.special_word_count; i++)
        if (add_place(mz__w.special_words[i].word, &words))
            mz_text_add(&words, "!%u", mz__w.special_words[i].flags >> FLAG_SHIFT);
    mz_text_add(out, "%s", words.length ? mz_text_string(&words) + 1 : "");
    mz_text_release(&words);
}

/* ---- and back --------------------------------------------------------------------------------------------
 */

static bool begins(const char **text, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(*text, word, length) != 0)
        return false;
    *text += length;
    return true;
}

/* A number, moving on behind it. */
static bool read_number(const char **text, int base, uint64_t most, uint64_t *number)
{
    char *end;
    if (!strchr("0123456789abcdef", **text) || !**text)
        return false;
    *number = strtoull(*text, &end, base);
    bool right = end > *text && *number <= most;
    *text = end;
    return right;
}

static void know_sections(uintptr_t mutex, bool simple)
{
    uint32_t cell;
    mz__cells_of(mutex, 1, true, &cell);
    mz__w.cells[cell].simple = simple;
    mz__w.cells[cell].never_simple = !simple;
    if (simple)
        mz__w.base.relation |= MZ_REFINES_LOCKS;
}

static bool share_cells(uintptr_t address, uint64_t size, bool object, uint64_t times)
{
    uint32_t cells[16];
    for (uint64_t i = 0; i < times; i++) {
        if (mz__w.cell_count >= MOST_KNOWN)
            return false;
        uint32_t count = mz__cells_of(address + i * size, size, object, cells);
        for (uint32_t k = 0; k < count; k++)
            mz__w.cells[cells[k]].owner = MZ__SHARED;
    }
    return true;
}

static void add_special_word(uintptr_t word, uint32_t flags)
{
    mz__w.special_words = mz_grow(mz__w.special_words, &mz__w.special_word_capacity,
                                  mz__w.special_word_count + 1, sizeof *mz__w.special_words);
    mz__w.special_words[mz__w.special_word_count++] = (struct mz__special_word){word, flags};
    mz__w.object_word_count += flags == MZ__WORD_IS_OBJECT;
}

static bool read_place(const char **text, uintptr_t base, uintptr_t length)
{
    enum { WIDEST = 16 };
    uint64_t offset, size = 8, times = 1;
    bool object = false;
    if (!read_number(text, 16, UINT64_MAX, &offset) || offset >= length)
        return false;
    if (**text == '!') {
        (*text)++;
        if (offset % 8 || !read_number(text, 10, MZ__WORD_FLAGS >> FLAG_SHIFT, &size))
            return false;
        add_special_word(base + offset, (uint32_t)size << FLAG_SHIFT);
        return true;
    }
    if (!begins(text, ":"))
        return false;
    if (begins(text, "object")) {
        object = true;
    } else if (begins(text, "simple")) {
        object = true;
        know_sections(base + offset, true);
    } else if (begins(text, "ordinary")) {
        object = true;
        know_sections(base + offset, false);
    } else if (!read_number(text, 10, WIDEST, &size) || size == 0) {
        return false;
    }
    if (**text == '*') {
        (*text)++;
        if (!read_number(text, 10, MOST_KNOWN, &times))
            return false;
    }
    return times <= (length - offset) / size + 1 && share_cells(base + offset, size, object, times);
}

static bool read_stack(const char **text)
{
    uint64_t thread, offset;
    if (!read_number(text, 10, MZ_MAX_THREADS - 1, &thread) || !begins(text, "+") ||
        !read_number(text, 16, MZ__STACK_BYTES - 8, &offset) || offset % 8)
        return false;
    mz__share_stack((uint32_t)thread);
    mz__w.stack_shared_from[thread] = MZ__STACK_BASE(thread) + offset;
    return true;
}

static bool read_local(const char **text)
{
    uint64_t thread, offset;
    if (!read_number(text, 10, MZ_MAX_THREADS - 1, &thread) || !begins(text, "+") ||
        !read_number(text, 16, MZ__STACK_BYTES - 8, &offset) || offset % 8)
        return false;
    mz__add_foreign_word((uint32_t)thread, MZ__STACK_BASE(thread) + offset);
    return true;
}

static bool read_heap(const char **text)
{
    uint64_t thread;
    if (!read_number(text, 10, MZ_MAX_THREADS - 1, &thread))
        return false;
    mz__w.heap_is_shared[thread] = true;
    return true;
}

static bool read_freed(const char **text)
{
    uint64_t offset, room, owner = MZ__SHARED;
    if (mz__w.cell_count >= MOST_KNOWN || !read_number(text, 16, MZ__HEAPS - 1, &offset) ||
        !begins(text, ":") || !read_number(text, 10, MZ__HEAP_BYTES, &room) || !begins(text, "@"))
        return false;
    if (!begins(text, "*") && !read_number(text, 10, MZ_MAX_THREADS - 1, &owner))
        return false;
    mz__know_freed(MZ__ARENA + offset, room, (uint32_t)owner);
    return true;
}

static bool read_join(const char **text)
{
    uint64_t offset;
    const mz__memory *m = &mz__w.memory;
    if (mz__w.eager_join_count == MZ__EAGER_JOINS || !read_number(text, 16, m->code_end - m->code, &offset))
        return false;
    mz__w.eager_joins[mz__w.eager_join_count++] = m->code + offset;
    return true;
}

static bool read_choice(const char **text, int64_t *value)
{
    uint64_t magnitude;
    bool negative = begins(text, "-");
    if (!read_number(text, 10, INT64_MAX, &magnitude))
        return false;
    *value = negative ? -(int64_t)magnitude : (int64_t)magnitude;
    return true;
}

static bool read_draw(const char **text)
{
    uint64_t offset;
    int64_t low, high;
    const mz__memory *m = &mz__w.memory;
    if (mz__w.draw_count >= MOST_KNOWN || !read_number(text, 16, m->code_end - m->code, &offset) ||
        !begins(text, ":") || !read_choice(text, &low) || !begins(text, "..") || !read_choice(text, &high) ||
        low >= high)
        return false;
    mz__know_draw(m->code + offset, low, high);
    return true;
}

bool mz_native_set_knowledge(mz_machine *machine, const char *words)
{
    (void)machine;
    const mz__memory *m = &mz__w.memory;
    bool right = true;
    for (words += strspn(words, " "); right && *words; words += strspn(words, " ")) {
        if (begins(&words, "image+"))
            right = read_place(&words, m->image, m->image_end - m->image);
        else if (begins(&words, "arena+"))
            right = read_place(&words, MZ__ARENA, MZ__ARENA_BYTES);
        else if (begins(&words, "stack:"))
            right = read_stack(&words);
        else if (begins(&words, "local:"))
            right = read_local(&words);
        else if (begins(&words, "heap:"))
            right = read_heap(&words);
        else if (begins(&words, "freed+"))
            right = read_freed(&words);
        else if (begins(&words, "join+"))
            right = read_join(&words);
        else if (begins(&words, "draw+"))
            right = read_draw(&words);
        else if (begins(&words, "ends"))
            mz__w.ends_watched = true;
        else if (begins(&words, "cancel"))
            mz__w.cancellation_used = mz__w.base.complex_blocking = true;
        else if (begins(&words, "unjoined"))
            mz__w.joins_cancelled = mz__w.ends_watched = true;
        else if (begins(&words, "observation"))
            mz__w.base.by_observation = true;
        else if (begins(&words, "weak"))
            mz__w.base.weak = true;
        else
            right = mz__w.all_shared = begins(&words, "all");
        right = right && (!*words || *words == ' ');
    }
    return right;
}
