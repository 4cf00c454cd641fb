/* The files that a program sees: those of the system, as they were when it first asked, and what it has made
 * of them. The system's own are never changed. A file is read once, as a whole, when it is first opened:
 * whatever happens to it later, every execution finds the same. What the program writes goes to a copy in
 * memory, which is taken back with the execution.
 *
 * A name is a path from the root, without "." and "..", and has a number; so has a file, which is the one of
 * the name under which the system has it, or a new one. Names that lead elsewhere than in the system (made,
 * removed, renamed) and files that were written are on the trail.
 *
 * Standard input is read as a whole, too: if it is a pipe, up to its end, and a copy is left to the next
 * worker, which finds nothing in it any more. From a terminal nothing comes. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/memory.h"
#include "program/describe/failures.h"
#include "program/libc/libc_files.h"
#include "program/runtime/for_the_program.h"
#include "program/runtime/objects.h"
#include "program/runtime/operations.h"
#include "program/runtime/simple_sections.h"
#include "program/world/learning.h"
#include "program/world/named_locations.h"
#include "program/world/noted_premises.h"
#include "program/world/progress.h"
#include "program/world/world.h"

typedef struct content {
    char *path; /* NULL: standard input */
    char *bytes;
    size_t size, capacity;
    int error;                /* instead: it cannot be opened */
    bool is_file, is_no_file; /* neither: nothing to read */
    bool is_loaded, is_asked;
    int absent;              /* why there is nothing of the name, or 0 */
    int modes;               /* W_OK: it may be written; X_OK: executed, or searched */
    bool is_folder, matters; /* it is not only written anew */
    int64_t size_there;
    unsigned asked;  /* R_OK, …, MZ_NAME_…: what executions depend on */
    bool asked_mode; /* executions depend on its mode */
} content;

static content *contents;
static size_t content_count, content_capacity;

enum { NAMES = 4096, FILES = 2 * NAMES, UNTOUCHED = 0, GONE = -1, FOLDER = -2 };
#define POOL_BYTES ((size_t)1 << 36)

/* ---- what the system has ----------------------------------------------------------------------------------
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

static bool is_source(const content *c)
{
    return c->path && mz__is_source_device(c->path);
}

static void load(content *c)
{
    struct stat what;
    if (c->is_loaded)
        return;
    c->is_loaded = true;
    if (is_source(c)) {
        c->bytes = mz_grow(c->bytes, &c->capacity, MZ__SOURCE_BYTES, 1);
        c->size = MZ__SOURCE_BYTES;
        mz__fill_from_device(c->path, c->bytes, c->size);
        return;
    }
    int descriptor = c->path ? open(c->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : mz__standard_input_file();
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

/* Asked once: every execution finds the same. */
static content *ask(size_t name)
{
    struct stat what;
    content *c = &contents[name];
    if (c->is_asked || !c->path)
        return c;
    c->is_asked = true;
    if (stat(c->path, &what) != 0) {
        c->absent = errno;
        return c;
    }
    c->is_folder = S_ISDIR(what.st_mode);
    c->size_there = S_ISREG(what.st_mode) ? (int64_t)what.st_size : 0;
    c->modes = (access(c->path, W_OK) == 0 ? W_OK : 0) | (access(c->path, X_OK) == 0 ? X_OK : 0);
    return c;
}

static const unsigned kind_of_name = MZ_NAME_EXISTS | MZ_NAME_IS_FOLDER;

/* ---- names ------------------------------------------------------------------------------------------------
 */

static size_t number_of(const char *path)
{
    char name[4096];
    if (path)
        mz__path_from_root(path, name, sizeof name);
    for (size_t i = 0; i < content_count; i++)
        if (path && contents[i].path ? strcmp(name, contents[i].path) == 0 : path == contents[i].path)
            return i;
    if (content_count == NAMES)
        mz__give_up(mz__caller.pc, "the program uses more than %d names of files", NAMES);
    contents = mz_grow(contents, &content_capacity, content_count + 1, sizeof *contents);
    contents[content_count] = (content){.path = path ? mz_copy_string(name) : NULL};
    return content_count++;
}

