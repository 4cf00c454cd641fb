#include "machine/execution.h"

#include "sequences.h"

static bool anything_between(order before, uint32_t i, uint32_t j)
{
    for (uint32_t k = i + 1; k < j; k++)
        if (before[i][k] && before[k][j])
            return true;
    return false;
}

static void check_order(const sequence *s, const mz_execution *x, order before)
{
    for (uint32_t j = 0; j < s->length; j++) {
        const mz_event *event = &x->events[j];
        uint32_t clock[64] = {0}, last = MZ_NONE, previous = MZ_NONE, race = 0;
        for (uint32_t i = 0; i <= j; i++) {
            assert_int_equal(mz_happens_before(x, i, j), before[i][j]);
            clock[s->events[i].thread] += before[i][j];
            if (i < j && before[i][j])
                last = i;
            if (i < j && s->events[i].thread == s->events[j].thread)
                previous = i;
        }
        assert_int_equal(event->last_dependency, last);
        assert_int_equal(event->previous, previous);
        assert_memory_equal(mz_clock(x, j), clock, x->width * sizeof *clock); /* the padding is zero too */
        for (uint32_t i = j; i-- > 0;) {
            bool racing =
                s->events[i].thread != s->events[j].thread && before[i][j] && !anything_between(before, i, j);
            if (!racing)
                continue;
            assert_true(race < event->race_count);
            assert_int_equal(x->races[event->first_race + race++], i);
        }
        assert_int_equal(race, event->race_count);
    }
}

static void check_positions(const sequence *s, const mz_execution *x)
{
    for (uint32_t t = 0; t < s->machine.thread_capacity; t++) {
        uint32_t index = 0;
        for (uint32_t i = 0; i < s->length; i++) {
            if (s->events[i].thread != t)
                continue;
            assert_int_equal(mz_position_of(x, t, ++index), i);
            assert_int_equal(x->events[i].index, index);
            assert_int_equal(x->events[i].thread, t);
        }
        assert_int_equal(x->thread_length[t], index);
        assert_int_equal(mz_position_of(x, t, index + 1), MZ_NONE);
        for (uint32_t i = 0; i < s->length; i++) {
            uint32_t first = i + 1;
            while (first < s->length && s->events[first].thread != t)
                first++;
            assert_int_equal(mz_first_after(x, t, i), first < s->length ? first : MZ_NONE);
        }
    }
}

static void check_contents(const sequence *s, const mz_execution *x)
{
    size_t choice = x->initial_choices, dynamic = 0, record = 0;
    assert_int_equal(x->length, s->length);
    for (uint32_t i = 0; i < s->length; i++) {
        const random_event *e = &s->events[i];
        const mz_event *event = &x->events[i];
        assert_int_equal(event->kind, e->kind);
        assert_int_equal(event->dynamic, e->dynamic);
        assert_int_equal(event->first_choice, choice);
        assert_int_equal(event->choice_count, e->choice_count);
        for (uint32_t c = 0; c < e->choice_count; c++)
            assert_int_equal(x->choices[choice++].value, e->chosen[c].value);
        assert_int_equal(event->first_access, record);
        assert_int_equal(event->access_count, e->access_count);
        for (uint32_t a = 0; a < e->access_count; a++, record++) {
            assert_int_equal(x->records[record].event, i);
            assert_int_equal(x->records[record].access.location, e->accesses[a].location);
            assert_int_equal(x->records[record].access.kind, e->accesses[a].kind);
        }
        dynamic += e->dynamic;
    }
    assert_int_equal(x->dynamic_count, dynamic);
    assert_int_equal(x->choice_count, choice);
    assert_int_equal(x->record_count, record);
}

