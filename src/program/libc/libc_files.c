/* Streams: what fopen() returns, and standard input. A stream is a position in a file (libc_store.c), in the
 * memory of the program. The position is shared state that the library protects by a lock: using it is an
 * atomic event, once two threads use the same stream. What is written to a stream is in the file at once; the
 * C library may keep it back until the stream is flushed, which the verdict mentions. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "program/describe/failures.h"
#include "program/libc/libc.h"
#include "program/libc/libc_files.h"
#include "program/memory/heap.h"
#include "program/order/happens_before.h"
#include "program/order/memory_errors.h"
#include "program/runtime/accesses.h"
#include "program/runtime/for_the_program.h"
#include "program/runtime/objects.h"
#include "program/runtime/operations.h"
#include "program/runtime/sections.h"
#include "program/world/learning.h"
#include "program/world/named_locations.h"
#include "program/world/progress.h"
#include "program/world/world.h"

/* Of what the program knows as a FILE. */
#define MARK UINT64_C(0x66696c6573747265)

/* ---- streams ---------------------------------------------------------------------------------------------
 */

/* NULL for one that cannot be read: standard output and error. */
static mz__stream *stream_of(FILE *file)
{
    if (file == stdin)
        return mz__standard_input();
    if (file == stdout || file == stderr)
        return NULL;
    mz__check_memory(file, sizeof(mz__stream), false, mz__caller.pc); /* closed ones are freed memory */
    mz__stream *s = (mz__stream *)(void *)file;
    if (s->mark != MARK)
        mz__fail(MZ_FAIL_MEMORY, mz__caller.pc, "this is no open file");
    return s;
}

void mz__check_stream(FILE *file)
{
    stream_of(file);
}

bool mz__put_begin(FILE *file, const char *verb)
{
    mz__stream *s = stream_of(file);
    if (!s)
        return true;
    mz__stream_turn(s, verb);
    if (s != mz__standard_input() && s->content & MZ__STREAM_WRITES)
        return true;
    errno = EBADF;
    return false;
}

void mz__put(FILE *file, const char *bytes, size_t count)
{
    mz__stream *s = stream_of(file);
    if (s)
        mz__stream_put(s, bytes, count);
    else
        mz__print_bytes(bytes, count);
}

/* Once files are written, who uses one, by whichever stream, takes turns with the others. */
static mz_access cell_of_file(size_t number)
{
    uint32_t cell;
    mz__cells_of(MZ__STACK_BASE(number % MZ_MAX_THREADS) + MZ__FILE_NAME, 1, true, &cell);
    return (mz_access){cell, MZ_READ | MZ_WRITE};
}

void mz__file_turn(size_t number, const char *verb)
{
    mz_access access = cell_of_file(number);
    if (mz__w.current->section)
        mz__give_up(mz__caller.pc, "a file is written in an atomic section");
    mz__announce(mz__on_object(MZ_OP_UPDATE, MZ__FREE, (const void *)mz__w.cells[access.location].address,
                               access.location, verb),
                 false);
    mz__made_progress();
}

void mz__stream_turn(mz__stream *s, const char *verb)
{
    mz__thread *t = mz__w.current;
    uintptr_t address = (uintptr_t)&s->state;
    mz__is_own_only(address);
    if (t->section && mz__w.files_written)
        mz__give_up(mz__caller.pc, "a file is used in an atomic section of a program that writes some");
    if (t->section) {
        mz__section_access(address, sizeof s->state, MZ_READ | MZ_WRITE);
    } else if (mz__w.state.thread_count > 1) {
        mz__pending *p = mz__prepare(t, MZ_OP_UPDATE, verb);
        mz__prepare_data(p, address, sizeof s->state, MZ_READ | MZ_WRITE);
        if (mz__w.files_written && mz__file_of(s))
            p->accesses[p->access_count++] = cell_of_file(mz__file_of(s));
        mz__announce(p, false);
        uint32_t cell = t->pending.accesses[0].location;
        mz__acquire(cell);
        mz__release(cell, true);
    }
    mz__made_progress();
    mz__before_write(address, sizeof *s);
}