/* ---- what the program has made of it: on the trail -------------------------------------------------------
 */

typedef struct file {
    uint64_t own; /* its bytes are at `offset` of the pool */
    uint64_t offset, size, capacity;
} file;

static _Alignas(16) int32_t leads_to[NAMES]; /* UNTOUCHED, GONE, FOLDER, or the number of a file + 1 */
static _Alignas(16) file files[FILES];
static _Alignas(16) struct {
    uint64_t pool_used, file_count; /* of those that no name of the system has */
} used;
static char *pool;

static void lead(size_t name, int32_t to)
{
    mz__save(&leads_to[name & ~(size_t)3], 16);
    leads_to[name] = to;
}

static file *change_file(size_t number)
{
    mz__save(&files[number], sizeof *files);
    return &files[number];
}

static uint64_t take_room(uint64_t bytes)
{
    if (!pool)
        pool = mmap(NULL, POOL_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
                    0);
    bytes = (bytes + 15) & ~UINT64_C(15);
    if (pool == MAP_FAILED || used.pool_used + bytes > POOL_BYTES)
        mz__give_up(mz__caller.pc, "the program writes more to files than there is room for");
    mz__save(&used, sizeof used);
    uint64_t offset = used.pool_used;
    used.pool_used += bytes;
    return offset;
}

mz__view mz__file_view(size_t number)
{
    if (number == 0) {
        size_t input = number_of(NULL); /* first: that may move them */
        content *c = &contents[input];
        load(c);
        return (mz__view){c->bytes, c->size};
    }
    const file *f = &files[number - 1];
    if (f->own)
        return (mz__view){pool + f->offset, f->size};
    load(&contents[number - 1]);
    return (mz__view){contents[number - 1].bytes, contents[number - 1].size};
}

/* With bytes of its own, and room for so many. What is written over later is saved then. */
static file *make_own(size_t number, uint64_t room)
{
    mz__view before = mz__file_view(number);
    file *f = change_file(number - 1);
    if (f->own && room <= f->capacity)
        return f;
    uint64_t capacity = f->own ? 2 * f->capacity : before.size;
    capacity = capacity < room ? room : capacity;
    uint64_t offset = take_room(capacity < 256 ? 256 : capacity);
    if (before.size > 0)
        memcpy(pool + offset, before.bytes, before.size);
    *f = (file){.own = 1, .offset = offset, .size = before.size, .capacity = capacity < 256 ? 256 : capacity};
    return f;
}

static void save_bytes(uint64_t from, uint64_t to)
{
    from &= ~UINT64_C(15);
    to = (to + 15) & ~UINT64_C(15);
    if (to > from)
        mz__save(pool + from, to - from);
}

void mz__file_write(size_t number, uint64_t at, const void *bytes, size_t count)
{
    file *f = make_own(number, at + count);
    uint64_t end = at + count;
    if (at < f->size)
        save_bytes(f->offset + at, f->offset + (end < f->size ? end : f->size));
    if (at > f->size)
        memset(pool + f->offset + f->size, 0, at - f->size);
    if (count > 0)
        memcpy(pool + f->offset + at, bytes, count);
    if (end > f->size)
        f->size = end;
}

void mz__file_resize(size_t number, uint64_t size)
{
    file *f = make_own(number, size);
    if (size > f->size)
        memset(pool + f->offset + f->size, 0, size - f->size);
    f->size = size;
}

/* ---- looking up, making, removing ------------------------------------------------------------------------
 *
 * Programs that only read need no events for that; once one makes or removes names, each look is one. */

void mz__names_turn(bool writes, const char *verb)
{
    if (writes && !mz__w.names_changed) {
        mz__w.names_changed = true;
        mz__learned();
    }
    if (!mz__w.names_changed)
        return;
    mz__not_in_simple_section();
    if (mz__w.current->section)
        mz__give_up(mz__caller.pc, "files are opened in an atomic section of a program that makes some");
    uint32_t cell;
    mz__cells_of(MZ__STACK_BASE(0) + MZ__NAMES_NAME, 1, true, &cell);
    mz__pending *p = mz__on_object(writes ? MZ_OP_UPDATE : MZ_OP_READ, MZ__FREE,
                                   (const void *)(MZ__STACK_BASE(0) + MZ__NAMES_NAME), cell, verb);
    p->accesses[0].kind = writes ? MZ_READ | MZ_WRITE : MZ_READ;
    mz__announce(p, !writes);
    if (writes)
        mz__made_progress();
}

