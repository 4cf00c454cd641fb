/* Choices of the program (choices.c). */
#ifndef MZ_PROGRAM_RUNTIME_CHOICES_H
#define MZ_PROGRAM_RUNTIME_CHOICES_H

#include "program/world/world.h"

int64_t mz__choose(int64_t low, int64_t high);
/* The value of the input with this name. The name stays valid as long as the process. */
int64_t mz__choose_input(int64_t low, int64_t high, const char *name);
/* The same where spin.c finds out whether anything came of the choice (mz__chose_spinning). */
int64_t mz__choose_without_progress(int64_t low, int64_t high, const char *name);

#endif
