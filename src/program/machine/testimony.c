/* What the executions of one process have shown about the program beside errors, for another process that has
 * seen others: what the verdict will have to mention, how executions ended, warnings, orders of locks. To
 * hear the same twice changes nothing, and neither does the order in which several are heard, but for which
 * threads are named first among those that were left. */
#include <string.h>

#include "base/memory.h"
#include "program/describe/notes.h"
#include "program/describe/stuck.h"
#include "program/describe/suppressions.h"
#include "program/describe/warnings.h"
#include "program/loops/spin.h"
#include "program/order/held.h"
#include "program/program.h"
#include "program/world/world.h"

static bool *const facts[] = {
    &mz__w.volatile_was_atomic, &mz__w.conditions_used,   &mz__w.limited_waits,  &mz__w.buffered,
    &mz__w.signals_used,        &mz__w.clock_used,        &mz__w.writers_passed, &mz__w.forks_awaited,
    &mz__w.cancellation_used,   &mz__w.weak_orders,       &mz__w.nondet_bounded, &mz__w.nondet_pointers,
    &mz__w.heap_used,           &mz__w.input_is_terminal,
};
enum { FACTS = sizeof facts / sizeof *facts, MOST_LISTED = 1 << 16 };

/* Places in the code are told from where it was loaded. */
static void write_place(uintptr_t pc, mz_bytes *out)
{
    mz_bytes_add_signed(out, pc ? (int64_t)(pc - mz__w.memory.code) : INT64_MAX);
}

static uintptr_t read_place(mz_byte_reader *r)
{
    int64_t place = mz_read_signed(r);
    return place == INT64_MAX ? 0 : mz__w.memory.code + (uintptr_t)place;
}

/* ---- how executions ended -------------------------------------------------------------------------------
 */

static void write_ends(mz_bytes *out)
{
    for (uint32_t status = 0; status < 256; status++)
        if (mz__w.exits[status].happened) {
            mz_bytes_add_number(out, status + 1);
            write_place(mz__w.exits[status].pc, out);
        }
    mz_bytes_add_number(out, 0);
    mz_bytes_add_number(out, mz__w.abort_seen.happened);
    write_place(mz__w.abort_seen.pc, out);
}

static void hear_ends(mz_byte_reader *r)
{
    for (uint64_t status; (status = mz_read_number_to(r, 256)) > 0;) {
        uintptr_t pc = read_place(r);
        mz__w.exits[status - 1].happened = true;
        mz__w.exits[status - 1].pc = pc;
    }
    bool aborted = mz_read_number_to(r, 1);
    uintptr_t pc = read_place(r);
    if (aborted) {
        mz__w.abort_seen.happened = true;
        mz__w.abort_seen.pc = pc;
    }
}

static void write_assumptions(mz_bytes *out)
{
    for (uint32_t i = 0; i < MZ__ASSUMPTION_SLOTS; i++)
        if (mz__w.assumptions[i].pc) {
            mz_bytes_add_number(out, 1 + (uint64_t)mz__w.assumptions[i].held);
            write_place(mz__w.assumptions[i].pc, out);
        }
    mz_bytes_add_number(out, 0);
}

static void hear_assumptions(mz_byte_reader *r)
{
    for (uint64_t held; (held = mz_read_number_to(r, 2)) > 0;)
        mz__note_assumption(read_place(r), held == 2);
}

/* ---- warnings -------------------------------------------------------------------------------------------
 */

static void write_string(const char *text, mz_bytes *out)
{
    size_t length = text ? strlen(text) : 0;
    mz_bytes_add_number(out, length);
    mz_bytes_add(out, text, length);
}

static char *read_string(mz_byte_reader *r)
{
    size_t length = mz_read_count(r);
    char *text = mz_allocate_zeroed(length + 1, 1);
    mz_read_bytes(r, text, length);
    return text;
}

static void write_warnings(mz_bytes *out)
{
    mz_bytes_add_number(out, mz__w.warning_count);
    for (size_t i = 0; i < mz__w.warning_count; i++) {
        const mz_warning *w = &mz__w.warnings[i];
        mz_bytes_add_number(out, w->kind);
        write_string(w->position.file, out);
        mz_bytes_add_number(out, w->position.line);
        mz_bytes_add_number(out, w->position.column);
        write_string(w->message, out);
    }
}

static bool is_known(const mz_warning *warning)
{
    for (size_t i = 0; i < mz__w.warning_count; i++) {
        const mz_warning *w = &mz__w.warnings[i];
        if (w->kind == warning->kind && w->position.line == warning->position.line &&
            strcmp(w->message, warning->message) == 0)
            return true;
    }
    return false;
}

static void hear_warnings(mz_byte_reader *r)
{
    for (uint64_t count = mz_read_number_to(r, MOST_LISTED); count > 0 && !r->failed; count--) {
        mz_warning w = {.kind = (mz_warning_kind)mz_read_number_to(r, MZ_WARNING_KIND_COUNT - 1)};
        char *file = read_string(r);
        w.position.line = (uint32_t)mz_read_number(r);
        w.position.column = (uint32_t)mz_read_number(r);
        char *message = read_string(r);
        w.position.file = *file ? file : NULL;
        w.message = message;
        if (r->failed || is_known(&w)) {
            mz_release(file);
            mz_release(message);
            continue;
        }
        mz__w.warnings =
            mz_grow(mz__w.warnings, &mz__w.warning_capacity, mz__w.warning_count + 1, sizeof *mz__w.warnings);
        mz__w.warnings[mz__w.warning_count++] = w;
    }
}

/* How often each was of use: at most so often in one process. */
static void write_suppressions(mz_bytes *out)
{
    const mz_suppressions *s = mz__w.suppressions;
    for (size_t i = 0; s && i < s->count; i++)
        mz_bytes_add_number(out, s->entries[i].used);
}

static void hear_suppressions(mz_byte_reader *r)
{
    mz_suppressions *s = mz__w.suppressions;
    for (size_t i = 0; s && i < s->count; i++) {
        uint64_t used = mz_read_number(r);
        s->entries[i].used = used > s->entries[i].used ? used : s->entries[i].used;
    }
}

/* ---- all of it ------------------------------------------------------------------------------------------
 */

void mz_native_testify(const mz_machine *machine, mz_bytes *out)
{
    (void)machine;
    uint64_t bits = 0;
    for (size_t i = 0; i < FACTS; i++)
        bits |= (uint64_t)*facts[i] << i;
    mz_bytes_add_number(out, bits);
    write_ends(out);
    write_assumptions(out);
    mz__write_cuts(out);
    mz__write_stuck(out);
    write_warnings(out);
    mz__write_lock_orders(out);
    write_suppressions(out);
}

bool mz_native_hear(mz_machine *machine, mz_byte_reader *r)
{
    (void)machine;
    uint64_t bits = mz_read_number(r);
    for (size_t i = 0; i < FACTS; i++)
        *facts[i] |= bits >> i & 1;
    hear_ends(r);
    hear_assumptions(r);
    mz__hear_cuts(r);
    mz__hear_stuck(r);
    hear_warnings(r);
    mz__hear_lock_orders(r);
    hear_suppressions(r);
    return !r->failed;
}
