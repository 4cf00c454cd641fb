#include "pool/checkpoint.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"

static const char MAGIC[8] = "MZCHECK";
enum { VERSION = 3 };

void mz_checkpoint_release(mz_checkpoint *c)
{
    mz_words_release(&c->command);
    mz_text *const texts[] = {&c->subcommand, &c->directory, &c->version, &c->program,
                              &c->compiler,   &c->algorithm, &c->threads, &c->places};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        mz_text_release(texts[i]);
    mz_bytes_release(&c->lessons);
    mz_bytes_release(&c->state);
}

/* ---- as bytes -------------------------------------------------------------------------------------------
 */

static void write_text(const char *text, mz_bytes *out)
{
    mz_bytes_add_number(out, strlen(text));
    mz_bytes_add(out, text, strlen(text));
}

static void read_text(mz_byte_reader *r, mz_text *out)
{
    size_t length = mz_read_count(r);
    if (r->failed)
        return;
    mz_text_add_bytes(out, (const char *)r->data + r->at, length);
    r->at += length;
}

void mz_checkpoint_write(const mz_checkpoint *c, mz_bytes *out)
{
    size_t start = out->length;
    mz_bytes_add(out, MAGIC, sizeof MAGIC);
    mz_bytes_add_number(out, VERSION);
    write_text(mz_text_string(&c->version), out);
    mz_bytes_add_number(out, c->command.count);
    for (size_t i = 0; i < c->command.count; i++)
        write_text(c->command.items[i], out);
    const mz_text *const texts[] = {&c->subcommand, &c->directory, &c->program, &c->compiler,
                                    &c->algorithm,  &c->threads,   &c->places};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        write_text(mz_text_string(texts[i]), out);
    mz_bytes_add_block(out, &c->lessons);
    mz_bytes_add_block(out, &c->state);
    mz_bytes_seal(out, start);
}

static void read_all(mz_byte_reader *r, mz_checkpoint *c)
{
    for (size_t count = mz_read_count(r); count > 0 && !r->failed; count--) {
        mz_text word = {0};
        read_text(r, &word);
        mz_words_add(&c->command, mz_text_string(&word));
        mz_text_release(&word);
    }
    mz_text *const texts[] = {&c->subcommand, &c->directory, &c->program, &c->compiler,
                              &c->algorithm,  &c->threads,   &c->places};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        read_text(r, texts[i]);
    mz_read_block(r, &c->lessons);
    mz_read_block(r, &c->state);
    mz_read_seal(r, 0);
    r->failed |= r->at != r->length;
}

bool mz_checkpoint_parse(mz_checkpoint *c, const char *path, const mz_bytes *bytes, mz_error *error)
{
    mz_position at = {.file = path};
    *c = (mz_checkpoint){.path = path};
    mz_byte_reader r = {.data = bytes->data, .length = bytes->length, .at = sizeof MAGIC};
    bool is_one = r.length > sizeof MAGIC && memcmp(r.data, MAGIC, sizeof MAGIC) == 0;
    if (!is_one) {
        mz_error_set(error, at, "this is no checkpoint");
    } else if (mz_read_number(&r) != VERSION) {
        mz_error_set(error, at, "the checkpoint is damaged, or has a format that this version does not know");
    } else {
        read_text(&r, &c->version);
        if (!r.failed)
            read_all(&r, c);
        if (r.failed)
            mz_error_set(error, at, "the checkpoint is damaged: its check sum is wrong");
        else if (strcmp(mz_text_string(&c->version), MZ_VERSION) != 0)
            mz_error_set(error, at, "the checkpoint was written by Mazurka %s, and this is %s",
                         mz_text_string(&c->version), MZ_VERSION);
    }
    return !error->set;
}

bool mz_checkpoint_read(mz_checkpoint *c, const char *path, mz_error *error)
{
    mz_text text = {0};
    *c = (mz_checkpoint){.path = path};
    if (!mz_file_read(path, MZ_FILE_ANY_SIZE, &text)) {
        mz_error_set(error, (mz_position){.file = path}, "the checkpoint cannot be read: %s",
                     strerror(errno));
        return false;
    }
    mz_bytes bytes = {.data = (uint8_t *)text.bytes, .length = text.length};
    mz_checkpoint_parse(c, path, &bytes, error);
    mz_text_release(&text);
    return !error->set;
}

bool mz_checkpoint_save(const mz_checkpoint *c, const char *path)
{
    mz_bytes bytes = {0};
    mz_checkpoint_write(c, &bytes);
    bool written = mz_file_replace(path, (const char *)bytes.data, bytes.length);
    if (!written)
        fprintf(stderr, "%s: warning: the checkpoint cannot be written: %s\n", path, strerror(errno));
    mz_bytes_release(&bytes);
    return written;
}

/* ---- of which program ------------------------------------------------------------------------------------
 */

bool mz_checkpoint_hash_file(const char *path, mz_text *out, mz_error *error)
{
    mz_text text = {0};
    if (!mz_file_read(path, MZ_FILE_ANY_SIZE, &text)) {
        mz_error_set(error, (mz_position){.file = path}, "cannot be read: %s", strerror(errno));
        return false;
    }
    mz_hash hash = mz_hash_add_bytes(mz_hash_start(1), text.bytes, text.length);
    mz_text_add(out, "%016llx%016llx", (unsigned long long)hash.high, (unsigned long long)hash.low);
    mz_text_release(&text);
    return true;
}

void mz_checkpoint_compare(const mz_checkpoint *c, const char *program, const char *compiler, mz_error *error)
{
    mz_position at = {.file = c->path};
    if (strcmp(mz_text_string(&c->compiler), compiler) != 0) {
        mz_error_set(error, at, "the checkpoint is of a program by another compiler: %s",
                     mz_text_string(&c->compiler));
        mz_error_set_hint(error, "this one is: %s", compiler);
    } else if (strcmp(mz_text_string(&c->program), program) != 0) {
        mz_error_set(error, at, "the checkpoint is of another program: its contents have changed since");
        mz_error_set_hint(error, "check it from the beginning: mazurka %s …", mz_text_string(&c->subcommand));
    }
}

void mz_checkpoint_name(const char *program, mz_text *out)
{
    const char *slash = strrchr(program, '/'), *base = slash && slash[1] ? slash + 1 : program;
    const char *dot = strrchr(base, '.');
    size_t stem = dot && dot > base ? (size_t)(dot - base) : strlen(base);
    mz_text_add(out, "%s%.*s.mzc", base[0] == '-' ? "./" : "", (int)stem, base);
}
