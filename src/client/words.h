/* Clients and histories for people. */
#ifndef MZ_CLIENT_WORDS_H
#define MZ_CLIENT_WORDS_H

#include "client/linearize.h"

/* "pop(q) returned 1 twice; in no order of the 4 calls does it" */
void mz_history_sentence(const mz_explaining *how, const mz_words *operations, const mz_history *history,
                         const mz_timing *timing, mz_text *out);
/* The calls as intervals, a line each. */
void mz_history_picture(const mz_words *operations, const mz_history *history, const mz_timing *timing,
                        mz_text *out);

typedef struct mz_client_source {
    const char *const *files; /* of the library */
    size_t file_count;
    const char *const *flags; /* of the compiler */
    size_t flag_count;
    const char *setup, *finally; /* NULL: none */
    const mz_words *operations;
    const char *why; /* what was found */
    /* A history that must not be; NULL: none is to be looked at. */
    const mz_history *history;
    bool waits; /* in a library that is right some call of the client would wait for ever */
} mz_client_source;

/* The client as a program of its own, to be kept as a test. */
void mz_client_program(const mz_client *client, const mz_client_source *source, mz_text *out);

#endif
