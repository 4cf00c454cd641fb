/* What library functions do to memory in the name of the program (for_the_program.c). */
#ifndef MZ_PROGRAM_RUNTIME_FOR_THE_PROGRAM_H
#define MZ_PROGRAM_RUNTIME_FOR_THE_PROGRAM_H

#include "program/memory/heap.h"
#include "program/world/world.h"

/* Of the heap of the running thread; NULL and ENOMEM if it is full. */
void *mz__allocate(size_t bytes, size_t alignment);
void *mz__reallocate(void *block, size_t bytes);
/* free() and delete. */
void mz__free(void *block, mz__family family);
/* The two may overlap. */
void mz__copy_memory(void *to, const void *from, size_t bytes);
void mz__fill_memory(void *to, int value, size_t bytes);
/* Up to the end of the string or the limit, read as a whole. */
size_t mz__limited_length(const char *text, size_t most);
/* One of several bytes that a function reads. */
char mz__read_byte(const void *byte);
/* From the checker's own memory. */
void mz__write_memory(void *to, const void *from, size_t bytes);
/* A string with its end, read as a whole by a library function. */
size_t mz__string_length(const char *text);

#endif
