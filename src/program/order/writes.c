/* Under weak memory a load may read an older write than the last one. So all of them are kept, location by
 * location, in modification order: a list from the newest to the oldest. Memory holds the value of the
 * newest; it is written down when another one comes behind it. The oldest of a list is the initial value:
 * what was in memory when the first event wrote there.
 *
 * Each has what it publishes to those who acquire it. Everything is on the trail. */
#include "program/order/writes.h"

#include <string.h>
#include <sys/mman.h>

#include "program/describe/failures.h"
#include "program/describe/names.h"
#include "program/order/happens_before.h"
#include "program/program.h"

typedef struct write {
    _Alignas(16) uint32_t older; /* 0: it is the initial value */
    uint32_t thread;
    uintptr_t pc;      /* sixteen bytes up to here: so much the trail saves at a time */
    uint64_t value[2]; /* unless it is the newest */
    bool relaxed;
    mz__clock published;
} write;

enum { MOST_WRITES = 1 << 20 };

static write *writes;    /* [1 … count] */
static uint32_t *newest; /* [cell]; 0: no event has written there */
static struct {
    _Alignas(16) uint32_t count;
    uint32_t padding[3];
} used;

/* What the last operation that was told where to go has done: for counterexamples. */
static struct {
    uint32_t cell, back;
    bool chose, reads, writes, relaxed;
    uint64_t value[2];
} last;

