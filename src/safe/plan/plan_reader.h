/* Reading plan files: what plan_read.c and plan_read_guards.c share. */
#ifndef MZ_SAFE_PLAN_PLAN_READER_H
#define MZ_SAFE_PLAN_PLAN_READER_H

#include "base/lines.h"
#include "safe/plan/symbolic.h"

typedef struct mz_plan_reader {
    mz_lines lines;
    mz_symbolic_plan *symbolic;
    mz_plan *plan; /* the one that is being read: the last one */
    uint32_t seen; /* 1 << index of the key; what belongs to a plan is forgotten when the next one begins */
    bool plan_has_begun;
    bool counts_inputs; /* they are counted operations, as the runtime has it */
    bool ended;
    uint32_t last_count[MZ_PLAN_MOST_THREADS]; /* of the thread's last event so far, 0: none */
    bool followed[MZ_PLAN_MOST_THREADS];       /* its event after the prefix was there */
} mz_plan_reader;

/* The next word; moves *text behind it and the blanks that follow. */
char *mz_plan_next_word(mz_plan_reader *reader, char **text, const char *what);
/* The same: a number from low to high, and nothing else. */
int64_t mz_plan_next_number(mz_plan_reader *reader, char **text, int64_t low, int64_t high, const char *what);
static inline uint32_t mz_plan_next_count(mz_plan_reader *reader, char **text, uint32_t low, uint32_t high,
                                          const char *what)
{
    return (uint32_t)mz_plan_next_number(reader, text, low, high, what);
}
/* "FILE:LINE" is taken apart, the file to be unescaped; 0: there is no line. */
uint32_t mz_plan_take_line(char *place);

/* Lines 'nondet', 'input', 'guard'. */
void mz_plan_read_nondet(mz_plan_reader *reader, const char *key, char *rest);
void mz_plan_read_input(mz_plan_reader *reader, const char *key, char *rest);
void mz_plan_read_guard(mz_plan_reader *reader, const char *key, char *rest);
/* Lines 'premise', 'seen', 'waives' (premises.c). */
void mz_plan_read_premise(mz_plan_reader *reader, const char *key, char *rest);
void mz_plan_read_seen(mz_plan_reader *reader, const char *key, char *rest);
void mz_plan_read_waives(mz_plan_reader *reader, const char *key, char *rest);
/* Line 'reads', of a plan. */
void mz_plan_read_reads(mz_plan_reader *reader, const char *key, char *rest);
/* When all is read: the guards are a tree that leads to every plan, and ask for what has been read by then.
 */
void mz_plan_check_guards(mz_plan_reader *reader);

#endif
