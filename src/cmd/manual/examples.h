/* Examples in help texts name files that are there, wherever the tool is installed. */
#ifndef MZ_CMD_EXAMPLES_H
#define MZ_CMD_EXAMPLES_H

#include "base/text.h"

/* The text, in which "@examples/bank.c" becomes the name of that file: as it is seen from here, or installed,
 * or where the tool was built. */
void mz_add_with_examples(const char *text, mz_text *out);
/* For man pages, which are read elsewhere: go to where the names alone are enough. */
void mz_enter_examples(void);

#endif
