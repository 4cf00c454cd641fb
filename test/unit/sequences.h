/* Random sequences of operations, for what machine/ computes about executions. */
#ifndef TEST_UNIT_SEQUENCES_H
#define TEST_UNIT_SEQUENCES_H

#include "machine/execution.h"
#include "support.h"

enum { MOST_EVENTS = 24, MOST_ACCESSES = 3, MOST_CHOICES = 2 };

typedef struct random_event {
    uint32_t thread;
    mz_access accesses[MOST_ACCESSES];
    mz_choice chosen[MOST_CHOICES];
    uint32_t access_count, choice_count;
    mz_operation_kind kind;
    bool dynamic;
} random_event;

typedef struct sequence {
    mz_machine machine; /* only the two numbers that an execution needs */
    random_event events[MOST_EVENTS];
    uint32_t length;
} sequence;

static inline random_event make_event(uint64_t *random, const mz_machine *machine)
{
    random_event e = {.thread = random_below(random, machine->thread_capacity),
                      .dynamic = random_below(random, 3) == 0,
                      .kind = (mz_operation_kind)random_below(random, MZ_OPERATION_KIND_COUNT)};
    uint32_t wanted = random_below(random, 10) == 0 ? 0 : 1 + random_below(random, MOST_ACCESSES);
    for (uint32_t i = 0; i < wanted; i++) {
        mz_access access = {random_below(random, machine->location_count), 1 + random_below(random, 3)};
        bool again = false;
        for (uint32_t j = 0; j < e.access_count; j++)
            again |= e.accesses[j].location == access.location;
        if (!again) /* a machine names each location once */
            e.accesses[e.access_count++] = access;
    }
    e.choice_count = random_below(random, 4) == 0 ? 1 + random_below(random, MOST_CHOICES) : 0;
    for (uint32_t i = 0; i < e.choice_count; i++)
        e.chosen[i] = (mz_choice){.value = random_below(random, 3), .high = 2};
    return e;
}

static inline sequence make_sequence(uint64_t *random)
{
    sequence s = {.machine = {.thread_capacity = 1 + random_below(random, 9),
                              .location_count = 1 + random_below(random, 6)},
                  .length = random_below(random, MOST_EVENTS + 1)};
    for (uint32_t i = 0; i < s.length; i++)
        s.events[i] = make_event(random, &s.machine);
    return s;
}

static inline mz_operation operation_of(const random_event *e)
{
    return (mz_operation){
        .kind = e->kind, .dynamic = e->dynamic, .access_count = e->access_count, .accesses = e->accesses};
}

static inline void push_event(mz_execution *x, const random_event *e)
{
    mz_operation operation = operation_of(e);
    mz_choice chosen[MOST_CHOICES] = {e->chosen[0], e->chosen[1]};
    mz_choices choices = {.made = chosen, .count = e->choice_count};
    mz_execution_push(x, e->thread, &operation, &choices);
}

static inline mz_execution *execute(const sequence *s)
{
    mz_execution *x = mz_execution_create(&s->machine, true);
    for (uint32_t i = 0; i < s->length; i++)
        push_event(x, &s->events[i]);
    return x;
}

/* The definition, written again without the library's help. */
static inline bool depend(const random_event *a, const random_event *b)
{
    if (a->thread == b->thread)
        return true;
    for (uint32_t i = 0; i < a->access_count; i++)
        for (uint32_t j = 0; j < b->access_count; j++)
            if (a->accesses[i].location == b->accesses[j].location &&
                (a->accesses[i].kind >= MZ_WRITE || b->accesses[j].kind >= MZ_WRITE))
                return true;
    return false;
}

typedef bool order[MOST_EVENTS][MOST_EVENTS];

/* before[i][j]: a chain of dependent events leads from i to j (or they are the same). */
static inline void close_order(const sequence *s, order before)
{
    for (uint32_t j = 0; j < s->length; j++)
        for (uint32_t i = j + 1; i-- > 0;) {
            before[i][j] = i == j || depend(&s->events[i], &s->events[j]);
            for (uint32_t k = i + 1; k < j && !before[i][j]; k++)
                before[i][j] = before[k][j] && depend(&s->events[i], &s->events[k]);
        }
}

#endif
