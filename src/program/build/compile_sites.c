/* The calls of hooks before plain accesses, listed in a section of their own (wire/site.h). A call that is
 * the end of its function is a jump, and is not listed: it stays where it is.
 *
 * gcc compiles a program that is run another time, with hooks that keep registers (compile_program.c). The
 * compiler's last passes may move code, so a call is known by its line. That both texts call the same hooks
 * at the same lines in the same order is compared, those of atomic operations and those that the compile step
 * has added (compile_announce.c) among them: if not, the program is run as it was checked. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "program/build/compile_internal.h"
#include "wire/site.h"

/* What takes calls out of a program knows these instructions only (safe/runtime/runtime_sites.c). */
#if defined __x86_64__
enum { LISTS_SITES = true };
#else
enum { LISTS_SITES = false };
#endif

typedef struct line {
    const char *start;
    size_t length;
} line;

typedef struct reader {
    mz_words files; /* their names, by their .file number */
    unsigned long file, number;
    line group; /* of the section that is being filled, if it is one of several that are one */
    mz_text out;
    unsigned count;
} reader;

static bool begins(line l, const char *word)
{
    size_t length = strlen(word);
    return l.length >= length && memcmp(l.start, word, length) == 0;
}

static bool next_line(const char **at, const char *end, line *whole)
{
    if (*at >= end)
        return false;
    const char *stop = memchr(*at, '\n', (size_t)(end - *at));
    *whole = (line){*at, (size_t)((stop ? stop : end) - *at)};
    *at = stop ? stop + 1 : end;
    return true;
}

/* The hook that is called; none: something else is. */
static line hook_of(line l)
{
    static const char *const calls[] = {"\tcall\t__tsan_", "\tcallq\t__tsan_", "\tjmp\t__tsan_"};
    for (size_t i = 0; i < MZ_LENGTH(calls); i++) {
        if (!begins(l, calls[i]))
            continue;
        line name = {l.start + strlen(calls[i]), l.length - strlen(calls[i])};
        const char *at = memchr(name.start, '@', name.length);
        name.length = at ? (size_t)(at - name.start) : name.length;
        return begins(name, "func_") ? (line){NULL, 0} : name;
    }
    return (line){NULL, 0};
}

/* A call of a hook before a plain access. */
static bool is_site(line l)
{
    static const char *const counted[] = {"read",      "write", "unaligned_",
                                          "volatile_", "vptr_", "update_range"};
    line name = begins(l, "\tjmp") ? (line){NULL, 0} : hook_of(l);
    for (size_t k = 0; k < MZ_LENGTH(counted); k++)
        if (begins(name, counted[k]))
            return true;
    return false;
}

/* .file 1 "dir" "name": the last part of the name. Where it lies depends on where the compiler runs. */
static void note_file(reader *r, line l)
{
    char *rest;
    const char *start = l.start + strlen("\t.file"), *end = l.start + l.length;
    unsigned long number = strtoul(start, &rest, 10);
    if (rest == start || rest >= end || number > 100000)
        return;
    while (r->files.count <= number)
        mz_words_add(&r->files, "");
    mz_text name = {0};
    const char *last = end;
    while (last > rest && last[-1] != '/' && !(last[-1] == '"' && last < end))
        last--;
    mz_text_add_bytes(&name, last, (size_t)(end - last));
    mz_release(r->files.items[number]);
    r->files.items[number] = mz_copy_string(mz_text_string(&name));
    mz_text_release(&name);
}

/* .section NAME,"axG",@progbits,GROUP,comdat */
static void note_section(reader *r, line l)
{
    r->group.length = 0;
    const char *end = l.start + l.length, *at = l.start;
    if (l.length < 7 || memcmp(end - 7, ",comdat", 7) != 0)
        return;
    for (int commas = 0; at < end && commas < 3; at++)
        commas += *at == ',';
    r->group = (line){at, (size_t)(end - 7 - at)};
}

