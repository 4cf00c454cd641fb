/* Descriptors: open() and what works on its result. Which one open() returns depends on those that are open,
 * and a position is shared by all who know the number: both are shared state of the system, so that using
 * them is an atomic event once two threads do. (Opening looks for the lowest one that is free, then makes it;
 * closing ends it, then sets it free. Whoever uses the number in between finds it closed.)
 *
 * The standard streams are the checker's: what is written there is output of the program, and it may close
 * them for itself. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "program/pthread/endings.h"
#include "program/libc/libc_files.h"
#include "program/libc/libc_format.h"

enum { FIRST = STDERR_FILENO + 1 };

/* The table as a whole, for which threads take turns as for a stream. */
static mz__stream *table(void)
{
    return (mz__stream *)(void *)mz__libc->descriptors[0];
}

static mz__stream *entry(int descriptor)
{
    return (mz__stream *)(void *)mz__libc->descriptors[descriptor];
}

static int new_descriptor(uint64_t content, const char *verb)
{
    if (!content)
        return -1;
    mz__stream_turn(table(), verb);
    int descriptor = FIRST;
    while (descriptor < MZ__DESCRIPTORS && table()->state >> descriptor & 1)
        descriptor++;
    if (descriptor == MZ__DESCRIPTORS) {
        errno = EMFILE;
        return -1;
    }
    table()->state |= UINT64_C(1) << descriptor;
    mz__stream_turn(entry(descriptor), verb);
    *entry(descriptor) = (mz__stream){.content = content};
    return descriptor;
}

static int open_descriptor(const char *path, int flags, const char *verb)
{
    mz__string_length(path);
    return new_descriptor(mz__open_file(path, flags, verb), verb);
}

/* The mode, which follows, is for files that are made. */
MZ__HOOK(int, __wrap_open, const char *path, int flags)
{
    mz__test_cancel("open", true);
    return open_descriptor(path, flags, "open");
}

MZ__HOOK(int, __wrap_open64, const char *path, int flags)
{
    mz__test_cancel("open", true);
    return open_descriptor(path, flags, "open");
}

static void refuse_descriptor_of_stream(int descriptor)
{
    if (mz__is_stream_descriptor(descriptor))
        mz__give_up(mz__caller.pc, "the program uses the descriptor of a file that fopen() has opened");
}

static bool is_standard_output(int descriptor)
{
    return descriptor == STDOUT_FILENO || descriptor == STDERR_FILENO;
}

/* What can be read, and is the thread's own up to the next event; NULL and errno if it is not open. */
static mz__stream *take_descriptor(int descriptor, const char *verb)
{
    mz__stream *s = descriptor == STDIN_FILENO                            ? mz__standard_input()
                    : descriptor >= FIRST && descriptor < MZ__DESCRIPTORS ? entry(descriptor)
                                                                          : NULL;
    refuse_descriptor_of_stream(descriptor);
    if (s)
        mz__stream_turn(s, verb);
    if (s && (descriptor == STDIN_FILENO || s->content))
        return s;
    errno = EBADF;
    return NULL;
}

MZ__HOOK(int, __wrap_close, int descriptor)
{
    mz__test_cancel("close", true);
    if (descriptor >= STDIN_FILENO && descriptor <= STDERR_FILENO)
        return 0;
    mz__stream *s = take_descriptor(descriptor, "close");
    if (!s)
        return -1;
    *s = (mz__stream){0};
    mz__stream_turn(table(), "close");
    table()->state &= ~(UINT64_C(1) << descriptor);
    return 0;
}

static int refuse_unreadable(void)
{
    errno = EBADF;
    return -1;
}

MZ__HOOK(ssize_t, __wrap_read, int descriptor, void *to, size_t most)
{
    mz__test_cancel("read", true);
    mz__stream *s = take_descriptor(descriptor, "read");
    if (!s)
        return -1;
    size_t length;
    if (s->content & MZ__STREAM_UNREADABLE)
        return refuse_unreadable();
    const char *bytes = mz__stream_take(s, most, -1, &length);
    mz__write_memory(to, bytes, length);
    return (ssize_t)length;
}

