/* What stdio (libc_files.c) and descriptors (libc_descriptors.c) share: files that were read, and positions
 * in them. */
#ifndef MZ_NATIVE_LIBC_FILES_H
#define MZ_NATIVE_LIBC_FILES_H

#include "native/libc.h"

/* A position in a file, in the memory of the program. */
typedef struct mz__stream {
    uint64_t state;   /* where it reads next, and MZ__STREAM_END */
    uint64_t content; /* index + 1; 0, of standard input: not looked at yet; of a descriptor: it is closed */
    uint64_t mark;
} mz__stream;

_Static_assert(sizeof(mz__stream) <= sizeof mz__libc->standard_input, "");
#define MZ__STREAM_END (UINT64_C(1) << 63) /* a read came to the end */

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

/* Index + 1 of the file, which is to be read; 0 and errno if it cannot be opened. */
size_t mz__open_content(const char *path, bool to_write);
/* Of a file, or of standard input for 0; false: that is no file. */
bool mz__content_size(size_t content, size_t *size);

/* What fileno() answers for a file that fopen() has opened: above all that open() does, and
 * above those that programs close just in case. */
enum { MZ__STREAM_DESCRIPTORS = 1 << 20 };
/* … for some file, as far as one is known. */
bool mz__is_stream_descriptor(int descriptor);

#endif
