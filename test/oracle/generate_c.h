/* Random small C programs with pthreads: several in one source file, main(argv[1]) runs one of them. */
#ifndef MZ_ORACLE_GENERATE_C_H
#define MZ_ORACLE_GENERATE_C_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* Main creates and joins many threads first, one after the other: more than fit into one word with the
 * others. */
extern bool generate_c_many_threads;
/* Without frames that end: where races are errors, one of the two who race stops there, and which one depends
 * on an order that is not explored. */
extern bool generate_c_without_ends;

/* Functions and variables of program number `index`, made from the seed. */
void generate_c_program(uint64_t seed, uint32_t index, mz_text *out);
void generate_c_head(mz_text *out);
void generate_c_main(uint32_t count, mz_text *out);

#endif
