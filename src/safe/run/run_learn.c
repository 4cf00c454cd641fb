#include "safe/run/run_learn.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/lines.h"
#include "base/memory.h"
#include "safe/plan/recording.h"

/* ---- reading ----------------------------------------------------------------------------------------------
 */

typedef struct reader {
    mz_lines lines;
    mz_record_header *record;
    size_t bytes; /* of the record */
    mz_words arguments;
    mz_symbolic_plan *names;
    bool counts_accesses, begun, ended;
} reader;

static void add_slot(reader *r, mz_record slot)
{
    size_t needed = sizeof *r->record + (r->record->taken + 1) * sizeof slot;
    r->record = mz_grow(r->record, &r->bytes, needed, 1);
    ((mz_record *)(r->record + 1))[r->record->taken++] = slot;
    r->record->capacity = r->record->taken;
}

static uint32_t number(reader *r, char **text, const char *what)
{
    return (uint32_t)mz_lines_number(&r->lines, text, 0, UINT32_MAX, what);
}

static void skip(reader *r, char **text, char c)
{
    if (**text != c)
        mz_lines_wrong_at(&r->lines, *text, "'%c' is missing", c);
    else
        ++*text;
}

/* "begin 1 3 lock 0x4010": an operation of a thread, which one, of which kind, on what. */
static void read_operation(reader *r, char *rest, uint32_t phase)
{
    mz_record slot = {.phase = phase, .kind = MZ_OPERATION_KIND_COUNT};
    slot.thread = number(r, &rest, "a thread");
    skip(r, &rest, ' ');
    slot.count = number(r, &rest, "a count");
    skip(r, &rest, ' ');
    size_t length = strcspn(rest, " ");
    for (uint32_t kind = 0; kind < MZ_OPERATION_KIND_COUNT; kind++)
        if (mz_is_word(rest, length, mz_operation_name((mz_operation_kind)kind)))
            slot.kind = kind;
    unsigned long long place;
    if (slot.kind == MZ_OPERATION_KIND_COUNT)
        mz_lines_wrong_at(&r->lines, rest, "'%.*s' is no operation", mz_lines_shown(length), rest);
    else if (sscanf(rest + length, " 0x%llx", &place) != 1)
        mz_lines_wrong_at(&r->lines, rest + length, "what it is done to is missing");
    else
        slot.place = place;
    if (!r->lines.error->set)
        add_slot(r, slot);
}

/* "thread 2 0.1": thread 2 is the second one that thread 0 has created. */
static void read_thread(reader *r, char *rest)
{
    mz_record slot = {.phase = MZ_RECORD_THREAD};
    slot.thread = number(r, &rest, "a thread");
    skip(r, &rest, ' ');
    slot.kind = number(r, &rest, "a thread");
    skip(r, &rest, '.');
    slot.count = number(r, &rest, "a number");
    if (!r->lines.error->set)
        add_slot(r, slot);
}

/* What the plan of that time asked for does not matter. */
static void read_line(void *context, char *line)
{
    static const char *const others[] = {"waits",   "plan",  "boundary", "over",
                                         "outside", "joins", "opens",    "world"};
    reader *r = context;
    size_t length = strcspn(line, " ");
    char *rest = line + length + (line[length] == ' ');
    if (!r->begun) {
        mz_lines_check_version(&r->lines, line, "a recording", "mazurka-record", 1);
        r->begun = true;
    } else if (r->ended) {
        mz_lines_wrong(&r->lines, "nothing may follow the end");
    } else if (mz_is_word(line, length, "argument")) {
        mz_words_add(&r->arguments, mz_lines_unescape(&r->lines, rest));
    } else if (mz_is_word(line, length, "counts")) {
        r->counts_accesses = strcmp(rest, "accesses") == 0;
    } else if (mz_is_word(line, length, "racing")) {
        mz_symbolic_add_lines(r->names, &r->lines, rest);
    } else if (mz_is_word(line, length, "begin") || mz_is_word(line, length, "end")) {
        r->ended = length == strlen(line);
        if (!r->ended)
            read_operation(r, rest, *line == 'b' ? MZ_RECORD_BEGIN : MZ_RECORD_END);
    } else if (mz_is_word(line, length, "thread")) {
        read_thread(r, rest);
    } else if (mz_is_word(line, length, "full")) {
        r->ended = true;
    } else {
        bool known = false;
        for (size_t i = 0; i < sizeof others / sizeof *others; i++)
            known |= mz_is_word(line, length, others[i]);
        if (!known)
            mz_lines_wrong(&r->lines, "unknown: '%.*s'", mz_lines_shown(length), line);
    }
}

static void refuse_other_arguments(const reader *r, const char *path, const mz_words *given, mz_error *error)
{
    bool same = given->count == r->arguments.count;
    for (size_t i = 0; same && i < given->count; i++)
        same = strcmp(given->items[i], r->arguments.items[i]) == 0;
    if (same)
        return;
    mz_error_set(error, (mz_position){0}, "option --learn: %s is of a run with other arguments", path);
    mz_error_set_hint(error, "without arguments behind -- those of the recording are taken");
}

