/* The processors that this process can run on. */
#ifndef MZ_BASE_PROCESSORS_H
#define MZ_BASE_PROCESSORS_H

#include <stdint.h>

uint32_t mz_processors(void);

#endif
