#define _GNU_SOURCE /* memfd_create */
#include "session/ranks/job.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "machine/threads.h"

/* ---- writing --------------------------------------------------------------------------------------------
 */

static void write_file(const char *path, mz_bytes *out)
{
    mz_text text = {0};
    bool read = mz_file_read(path, MZ_FILE_ANY_SIZE, &text);
    mz_bytes_add_number(out, read ? text.length : 0);
    mz_bytes_add(out, text.bytes, read ? text.length : 0);
    mz_text_release(&text);
}

static void write_compiled(const mz_compiled *c, mz_bytes *out)
{
    write_file(c->library, out);
    mz_bytes_add_number(out, (c->is_linked ? 1u : 0u) | (c->inline_assembly ? 2u : 0u) |
                                 (c->executable_stack ? 4u : 0u) | (c->counts_accesses ? 8u : 0u));
    mz_bytes_add_string(out, c->compiler_version);
    mz_bytes_add_string(out, c->optimised);
    mz_bytes_add_string(out, c->allowed);
    mz_bytes_add_string(out, c->entries_with_null);
    mz_bytes_add_number(out, c->entry_count);
    for (size_t i = 0; i < c->entry_count; i++)
        mz_bytes_add_string(out, c->entries[i]);
}

void mz_rank_job_write(const mz_settings *s, const mz_checkpoint *saved, const mz_compiled *compiled,
                       const char *file, mz_bytes *out)
{
    mz_bytes checkpoint = {0};
    mz_checkpoint_write(saved, &checkpoint);
    mz_bytes_add_block(out, &checkpoint);
    mz_bytes_release(&checkpoint);
    mz_bytes_add_number(out, (compiled ? 1u : 0u) | (MZ_MAX_THREADS == MZ_WIDE_THREADS ? 2u : 0u));
    mz_bytes_add_signed(out, s->nondet_low);
    mz_bytes_add_signed(out, s->nondet_high);
    mz_bytes_add_string(out, file);
    if (compiled)
        write_compiled(compiled, out);
    else
        write_file(file, out);
}

/* ---- reading --------------------------------------------------------------------------------------------
 */

/* The shared object lies in memory: nothing is left behind, whatever becomes of this process. */
static void put_library(mz_rank_job *j)
{
    mz_text path = {0};
    int file = memfd_create("program", 0);
    size_t done = 0;
    while (file >= 0 && done < j->contents.length) {
        ssize_t more = write(file, j->contents.data + done, j->contents.length - done);
        if (more <= 0)
            break;
        done += (size_t)more;
    }
    mz_text_add(&path, "/proc/self/fd/%d", file);
    j->compiled.library = mz_copy_string(mz_text_string(&path));
    mz_text_release(&path);
}

static void read_compiled(mz_byte_reader *r, mz_rank_job *j)
{
    mz_compiled *c = &j->compiled;
    uint64_t flags = mz_read_number_to(r, 15);
    c->is_linked = flags & 1;
    c->inline_assembly = flags & 2;
    c->executable_stack = flags & 4;
    c->counts_accesses = flags & 8;
    c->compiler_version = mz_read_string(r);
    c->optimised = mz_read_string(r);
    c->allowed = mz_read_string(r);
    c->entries_with_null = mz_read_string(r);
    c->entry_count = mz_read_count(r);
    c->entries = mz_allocate_zeroed(c->entry_count + 1, sizeof *c->entries);
    for (size_t i = 0; i < c->entry_count && !r->failed; i++)
        c->entries[i] = mz_read_string(r);
    put_library(j);
}

bool mz_rank_job_read(mz_byte_reader *r, mz_rank_job *j)
{
    mz_bytes job = {0}, checkpoint = {0};
    mz_error error = {0};
    *j = (mz_rank_job){.split_every = mz_read_number(r)};
    mz_read_block(r, &job);
    mz_byte_reader in = {.data = job.data, .length = job.length, .failed = r->failed};
    mz_read_block(&in, &checkpoint);
    if (!in.failed && !mz_checkpoint_parse(&j->saved, "the job", &checkpoint, &error))
        in.failed = true;
    uint64_t flags = mz_read_number_to(&in, 3);
    j->is_native = flags & 1;
    j->is_wide = flags & 2;
    j->nondet_low = mz_read_signed(&in);
    j->nondet_high = mz_read_signed(&in);
    j->file = mz_read_string(&in);
    mz_read_block(&in, &j->contents);
    if (j->is_native && !in.failed)
        read_compiled(&in, j);
    mz_bytes_release(&checkpoint);
    mz_bytes_release(&job);
    mz_error_release(&error);
    if (in.failed || !j->file)
        mz_rank_job_release(j);
    return j->file != NULL;
}

void mz_rank_job_release(mz_rank_job *j)
{
    int file = -1;
    mz_compiled *c = &j->compiled;
    if (c->library && sscanf(c->library, "/proc/self/fd/%d", &file) == 1 && file >= 0)
        close(file);
    for (size_t i = 0; c->entries && i < c->entry_count; i++)
        mz_release(c->entries[i]);
    char *const strings[] = {c->library, c->compiler_version,  c->optimised,
                             c->allowed, c->entries_with_null, j->file};
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
        mz_release(strings[i]);
    mz_release(c->entries);
    mz_bytes_release(&j->contents);
    mz_checkpoint_release(&j->saved);
    *j = (mz_rank_job){0};
}
