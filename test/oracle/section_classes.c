#include "oracle/section_classes.h"

#include <string.h>

#include "machine/execution.h"
#include "oracle/native_jobs.h"

enum { MOST_LOCATIONS = 4096 };

void section_classes_write(const mz_execution *x, mz_text *out)
{
    static bool is_lock[MOST_LOCATIONS];
    memset(is_lock, 0, sizeof is_lock);
    for (size_t i = 0; i < x->length; i++)
        if (x->events[i].kind == MZ_OP_LOCK || x->events[i].kind == MZ_OP_UNLOCK)
            is_lock[x->records[x->events[i].first_access].access.location] = true;
    for (uint32_t thread = 0; thread < x->thread_capacity; thread++) {
        mz_text_add(out, "%u:", thread);
        for (uint32_t index = 1; index <= x->thread_length[thread]; index++) {
            const mz_event *event = &x->events[mz_position_of(x, thread, index)];
            mz_text_add(out, " %u", event->kind);
            for (uint32_t i = 0; i < event->access_count; i++) {
                const mz_access_record *r = &x->records[event->first_access + i];
                mz_text_add(out, " %u.%u", r->access.location, r->access.kind);
                if (is_lock[r->access.location] || r->previous_write == MZ_NONE)
                    continue;
                const mz_event *writer = &x->events[x->records[r->previous_write].event];
                mz_text_add(out, "<%u.%u", writer->thread, writer->index);
            }
            for (uint32_t i = 0; i < event->choice_count; i++)
                mz_text_add(out, " !%lld", (long long)x->choices[event->first_choice + i].value);
        }
    }
}

void section_classes_compare(const mz_machine *machine, const string_set *all, const string_set *errors,
                             mz_text *out)
{
    uint64_t classes = oracle_shared->classes, traces = all->count;
    bool fails = false;
    for (size_t i = 0; i < errors->capacity; i++)
        fails |= errors->strings[i] && !strstr(errors->strings[i], "outcome ");
    if (!(machine->refined & MZ_REFINES_LOCKS) || fails || !classes)
        return;
    oracle_shared->refined++;
    oracle_shared->exact += classes == traces;
    if (traces < classes)
        mz_text_add(out, " full: %llu traces of %llu classes\n", (unsigned long long)traces,
                    (unsigned long long)classes);
}