static mz__view view_of(mz__stream *s)
{
    return mz__file_view(mz__file_of(s));
}

static bool may(const mz__stream *s, uint64_t flag)
{
    bool good = flag == MZ__STREAM_WRITES ? s->content & flag : !(s->content & MZ__STREAM_UNREADABLE);
    if (!good)
        errno = EBADF;
    return good;
}

const char *mz__stream_take(mz__stream *s, size_t most, int until, size_t *length)
{
    mz__view c = view_of(s);
    size_t at = s->state & ~MZ__STREAM_END, left = at < c.size ? c.size - at : 0;
    const char *bytes = c.bytes + at, *found = NULL;
    if (!may(s, 0))
        left = most = 0;
    *length = left < most ? left : most;
    if (until >= 0 && *length > 0)
        found = memchr(bytes, until, *length);
    if (found)
        *length = (size_t)(found - bytes) + 1;
    bool ends = !found && left < most;
    s->state = (at + *length) | (ends ? MZ__STREAM_END : 0);
    return bytes;
}

ssize_t mz__stream_put(mz__stream *s, const void *bytes, size_t count)
{
    size_t number = mz__file_of(s);
    if (!may(s, MZ__STREAM_WRITES))
        return -1;
    if (mz__is_sink(number))
        return (ssize_t)count;
    uint64_t at = s->content & MZ__STREAM_APPENDS ? view_of(s).size : s->state & ~MZ__STREAM_END;
    mz__file_write(number, at, bytes, count);
    s->state = at + count;
    return (ssize_t)count;
}

static int flags_of(const char *mode)
{
    int access = strchr(mode, '+') ? O_RDWR : *mode == 'r' ? O_RDONLY : O_WRONLY;
    int more = *mode == 'w' ? O_CREAT | O_TRUNC : *mode == 'a' ? O_CREAT | O_APPEND : 0;
    return access | more | (*mode == 'w' && strchr(mode, 'x') ? O_EXCL : 0);
}

uint64_t mz__open_file(const char *path, int flags, const char *verb)
{
    size_t number = mz__open_content(path, flags, verb);
    if (!number)
        return 0;
    bool writes = (flags & O_ACCMODE) != O_RDONLY;
    if (writes && !mz__w.files_written) {
        mz__w.files_written = true;
        mz__learned();
    }
    if (flags & O_TRUNC && !mz__is_sink(number)) {
        mz__file_turn(number, verb);
        mz__file_resize(number, 0);
    }
    return number | (writes ? MZ__STREAM_WRITES : 0) | (flags & O_APPEND ? MZ__STREAM_APPENDS : 0) |
           ((flags & O_ACCMODE) == O_WRONLY ? MZ__STREAM_UNREADABLE : 0);
}

static FILE *new_stream(uint64_t content)
{
    mz__stream *s = content ? mz__allocate(sizeof *s, 16) : NULL;
    if (s) {
        mz__plain_access((uintptr_t)s, sizeof *s, true);
        *s = (mz__stream){.content = content, .mark = MARK};
    }
    return (FILE *)(void *)s;
}

static FILE *open_file(const char *path, const char *mode)
{
    mz__string_length(path);
    mz__string_length(mode);
    if (!strchr("rwa", *mode) || !*mode) {
        errno = EINVAL;
        return NULL;
    }
    int flags = flags_of(mode);
    if (flags & O_ACCMODE && !mz__w.buffered)
        mz__w.buffered = true;
    return new_stream(mz__open_file(path, flags, "fopen"));
}

const char *mz__file_rest(FILE *file, const char *verb, size_t *length)
{
    mz__stream *s = stream_of(file);
    *length = 0;
    if (!s)
        return NULL;
    mz__stream_turn(s, verb);
    mz__view c = view_of(s);
    size_t at = s->state & ~MZ__STREAM_END;
    *length = at < c.size && may(s, 0) ? c.size - at : 0;
    return c.bytes + at;
}

