/* A section that is the whole program: its traces are executions, and can be run one after the other without
 * a stop, without clocks, races or sleep sets. */
#ifndef MZ_EXPLORE_WORDS_H
#define MZ_EXPLORE_WORDS_H

#include "explore/sections.h"

/* The execution, the first word of the section, has just come to its end. Is all that is left the section's
 * other words? */
bool mz_words_are_all(const mz_search *search, const mz_section *section);

/* Run them. Where one does not go to its end as the first did (a thread fails, or has something more to do),
 * this stops and returns true: that word, now in `word` (threads), and those behind it are to be explored in
 * detail. */
bool mz_run_words(mz_search *search, mz_section *section, uint32_t *word);

#endif
