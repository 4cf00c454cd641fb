/* What was learned about a program beside what its threads share (knowledge.c): where rounds in vain are
 * closed, and how large frames are. A search that is resumed would learn it again, but by beginning again.
 *
 * It is told as it lies in memory, with addresses: it is of use where the program was loaded at the same
 * place, and left alone otherwise. */
#include <string.h>

#include "base/memory.h"
#include "program/program.h"
#include "program/world/world.h"

static const struct part {
    void *at;
    size_t size;
} parts[] = {
    {&mz__w.closing_count, sizeof mz__w.closing_count},
    {&mz__w.closing_bits, sizeof mz__w.closing_bits},
    {mz__w.closing, sizeof mz__w.closing},
    {&mz__w.steps_again, sizeof mz__w.steps_again},
    {&mz__w.restarts, sizeof mz__w.restarts},
    {&mz__w.largest_frame, sizeof mz__w.largest_frame},
    {&mz__w.plain_accesses, sizeof mz__w.plain_accesses},
    {&mz__w.ignores_order, sizeof mz__w.ignores_order},
    {&mz__w.loops_wait, sizeof mz__w.loops_wait},
    {&mz__w.names_changed, sizeof mz__w.names_changed},
    {&mz__w.files_written, sizeof mz__w.files_written},
    {&mz__w.control_used, sizeof mz__w.control_used},
    {&mz__w.has_sections, sizeof mz__w.has_sections},
    {&mz__w.limited_waits, sizeof mz__w.limited_waits},
    {&mz__w.base.complex_blocking, sizeof mz__w.base.complex_blocking},
    {&mz__w.base.wakes_by_reads, sizeof mz__w.base.wakes_by_reads},
};
enum { PARTS = sizeof parts / sizeof *parts };

/* Most of the tables is empty: runs of zeroes are told by their length. */
static void write_sparsely(const uint8_t *data, size_t size, mz_bytes *out)
{
    for (size_t at = 0; at < size;) {
        size_t zeroes = at, end;
        while (zeroes < size && data[zeroes] == 0)
            zeroes++;
        for (end = zeroes; end < size && (data[end] || (end + 1 < size && data[end + 1]));)
            end++;
        mz_bytes_add_number(out, zeroes - at);
        mz_bytes_add_number(out, end - zeroes);
        mz_bytes_add(out, data + zeroes, end - zeroes);
        at = end;
    }
}

static void read_sparsely(mz_byte_reader *r, uint8_t *data, size_t size)
{
    memset(data, 0, size);
    for (size_t at = 0; at < size && !r->failed;) {
        at += mz_read_number_to(r, size - at);
        size_t length = mz_read_number_to(r, size - at);
        if (!r->failed)
            mz_read_bytes(r, data + at, length);
        at += length;
    }
}

void mz_native_lessons(const mz_machine *machine, mz_bytes *out)
{
    (void)machine;
    mz_bytes_add_number(out, mz__w.memory.code);
    for (size_t i = 0; i < PARTS; i++) {
        mz_bytes_add_number(out, parts[i].size);
        write_sparsely(parts[i].at, parts[i].size, out);
    }
}

bool mz_native_set_lessons(mz_machine *machine, const mz_bytes *lessons)
{
    mz_byte_reader r = {.data = lessons->data, .length = lessons->length};
    (void)machine;
    if (mz_read_number(&r) != mz__w.memory.code)
        return !r.failed;
    for (size_t i = 0; i < PARTS && !r.failed; i++) {
        if (mz_read_number(&r) != parts[i].size)
            r.failed = true;
        else
            read_sparsely(&r, parts[i].at, parts[i].size);
    }
    return !r.failed;
}