/* A part of a line at the end was not written to its end: it counts as the end. */
mz_record_header *mz_run_learn(mz_plan_settings *settings, mz_symbolic_plan *names, mz_error *error)
{
    mz_text text = {0};
    mz_arena arena = {0};
    reader r = {
        .lines = {.name = settings->learn, .error = error}, .bytes = sizeof *r.record, .names = names};
    r.record = mz_allocate_zeroed(1, r.bytes);
    r.record->magic = MZ_RECORD_MAGIC;
    if (mz_file_read_text(settings->learn, MZ_PLAN_MOST_BYTES, "a recording", &text, error))
        mz_lines_read(&r.lines, &arena, mz_text_string(&text), text.length, read_line, &r);
    if (!error->set && settings->check.arguments.count > 0)
        refuse_other_arguments(&r, settings->learn, &settings->check.arguments, error);
    for (size_t i = 0; !error->set && settings->check.arguments.count < r.arguments.count; i++)
        mz_words_add(&settings->check.arguments, r.arguments.items[i]);
    mz_words_release(&r.arguments);
    mz_text_release(&text);
    mz_arena_release(&arena);
    if (error->set) {
        mz_release(r.record);
        return NULL;
    }
    settings->free_run = r.record;
    settings->free_run_names = names;
    settings->free_run_counts_accesses = r.counts_accesses;
    settings->first_trace = MZ_FIRST_FREE_RUN;
    return r.record;
}

/* ---- is it covered? ---------------------------------------------------------------------------------------
 *
 * A plan numbers its threads in an order of its own: they are told apart by who has created them. */

static uint32_t number_in(const mz_symbolic_plan *plan, uint32_t parent, uint32_t child)
{
    for (uint32_t u = 1; u < plan->seen_count; u++)
        if (plan->seen[u].parent == parent && plan->seen[u].child == child)
            return u;
    return UINT32_MAX;
}

/* The plan's number of each thread of the recording; UINT32_MAX: it has none. */
static void find_numbers(const mz_record_header *record, const mz_symbolic_plan *plan, uint32_t *numbers)
{
    for (uint32_t t = 0; t < MZ_PLAN_MOST_THREADS; t++)
        numbers[t] = t == 0 ? 0 : UINT32_MAX;
    for (uint64_t i = 0; i < mz_record_used(record); i++) {
        const mz_record *slot = &mz_record_slots(record)[i];
        if (slot->phase == MZ_RECORD_THREAD && slot->thread < MZ_PLAN_MOST_THREADS &&
            slot->kind < MZ_PLAN_MOST_THREADS && numbers[slot->kind] != UINT32_MAX)
            numbers[slot->thread] = number_in(plan, numbers[slot->kind], slot->count);
    }
}

/* Has any verified execution such an operation? */
static bool is_seen(const mz_symbolic_plan *plan, const mz_record *slot, uint32_t number, mz_text *difference)
{
    if (number == UINT32_MAX)
        mz_text_add(difference, "no verified execution has thread %" PRIu32 " of the recording",
                    slot->thread);
    else if (slot->count > plan->seen[number].most)
        mz_text_add(difference,
                    "thread %" PRIu32 " of the recording has more operations than in any verified execution",
                    slot->thread);
    return difference->length == 0;
}

/* If other lines race than was known when it was recorded, its operations have other names. */
static bool has_same_names(const mz_symbolic_plan *plan, const mz_symbolic_plan *names, mz_text *difference)
{
    bool same =
        plan->names_racing_lines == names->names_racing_lines && plan->line_count == names->line_count;
    for (size_t i = 0; same && i < plan->line_count; i++)
        same = plan->lines[i] == names->lines[i];
    if (!same && plan->plan_count > 0 && plan->plans[0].counts_accesses)
        mz_text_add(difference, "accesses of other lines race than was known when it was recorded");
    return difference->length == 0;
}

bool mz_run_is_covered(const mz_record_header *record, const mz_symbolic_plan *names,
                       const mz_symbolic_plan *plan, mz_text *difference)
{
    uint32_t numbers[MZ_PLAN_MOST_THREADS];
    size_t bytes = sizeof *record + mz_record_used(record) * sizeof(mz_record);
    mz_record_header *renamed = mz_allocate_zeroed(1, bytes);
    memcpy(renamed, record, bytes);
    find_numbers(record, plan, numbers);
    bool good = has_same_names(plan, names, difference);
    for (uint64_t i = 0; good && i < mz_record_used(record); i++) {
        mz_record *slot = &((mz_record *)(renamed + 1))[i];
        uint32_t number = slot->thread < MZ_PLAN_MOST_THREADS ? numbers[slot->thread] : UINT32_MAX;
        if (slot->phase != MZ_RECORD_BEGIN && slot->phase != MZ_RECORD_END)
            continue;
        good = is_seen(plan, slot, number, difference);
        slot->thread = number;
    }
    good = good && mz_run_record_adheres(renamed, plan, NULL, difference);
    mz_release(renamed);
    return good;
}
