/* How large the exploration of one program is with each algorithm, found out in a given time. */
#ifndef MZ_SESSION_SIZES_H
#define MZ_SESSION_SIZES_H

#include "estimate/sampling.h"
#include "report/estimate_text.h"
#include "session/settings/settings.h"

/* Explore with the algorithm for a short time, or sample what it would explore. */
typedef struct mz_size_task {
    const mz_algorithm *algorithm;
    bool sample;
    bool stateful; /* explore states, each once */
    bool looks;    /* only: does the program have weaker orders than seq_cst, which can be explored? */
    double seconds;
} mz_size_task;

typedef struct mz_size_result {
    mz_statistics statistics;
    double seconds, share_done;
    bool finished; /* explored to the end */
    bool is_weak;  /* see above */
    bool error_found;
    mz_estimate sampled;
    char reason[256]; /* why it cannot be explored; "" otherwise */
} mz_size_result;

/* Where tasks are done: here, or in a process of their own. */
typedef struct mz_size_runner {
    void (*run)(void *context, const mz_size_task *task, mz_size_result *result);
    void *context;
} mz_size_runner;

/* Do a task in this process. `prepare`: to be called before each search; may be NULL. */
void mz_size_measure(mz_machine *machine, const mz_settings *settings, const mz_size_task *task,
                     void (*prepare)(mz_machine *machine), mz_size_result *result);

typedef struct mz_sizes {
    mz_size_row *rows; /* one per algorithm of the settings; to be released */
    const char *recommended;
    bool error_found;
    bool by_states;       /* recommended is a search over states, which came to its end */
    double state_seconds; /* in this time */
} mz_sizes;

void mz_sizes_find(mz_sizes *sizes, const mz_settings *settings, double deadline, mz_size_runner runner);

#endif