/* The chains from which reversals are found: the last write of each location, and the reads since. */
static void check_locations(const sequence *s, const mz_execution *x)
{
    for (uint32_t location = 0; location < s->machine.location_count; location++) {
        uint32_t write = x->locations[location].last_write, read = x->locations[location].last_read;
        bool reads_count = true;
        for (uint32_t i = s->length; i-- > 0;)
            for (uint32_t a = 0; a < s->events[i].access_count; a++) {
                const mz_access *access = &s->events[i].accesses[a];
                if (access->location != location)
                    continue;
                if (access->kind & MZ_WRITE) {
                    assert_true(write != MZ_NONE);
                    assert_int_equal(x->records[write].event, i);
                    if (reads_count)
                        assert_int_equal(read, MZ_NONE);
                    reads_count = false;
                    write = x->records[write].previous_write;
                } else if (reads_count) {
                    assert_true(read != MZ_NONE);
                    assert_int_equal(x->records[read].event, i);
                    read = x->records[read].previous_read;
                }
            }
        assert_int_equal(write, MZ_NONE);
        if (reads_count)
            assert_int_equal(read, MZ_NONE);
    }
}

static void check_all(const sequence *s, const mz_execution *x)
{
    order before = {{false}};
    close_order(s, before);
    check_contents(s, x);
    check_positions(s, x);
    check_locations(s, x);
    check_order(s, x, before);
}

static void random_sequences_match_the_definition(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4000; seed++) {
        uint64_t random = seed;
        sequence s = make_sequence(&random);
        mz_execution *x = execute(&s);
        check_all(&s, x);
        mz_execution_destroy(x);
    }
}

/* Back and forth at random: what is left is as if the rest had never been there. */
static void pops_leave_no_trace(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 1500; seed++) {
        uint64_t random = seed * 7919;
        sequence s = make_sequence(&random);
        mz_execution *x = execute(&s);
        for (int round = 0; round < 4; round++) {
            for (uint32_t pops = random_below(&random, s.length + 1); pops > 0; pops--, s.length--)
                mz_execution_pop(x);
            for (uint32_t pushes = random_below(&random, MOST_EVENTS + 1 - s.length); pushes > 0; pushes--) {
                s.events[s.length] = make_event(&random, &s.machine);
                push_event(x, &s.events[s.length++]);
            }
            check_all(&s, x);
        }
        mz_execution *fresh = execute(&s);
        assert_int_equal(x->race_total, fresh->race_total);
        assert_memory_equal(x->locations, fresh->locations, x->location_count * sizeof *x->locations);
        if (s.length > 0)
            assert_memory_equal(x->clocks, fresh->clocks, s.length * (size_t)x->width * sizeof *x->clocks);
        if (x->race_total > 0)
            assert_memory_equal(x->races, fresh->races, x->race_total * sizeof *x->races);
        mz_execution_destroy(fresh);
        mz_execution_destroy(x);
    }
}

static void restarting_forgets_everything(void **state)
{
    (void)state;
    uint64_t random = 77;
    sequence s = make_sequence(&random);
    mz_execution *x = execute(&s);
    for (int round = 0; round < 50; round++) {
        mz_choice chosen[] = {{.value = round, .high = 50}, {.value = 1, .high = 1}};
        mz_choices initial = {.made = chosen, .count = (size_t)round % 3};
        mz_execution_restart(x, &initial);
        assert_int_equal(x->length, 0);
        assert_int_equal(x->initial_choices, initial.count);
        assert_int_equal(x->choice_count, initial.count);
        if (initial.count > 0)
            assert_int_equal(x->choices[0].value, round);
        s.length = random_below(&random, MOST_EVENTS + 1);
        for (uint32_t i = 0; i < s.length; i++) {
            s.events[i] = make_event(&random, &s.machine);
            push_event(x, &s.events[i]);
        }
        check_all(&s, x);
    }
    mz_execution_destroy(x);
}

static void without_order_there_are_no_races(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        uint64_t random = seed;
        sequence s = make_sequence(&random);
        mz_execution *x = mz_execution_create(&s.machine, false);
        for (uint32_t i = 0; i < s.length; i++)
            push_event(x, &s.events[i]);
        check_contents(&s, x);
        check_positions(&s, x);
        assert_int_equal(x->race_total, 0);
        while (s.length > 0) {
            mz_execution_pop(x);
            s.length--;
        }
        check_contents(&s, x);
        mz_execution_destroy(x);
    }
}

