/* Devices that give something for ever: here as much as a file of MZ__SOURCE_BYTES. */
#include <string.h>

#include "base/hash.h"
#include "program/libc/libc_files.h"
#include "program/world/noted_premises.h"

static bool is_random(const char *path)
{
    return strcmp(path, "/dev/urandom") == 0 || strcmp(path, "/dev/random") == 0;
}

bool mz__is_source_device(const char *path)
{
    return is_random(path) || strcmp(path, "/dev/zero") == 0;
}

/* As all randomness here: the same sequence each time. */
void mz__fill_from_device(const char *path, char *bytes, size_t size)
{
    if (!is_random(path)) {
        memset(bytes, 0, size);
        return;
    }
    mz__ask(MZ_PREMISE_RANDOM);
    for (size_t i = 0; i < size; i++)
        bytes[i] = (char)mz_mix64(i + 1);
}