static void *reserve(size_t size)
{
    void *memory =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static bool is_ready(void)
{
    if (!writes) {
        writes = reserve(MOST_WRITES * sizeof *writes);
        newest = reserve(MZ__MOST_CELLS * sizeof *newest);
    }
    return writes && newest;
}

static uint32_t newest_of(uint32_t cell)
{
    return is_ready() ? newest[cell] : 0;
}

static uint32_t count_of(uint32_t cell)
{
    uint32_t count = 0, w = newest_of(cell);
    for (; w && writes[w].older; w = writes[w].older)
        count++;
    return count;
}

static uint32_t find(uint32_t cell, uint32_t back)
{
    uint32_t w = newest_of(cell);
    for (; back > 0 && writes[w].older; back--)
        w = writes[w].older;
    return w;
}

uint32_t mz__choose_write(uint32_t cell)
{
    uint32_t count = count_of(cell);
    memset(&last, 0, sizeof last);
    if (count == 0 || !mz__w.choices)
        return 0;
    int64_t value = mz_choose(mz__w.choices, 0, count);
    last.chose = true;
    mz__w.choices->made[mz__w.choices->count - 1].high = count;
    mz_flight *flight = mz__w.flight;
    if (flight && flight->choice_count < MZ_FLIGHT_CHOICES)
        flight->choices[flight->choice_count++] = value;
    return value < 0 || value > count ? 0 : (uint32_t)value;
}

void mz__value_of_write(uint32_t cell, uintptr_t address, uint32_t size, uint32_t back, void *value)
{
    if (back == 0)
        memcpy(value, (const void *)address, size);
    else
        memcpy(value, writes[find(cell, back)].value, size);
}

void mz__reads_from(uint32_t cell, uint32_t back, bool acquires)
{
    uint32_t w = find(cell, back);
    last.cell = cell;
    last.back = back;
    last.reads = true;
    last.relaxed = !acquires;
    if (back > 0)
        memcpy(last.value, writes[w].value, sizeof last.value);
    if (w && writes[w].older)
        mz__acquire_published(&writes[w].published, acquires);
}

static uint32_t add(uint32_t older)
{
    if (used.count + 1 >= MOST_WRITES) {
        mz__give_up(mz__caller.pc, "an execution has more than %d atomic writes", MOST_WRITES - 1);
        return 0;
    }
    mz__save(&used, sizeof used);
    uint32_t w = ++used.count;
    memset(&writes[w], 0, sizeof writes[w]);
    writes[w].older = older;
    writes[w].thread = mz__me();
    writes[w].pc = mz__caller.pc;
    return w;
}

static void set_newest(uint32_t cell, uint32_t w)
{
    mz__save((void *)((uintptr_t)&newest[cell] & ~(uintptr_t)15), 16);
    newest[cell] = w;
}

/* The newest is to be so no more: its value, which is in memory, is kept. */
static void keep_value(uint32_t cell, uintptr_t address, uint32_t size)
{
    if (!newest[cell])
        set_newest(cell, add(0));
    write *before = &writes[newest[cell]];
    mz__save(before->value, sizeof before->value);
    memcpy(before->value, (const void *)address, size);
}

bool mz__writes_at(uint32_t cell, uintptr_t address, uint32_t size, uint32_t back, const void *value,
                   bool releases, bool continues)
{
    if (!is_ready())
        return true;
    if (back == 0)
        keep_value(cell, address, size);
    last.cell = cell;
    last.back = back;
    last.writes = true;
    uint32_t newer = back > 0 ? find(cell, back - 1) : 0;
    uint32_t older = back > 0 ? writes[newer].older : newest[cell], w = add(older);
    if (!w)
        return true;
    if (back == 0) {
        set_newest(cell, w);
    } else {
        mz__save(&writes[newer], 16);
        writes[newer].older = w;
        memcpy(writes[w].value, value, size);
    }
    writes[w].relaxed = !releases;
    mz__publish_write(&writes[w].published, releases,
                      continues && writes[older].older ? &writes[older].published : NULL);
    return back == 0;
}

static bool is_written(uint32_t cell)
{
    return mz__w.cells[cell].object || newest_of(cell) != 0;
}

bool mz__was_written_by_event(uintptr_t address, size_t size)
{
    return mz__some_cell(address, size, is_written);
}

void mz__writes_plainly(uint32_t cell, uintptr_t address, uint32_t size)
{
    if (!is_ready())
        return;
    keep_value(cell, address, size);
    uint32_t w = add(newest[cell]);
    if (w)
        set_newest(cell, w);
}

/* As much of an object as says whether an operation would have to wait. */
static uint32_t size_of_object(uint32_t cell)
{
    uint8_t there = mz__w.cells[cell].there;
    return there > 0 && there < MZ__KEPT_OF_OBJECT ? there : MZ__KEPT_OF_OBJECT;
}

void mz__changes_object(uint32_t cell, uintptr_t address)
{
    mz__writes_plainly(cell, address, size_of_object(cell));
}

void mz__exchange_state_of_object(uint32_t cell, uintptr_t address, uint32_t back, void *state)
{
    uint32_t size = size_of_object(cell);
    if (back > 0) {
        memcpy(state, (const void *)address, size);
        memcpy((void *)address, writes[find(cell, back)].value, size);
    } else {
        memcpy((void *)address, state, size);
    }
}

/* ---- for counterexamples ------------------------------------------------------------------------------ */

static void add_write(uint32_t w, const mz__cell *cell, mz_value_type type, mz_text *out)
{
    mz_position place;
    const void *value = w == newest[last.cell] ? (const void *)cell->address : writes[w].value;
    mz_text_add(out, "the ");
    mz__add_value(value, cell->size, type, out);
    mz_text_add(out, " of T%u", writes[w].thread);
    mz__position_in_program(writes[w].pc, &place);
    if (place.file)
        mz_text_add(out, ", line %u", place.line);
}

/* "x = 0, though the 1 of T1, line 8, is newer: nothing makes that happen before this". */
bool mz__describe_choice_of_write(mz_text *out)
{
    if ((!last.reads && !last.writes) || last.back == 0)
        return last.chose;
    const mz__cell *cell = &mz__w.cells[last.cell];
    mz_text name = {0};
    mz_value_type type;
    uint32_t newer = find(last.cell, last.back - 1 + (last.reads && last.writes));
    mz__name_data(cell->address, cell->size, &name, &type);
    if (last.reads) {
        mz_text_add(out, "%s = ", mz_text_string(&name));
        mz__add_value(last.value, cell->size, type, out);
        mz_text_add(out, ", not ");
        add_write(newer, cell, type, out);
        mz_text_add(out, ": nothing makes that happen before this%s",
                    writes[newer].relaxed ? " (the store is relaxed)"
                    : last.relaxed        ? " (this load is relaxed)"
                                          : "");
    } else {
        mz_text_add(out, "%s: ", mz_text_string(&name));
        mz__add_value(writes[find(last.cell, last.back)].value, cell->size, type, out);
        mz_text_add(out, ", before ");
        add_write(newer, cell, type, out);
        mz_text_add(out, ": nothing makes that happen before this");
    }
    mz_text_release(&name);
    return true;
}

void mz__forget_choice_of_write(void)
{
    memset(&last, 0, sizeof last);
}