static size_t refuse(int error)
{
    errno = error;
    return 0;
}

/* Unless the program has made something else of the name. */
static void depend_on(size_t name, unsigned what)
{
    if (leads_to[name] == UNTOUCHED)
        contents[name].asked |= what;
}

/* Its number + 1, or 0 and errno. */
static size_t find(size_t name)
{
    int32_t to = leads_to[name];
    if (to > 0)
        return (size_t)to;
    if (to != UNTOUCHED)
        return refuse(to == GONE ? ENOENT : EISDIR);
    const content *c = ask(name);
    return c->absent ? refuse(c->absent) : c->is_folder ? refuse(EISDIR) : name + 1;
}

static bool is_folder(size_t name)
{
    return leads_to[name] == FOLDER ||
           (leads_to[name] == UNTOUCHED && !ask(name)->absent && ask(name)->is_folder);
}

/* May something be made there? Otherwise errno says why not. */
static bool has_folder(size_t name)
{
    char folder[4096];
    snprintf(folder, sizeof folder, "%s", contents[name].path);
    *strrchr(folder, '/') = 0;
    size_t above = number_of(*folder ? folder : "/");
    depend_on(above, kind_of_name | W_OK);
    if (!is_folder(above)) {
        bool is_there = leads_to[above] > 0 || (leads_to[above] == UNTOUCHED && !ask(above)->absent);
        return refuse(is_there ? ENOTDIR : ENOENT);
    }
    return leads_to[above] == FOLDER || ask(above)->modes & W_OK || refuse(EACCES);
}

static size_t make(size_t name)
{
    if (!has_folder(name))
        return 0;
    size_t number = name + 1;
    if (leads_to[name] == GONE) { /* the one that was there may still be in use */
        mz__save(&used, sizeof used);
        number = NAMES + ++used.file_count;
        if (number > FILES)
            mz__give_up(mz__caller.pc, "the program makes more than %d files", FILES - NAMES);
    }
    *change_file(number - 1) = (file){.own = 1, .offset = take_room(256), .capacity = 256};
    lead(name, (int32_t)number);
    return number;
}

/* Devices cannot be copied; what is written to this one is gone. */
static bool is_writable(size_t name, size_t number)
{
    const content *c = &contents[name];
    if (leads_to[name] != UNTOUCHED || strcmp(c->path, "/dev/null") == 0)
        return true;
    load(&contents[name]);
    depend_on(name, W_OK);
    if (contents[name].is_no_file || is_source(c))
        mz__give_up(mz__caller.pc, "the program writes to '%s', which is no file", c->path);
    return files[number - 1].own || c->modes & W_OK || refuse(EACCES);
}

static size_t open_to_write(size_t name, int flags)
{
    size_t number = find(name);
    if (number && flags & O_CREAT && flags & O_EXCL)
        return refuse(EEXIST);
    if (!number && (errno != ENOENT || !(flags & O_CREAT)))
        return 0;
    if (!number)
        return make(name);
    return is_writable(name, number) ? number : 0;
}

size_t mz__open_content(const char *path, int flags, const char *verb)
{
    bool writes = (flags & O_ACCMODE) != O_RDONLY || flags & (O_CREAT | O_TRUNC);
    bool anew = writes && flags & O_CREAT && flags & O_TRUNC && !(flags & O_EXCL);
    mz__names_turn(writes, verb);
    size_t name = number_of(path);
    contents[name].matters |= !anew && leads_to[name] == UNTOUCHED;
    if (writes)
        return open_to_write(name, flags);
    size_t number = find(name);
    if (!number && errno == EISDIR)
        mz__give_up(mz__caller.pc, "the program reads from '%s', which is no file", path);
    if (!number || files[number - 1].own)
        return number;
    load(&contents[number - 1]);
    if (contents[number - 1].is_no_file)
        mz__give_up(mz__caller.pc, "the program reads from '%s', which is no file", path);
    return contents[number - 1].error ? refuse(contents[number - 1].error) : number;
}

