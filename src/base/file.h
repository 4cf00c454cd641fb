/* Whole files. */
#ifndef MZ_BASE_FILE_H
#define MZ_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

#define MZ_FILE_ANY_SIZE SIZE_MAX

/* At most that many bytes of it, and one more if there are more. False, and errno says why, if not. */
bool mz_file_read(const char *path, size_t most, mz_text *out);
/* All of one that is no larger; *error set, at the file, if that is not so. what: "a model". */
bool mz_file_read_text(const char *path, size_t most, const char *what, mz_text *out, mz_error *error);

/* False, and errno says why, if it could not be written. */
bool mz_file_write(const char *path, const char *bytes, size_t length);
/* The same in one step for everybody who looks: nobody ever finds half of it, whatever happens. */
bool mz_file_replace(const char *path, const char *bytes, size_t length);
/* NULL if it could be, as far as can be told before; otherwise why not. (Into what is there and no file, a
 * device, mz_file_replace() writes as mz_file_write() does.) */
const char *mz_file_why_not_replaced(const char *path);

#endif