void mz__file_skip(FILE *file, size_t bytes, bool came_to_end)
{
    mz__stream *s = stream_of(file);
    if (s)
        s->state = ((s->state & ~MZ__STREAM_END) + bytes) | (came_to_end ? MZ__STREAM_END : 0);
}

MZ__HOOK(FILE *, __wrap_fopen, const char *path, const char *mode)
{
    return open_file(path, mode);
}

MZ__HOOK(FILE *, __wrap_fopen64, const char *path, const char *mode)
{
    return open_file(path, mode);
}

MZ__HOOK(int, __wrap_fclose, FILE *file)
{
    if (file == stdin || file == stdout || file == stderr)
        return 0; /* the checker's own: closed for the program alone */
    uintptr_t pc = mz__caller.pc;
    mz__stream *s = stream_of(file);
    mz__stream_turn(s, "fclose");
    mz__heap_free(s, pc);
    return 0;
}

MZ__HOOK(int, __wrap_fileno, FILE *file)
{
    return file == stdin    ? STDIN_FILENO
           : file == stdout ? STDOUT_FILENO
           : file == stderr ? STDERR_FILENO
                            : MZ__STREAM_DESCRIPTORS + (int)mz__file_of(stream_of(file));
}

/* ---- reading ---------------------------------------------------------------------------------------------
 */

static int read_character(FILE *file, const char *verb)
{
    mz__stream *s = stream_of(file);
    if (!s)
        return EOF;
    mz__stream_turn(s, verb);
    size_t length;
    const char *byte = mz__stream_take(s, 1, -1, &length);
    return length ? (unsigned char)*byte : EOF;
}

MZ__HOOK(int, __wrap_fgetc, FILE *file)
{
    return read_character(file, "fgetc");
}

MZ__HOOK(int, __wrap_getc, FILE *file)
{
    return read_character(file, "getc");
}

MZ__HOOK(int, __wrap_getchar, void)
{
    return read_character(stdin, "getchar");
}

/* The character comes again if it is the one that was read last; another one would have to be kept. */
MZ__HOOK(int, __wrap_ungetc, int c, FILE *file)
{
    mz__stream *s = stream_of(file);
    if (!s || c == EOF)
        return EOF;
    mz__stream_turn(s, "ungetc");
    size_t at = s->state & ~MZ__STREAM_END;
    if (at == 0 || view_of(s).bytes[at - 1] != (char)c)
        return EOF;
    s->state = at - 1;
    return (unsigned char)c;
}

MZ__HOOK(char *, __wrap_fgets, char *to, int room, FILE *file)
{
    mz__stream *s = stream_of(file);
    if (!s || room <= 0)
        return NULL;
    mz__stream_turn(s, "fgets");
    size_t length;
    const char *bytes = mz__stream_take(s, (size_t)room - 1, '\n', &length);
    if (length == 0 && room > 1)
        return NULL;
    mz__write_memory(to, bytes, length);
    mz__write_memory(to + length, "", 1);
    return to;
}

MZ__HOOK(size_t, __wrap_fread, void *to, size_t size, size_t count, FILE *file)
{
    mz__stream *s = stream_of(file);
    size_t wanted, length;
    if (!s || size == 0 || __builtin_mul_overflow(size, count, &wanted) || wanted == 0)
        return 0;
    mz__stream_turn(s, "fread");
    const char *bytes = mz__stream_take(s, wanted, -1, &length);
    mz__write_memory(to, bytes, length);
    return length / size;
}

/* The block is made larger if it must be: it is the program's. */
static bool make_room(char **line, size_t *room, size_t wanted)
{
    mz__plain_access((uintptr_t)line, sizeof *line, false);
    mz__plain_access((uintptr_t)room, sizeof *room, false);
    if (*line && *room >= wanted)
        return true;
    char *larger = mz__reallocate(*line, wanted < 120 ? 120 : wanted);
    if (!larger)
        return false;
    mz__write_memory(line, &larger, sizeof larger);
    mz__write_memory(room, &(size_t){mz__heap_size(larger)}, sizeof *room);
    return true;
}

