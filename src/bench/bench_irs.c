/* mazurka bench irs: what it costs to keep a program to a plan. For each benchmark the first trace is taken
 * as the plan, and its prefix made shorter, constraint by constraint; the program runs many times under each,
 * and as often as compiled without us. The runs take turns, so that all see the same machine. Small programs
 * say themselves how long their threads took (bench/irs/threads.h). Of those that compute for a second, the
 * whole run is timed: without us, under the first events of the plan, and under no constraints. How much they
 * compute between their operations is an argument; which operations they do is not, so the plan is made with
 * a small one. One program has inputs, which decide which constraints apply; it runs with equal ones, and
 * with different ones. */
#define _GNU_SOURCE /* pipe2 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "bench/embedded.h"
#include "safe/run/run.h"
#include "safe/run/trials.h"
#include "safe/verify/verify.h"
#include "safe/verify/verify_beside.h"
#include "search/limits.h"
#include "session/program.h"

/* Name, threads that it starts, how its first trace is chosen, and whether by short runs. One operation each,
 * in turn, is what the document's plain traces are: who is created first waits for who is created later. Of
 * two threads that is `_turns`: about as many constraints as the document has, where the trace that we choose
 * has few. */
#define PROGRAMS(X)                                                                                          \
    X(bigshot, 2, AUTO, false)                                                                               \
    X(dekker, 2, AUTO, false)                                                                                \
    X(fibonacci, 2, AUTO, false)                                                                             \
    X(lamport, 2, AUTO, false)                                                                               \
    X(peterson, 2, AUTO, false)                                                                              \
    X(shared_pointer, 2, AUTO, false)                                                                        \
    X(bigshot_turns, 2, ROUND_ROBIN, false)                                                                  \
    X(dekker_turns, 2, ROUND_ROBIN, false)                                                                   \
    X(fibonacci_turns, 2, ROUND_ROBIN, false)                                                                \
    X(lamport_turns, 2, ROUND_ROBIN, false)                                                                  \
    X(peterson_turns, 2, ROUND_ROBIN, false)                                                                 \
    X(shared_pointer_turns, 2, ROUND_ROBIN, false)                                                           \
    X(indexer, 15, ROUND_ROBIN, false)                                                                       \
    X(indexer_opt, 15, AUTO, true)                                                                           \
    X(last_zero, 16, ROUND_ROBIN, false)                                                                     \
    X(last_zero_opt, 16, AUTO, true)

/* Name, argument of the plan, argument of the runs. With the small argument it would seem best to do all one
 * after the other, so the rule is given. */
#define LONG_PROGRAMS(X)                                                                                     \
    X(hash_map, "1", "2000000")                                                                              \
    X(matrix_blocks, "24", "1440")                                                                           \
    X(parallel_sort, "1", "18000")

/* Name, when its plan applies, inputs. */
#define PROGRAMS_WITH_INPUTS(X)                                                                              \
    X(aliasing_equal, "x == y", "x=1", "y=1")                                                                \
    X(aliasing_different, "x != y", "x=0", "y=1")

typedef struct program {
    const char *name; /* without '_opt', '_turns', '_equal', '_different': of its source */
    int threads;
    mz_first_trace first_trace;
    bool tuned;                 /* chosen by short runs (--tune) */
    const char *planned, *work; /* NULL: it is small, and has no argument */
    const char *condition;      /* NULL: it has no inputs */
    const char *inputs[2];
} program;

