/* `mazurka bench`: the tables of the papers, beside what we measure. */
#ifndef MZ_BENCH_BENCH_H
#define MZ_BENCH_BENCH_H

#include <stdio.h>

#include "algo/algorithm.h"
#include "base/error.h"
#include "base/text.h"

/* What is compared: field (and column of the TSV files and of CSV), heading, what ours is called, its width.
 */
#define MZ_BENCH_COLUMNS(X)                                                                                  \
    X(seconds, "time (s)", "ours", 9)                                                                        \
    X(executions, "executions", "ours", 9)                                                                   \
    X(traces, "traces", "ours", 8)                                                                           \
    X(dependency_checks, "dep. checks", "ours", 6)                                                           \
    X(race_checks, "race checks", "ours", 6)                                                                 \
    X(unsatisfiable, "unsatisfiable", "avoided", 7) /* constraint systems */                                 \
    X(speedup, "speed-up (%)", "ours", 5)           /* of the time of source sets saved */

typedef enum mz_bench_column {
#define MZ_X(field, heading, ours, width) MZ_BENCH_##field,
    MZ_BENCH_COLUMNS(MZ_X)
#undef MZ_X
        MZ_BENCH_COLUMN_COUNT
} mz_bench_column;

/* A number, or why there is none. Published ones are below 2^53: exact. */
typedef struct mz_cell {
    double value;
    char missing; /* 0: there is one; ' ': none of this kind; '-': the run did not end; '?': unreadable */
} mz_cell;

typedef enum mz_bench_status {
    MZ_BENCH_COMPLETE,
    MZ_BENCH_LIMIT,       /* stopped by the limit of the row */
    MZ_BENCH_INTERRUPTED, /* by Ctrl-C */
    MZ_BENCH_NOT_BUILT,   /* there is no such algorithm in this program */
    MZ_BENCH_BROKEN,      /* an internal error */
} mz_bench_status;

/* One benchmark at one parameter with one algorithm. */
typedef struct mz_bench_row {
    const char *model; /* into the table's text, as `published_algorithm` */
    uint32_t parameter;
    const char *published_algorithm; /* NULL: a line that the paper does not have */
    const char *algorithm;           /* ours, with its options, as after -a */
    mz_cell published[MZ_BENCH_COLUMN_COUNT];
    mz_cell ours[MZ_BENCH_COLUMN_COUNT];
    mz_statistics statistics;
    mz_bench_status status;
} mz_bench_row;

typedef struct mz_bench_table {
    const char *name;
    const char *title;
    const char *file; /* of the published numbers */
    bool whole;       /* all rows of the file, not those marked with the name of the table */
    bool programs;    /* the benchmarks are C programs, not models */
} mz_bench_table;

/* The rows of a table, with the published numbers and algorithms of ours to be run. */
typedef struct mz_bench {
    const mz_bench_table *table;
    char *text, *algorithms; /* of the files; rows point into them */
    mz_bench_row *rows;
    size_t count, capacity;
    bool published[MZ_BENCH_COLUMN_COUNT]; /* the columns that the paper has */
} mz_bench;

extern const mz_bench_table mz_bench_tables[];
extern const size_t mz_bench_table_count;

/* Rows whose model(N) or model matches the pattern (NULL: all) with N up to the limit (0: none). */
void mz_bench_read(mz_bench *bench, const mz_bench_table *table, const char *pattern, uint64_t up_to);
void mz_bench_release(mz_bench *bench);

/* Explore, and fill in our half of the row. True if the machine has learned something and it is to be done
 * again. */
bool mz_bench_explore(mz_bench_row *row, const mz_algorithm *algorithm, mz_machine *machine,
                      const mz_search_options *options);
/* The same for a C program. *error set if it cannot be built. */
void mz_bench_run_native(mz_bench_row *row, const mz_algorithm *algorithm, const mz_search_options *options,
                         mz_error *error);

/* "complete", "limit", ... */
const char *mz_bench_status_word(mz_bench_status status);
/* How many times faster than published: missing if either did not end. */
mz_cell mz_bench_times_faster(const mz_bench_row *row);
/* Ended, as did the paper's, with another number of traces (or executions, if the paper counts those). */
bool mz_bench_differs(const mz_bench_row *row);

/* What comes before the rows, a row, what comes after them. */
typedef struct mz_bench_format {
    void (*begin)(const mz_bench *bench, mz_text *out);
    void (*row)(const mz_bench *bench, size_t index, mz_text *out);
    void (*end)(const mz_bench *bench, size_t rows, mz_text *out);
} mz_bench_format;

extern const mz_bench_format mz_bench_as_table, mz_bench_as_csv, mz_bench_as_json;

/* Draw time and traces over N with gnuplot, which must be there. False and *error set if it fails. */
bool mz_bench_can_plot(mz_error *error);
bool mz_bench_draw(const mz_text *script, const char *path, mz_error *error);
bool mz_bench_plot(const mz_bench *bench, size_t rows, const char *path, mz_error *error);

/* Which of ours stands for which of the papers', a line each: "source for SDPOR". */
void mz_bench_describe_algorithms(mz_text *out);

/* One table, row by row, each printed when it is done. The exit code. */
typedef struct mz_bench_request {
    const mz_bench_table *table;
    const mz_bench_format *format;
    double row_seconds;         /* a row may take so long */
    const char *pattern, *plot; /* NULL: none */
    uint64_t up_to;             /* 0: all */
} mz_bench_request;

int mz_bench_run(const mz_bench_request *request, mz_error *error);

/* The table `irs` is no table of models: what keeping a program to a plan costs. */
typedef struct mz_irs_request {
    uint64_t runs;
    const char *only, *plot; /* NULL: all, none */
    bool csv;
} mz_irs_request;

void mz_bench_irs(const mz_irs_request *request, mz_error *error);

#endif
