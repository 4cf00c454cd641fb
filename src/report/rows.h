/* The rows of a counterexample's table: steps and the moments between them, repetitions folded. */
#ifndef MZ_REPORT_ROWS_H
#define MZ_REPORT_ROWS_H

#include "report/report.h"

typedef struct mz__row {
    size_t step; /* from 1; 0: none */
    uint32_t thread;
    mz_position position;
    char *text;      /* what happens */
    char *effect;    /* what that does */
    char *briefly;   /* the same without the name that the text says */
    char *operation; /* what happens, not as the source says it */
    bool is_end;     /* here it goes wrong */
    bool is_decisive;
    size_t folded; /* so often the last `period` rows come again, and are left out */
    size_t period;
    size_t last_step; /* of those */
} mz__row;

mz__row *mz__rows_of(const mz_report_error *error, mz_style style, size_t *count);
/* In so many columns, the two with a gap between them, if the text can be shortened by what says least: the
 * type of what is declared; words at its end. */
void mz__row_fit(mz__row *row, size_t width, size_t gap);
/* The row is in this file, and the others are not. */
void mz__row_name_file(mz__row *row, const char *file);
/* What is done in the step, as briefly. */
void mz__add_statement(const mz_report_step *step, mz_text *out);
void mz__rows_release(mz__row *rows, size_t count);

#endif