static const program programs[] = {
#define MZ_X(word, number, rule, is_tuned)                                                                   \
    {.name = #word, .threads = number, .first_trace = MZ_FIRST_##rule, .tuned = is_tuned},
    PROGRAMS(MZ_X)
#undef MZ_X
#define MZ_X(word, small, large)                                                                             \
    {.name = #word, .threads = 2, .first_trace = MZ_FIRST_FAIR, .planned = small, .work = large},
        LONG_PROGRAMS(MZ_X)
#undef MZ_X
#define MZ_X(word, when, x, y) {.name = #word, .threads = 2, .condition = when, .inputs = {x, y}},
            PROGRAMS_WITH_INPUTS(MZ_X)
#undef MZ_X
};
enum { PROGRAMS = sizeof programs / sizeof *programs };

static size_t source_length(const char *name)
{
    static const char *const ends[] = {"_opt", "_turns", "_equal", "_different"};
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (length > strlen(ends[i]) && strcmp(name + length - strlen(ends[i]), ends[i]) == 0)
            return length - strlen(ends[i]);
    return length;
}

/* All rows of a source go by its name, too. */
static bool is_wanted(const mz_irs_request *q, const char *name)
{
    size_t length = q->only ? strlen(q->only) : 0;
    return !q->only || strcmp(q->only, name) == 0 ||
           (strncmp(q->only, name, length) == 0 && length == source_length(name));
}

/* How the program is run. */
typedef struct way {
    uint32_t constraints, prefix;
    int image; /* -1: without us */
    double *times;
    size_t count;
    double median, overhead; /* in percent */
} way;

typedef struct bench {
    const mz_irs_request *request;
    const program *program;
    uint64_t runs;
    char directory[64];
    mz_plan_settings settings;
    mz_compiled compiled;
    mz_run_symbols *symbols;
    mz_trials trials;
    mz_symbolic_plan plan;
    size_t applies; /* which of its plans */
    char *alone;    /* the program without us */
    way *ways;      /* the first one is that */
    size_t way_count, way_capacity;
} bench;

/* ---- making it ------------------------------------------------------------------------------------------
 */

static bool write_embedded(const bench *b, const char *name, mz_error *error)
{
    const mz_embedded *file = mz_embedded_find(name);
    mz_text path = {0};
    mz_text_add(&path, "%s/%s", b->directory, name);
    bool good = mz_file_write(mz_text_string(&path), file->text, file->length);
    if (!good)
        mz_error_set(error, (mz_position){0}, "'%s' could not be written: %s", mz_text_string(&path),
                     strerror(errno));
    mz_text_release(&path);
    return good;
}

static bool build(bench *b, mz_error *error)
{
    mz_text source = {0}, alone = {0};
    int length = (int)source_length(b->program->name);
    mz_text_add(&source, "%.*s.c", length, b->program->name);
    if (!write_embedded(b, "threads.h", error) || !write_embedded(b, mz_text_string(&source), error))
        return false;
    mz_text_clear(&source);
    mz_text_add(&source, "%s/%.*s.c", b->directory, length, b->program->name);
    mz_settings *s = &b->settings.check;
    mz_settings_init(s);
    b->settings.check.native = true;
    b->settings.check.run = MZ_RUN_PLAIN;
    b->settings.first_trace = b->program->first_trace;
    b->settings.tune = b->program->tuned;
    b->settings.check.search.checks = MZ_FAILURES_DEFAULT & ~(1u << MZ_FAIL_RACE);
    b->settings.check.search.all_errors = true;
    mz_settings_add_file(s, source.bytes);
    mz_settings_use_algorithm(s, mz_plan_algorithm);
    mz_words_add(&b->settings.check.compile_flags, "-O2");
    if (b->program->planned)
        mz_words_add(&b->settings.check.arguments, b->program->planned);
    mz_text_add(&alone, "%s/%s.alone", b->directory, b->program->name);
    b->alone = alone.bytes;
    const char *flags[] = {"-O2"};
    mz_compile_options options = {.flags = flags, .flag_count = 1};
    return mz_native_build(&b->settings.check, &b->compiled, error) &&
           mz_compile_alone(&options, b->settings.check.files[0], b->alone, error) &&
           (b->symbols = mz_run_symbols_read(b->compiled.program, error));
}

/* Which trace is the first. */
static bool choose_trace(bench *b, mz_error *error)
{
    mz_runnable runnable = {.compiled = b->compiled, .symbols = b->symbols, .path = b->compiled.program};
    bool good = mz_trials_begin(&b->trials, "bench", &b->settings, &runnable, error);
    b->trials.runnable = NULL; /* it was needed here only */
    return good;
}

/* The plan that applies for the inputs. */
static bool find_case(bench *b)
{
    for (b->applies = 0; b->program->condition && b->applies < b->plan.plan_count; b->applies++) {
        mz_text condition = {0};
        mz_symbolic_condition(&b->plan, b->applies, &condition);
        bool same = strcmp(mz_text_string(&condition), b->program->condition) == 0;
        mz_text_release(&condition);
        if (same)
            break;
    }
    return b->applies < b->plan.plan_count;
}

/* The whole first trace. */
static bool find_plan(bench *b, mz_error *error)
{
    mz_beside *beside = mz_beside_begin(&b->settings, &b->compiled, error);
    if (!beside)
        return false;
    bool found = mz_beside_wait_for_plan(beside) && mz_beside_plan(beside, &b->plan) && find_case(b);
    if (!found) {
        mz_beside_status status;
        mz_beside_look(beside, &status);
        mz_error_set(error, (mz_position){0}, "there is no plan for '%s'%s%s", b->program->name,
                     *status.message ? ": " : "", status.message);
    }
    mz_beside_end(beside);
    return found;
}

static void add_way(bench *b, uint32_t constraints, uint32_t prefix, mz_error *error)
{
    b->ways = mz_grow(b->ways, &b->way_capacity, b->way_count + 1, sizeof *b->ways);
    way *w = &b->ways[b->way_count++];
    *w = (way){.constraints = constraints, .prefix = prefix, .image = -1};
    w->times = mz_allocate_zeroed(b->runs, sizeof *w->times);
    if (b->way_count > 1) {
        for (size_t i = 0; i < b->plan.plan_count; i++)
            b->plan.plans[i].prefix = i == b->applies ? prefix : 0;
        b->plan.waived |= 1u << MZ_PREMISE_ARGUMENTS; /* it is planned with less work than it is run with */
        w->image = mz_run_make_image(&b->plan, 0, b->symbols, error);
    }
}

/* Without us; then the longest prefix for each number of constraints (also for 0: what is beyond it comes
 * after it); then none. */
static void find_ways(bench *b, mz_error *error)
{
    enum { LONG_PREFIX = 1000 };
    add_way(b, 0, 0, error);
    const mz_plan *plan = &b->plan.plans[b->applies];
    uint32_t last = UINT32_MAX, longest = plan->length;
    if (b->program->work) {
        longest = longest < LONG_PREFIX ? longest : LONG_PREFIX;
        add_way(b, (uint32_t)mz_plan_constraints(plan, longest), longest, error);
        longest = 0;
    }
    for (uint32_t prefix = longest; prefix > 0 && !error->set; prefix--) {
        uint32_t constraints = (uint32_t)mz_plan_constraints(plan, prefix);
        if (constraints != last)
            add_way(b, constraints, prefix, error);
        last = constraints;
    }
    add_way(b, 0, 0, error);
}

/* ---- running it -----------------------------------------------------------------------------------------
 */

/* Microseconds: what a small program says on standard output, in nanoseconds; how long a long one takes. */
static double time_of(const program *p, const char *said, double seconds)
{
    return p->work ? seconds * 1e6 : atof(said) / 1000;
}

static bool run_once(const bench *b, way *w, mz_error *error)
{
    int ends[2], status = -1;
    char text[64] = {0};
    const program *p = b->program;
    mz_words arguments = {0};
    if (p->work)
        arguments = (mz_words){.items = (char **)(uintptr_t)&p->work, .count = 1};
    else if (p->condition)
        arguments = (mz_words){.items = (char **)(uintptr_t)p->inputs, .count = 2};
    if (pipe2(ends, O_CLOEXEC) != 0) {
        mz_error_set(error, (mz_position){0}, "no pipe could be made: %s", strerror(errno));
        return false;
    }
    mz_run_program started = {.path = w->image < 0 ? b->alone : b->compiled.program,
                              .name = p->name,
                              .arguments = &arguments,
                              .plan = w->image,
                              .record = -1,
                              .output = ends[1],
                              .messages = -1};
    double begun = mz_seconds_now();
    pid_t process = mz_run_start(&started, error);
    close(ends[1]);
    ssize_t got = read(ends[0], text, sizeof text - 1);
    close(ends[0]);
    while (process && waitpid(process, &status, 0) < 0 && errno == EINTR)
        continue;
    if (!error->set && (status != 0 || (got <= 0 && !p->work)))
        mz_error_set(error, (mz_position){0}, "'%s' has failed under a plan", p->name);
    w->times[w->count++] = time_of(p, text, mz_seconds_now() - begun);
    return !error->set;
}

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median_of(double *numbers, size_t count)
{
    if (count == 0)
        return 0;
    qsort(numbers, count, sizeof *numbers, compare_times);
    return numbers[count / 2];
}

/* Over the run without us in the same round: a machine that is slow for a while is so for both. */
static double overhead_of(const way *w, const way *alone)
{
    double *ratios = mz_allocate_zeroed(w->count + 1, sizeof *ratios);
    for (size_t i = 0; i < w->count; i++)
        ratios[i] = alone->times[i] > 0 ? w->times[i] / alone->times[i] : 1;
    double median = median_of(ratios, w->count);
    mz_release(ratios);
    return (median - 1) * 100;
}

static void run_all(bench *b, mz_error *error)
{
    for (uint64_t i = 0; i < b->runs && !error->set; i++)
        for (size_t k = 0; k < b->way_count && !error->set; k++)
            run_once(b, &b->ways[k], error);
    for (size_t k = 0; k < b->way_count; k++)
        b->ways[k].overhead = overhead_of(&b->ways[k], &b->ways[0]);
    for (size_t k = 0; k < b->way_count; k++)
        b->ways[k].median = median_of(b->ways[k].times, b->ways[k].count);
}

/* ---- printing it ----------------------------------------------------------------------------------------
 */

typedef struct published {
    char name[32];
    double constraints, microseconds, overhead;
} published;

static bool next_published(const char **at, published *row)
{
    const char *line = *at;
    if (!line || !*line)
        return false;
    *at = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL;
    if (sscanf(line, "%31[^\t]\t%lf\t%lf\t%lf", row->name, &row->constraints, &row->microseconds,
               &row->overhead) == 4)
        return true;
    return next_published(at, row);
}

/* The first published row of that benchmark (all constraints), or the last one (none). */
static bool find_published(const char *row_name, bool all, published *found)
{
    char name[32];
    size_t length = strlen(row_name), end = strlen("_turns");
    bool in_turns = length > end && strcmp(row_name + length - end, "_turns") == 0;
    snprintf(name, sizeof name, "%.*s", (int)(in_turns ? length - end : length), row_name);
    const char *at = mz_embedded_find("irs_appendix.tsv")->text;
    bool any = false;
    for (published row; next_published(&at, &row);)
        if (strcmp(row.name, name) == 0 && !(all && any)) {
            *found = row;
            any = true;
        }
    return any;
}

static void print_rows(const bench *b)
{
    for (size_t k = 1; k < b->way_count; k++) {
        const way *w = &b->ways[k];
        published row;
        bool edge = k == 1 || k + 1 == b->way_count;
        if (b->request->csv) {
            printf("%s,%u,%u,%.1f,%.1f\n", b->program->name, w->constraints, w->prefix, w->median,
                   w->overhead);
            continue;
        }
        printf("%-18s %11u %8u %10.1f %9.1f %%", k == 1 ? b->program->name : "", w->constraints, w->prefix,
               w->median, w->overhead);
        if (edge && find_published(b->program->name, k == 1, &row))
            printf(" %15.0f %10.0f %9.0f %%", row.constraints, row.microseconds, row.overhead);
        printf("\n");
    }
    fflush(stdout);
}

static void print_heading(const mz_irs_request *q)
{
    if (q->csv) {
        printf("benchmark,constraints,prefix,microseconds,overhead\n");
        return;
    }
    printf("median of %llu runs, in microseconds, and of the overhead over the program without us in the "
           "same round\n\n",
           (unsigned long long)q->runs);
    printf("%-18s %11s %8s %10s %11s %15s %10s %11s\n", "", "constraints", "prefix", "ours", "overhead",
           "document: con.", "time", "overhead");
}

/* ---- drawing it -----------------------------------------------------------------------------------------
 */

static void add_points(const bench *b, mz_text *data)
{
    double most = b->way_count > 1 ? b->ways[1].constraints : 0;
    mz_text_add(data, "$%s << END\n", b->program->name);
    for (size_t k = 1; k < b->way_count; k++)
        mz_text_add(data, "%.4f %.3f\n", most > 0 ? b->ways[k].constraints / most * 100 : 0,
                    b->ways[k].overhead);
    mz_text_add(data, "END\n");
}

/* Figures 3 and 4: overhead over the share of constraints that are left. */
static void add_figure(bool two_threads, const mz_irs_request *q, mz_text *out)
{
    mz_text_add(out,
                "set title '%s'\nset xlabel 'constraints (%%)'\nset ylabel 'overhead (%%)'\n"
                "set xrange [100:0]\nset grid\nplot 0 notitle lt 0",
                two_threads ? "two threads" : "many threads");
    for (int i = 0; i < PROGRAMS; i++)
        if ((programs[i].threads == 2) == two_threads && !programs[i].work && is_wanted(q, programs[i].name))
            mz_text_add(out, ", $%s with linespoints title '%s'", programs[i].name, programs[i].name);
    mz_text_add(out, "\n");
}

static bool draw(const mz_irs_request *q, const mz_text *data, mz_error *error)
{
    mz_text script = {0};
    mz_text_add(&script, "set terminal svg size 1200,500 noenhanced\n%s", mz_text_string(data));
    mz_text_add(&script, "set multiplot layout 1,2\n");
    add_figure(true, q, &script);
    add_figure(false, q, &script);
    bool good = mz_bench_draw(&script, q->plot, error);
    mz_text_release(&script);
    return good;
}

/* ---- all together ---------------------------------------------------------------------------------------
 */

static void remove_files(const bench *b)
{
    mz_text path = {0};
    const char *const names[] = {"threads.h", NULL};
    mz_text_add(&path, "%s/%s", b->directory, names[0]);
    unlink(mz_text_string(&path));
    if (b->settings.check.file_count > 0)
        unlink(b->settings.check.files[0]);
    if (b->alone)
        unlink(b->alone);
    rmdir(b->directory);
    mz_text_release(&path);
}

static void release(bench *b)
{
    for (size_t k = 0; k < b->way_count; k++) {
        mz_release(b->ways[k].times);
        if (b->ways[k].image >= 0)
            close(b->ways[k].image);
    }
    mz_release(b->ways);
    remove_files(b);
    if (b->symbols)
        mz_run_symbols_release(b->symbols);
    if (b->settings.check.file_count > 0)
        mz_release((char *)(uintptr_t)b->settings.check.files[0]);
    mz_release(b->alone);
    mz_trials_end(&b->trials);
    mz_symbolic_release(&b->plan);
    mz_compiled_release(&b->compiled);
    mz_settings_release(&b->settings.check);
}

static void measure(const mz_irs_request *q, const program *p, mz_text *data, mz_error *error)
{
    enum { SMALL_FOR_ONE_LONG = 50 };
    bench b = {.request = q,
               .program = p,
               .runs = q->runs,
               .directory = "/tmp/mazurka-bench-XXXXXX",
               .trials = {.descriptor = -1}};
    if (p->work)
        b.runs = (q->runs + SMALL_FOR_ONE_LONG - 1) / SMALL_FOR_ONE_LONG;
    if (!mkdtemp(b.directory)) {
        mz_error_set(error, (mz_position){0}, "no temporary directory could be made: %s", strerror(errno));
        return;
    }
    if (build(&b, error) && choose_trace(&b, error) && find_plan(&b, error)) {
        find_ways(&b, error);
        run_all(&b, error);
        if (!error->set) {
            print_rows(&b);
            add_points(&b, data);
        }
    }
    release(&b);
}

void mz_bench_irs(const mz_irs_request *q, mz_error *error)
{
    mz_text data = {0};
    bool any = false;
    print_heading(q);
    for (int i = 0; i < PROGRAMS && !error->set; i++)
        if (is_wanted(q, programs[i].name)) {
            any = true;
            measure(q, &programs[i], &data, error);
        }
    if (!any)
        mz_error_set(error, (mz_position){0}, "there is no benchmark '%s'", q->only);
    if (!error->set && q->plot)
        draw(q, &data, error);
    mz_text_release(&data);
}
