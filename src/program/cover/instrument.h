/* Assembly that remembers what of it has run. */
#ifndef MZ_PROGRAM_COVER_INSTRUMENT_H
#define MZ_PROGRAM_COVER_INSTRUMENT_H

#include "base/error.h"

/* The last change of the text in this file. */
bool mz_cover_assembly(const char *assembly, mz_error *error);

#endif
