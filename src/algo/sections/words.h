/* A program that is one section: its traces are known once the first one has been executed, and are run one
 * after the other without a stop, without clocks, races or sleep sets. */
#ifndef MZ_ALGO_SECTIONS_WORDS_H
#define MZ_ALGO_SECTIONS_WORDS_H

#include "search/frontier.h"

/* Explore the program in this way, each trace once. (short_section: the section must be a short one.) False
 * if it is none of those: some thread waits, fails, chooses, or does something else in another order. Then
 * nothing has been counted but the events.
 *
 * An item of the frontier is the beginning of words (MZ_ITEM_WORD). Whoever has the program finds the section
 * again; which letters sleep after a beginning follows from it. If a word of a part does something else, all
 * parts are void: the next epoch is in the other form. */
bool mz_explore_words(mz_search *search, bool short_section, mz_item_form otherwise);

#endif