/* Of what is no file, only standard input and /dev/null come here: as nothing, and empty. */
void mz__visit_contents(mz__content_visitor *visit, void *context)
{
    for (size_t i = 0; i < content_count; i++) {
        content *c = &contents[i];
        if (c->path ? !c->matters || c->is_folder || is_source(c) : !c->is_loaded)
            continue;
        if (c->path && !ask(i)->absent)
            load(c);
        bool there = c->path ? !c->absent && !c->error : c->is_file;
        visit(context, c->path, there ? (c->bytes ? c->bytes : "") : NULL, c->size);
    }
}

void mz__visit_names(mz__name_visitor *visit, void *context)
{
    for (size_t i = 0; i < content_count; i++) {
        if (!contents[i].path || !contents[i].asked)
            continue;
        const content *c = ask(i);
        unsigned found =
            c->absent ? 0
                      : MZ_NAME_EXISTS | R_OK | (unsigned)c->modes | (c->is_folder ? MZ_NAME_IS_FOLDER : 0);
        unsigned mode = !c->asked_mode || c->absent ? 0 : c->is_folder ? S_IFDIR | 0755 : S_IFREG | 0644;
        visit(context, c->path, c->asked, found, mode);
    }
}

bool mz__is_sink(size_t number)
{
    return number > 0 && number <= content_count && contents[number - 1].path &&
           strcmp(contents[number - 1].path, "/dev/null") == 0;
}

bool mz__content_size(size_t number, size_t *size)
{
    *size = mz__file_view(number).size;
    size_t input = number_of(NULL); /* first: that may move them */
    return number > 0 || contents[input].is_file;
}

bool mz__is_stream_descriptor(int descriptor)
{
    return descriptor > MZ__STREAM_DESCRIPTORS && descriptor <= MZ__STREAM_DESCRIPTORS + FILES;
}

/* ---- by name ----------------------------------------------------------------------------------------------
 */

static bool is_empty(size_t folder)
{
    size_t length = strlen(contents[folder].path);
    for (size_t i = 0; i < content_count; i++) {
        const char *path = contents[i].path;
        if (path && strncmp(path, contents[folder].path, length) == 0 && path[length] == '/' &&
            (leads_to[i] > 0 || leads_to[i] == FOLDER))
            return false;
    }
    return true;
}

static int remove_name(const char *path, bool folders, bool others, const char *verb)
{
    mz__string_length(path);
    mz__names_turn(true, verb);
    size_t name = number_of(path);
    depend_on(name, kind_of_name);
    bool folder = is_folder(name);
    if (!folder && !find(name))
        return -1;
    if (folder ? !folders : !others)
        return refuse(folder ? EISDIR : ENOTDIR), -1;
    if (leads_to[name] == UNTOUCHED && folder)
        mz__give_up(mz__caller.pc, "the program removes the directory '%s', which it has not made", path);
    if (folder && !is_empty(name))
        return refuse(ENOTEMPTY), -1;
    if (!has_folder(name))
        return -1;
    lead(name, GONE);
    return 0;
}

MZ__HOOK(int, __wrap_unlink, const char *path)
{
    return remove_name(path, false, true, "unlink");
}

MZ__HOOK(int, __wrap_rmdir, const char *path)
{
    return remove_name(path, true, false, "rmdir");
}

MZ__HOOK(int, __wrap_remove, const char *path)
{
    return remove_name(path, true, true, "remove");
}

MZ__HOOK(int, __wrap_mkdir, const char *path, unsigned mode)
{
    (void)mode;
    mz__string_length(path);
    mz__names_turn(true, "mkdir");
    size_t name = number_of(path);
    depend_on(name, kind_of_name);
    if (is_folder(name) || find(name))
        return refuse(EEXIST), -1;
    if (!has_folder(name))
        return -1;
    lead(name, FOLDER);
    return 0;
}

