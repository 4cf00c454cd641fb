/* Finished results, for people and for programs. */
#ifndef MZ_REPORT_REPORT_H
#define MZ_REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "machine/failure.h"
#include "machine/relation.h"
#include "report/verdict.h"
#include "search/search.h"
#include "search/witness/witness.h"

/* A counter of the search: its JSON key, its label in tables. */
typedef struct mz_report_count {
    const char *key, *label;
    uint64_t value;
} mz_report_count;

typedef struct mz_report_step {
    uint32_t thread;
    const char *text, *effect;
    mz_position position;
    const char *choices; /* "3,x=0": made in the step; "" if none */
    const char *source;  /* its statement in the program; NULL if it is not known */
    const char *values;  /* as in mz_witness_step */
} mz_report_step;

/* What is to be seen between the steps (search/witness/witness.h). */
typedef struct mz_report_moment {
    mz_report_step row; /* without choices */
    size_t after;       /* so many steps come before it */
    bool is_end;        /* here it goes wrong */
} mz_report_moment;

typedef struct mz_report_error {
    mz_failure_kind kind;
    const char *message;
    mz_position position;
    mz_position other; /* of a data race: the access before */
    uint32_t thread;
    uint64_t occurrences;
    const char *initial_choices; /* "4, x=0": made before the first step; "" if none */
    mz_report_step *steps;
    size_t step_count, original_steps, context_switches;
    mz_report_moment *moments; /* by `after` */
    size_t moment_count;
    const char **threads; /* [thread]: what the program calls it; "" or NULL: nothing */
    uint32_t thread_count;
    const mz_link *links; /* happens-before between steps of different threads, without what follows */
    size_t link_count;
    bool is_way;        /* no error happens at its end: that is where it was followed to */
    bool unreplayed;    /* the steps do not fail the same way again */
    bool unknown_steps; /* the process is gone, and with it how it came to that */
    const char *trace;  /* the file it was written to; NULL if none */
    /* With which step it was decided, as in mz_decisive; what would have been done instead. */
    mz_decided decided;
    size_t decisive;
    uint64_t continuations;  /* that were tried after it */
    mz_report_step *passing; /* the steps of an execution that does not fail; without choices */
    size_t passing_count;
} mz_report_error;

/* A file in which steps stand, as it is now. */
typedef struct mz_report_source {
    const char *name;
    char **lines;
    size_t line_count;
} mz_report_source;

/* An error that was not asked for, and has cut executions. */
typedef struct mz_report_unasked {
    mz_failure_kind kind;
    const char *message;
    mz_position position;
} mz_report_unasked;

enum { MZ_MOST_ADVICE = 4 }; /* lines */

