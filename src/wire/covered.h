/* What a program that was compiled with --coverage has in it: sections, and what a table says about bytes. */
#ifndef MZ_WIRE_COVERED_H
#define MZ_WIRE_COVERED_H

#include <stdint.h>

#define MZ_COVERED_BYTES "mz_covered_bytes" /* 1: has run */
#define MZ_COVERED_TABLE "mz_covered_table"
#define MZ_COVERED_NAMES "mz_covered_names"

enum { MZ_COVERED_PAGE = 4096 };

typedef enum mz_covered_kind {
    MZ_COVERED_LINE,
    MZ_COVERED_NOT_TAKEN, /* a conditional jump went on */
    MZ_COVERED_TAKEN,
} mz_covered_kind;

/* Distances are from the field itself. */
typedef struct mz_covered_entry {
    int32_t to_byte;
    uint32_t line;
    int32_t to_file; /* its name */
    uint32_t kind, branch;
} mz_covered_entry;

#endif