static uint32_t key_of(const reader *r)
{
    const char *name = r->file < r->files.count ? r->files.items[r->file] : "";
    mz_hash hash = mz_hash_add(mz_hash_add_bytes(mz_hash_start(5), name, strlen(name)), r->number);
    return (uint32_t)hash.low;
}

/* Where the text goes on after this line. */
static void follow(reader *r, line l)
{
    if (begins(l, "\t.file")) {
        note_file(r, l);
    } else if (begins(l, "\t.loc ") || begins(l, "\t.loc\t")) {
        char *rest;
        r->file = strtoul(l.start + strlen("\t.loc"), &rest, 10);
        r->number = strtoul(rest, NULL, 10);
    } else if (begins(l, "\t.section")) {
        note_section(r, l);
    } else if (begins(l, "\t.text")) {
        r->group.length = 0;
    }
}

static void copy(reader *r, line l)
{
    mz_text_add_bytes(&r->out, l.start, l.length);
    mz_text_add_bytes(&r->out, "\n", 1);
}

/* The entry stands behind the call: clang gives the line that was told last to whatever comes next, also to
 * bytes of another section. */
static void list(reader *r, line call)
{
    mz_text_add(&r->out, ".Lmz_site%u:\n", r->count);
    copy(r, call);
    if (r->group.length > 0)
        mz_text_add(&r->out, "\t.pushsection " MZ_SITES_SECTION ",\"aG\",@progbits,%.*s,comdat\n",
                    (int)r->group.length, r->group.start);
    else
        mz_text_add(&r->out, "\t.pushsection " MZ_SITES_SECTION ",\"a\",@progbits\n");
    mz_text_add(&r->out, "\t.balign 4\n\t.long .Lmz_site%u-., 0x%x\n\t.popsection\n", r->count++, key_of(r));
}

static void end_reading(reader *r)
{
    mz_words_release(&r->files);
    mz_text_release(&r->out);
}

bool mz__list_sites(const char *path, mz_error *error)
{
    if (!LISTS_SITES)
        return true;
    mz_text text = {0};
    reader r = {0};
    bool good = mz_file_read(path, MZ_FILE_ANY_SIZE, &text);
    const char *at = mz_text_string(&text), *end = at + text.length;
    for (line l; good && next_line(&at, end, &l);) {
        follow(&r, l);
        if (is_site(l))
            list(&r, l);
        else
            copy(&r, l);
    }
    if (!good)
        mz_error_set(error, (mz_position){0}, "the compiler's output '%s' cannot be read", path);
    else if (r.count > 0)
        good = mz__write_file(path, mz_text_string(&r.out), r.out.length, error);
    end_reading(&r);
    mz_text_release(&text);
    return good;
}

/* The next call of any hook, and its key. */
static bool next_hook(reader *r, const char **at, const char *end, line *hook, uint32_t *key)
{
    for (line l; next_line(at, end, &l);) {
        follow(r, l);
        *hook = hook_of(l);
        *key = key_of(r);
        if (hook->length > 0)
            return true;
    }
    return false;
}

static bool same_sites(const mz_text *one, const mz_text *other)
{
    reader a = {0}, b = {0};
    const char *at = one->bytes, *from = other->bytes;
    line x, y;
    uint32_t key, its_key;
    bool same = true, more = true;
    while (same && more) {
        more = next_hook(&a, &at, one->bytes + one->length, &x, &key);
        same = next_hook(&b, &from, other->bytes + other->length, &y, &its_key) == more;
        if (same && more)
            same = key == its_key && x.length == y.length && memcmp(x.start, y.start, x.length) == 0;
    }
    end_reading(&a);
    end_reading(&b);
    return same;
}

bool mz__have_same_sites(const char *one, const char *other)
{
    mz_text a = {0}, b = {0};
    bool same = mz_file_read(one, MZ_FILE_ANY_SIZE, &a) && mz_file_read(other, MZ_FILE_ANY_SIZE, &b) &&
                same_sites(&a, &b);
    mz_text_release(&a);
    mz_text_release(&b);
    return same;
}