typedef struct mz_report {
    const char *version;
    const char *target;       /* what the project calls it; NULL: it is of no project */
    const char *program;      /* file name */
    const char *const *files; /* all of its files; NULL: that one */
    size_t file_count;
    const char *algorithm;
    const char *equivalence_word; /* "traces", "interleavings" or "observations" */
    mz_relation relation;         /* refinements of the dependency relation in force */
    mz_memory memory;             /* the model under which it was explored */
    bool is_memory_found;         /* nobody asked for it but the orders of the program */
    mz_relation refined;          /* those of the refinements that made a difference */
    const char *thread_word;      /* "thread" or "process" */
    mz_verdict verdict;
    const char *reason;  /* why incomplete; "" otherwise */
    const char *refused; /* nothing was checked, for the sources are not right: "does not compile"; or NULL */
    const char *numbers; /* to which nondeterministic ones it was restricted, LO..HI; NULL: to none */
    const char *alone;   /* what one process alone could explore, although more were asked for; or NULL */
    bool was_stopped;    /* incomplete because a limit, or somebody, has stopped the search */
    bool bounded;        /* incomplete for no other reason than a bound, which is explored */
    bool accepts_bounded; /* that is as good as safe to who has asked (--accept=bounded) */
    /* Of a search in levels: how long each one took that was finished. */
    double level_seconds[MZ_LEVELS_TIMED];
    uint32_t levels_done;
    bool only_sampled; /* incomplete for no other reason than that a sample is all that was asked for */
    const char
        *found_by; /* what has found the first error, of several ways to look; "" if there is one way */
    double seconds, share_done;
    uint64_t peak_bytes;
    uint32_t thread_count;
    uint32_t checks; /* of the kinds that there are in such a program */
    bool all_errors;
    const mz_report_count *counts;
    size_t count_count;
    mz_report_error *errors;
    size_t error_count;
    mz_report_unasked *unasked;
    size_t unasked_count;
    mz_report_error *way;     /* incomplete: the execution in which the program could be followed no
                                       further; NULL: it was not that */
    const char *const *notes; /* before anything else: what the verdict is worth */
    size_t note_count;
    const uint8_t *exit_statuses; /* with which the program has ended */
    size_t exit_status_count;
    const char *const *assumptions;
    size_t assumption_count;
    const mz_warning *warnings;
    size_t warning_count;
    /* If it is incomplete: what to try next, and how long that takes; none if nothing is known. */
    const char *advice[MZ_MOST_ADVICE];
    size_t advice_count;
    const char *checkpoint;    /* from which the search can go on; NULL: there is none */
    mz_report_source *sources; /* of the steps; NULL: not at hand */
    size_t source_count;
    /* Of clients of a library; none: it was a program. */
    size_t clients_checked, client_count;
    size_t client_next;                   /* to go on with, from 1 */
    uint64_t sequences;                   /* of calls, by one thread, that were run to compare with */
    uint32_t calls;                       /* of the client that fails */
    const char *progress, *progress_json; /* what becomes of calls while others are stopped; NULL, too */
    const char *calls_json;               /* the history as data; NULL: there is none */
    const char *coverage, *coverage_json, *lcov; /* what they have run, in three forms; NULL: nobody asked */
    const char *client;                          /* that fails, as a program; NULL: none does */
    const char *history;                         /* its calls in time; NULL: that is not what is wrong */
    const char *exploration; /* the first executions of the search (search/leaf.c); NULL: not known */
    const char *output;      /* of the program in the one execution; NULL if there were many */
} mz_report;

typedef struct mz_style {
    bool colour;
    bool ascii;   /* the terminal shows nothing else */
    size_t width; /* in columns */
} mz_style;
#define MZ_PLAIN_STYLE ((mz_style){.width = 80})

void mz_report_text(const mz_report *report, mz_style style, mz_text *out);
/* Of a counterexample that was run again: how it went instead of what was searched. `file` is where it comes
 * from, `reason` the first difference. */
void mz_report_replay(const mz_report *report, const char *file, mz_style style, mz_text *out);
/* One counterexample, as it is told in the text. */
void mz_report_error_text(const mz_report *report, const mz_report_error *error, mz_style style,
                          mz_text *out);
void mz_report_json(const mz_report *report, mz_text *out);
/* One table: a row per report. */
void mz_report_comparison(const mz_report *reports, size_t count, mz_style style, mz_text *out);

/* One table of a project: a row per report, what is wrong in a few words, and how many are safe. */
void mz_report_summary(const mz_report *reports, size_t count, mz_style style, mz_text *out);

/* The verdict as far as the exit code goes: a bound may count as success. */
static inline mz_verdict mz_report_verdict(const mz_report *r)
{
    return r->bounded && r->accepts_bounded && r->verdict == MZ_INCOMPLETE ? MZ_SAFE : r->verdict;
}

/* As one word of a shell. */
void mz_text_add_quoted(mz_text *out, const char *word);
uint64_t mz_report_count_of(const mz_report *report, const char *key);
/* 1234567 → 1,234,567 */
void mz_text_add_grouped(mz_text *out, uint64_t number);
void mz_text_add_seconds(mz_text *out, double seconds);
/* The same for what may be long and is not exact: "40 s", "3 min", "2 h", "5 days". */
void mz_text_add_duration(mz_text *out, double seconds);
/* Quoted, as JSON wants it. */
void mz_json_add_string(mz_text *out, const char *text);

#endif
