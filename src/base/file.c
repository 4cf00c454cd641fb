#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool mz_file_read(const char *path, size_t most, mz_text *out)
{
    char bytes[65536];
    size_t got;
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    while (out->length <= most && (got = fread(bytes, 1, sizeof bytes, file)) > 0)
        mz_text_add_bytes(out, bytes, got);
    bool good = !ferror(file);
    int trouble = errno;
    fclose(file);
    errno = trouble;
    return good;
}

bool mz_file_read_text(const char *path, size_t most, const char *what, mz_text *out, mz_error *error)
{
    if (!mz_file_read(path, most, out))
        mz_error_set(error, (mz_position){.file = path}, "cannot be read: %s", strerror(errno));
    else if (out->length > most)
        mz_error_set(error, (mz_position){.file = path}, "larger than %zu MiB: not %s", most >> 20, what);
    return !error->set;
}

static bool write_all(const char *path, const char *bytes, size_t length, bool to_disk)
{
    FILE *file = fopen(path, "wb");
    bool written = file && fwrite(bytes, 1, length, file) == length;
    if (written && to_disk)
        written = fflush(file) == 0 && fsync(fileno(file)) == 0;
    int trouble = errno;
    if (file && fclose(file) != 0 && written) {
        trouble = errno;
        written = false;
    }
    errno = trouble;
    return written;
}

bool mz_file_write(const char *path, const char *bytes, size_t length)
{
    return write_all(path, bytes, length, false);
}

static bool is_no_file(const char *path)
{
    struct stat there;
    return stat(path, &there) == 0 && !S_ISREG(there.st_mode);
}

const char *mz_file_why_not_replaced(const char *path)
{
    const char *slash = strrchr(path, '/');
    mz_text folder = {0};
    if (!path[0])
        return "it has no name";
    if (is_no_file(path))
        return "that is no file";
    mz_text_add_bytes(&folder, slash ? path : ".", slash ? (size_t)(slash - path) + 1 : 1);
    bool can = access(mz_text_string(&folder), W_OK) == 0;
    int trouble = errno;
    mz_text_release(&folder);
    return can ? NULL : strerror(trouble);
}

/* A file beside it, which then takes its place. */
bool mz_file_replace(const char *path, const char *bytes, size_t length)
{
    mz_text beside = {0};
    if (is_no_file(path))
        return mz_file_write(path, bytes, length);
    mz_text_add(&beside, "%s.%d.tmp", path, (int)getpid());
    bool good =
        write_all(mz_text_string(&beside), bytes, length, true) && rename(mz_text_string(&beside), path) == 0;
    int trouble = errno;
    if (!good)
        remove(mz_text_string(&beside));
    errno = trouble;
    mz_text_release(&beside);
    return good;
}
