/* Operations that a header proposes: functions that take the same handle. */
#ifndef MZ_CLIENT_HEADER_H
#define MZ_CLIENT_HEADER_H

#include "base/error.h"
#include "base/text.h"

/* A description (as for --clients) out of a header's text, to be edited. *error set if there is no type to
 * which several functions take a pointer. */
void mz_header_propose(const char *name, const char *text, mz_text *out, mz_error *error);

#endif