static ssize_t read_at(int descriptor, void *to, size_t most, int64_t offset)
{
    mz__stream *s = take_descriptor(descriptor, "pread");
    if (!s)
        return -1;
    mz__stream there = *s;
    if (offset < 0) {
        errno = EINVAL;
        return -1;
    }
    there.state = (uint64_t)offset;
    size_t length;
    if (s->content & MZ__STREAM_UNREADABLE)
        return refuse_unreadable();
    const char *bytes = mz__stream_take(&there, most, -1, &length);
    mz__write_memory(to, bytes, length);
    return (ssize_t)length;
}

MZ__HOOK(ssize_t, __wrap_pread, int descriptor, void *to, size_t most, int64_t offset)
{
    mz__test_cancel("pread", true);
    return read_at(descriptor, to, most, offset);
}

MZ__HOOK(ssize_t, __wrap_pread64, int descriptor, void *to, size_t most, int64_t offset)
{
    mz__test_cancel("pread", true);
    return read_at(descriptor, to, most, offset);
}

static int64_t seek(int descriptor, int64_t offset, int from)
{
    if (is_standard_output(descriptor)) {
        errno = ESPIPE;
        return -1;
    }
    mz__stream *s = take_descriptor(descriptor, "lseek");
    return s ? mz__stream_seek(s, offset, from) : -1;
}

MZ__HOOK(int64_t, __wrap_lseek, int descriptor, int64_t offset, int from)
{
    return seek(descriptor, offset, from);
}

MZ__HOOK(int64_t, __wrap_lseek64, int descriptor, int64_t offset, int from)
{
    return seek(descriptor, offset, from);
}

static ssize_t write_to(int descriptor, const void *bytes, size_t count, const char *verb)
{
    mz__plain_access((uintptr_t)bytes, count, false);
    if (is_standard_output(descriptor))
        return mz__print_bytes(bytes, count);
    mz__stream *s = descriptor == STDIN_FILENO ? NULL : take_descriptor(descriptor, verb);
    if (!s)
        errno = EBADF;
    return s ? mz__stream_put(s, bytes, count) : -1;
}

MZ__HOOK(ssize_t, __wrap_write, int descriptor, const void *bytes, size_t count)
{
    mz__test_cancel("write", true);
    return write_to(descriptor, bytes, count, "write");
}

static ssize_t write_at(int descriptor, const void *bytes, size_t count, int64_t offset)
{
    mz__test_cancel("pwrite", true);
    mz__plain_access((uintptr_t)bytes, count, false);
    mz__stream *s = descriptor <= STDERR_FILENO ? NULL : take_descriptor(descriptor, "pwrite");
    if (!s || offset < 0) {
        errno = !s && descriptor <= STDERR_FILENO ? ESPIPE : s ? EINVAL : EBADF;
        return -1;
    }
    mz__stream there = *s; /* the position stays where it is */
    there.state = (uint64_t)offset;
    return mz__stream_put(&there, bytes, count);
}

MZ__HOOK(ssize_t, __wrap_pwrite, int descriptor, const void *bytes, size_t count, int64_t offset)
{
    return write_at(descriptor, bytes, count, offset);
}

MZ__HOOK(ssize_t, __wrap_pwrite64, int descriptor, const void *bytes, size_t count, int64_t offset)
{
    return write_at(descriptor, bytes, count, offset);
}

/* For dprintf(): the text is complete, and nobody else runs meanwhile. */
int mz__print_to_descriptor(int descriptor, const char *format, va_list list, uintptr_t pc);

MZ__HOOK(int, mz__print_to_descriptor, int descriptor, const char *format, va_list list, uintptr_t pc)
{
    mz__caller.pc = pc;
    if (is_standard_output(descriptor))
        return mz__print_for_caller(format, list);
    va_list again;
    va_copy(again, list);
    mz__read_conversions(format, again);
    va_end(again);
    mz__stream *s = descriptor == STDIN_FILENO ? NULL : take_descriptor(descriptor, "dprintf");
    mz_text text = {0};
    mz_text_add_list(&text, format, list);
    ssize_t written = s ? mz__stream_put(s, mz_text_string(&text), text.length) : -1;
    mz_text_release(&text);
    if (!s)
        errno = EBADF;
    return (int)written;
}