static ssize_t read_line(char **line, size_t *room, int until, FILE *file, const char *verb)
{
    mz__stream *s = stream_of(file);
    if (!s)
        return -1;
    mz__stream_turn(s, verb);
    size_t length;
    const char *bytes = mz__stream_take(s, SIZE_MAX / 2, until, &length);
    if (length == 0 || !make_room(line, room, length + 1))
        return -1;
    mz__write_memory(*line, bytes, length);
    mz__write_memory(*line + length, "", 1);
    return (ssize_t)length;
}

MZ__HOOK(ssize_t, __wrap_getline, char **line, size_t *room, FILE *file)
{
    return read_line(line, room, '\n', file, "getline");
}

MZ__HOOK(ssize_t, __wrap_getdelim, char **line, size_t *room, int until, FILE *file)
{
    return read_line(line, room, (unsigned char)until, file, "getdelim");
}

/* Some headers call it by this name. */
MZ__HOOK(ssize_t, __wrap___getdelim, char **line, size_t *room, int until, FILE *file)
{
    return read_line(line, room, (unsigned char)until, file, "getdelim");
}

/* ---- where it is ------------------------------------------------------------------------------------------
 */

MZ__HOOK(int, __wrap_feof, FILE *file)
{
    mz__stream *s = stream_of(file);
    if (!s)
        return 0;
    mz__stream_turn(s, "feof");
    return (s->state & MZ__STREAM_END) != 0;
}

MZ__HOOK(int, __wrap_ferror, FILE *file)
{
    stream_of(file);
    return 0;
}

MZ__HOOK(void, __wrap_clearerr, FILE *file)
{
    mz__stream *s = stream_of(file);
    if (!s)
        return;
    mz__stream_turn(s, "clearerr");
    s->state &= ~MZ__STREAM_END;
}

MZ__HOOK(long, __wrap_ftell, FILE *file)
{
    mz__stream *s = stream_of(file);
    if (!s) {
        errno = ESPIPE;
        return -1;
    }
    mz__stream_turn(s, "ftell");
    return (long)(s->state & ~MZ__STREAM_END);
}

int64_t mz__stream_seek(mz__stream *s, int64_t offset, int from)
{
    int64_t base = from == SEEK_CUR   ? (int64_t)(s->state & ~MZ__STREAM_END)
                   : from == SEEK_END ? (int64_t)view_of(s).size
                                      : 0;
    if (from < SEEK_SET || from > SEEK_END || offset < -base) {
        errno = EINVAL;
        return -1;
    }
    s->state = (uint64_t)(base + offset);
    return base + offset;
}

MZ__HOOK(int, __wrap_fseek, FILE *file, long offset, int from)
{
    mz__stream *s = stream_of(file);
    if (!s) {
        errno = ESPIPE;
        return -1;
    }
    mz__stream_turn(s, "fseek");
    return mz__stream_seek(s, offset, from) < 0 ? -1 : 0;
}

MZ__HOOK(off_t, __wrap_ftello, FILE *file)
{
    return mz__hook___wrap_ftell(file);
}

MZ__HOOK(int, __wrap_fseeko, FILE *file, off_t offset, int from)
{
    return mz__hook___wrap_fseek(file, offset, from);
}

MZ__HOOK(void, __wrap_rewind, FILE *file)
{
    mz__hook___wrap_fseek(file, 0, SEEK_SET);
}

/* A file that has no name any more. */
MZ__HOOK(FILE *, __wrap_tmpfile, void)
{
    char pattern[] = "/tmp/tmpfXXXXXX";
    size_t number = mz__make_temporary(pattern, "tmpfile");
    if (!number)
        return NULL;
    mz__w.files_written = true;
    return new_stream(number | MZ__STREAM_WRITES);
}

int mz__print_bytes(const char *text, size_t length)
{
    if (mz__w.narrating)
        mz_text_add_bytes(&mz__w.output, text, length);
    return (int)length;
}
