#include "session/clients/saved.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"

enum { VERSION = 1 };
static const char MAGIC[8] = "CLIENTS";

static mz_hash add_words(mz_hash hash, const mz_words *words)
{
    hash = mz_hash_add(hash, words->count);
    for (size_t i = 0; i < words->count; i++)
        hash = mz_hash_add_bytes(hash, words->items[i], strlen(words->items[i]));
    return hash;
}

/* Of all that decides what comes of the clients, beside the program: a description is read again from its
 * file, which may have changed. */
static mz_hash fingerprint(const mz_client_host *host)
{
    const mz_settings *s = host->settings;
    const mz_clients *all = &s->clients->clients;
    mz_hash hash = mz_hash_add(mz_hash_start(VERSION), s->clients->first);
    for (size_t i = 0; i < all->count; i++) {
        const mz_client *c = &all->list[i];
        for (uint32_t t = 0; t <= c->threads; t++)
            hash = mz_hash_add_bytes(hash, c->operations[t], c->length[t]);
    }
    hash = mz_hash_add(hash, (uint64_t)s->criterion << 32 | s->out_of_order);
    hash = mz_hash_add(hash, s->search.checks);
    hash = add_words(add_words(add_words(hash, &s->operations), &s->relaxed), &s->blocking);
    mz_text specification = {0};
    if (s->specification && mz_file_read(s->specification, MZ_FILE_ANY_SIZE, &specification))
        hash = mz_hash_add_bytes(hash, mz_text_string(&specification), specification.length);
    mz_text_release(&specification);
    return hash;
}

void mz_batches_write(const mz_batch *batches, size_t count, const mz_client_host *host, mz_bytes *out)
{
    mz_hash hash = fingerprint(host);
    mz_bytes_add(out, MAGIC, sizeof MAGIC);
    mz_bytes_add(out, &hash, sizeof hash);
    for (size_t i = 0; i < count; i++) {
        bool is_known = batches[i].end == MZ_BATCH_DONE || i == 0;
        mz_bytes_add_number(out, is_known);
        if (is_known)
            mz_tally_write(&batches[i].tally, out);
    }
    mz_sequential_write(&host->settings->clients->sequential, 0, out);
    mz_native_testify(host->machine, out);
}

bool mz_batches_read(mz_batch *batches, size_t count, mz_client_host *host, const mz_bytes *saved,
                     const char *path, mz_error *error)
{
    mz_byte_reader r = {.data = saved->data, .length = saved->length};
    mz_hash ours = fingerprint(host), theirs = {0};
    char magic[sizeof MAGIC] = {0};
    mz_read_bytes(&r, magic, sizeof magic);
    mz_read_bytes(&r, &theirs, sizeof theirs);
    if (r.failed || memcmp(magic, MAGIC, sizeof magic) != 0 || memcmp(&ours, &theirs, sizeof ours) != 0) {
        mz_error_set(error, (mz_position){.file = path},
                     "the checkpoint is of other clients: the description or the specification has changed");
        mz_error_set_hint(error, "check them from the beginning: mazurka clients …");
        return false;
    }
    for (size_t i = 0; i < count && !r.failed; i++) {
        if (!mz_read_number_to(&r, 1))
            continue;
        mz_tally_read(&r, &batches[i].tally);
        batches[i].end = batches[i].tally.checked == batches[i].count ? MZ_BATCH_DONE : MZ_BATCH_WAITS;
    }
    if (r.failed || !mz_sequential_read(&host->settings->clients->sequential, &r) ||
        !mz_native_hear(host->machine, &r))
        mz_error_set(error, (mz_position){.file = path}, "what was saved cannot be read");
    return !error->set;
}
