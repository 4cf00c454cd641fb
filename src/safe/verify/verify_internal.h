/* The worker that verifies a program for safe execution: what verify.c (which case is verified next, and for
 * how long) and verify_search.c (one search, and the plan that comes of it) share. */
#ifndef MZ_SAFE_VERIFY_VERIFY_INTERNAL_H
#define MZ_SAFE_VERIFY_VERIFY_INTERNAL_H

#include "safe/verify/first_trace_choice.h"
#include "safe/verify/verify.h"
#include "safe/verify/verify_cases.h"
#include "session/result.h"

typedef struct mz_verifier {
    const mz_verify_job *job;
    mz_verification *v;
    mz_shared *shared;
    mz_machine *machine;
    mz_settings settings; /* of the search that goes on */
    mz_text hash;         /* of the code */
    mz_cases cases;
    mz_case *now;      /* the one that is being verified */
    uint32_t round;    /* how often all cases have had their turn */
    uint32_t restarts; /* how often the machine has learned something */
    uint32_t told;     /* of how many of these others know */
    bool again;        /* what it has learned last makes all cases worthless */
    size_t premises_shared;
    /* The lines of which plain accesses have names (wire/site.h), if not all have. */
    bool names_racing_lines;
    uint32_t *lines;
    size_t line_count;
    mz_plan *renamed; /* where the next first trace goes, and nothing else is to be done with it */
    bool is_renamed;
    double started;
    mz_limits limits;           /* of all searches together */
    mz_first_choice choice;     /* of the first trace of the case that is being verified */
    bool searched;              /* there was something to search */
    mz_safe_prefix safe_prefix; /* what the search came to */
    mz_result result;           /* of the last search */
    mz_result with_bugs;        /* of the first one that found any, if that is another one */
} mz_verifier;

/* A program with inputs: first of all every case gets a trace, then each is looked at for a moment. */
enum { MZ_FIRST_ROUND, MZ_SHORT_ROUND, MZ_LONG_ROUNDS };
enum { MZ_SOON = 16 }; /* executions */

/* ---- verify_search.c ------------------------------------------------------------------------------------
 */

/* A byte to whoever waits for news. */
void mz_verifier_tell(const mz_verifier *w);
/* The plans of all cases as a text that both processes see; NULL if that is not possible. `all`: with all of
 * their traces, of which the prefixes, apart, will say how much holds. */
const char *mz_verifier_share_text(mz_verifier *w, bool all, size_t *length);
/* What executions have depended on so far becomes a part of the plan; … is told those who use one. */
void mz_verifier_add_premises(mz_verifier *w, mz_symbolic_plan *symbolic);
void mz_verifier_share_premises(mz_verifier *w);
/* At the end of the search: also which threads there were, and how much they did. */
void mz_verifier_share_all_seen(mz_verifier *w);
/* Take the plan back that was handed out, unless it is in use. */
bool mz_verifier_withdraw(mz_verifier *w);
/* From now on the plan may be used, if every case has one. */
void mz_verifier_offer(mz_verifier *w);
/* Of the case that is being verified. */
void mz_verifier_note_traces(mz_verifier *w, uint64_t traces, double share);
const mz_algorithm *mz_verifier_algorithm(const mz_settings *settings);
/* One search for it. */
void mz_verifier_search(mz_verifier *w, mz_safe_prefix *p);
/* When nothing more is to be searched: plain accesses get names only where they race (verify_names.c). */
void mz_verifier_name_racing_lines(mz_verifier *w);

#endif
