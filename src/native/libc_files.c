/* Reading files and standard input. A file is read once, as a whole, when it is first opened: whatever
 * happens to it later, every execution finds the same. A stream is a position in that. The position is shared
 * state that the library protects by a lock: reading is an atomic event, once two threads read from the same
 * stream.
 *
 * Standard input is read as a whole, too: if it is a pipe, up to its end, and a copy is left to the next
 * worker, which finds nothing in it any more. From a terminal nothing comes. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "native/libc_files.h"

typedef struct content {
    char *path; /* NULL: standard input */
    char *bytes;
    size_t size, capacity;
    int error;                /* instead: it cannot be opened */
    bool is_file, is_no_file; /* neither: nothing to read */
} content;

static content *contents;
static size_t content_count, content_capacity;

/* Of what the program knows as a FILE. */
#define MARK UINT64_C(0x66696c6573747265)

/* ---- contents --------------------------------------------------------------------------------------------
 */

static void read_all(content *c, int descriptor)
{
    enum { AT_ONCE = 1 << 16 };
    for (;;) {
        c->bytes = mz_grow(c->bytes, &c->capacity, c->size + AT_ONCE, 1);
        ssize_t got = pread(descriptor, c->bytes + c->size, AT_ONCE, (off_t)c->size);
        if (got <= 0)
            return;
        c->size += (size_t)got;
    }
}

int mz_native_input = -1;

/* The rest of it goes to the end of the copy, which is a file. */
static int copy_pipe(void)
{
    enum { AT_ONCE = 1 << 16, MOST_MIB = 256 };
    static char buffer[AT_ONCE];
    size_t total = 0;
    for (;;) {
        ssize_t got = read(STDIN_FILENO, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0 || lseek(mz_native_input, 0, SEEK_END) < 0 ||
            write(mz_native_input, buffer, (size_t)got) != got)
            return mz_native_input;
        total += (size_t)got;
        if (total > (size_t)MOST_MIB << 20)
            mz__give_up(mz__caller.pc, "standard input is longer than %d MiB", MOST_MIB);
    }
}

static int standard_input(void)
{
    struct stat what;
    mz__w.input_is_terminal = isatty(STDIN_FILENO);
    bool is_pipe = fstat(STDIN_FILENO, &what) == 0 && (S_ISFIFO(what.st_mode) || S_ISSOCK(what.st_mode));
    return is_pipe && mz_native_input >= 0 ? copy_pipe() : STDIN_FILENO;
}

static void load(content *c)
{
    struct stat what;
    int descriptor = c->path ? open(c->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : standard_input();
    if (descriptor < 0) {
        c->error = errno;
        return;
    }
    c->is_file = fstat(descriptor, &what) == 0 && S_ISREG(what.st_mode);
    c->is_no_file = c->path && !c->is_file && strcmp(c->path, "/dev/null") != 0;
    if (c->is_file)
        read_all(c, descriptor);
    if (c->path)
        close(descriptor);
}

static bool is_path(const content *c, const char *path)
{
    return path && c->path ? strcmp(path, c->path) == 0 : path == c->path;
}

static size_t content_of(const char *path)
{
    for (size_t i = 0; i < content_count; i++)
        if (is_path(&contents[i], path))
            return i;
    contents = mz_grow(contents, &content_capacity, content_count + 1, sizeof *contents);
    content *c = &contents[content_count];
    *c = (content){0};
    if (path) {
        c->path = mz_allocate(strlen(path) + 1);
        memcpy(c->path, path, strlen(path) + 1);
    }
    load(c);
    return content_count++;
}

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

void mz__stream_turn(mz__stream *s, const char *verb)
{
    mz__thread *t = mz__w.current;
    uintptr_t address = (uintptr_t)&s->state;
    mz__is_own_only(address);
    if (t->section) {
        mz__section_access(address, sizeof s->state, MZ_READ | MZ_WRITE);
    } else if (mz__w.state.thread_count > 1) {
        mz__pending *p = mz__plan(t, MZ_OP_UPDATE, verb);
        mz__plan_data(p, address, sizeof s->state, MZ_READ | MZ_WRITE);
        mz__announce(p, false);
        uint32_t cell = t->pending.accesses[0].location;
        mz__acquire(cell);
        mz__release(cell, true);
    }
    mz__made_progress();
    mz__before_write(address, sizeof *s);
}

static const content *content_now(mz__stream *s)
{
    return &contents[s->content ? s->content - 1 : content_of(NULL)];
}

const char *mz__stream_take(mz__stream *s, size_t most, int until, size_t *length)
{
    const content *c = content_now(s);
    size_t at = s->state & ~MZ__STREAM_END, left = at < c->size ? c->size - at : 0;
    const char *bytes = c->bytes + at, *found = NULL;
    *length = left < most ? left : most;
    if (until >= 0 && *length > 0)
        found = memchr(bytes, until, *length);
    if (found)
        *length = (size_t)(found - bytes) + 1;
    bool ends = !found && left < most;
    s->state = (at + *length) | (ends ? MZ__STREAM_END : 0);
    return bytes;
}

size_t mz__open_content(const char *path, bool to_write)
{
    if (to_write) {
        mz__give_up(mz__caller.pc, "the program opens '%s' for writing, which would not be taken back", path);
        return 0;
    }
    size_t index = content_of(path);
    if (contents[index].is_no_file)
        mz__give_up(mz__caller.pc, "the program reads from '%s', which is no file", path);
    if (contents[index].error || contents[index].is_no_file) {
        errno = contents[index].error;
        return 0;
    }
    return index + 1;
}

bool mz__is_stream_descriptor(int descriptor)
{
    return descriptor > MZ__STREAM_DESCRIPTORS &&
           (size_t)(descriptor - MZ__STREAM_DESCRIPTORS) <= content_count;
}

bool mz__content_size(size_t number, size_t *size)
{
    const content *c = &contents[number ? number - 1 : content_of(NULL)];
    *size = c->size;
    return number > 0 || c->is_file;
}

static FILE *open_file(const char *path, const char *mode)
{
    mz__string_length(path);
    mz__string_length(mode);
    size_t index = mz__open_content(path, mode[0] != 'r' || strchr(mode, '+'));
    mz__stream *s = index ? mz__allocate(sizeof *s, 16) : NULL;
    if (s) {
        mz__plain_access((uintptr_t)s, sizeof *s, true);
        *s = (mz__stream){.content = index, .mark = MARK};
    }
    return (FILE *)(void *)s;
}

const char *mz__file_rest(FILE *file, const char *verb, size_t *length)
{
    mz__stream *s = stream_of(file);
    *length = 0;
    if (!s)
        return NULL;
    mz__stream_turn(s, verb);
    const content *c = content_now(s);
    size_t at = s->state & ~MZ__STREAM_END;
    *length = at < c->size ? c->size - at : 0;
    return c->bytes + at;
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
                            : MZ__STREAM_DESCRIPTORS + (int)stream_of(file)->content;
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
    if (at == 0 || content_now(s)->bytes[at - 1] != (char)c)
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
                   : from == SEEK_END ? (int64_t)content_now(s)->size
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
