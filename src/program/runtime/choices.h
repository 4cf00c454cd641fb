/* Choices of the program (choices.c). */
#ifndef MZ_PROGRAM_RUNTIME_CHOICES_H
#define MZ_PROGRAM_RUNTIME_CHOICES_H

#include "program/world/world.h"

int64_t mz__choose(int64_t low, int64_t high);
/* … of the input with this name, which lives as long as we do. */
int64_t mz__choose_input(int64_t low, int64_t high, const char *name);
/* … where spin.c keeps account of what came of it (mz__chose_spinning). */
int64_t mz__choose_without_progress(int64_t low, int64_t high, const char *name);

#endif
