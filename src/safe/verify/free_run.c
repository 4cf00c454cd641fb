#include "safe/verify/free_run.h"

#include "base/memory.h"
#include "program/program.h"
#include "safe/plan/recording.h"
#include "wire/plan_format.h"

/* The machine's number of each thread that is recorded, by how it came about; MZ_NONE: it has none. */
static void find_threads(const mz_record_header *record, const mz_machine *machine, uint32_t *numbers)
{
    for (uint32_t i = 0; i < MZ_PLAN_MOST_THREADS; i++)
        numbers[i] = i == 0 ? 0 : MZ_NONE;
    for (uint64_t i = 0; i < mz_record_used(record); i++) {
        const mz_record *slot = &mz_record_slots(record)[i];
        if (slot->phase != MZ_RECORD_THREAD || slot->thread >= MZ_PLAN_MOST_THREADS)
            continue;
        for (uint32_t t = 1; t < machine->thread_capacity; t++) {
            uint32_t parent, child;
            mz_native_birth(machine, t, &parent, &child);
            if (slot->kind < MZ_PLAN_MOST_THREADS && numbers[slot->kind] == parent && slot->count == child)
                numbers[slot->thread] = t;
        }
    }
}

void mz_free_run_order(const mz_record_header *record, const mz_machine *machine, mz_seen_order *order)
{
    uint32_t numbers[MZ_PLAN_MOST_THREADS];
    find_threads(record, machine, numbers);
    for (uint64_t i = 0; i < mz_record_used(record); i++) {
        const mz_record *slot = &mz_record_slots(record)[i];
        if (slot->phase == MZ_RECORD_THREAD || !mz_record_happens(slot) ||
            slot->thread >= MZ_PLAN_MOST_THREADS || numbers[slot->thread] == MZ_NONE)
            continue;
        order->operations =
            mz_grow(order->operations, &order->capacity, order->count + 1, sizeof *order->operations);
        order->operations[order->count++] = (mz_seen){numbers[slot->thread], slot->count};
    }
}