static int resize(int descriptor, int64_t size)
{
    mz__stream *s = descriptor <= STDERR_FILENO ? NULL : take_descriptor(descriptor, "ftruncate");
    if (!s || !(s->content & MZ__STREAM_WRITES) || size < 0) {
        errno = s || descriptor <= STDERR_FILENO ? EINVAL : EBADF;
        return -1;
    }
    mz__file_resize(mz__file_of(s), (uint64_t)size);
    return 0;
}

MZ__HOOK(int, __wrap_ftruncate, int descriptor, int64_t size)
{
    return resize(descriptor, size);
}

MZ__HOOK(int, __wrap_ftruncate64, int descriptor, int64_t size)
{
    return resize(descriptor, size);
}

/* There is nothing to wait for. */
static int synchronise(int descriptor, const char *verb)
{
    mz__test_cancel(verb, true);
    return is_standard_output(descriptor) || take_descriptor(descriptor, verb) ? 0 : -1;
}

MZ__HOOK(int, __wrap_fsync, int descriptor)
{
    return synchronise(descriptor, "fsync");
}

MZ__HOOK(int, __wrap_fdatasync, int descriptor)
{
    return synchronise(descriptor, "fdatasync");
}

MZ__HOOK(int, __wrap_creat, const char *path, unsigned mode)
{
    (void)mode;
    mz__test_cancel("creat", true);
    return open_descriptor(path, O_WRONLY | O_CREAT | O_TRUNC, "creat");
}

/* The name is the program's: it is changed in place. */
MZ__HOOK(int, __wrap_mkstemp, char *pattern)
{
    char name[4096];
    size_t length = mz__string_length(pattern);
    if (length >= sizeof name) {
        errno = EINVAL;
        return -1;
    }
    memcpy(name, pattern, length + 1);
    size_t number = mz__make_temporary(name, "mkstemp");
    if (!number)
        return -1;
    mz__w.files_written = true;
    mz__write_memory(pattern, name, length);
    return new_descriptor(number | MZ__STREAM_WRITES, "mkstemp");
}

/* Of a file, its size and that one may read it: the same wherever the program is checked. What the standard
 * streams are when they are no files is a pipe. */
static int describe(int descriptor, struct stat *out)
{
    size_t size = 0, content = 0;
    bool is_file = false;
    if (mz__is_stream_descriptor(descriptor)) {
        content = (size_t)(descriptor - MZ__STREAM_DESCRIPTORS);
    } else if (!is_standard_output(descriptor)) {
        mz__stream *s = take_descriptor(descriptor, "fstat");
        if (!s)
            return -1;
        content = mz__file_of(s);
    }
    if (!is_standard_output(descriptor))
        is_file = mz__content_size(content, &size);
    struct stat what = {.st_mode = is_file ? S_IFREG | 0644 : S_IFIFO | 0600,
                        .st_nlink = 1,
                        .st_size = (off_t)size,
                        .st_blksize = 4096,
                        .st_blocks = (blkcnt_t)((size + 511) / 512)};
    mz__write_memory(out, &what, sizeof what);
    return 0;
}

MZ__HOOK(int, __wrap_fstat, int descriptor, struct stat *out)
{
    return describe(descriptor, out);
}

MZ__HOOK(int, __wrap_fstat64, int descriptor, struct stat *out)
{
    return describe(descriptor, out);
}

/* Nothing here is a terminal: what the program prints is kept back. */
MZ__HOOK(int, __wrap_isatty, int descriptor)
{
    bool is_open = is_standard_output(descriptor) || mz__is_stream_descriptor(descriptor) ||
                   take_descriptor(descriptor, "isatty");
    errno = is_open ? ENOTTY : EBADF;
    return 0;
}
