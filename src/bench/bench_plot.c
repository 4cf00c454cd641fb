/* Time and traces over N, both logarithmic, a curve per algorithm: ours drawn through, the paper's dashed. As
 * in figures 6.1 to 6.4 of the LazyPOR thesis, a row of two pictures per benchmark. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/bench.h"

extern char **environ;

/* gnuplot with the script as its input and the file (or nothing) as its output; false if there is no such
 * program, or it fails. */
static bool run_gnuplot(int script, int output)
{
    char name[] = "gnuplot", *words[] = {name, NULL};
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions))
        return false;
    posix_spawn_file_actions_adddup2(&actions, script, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    pid_t process;
    int status = -1, reason = posix_spawnp(&process, name, &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (reason)
        return false;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR)
        continue;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool mz_bench_can_plot(mz_error *error)
{
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    bool can = nothing >= 0 && run_gnuplot(nothing, nothing);
    if (nothing >= 0)
        close(nothing);
    if (!can) {
        mz_error_set(error, (mz_position){0}, "option --plot needs gnuplot, which is not installed");
        mz_error_set_hint(error, "Debian: apt-get install gnuplot-nox");
    }
    return can;
}

typedef struct picture {
    const mz_bench *bench;
    size_t begin, end; /* rows of one benchmark */
    mz_bench_column column;
} picture;

static const mz_cell *cell_of(const mz_bench_row *row, mz_bench_column column, bool published)
{
    return published ? &row->published[column] : &row->ours[column];
}

/* Is there a number to draw? What was cut short has none. */
static bool has_point(const mz_bench_row *row, mz_bench_column column, bool published)
{
    const mz_cell *cell = cell_of(row, column, published);
    return !cell->missing && cell->value > 0 && (published || row->status == MZ_BENCH_COMPLETE);
}

static const char *curve_name(const mz_bench_row *row, bool published)
{
    return published ? row->published_algorithm : row->algorithm;
}

static bool same_curve(const mz_bench_row *a, const mz_bench_row *b)
{
    return strcmp(a->algorithm, b->algorithm) == 0;
}

/* The row that an algorithm comes in first: it stands for the curve. */
static bool is_first(const picture *p, size_t row)
{
    for (size_t i = p->begin; i < row; i++)
        if (same_curve(&p->bench->rows[i], &p->bench->rows[row]))
            return false;
    return true;
}

/* The points of a curve; false if there are none. */
static bool add_points(const picture *p, size_t first, bool published, mz_text *out)
{
    bool any = false;
    for (size_t i = first; i < p->end; i++) {
        const mz_bench_row *row = &p->bench->rows[i];
        if (!same_curve(row, &p->bench->rows[first]) || !has_point(row, p->column, published))
            continue;
        mz_text_add(out, "%u %.9g\n", row->parameter, cell_of(row, p->column, published)->value);
        any = true;
    }
    return any;
}

/* Whole decades, one at least: gnuplot complains about a range that is a point. */
static void add_range(const picture *p, mz_text *out)
{
    double low = 1e20, high = 1e-9;
    for (size_t i = p->begin; i < p->end; i++)
        for (int published = 0; published < 2; published++) {
            if (!has_point(&p->bench->rows[i], p->column, published))
                continue;
            double value = cell_of(&p->bench->rows[i], p->column, published)->value;
            while (low > value)
                low /= 10;
            while (high < value)
                high *= 10;
        }
    mz_text_add(out, "set yrange [%g:%g]\n", low, high > low ? high : low * 10);
}

static void add_picture(const picture *p, const char *label, mz_text *out)
{
    mz_text curves = {0}, points = {0};
    size_t colour = 0, drawn = 0;
    for (size_t i = p->begin; i < p->end; i++) {
        if (!is_first(p, i))
            continue;
        colour++;
        for (int published = 0; published < 2; published++) {
            mz_text_clear(&points);
            if (!add_points(p, i, published, &points))
                continue;
            mz_text_add(out, "$curve%zu << end_of_curve\n%send_of_curve\n", drawn, mz_text_string(&points));
            mz_text_add(&curves,
                        "%s$curve%zu using 1:2 with linespoints lc %zu dt %d pt %d ps 0.4 title '%s%s'",
                        drawn ? ", " : "", drawn, colour, published ? 2 : 1, published ? 4 : 7,
                        curve_name(&p->bench->rows[i], published), published ? " (paper)" : "");
            drawn++;
        }
    }
    mz_text_add(out, "set title '%s' noenhanced\nset ylabel '%s'\n", p->bench->rows[p->begin].model, label);
    add_range(p, out);
    if (drawn > 0)
        mz_text_add(out, "plot %s\n", mz_text_string(&curves));
    else
        mz_text_add(out, "set multiplot next\n");
    mz_text_release(&curves);
    mz_text_release(&points);
}

static size_t end_of_benchmark(const mz_bench *b, size_t rows, size_t begin)
{
    size_t end = begin;
    while (end < rows && strcmp(b->rows[end].model, b->rows[begin].model) == 0)
        end++;
    return end;
}

static void add_script(const mz_bench *b, size_t rows, mz_text *out)
{
    size_t benchmarks = 0;
    for (size_t i = 0; i < rows; i = end_of_benchmark(b, rows, i))
        benchmarks++;
    mz_bench_column count = b->published[MZ_BENCH_executions] ? MZ_BENCH_executions : MZ_BENCH_traces;
    mz_text_add(out,
                "set terminal svg size 1200,%zu font 'sans-serif,12' background 'white'\n"
                "set multiplot layout %zu,2\n"
                "set logscale y 10\nset format y '10^{%%L}'\nset grid\nset key below\nset xlabel 'N'\n"
                "set offsets 0.5, 0.5, 0, 0\n",
                benchmarks * 420, benchmarks);
    for (size_t i = 0; i < rows; i = end_of_benchmark(b, rows, i)) {
        picture p = {.bench = b, .begin = i, .end = end_of_benchmark(b, rows, i), .column = MZ_BENCH_seconds};
        add_picture(&p, "time (s)", out);
        p.column = count;
        add_picture(&p, count == MZ_BENCH_traces ? "traces" : "executions", out);
    }
    mz_text_add(out, "unset multiplot\n");
}

bool mz_bench_draw(const mz_text *script, const char *path, mz_error *error)
{
    FILE *input = tmpfile();
    int output = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool written = input && fputs(mz_text_string(script), input) >= 0 && fflush(input) == 0 &&
                   lseek(fileno(input), 0, SEEK_SET) == 0;
    if (output < 0)
        mz_error_set(error, (mz_position){.file = path}, "cannot be written: %s", strerror(errno));
    else if (!written || !run_gnuplot(fileno(input), output))
        mz_error_set(error, (mz_position){.file = path}, "gnuplot could not draw the picture");
    if (input)
        fclose(input);
    if (output >= 0)
        close(output);
    return !error->set;
}

bool mz_bench_plot(const mz_bench *b, size_t rows, const char *path, mz_error *error)
{
    mz_text script = {0};
    add_script(b, rows, &script);
    bool drawn = mz_bench_draw(&script, path, error);
    mz_text_release(&script);
    return drawn;
}
