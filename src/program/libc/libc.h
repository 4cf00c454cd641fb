/* What the parts of the modelled C library share. */
#ifndef MZ_PROGRAM_LIBC_LIBC_H
#define MZ_PROGRAM_LIBC_LIBC_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "program/world/world.h"

/* Variables that the C library keeps for the whole program. They are memory of the program: two threads that
 * call such a function at the same time race. */
enum { MZ__DESCRIPTORS = 64 };

typedef struct mz__libc_variables {
    uint64_t standard_input[3];               /* a stream, see libc_files.c */
    uint64_t descriptors[MZ__DESCRIPTORS][3]; /* [0]: bits of those that are open; see libc_descriptors.c */
    char signal_information[MZ_MAX_THREADS][128]; /* what handlers are told: see signals.c */
    char *token;                                  /* where strtok() goes on */
    uint64_t calendar[8];                         /* a struct tm: result of gmtime(), localtime() */
    char calendar_text[64];                       /* result of ctime(), asctime() */
    struct mz__generator {
        uint64_t drawn;          /* how often it was used: what threads take turns for */
        struct random_data data; /* of the C library's generator */
        int32_t words[32];       /* the state of random() */
        uint64_t state;          /* of drand48() */
    } random, drand48;           /* see libc_random.c */
} mz__libc_variables;

extern mz__libc_variables *mz__libc;
/* When the program is loaded, before its first execution. */
void mz__libc_create(void);

/* What the world answers from then on: lines of wire/world.h; NULL: none. */
struct mz_words;
void mz__world_create(const struct mz_words *lines);

/* The generators as they are at the beginning of a program. */
void mz__random_create(void);

/* Output of the program, as it is. */
int mz__print_bytes(const char *text, size_t length);
/* Something is about to be printed there: false and errno if it cannot be. Then all of it, without an event
 * in between. */
bool mz__put_begin(FILE *file, const char *verb);
void mz__put(FILE *file, const char *bytes, size_t count);
/* Fails unless it is an open file or a standard stream. */
void mz__check_stream(FILE *file);
/* What is left of a file, for the running thread alone up to its next event; and some of it is read. */
const char *mz__file_rest(FILE *file, const char *verb, size_t *length);
void mz__file_skip(FILE *file, size_t bytes, bool came_to_end);

/* The next numbers of the running thread, into the checker's own memory. */
void mz__random_bytes(void *to, size_t bytes);

#endif
