/* One row: a search, and its numbers. */
#include "base/interrupt.h"
#include "bench/bench.h"

static mz_bench_status status_of(const mz_search *s)
{
    return mz_search_verdict(s) == MZ_INTERNAL_ERROR ? MZ_BENCH_BROKEN
           : mz_interrupted                          ? MZ_BENCH_INTERRUPTED
           : s->incomplete                           ? MZ_BENCH_LIMIT
                                                     : MZ_BENCH_COMPLETE;
}

static mz_cell counted(uint64_t number)
{
    return (mz_cell){.value = (double)number};
}

/* A short row is run a few times, and the fastest counts: nothing but the machine being busy makes one slower
 * than another. So many times, but not for longer than that. */
enum { MOST_RUNS = 15 };
static const double short_time = 0.2;

static bool explore_once(mz_bench_row *row, const mz_algorithm *algorithm, mz_machine *machine,
                         const mz_search_options *options)
{
    mz_search search;
    mz_search_init(&search, machine, options);
    algorithm->run(&search);
    row->ours[MZ_BENCH_seconds] = (mz_cell){.value = mz_seconds_now() - search.started};
    row->status = status_of(&search);
    row->statistics = search.statistics;
    row->ours[MZ_BENCH_traces] = counted(search.statistics.traces);
    row->ours[MZ_BENCH_executions] = counted(search.statistics.executions);
    row->ours[MZ_BENCH_dependency_checks] = counted(search.statistics.dependency_checks);
    row->ours[MZ_BENCH_race_checks] = counted(search.statistics.race_checks);
    row->ours[MZ_BENCH_unsatisfiable] = counted(search.statistics.unsatisfiable_avoided);
    bool again = search.begin_again;
    mz_search_release(&search);
    return again;
}

bool mz_bench_explore(mz_bench_row *row, const mz_algorithm *algorithm, mz_machine *machine,
                      const mz_search_options *options)
{
    if (explore_once(row, algorithm, machine, options))
        return true;
    double fastest = row->ours[MZ_BENCH_seconds].value, all = fastest;
    for (int run = 1; run < MOST_RUNS && row->status == MZ_BENCH_COMPLETE && all + fastest < short_time;
         run++) {
        explore_once(row, algorithm, machine, options);
        double now = row->ours[MZ_BENCH_seconds].value;
        all += now;
        fastest = now < fastest ? now : fastest;
    }
    row->ours[MZ_BENCH_seconds].value = fastest;
    return false;
}