MZ__HOOK(int, __wrap_rename, const char *from, const char *to)
{
    mz__string_length(from);
    mz__string_length(to);
    mz__names_turn(true, "rename");
    size_t old = number_of(from), new = number_of(to);
    depend_on(old, kind_of_name);
    depend_on(new, MZ_NAME_IS_FOLDER);
    if (is_folder(old) || is_folder(new))
        mz__give_up(mz__caller.pc, "the program renames a directory");
    size_t number = find(old);
    if (!number || !has_folder(old) || !has_folder(new))
        return -1;
    if (old == new)
        return 0;
    lead(new, (int32_t)number);
    lead(old, GONE);
    return 0;
}

/* What is the same wherever the program is checked: what it is, and how large. */
static int describe_name(const char *path, struct stat *out, const char *verb)
{
    mz__string_length(path);
    mz__names_turn(false, verb);
    size_t name = number_of(path), number = 0, size = 0;
    contents[name].matters |= leads_to[name] == UNTOUCHED;
    contents[name].asked_mode |= leads_to[name] == UNTOUCHED;
    depend_on(name, kind_of_name);
    mz__ask(MZ_PREMISE_TIMES);
    bool folder = is_folder(name);
    if (!folder && !(number = find(name)))
        return -1;
    if (!folder)
        size = files[number - 1].own ? files[number - 1].size : (size_t)ask(number - 1)->size_there;
    struct stat what = {.st_mode = folder ? S_IFDIR | 0755 : S_IFREG | 0644,
                        .st_nlink = folder ? 2 : 1,
                        .st_size = folder ? 4096 : (off_t)size,
                        .st_blksize = 4096,
                        .st_blocks = (blkcnt_t)((size + 511) / 512)};
    mz__write_memory(out, &what, sizeof what);
    return 0;
}

#define DESCRIBES(name)                                                                                      \
    MZ__HOOK(int, __wrap_##name, const char *path, struct stat *out)                                         \
    {                                                                                                        \
        return describe_name(path, out, #name);                                                              \
    }
DESCRIBES(stat)
DESCRIBES(stat64)
DESCRIBES(lstat)
DESCRIBES(lstat64)

MZ__HOOK(int, __wrap_access, const char *path, int mode)
{
    mz__string_length(path);
    mz__names_turn(false, "access");
    size_t name = number_of(path);
    contents[name].matters |= leads_to[name] == UNTOUCHED;
    depend_on(name, kind_of_name | (unsigned)(mode & (R_OK | W_OK | X_OK)));
    if (!is_folder(name) && !find(name))
        return -1;
    int allowed = leads_to[name] == UNTOUCHED ? ask(name)->modes | R_OK
                  : is_folder(name)           ? R_OK | W_OK | X_OK
                                              : R_OK | W_OK;
    return mode & ~allowed & (R_OK | W_OK | X_OK) ? (int)refuse(EACCES) - 1 : 0;
}

MZ__HOOK(char *, __wrap_getcwd, char *to, size_t room)
{
    char here[4096];
    mz__path_from_root(".", here, sizeof here);
    mz__ask_about(MZ_PREMISE_DIRECTORY, "-", 0);
    size_t needed = strlen(here) + 1;
    if (to && room == 0)
        return refuse(EINVAL), NULL;
    if ((to || room > 0) && room < needed)
        return refuse(ERANGE), NULL;
    if (!to)
        to = mz__allocate(room ? room : needed, 16);
    if (to)
        mz__write_memory(to, here, needed);
    return to;
}

/* The first name that is free. */
size_t mz__make_temporary(char *pattern, const char *verb)
{
    size_t length = strlen(pattern);
    mz__names_turn(true, verb);
    for (unsigned i = 0; length >= 6 && strcmp(pattern + length - 6, "XXXXXX") == 0 && i < 100000; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%.*s%06u", (int)(length - 6), pattern, i);
        size_t name = number_of(path);
        if (is_folder(name) || find(name))
            continue;
        size_t number = make(name);
        if (number)
            memcpy(pattern, path, length);
        return number;
    }
    return refuse(EINVAL);
}
