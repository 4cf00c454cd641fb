/* What stdio (libc_files.c) and descriptors (libc_descriptors.c) share: files that were read, and positions
 * in them. */
#ifndef MZ_PROGRAM_LIBC_LIBC_FILES_H
#define MZ_PROGRAM_LIBC_LIBC_FILES_H

#include "program/libc/libc.h"
#include "program/world/world.h"

/* A position in a file, in the memory of the program. */
typedef struct mz__stream {
    uint64_t state;   /* where it reads next, and MZ__STREAM_END */
    uint64_t content; /* number of the file, and what may be done with it; 0: standard input, or a descriptor
                         that is closed */
    uint64_t mark;
} mz__stream;

_Static_assert(sizeof(mz__stream) <= sizeof mz__libc->standard_input, "");
#define MZ__STREAM_END (UINT64_C(1) << 63) /* a read came to the end */

/* Beside the number of the file. */
#define MZ__STREAM_WRITES     (UINT64_C(1) << 32)
#define MZ__STREAM_APPENDS    (UINT64_C(1) << 33)
#define MZ__STREAM_UNREADABLE (UINT64_C(1) << 34)
static inline size_t mz__file_of(const mz__stream *s)
{
    return (uint32_t)s->content;
}

static inline mz__stream *mz__standard_input(void)
{
    return (mz__stream *)(void *)mz__libc->standard_input;
}

/* When this returns, the stream is ours up to the next event. */
void mz__stream_turn(mz__stream *s, const char *verb);
/* Take up to this many bytes, or up to the character (-1: none). The bytes are the checker's own. */
const char *mz__stream_take(mz__stream *s, size_t most, int until, size_t *length);
/* As fseek(); -1 and errno if there is no such place. */
int64_t mz__stream_seek(mz__stream *s, int64_t offset, int from);

/* Write there, or at the end; -1 and errno if it is not open for that. */
ssize_t mz__stream_put(mz__stream *s, const void *bytes, size_t count);
/* What a stream for the file has as its content; 0 and errno if it cannot be opened. O_… */
uint64_t mz__open_file(const char *path, int flags, const char *verb);

/* ---- files (libc_store.c): numbers from 1 on ------------------------------------------------------------
 */

typedef struct mz__view {
    const char *bytes;
    size_t size;
} mz__view;
/* Of standard input for 0. Valid up to the next event. */
mz__view mz__file_view(size_t number);
void mz__file_write(size_t number, uint64_t at, const void *bytes, size_t count);
void mz__file_resize(size_t number, uint64_t size);
/* It is about to be changed other than through a stream. */
void mz__file_turn(size_t number, const char *verb);
/* Names are about to be looked up, or changed. */
void mz__names_turn(bool writes, const char *verb);
/* 0 and errno if it cannot be opened. */
size_t mz__open_content(const char *path, int flags, const char *verb);
/* Devices that are read as if they were files. */
enum { MZ__SOURCE_BYTES = 1 << 20 };
bool mz__is_source_device(const char *path);
void mz__fill_from_device(const char *path, char *bytes, size_t size);
/* /dev/null */
bool mz__is_sink(size_t number);
/* A new file with a name that ends with six characters for XXXXXX; 0 and errno: there is none. */
size_t mz__make_temporary(char *pattern, const char *verb);
/* Of a file, or of standard input for 0; false: that is no file. */
bool mz__content_size(size_t content, size_t *size);

/* The descriptor to read standard input from: its own, or of a copy (libc_outside.c). */
int mz__standard_input_file(void);
/* A path from the root, without what leads nowhere. */
void mz__path_from_root(const char *path, char *to, size_t room);

/* What fileno() answers for a file that fopen() has opened: above all that open() does, and
 * above those that programs close just in case. */
enum { MZ__STREAM_DESCRIPTORS = 1 << 20 };
/* Is it one of those, as far as is known? */
bool mz__is_stream_descriptor(int descriptor);

#endif