static void conflicts_with_an_operation(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        uint64_t random = seed;
        sequence s = make_sequence(&random);
        mz_execution *x = execute(&s);
        random_event other = make_event(&random, &s.machine);
        other.thread = MZ_NONE; /* of no thread in the sequence: only the accesses count */
        mz_operation operation = operation_of(&other);
        for (uint32_t i = 0; i < s.length; i++) {
            assert_int_equal(mz_event_conflicts(x, &x->events[i], &operation), depend(&s.events[i], &other));
            mz_operation mine = operation_of(&s.events[i]);
            assert_int_equal(mz_operations_conflict(&mine, &operation), depend(&s.events[i], &other));
        }
        mz_execution_destroy(x);
    }
}

/* Small enough to follow by hand: w(x) by 0, r(x) by 1, r(x) by 2, w(x) by 0. */
static void one_by_hand(void **state)
{
    (void)state;
    mz_machine machine = {.thread_capacity = 3, .location_count = 1};
    mz_execution *x = mz_execution_create(&machine, true);
    mz_operation write = {.kind = MZ_OP_WRITE, .access_count = 1, .accesses = &(mz_access){0, MZ_WRITE}};
    mz_operation read = {.kind = MZ_OP_READ, .access_count = 1, .accesses = &(mz_access){0, MZ_READ}};
    mz_choices none = {0};
    mz_execution_push(x, 0, &write, &none);
    mz_execution_push(x, 1, &read, &none);
    const mz_event *second_read = mz_execution_push(x, 2, &read, &none);
    assert_int_equal(second_read->race_count, 1);
    assert_int_equal(second_read->last_dependency, 0);
    assert_false(mz_happens_before(x, 1, 2));
    const mz_event *last = mz_execution_push(x, 0, &write, &none);
    assert_int_equal(last->race_count, 2);
    assert_int_equal(x->races[last->first_race], 2);
    assert_int_equal(x->races[last->first_race + 1], 1);
    assert_int_equal(last->last_dependency, 2);
    assert_memory_equal(mz_clock(x, 3), ((uint32_t[]){2, 1, 1, 0}), 4 * sizeof(uint32_t));
    assert_true(mz_stands_before(MZ_NONE, 0));
    assert_false(mz_stands_before(0, MZ_NONE));
    assert_false(mz_stands_before(3, 3));
    mz_execution_destroy(x);
}

/* More threads than one vector instruction holds, and one location that all of them share. */
static void many_threads(void **state)
{
    (void)state;
    mz_machine machine = {.thread_capacity = 64, .location_count = 2};
    mz_execution *x = mz_execution_create(&machine, true);
    mz_operation read = {.kind = MZ_OP_READ, .access_count = 1, .accesses = &(mz_access){1, MZ_READ}};
    mz_operation write = {.kind = MZ_OP_WRITE, .access_count = 1, .accesses = &(mz_access){1, MZ_WRITE}};
    mz_choices none = {0};
    for (uint32_t t = 0; t < 63; t++)
        assert_int_equal(mz_execution_push(x, t, &read, &none)->race_count, 0);
    const mz_event *event = mz_execution_push(x, 63, &write, &none);
    assert_int_equal(event->race_count, 63);
    for (uint32_t t = 0; t < 64; t++)
        assert_int_equal(mz_clock(x, 63)[t], 1);
    mz_execution_destroy(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_by_hand),
        cmocka_unit_test(many_threads),
        cmocka_unit_test(random_sequences_match_the_definition),
        cmocka_unit_test(pops_leave_no_trace),
        cmocka_unit_test(restarting_forgets_everything),
        cmocka_unit_test(without_order_there_are_no_races),
        cmocka_unit_test(conflicts_with_an_operation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
