/* The rows of a counterexample's table: steps and the moments between them, repetitions folded. */
#ifndef MZ_REPORT_ROWS_H
#define MZ_REPORT_ROWS_H

#include "report/report.h"

typedef struct mz__row {
    size_t step; /* from 1; 0: none */
    uint32_t thread;
    mz_position position;
    char *text;   /* what happens */
    char *effect; /* what that does */
    bool is_end;  /* here it goes wrong */
    bool is_decisive;
    size_t folded; /* so often the last `period` rows come again, and are left out */
    size_t period;
    size_t last_step; /* of those */
} mz__row;

mz__row *mz__rows_of(const mz_report_error *error, mz_style style, size_t *count);
void mz__rows_release(mz__row *rows, size_t count);

#endif
