/* Words of memory about which something was learned (special_words.c). */
#ifndef MZ_PROGRAM_ORDER_SPECIAL_WORDS_H
#define MZ_PROGRAM_ORDER_SPECIAL_WORDS_H

#include "program/world/world.h"

/* From the next beginning on the word of memory has this flag (MZ__WORD_…). */
void mz__remember_word(uintptr_t word, uint32_t flag);
void mz__mark_special_words(void);
/* The program writes this word, or has been given it with zeroes in it. */
void mz__object_is_set(uintptr_t address);

#endif
