#include "session/orders/orders_patch.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"

static const char *const names[] = {"none", "relaxed", "acquire", "release", "acq_rel", "seq_cst"};
static const char *const builtins[] = {
    "", "__ATOMIC_RELAXED", "__ATOMIC_ACQUIRE", "__ATOMIC_RELEASE", "__ATOMIC_ACQ_REL", "__ATOMIC_SEQ_CST"};

/* The line with this number, without its end; NULL if there is none. */
static char *line_of(const char *text, uint32_t number)
{
    for (uint32_t n = 1; text && n < number; n++) {
        text = strchr(text, '\n');
        text += text != NULL;
    }
    return text && number > 0 ? mz_copy_bytes(text, strcspn(text, "\n")) : NULL;
}

/* The word in the line, from there on, that nothing longer contains; NULL: it is not there. */
static char *find_word(char *line, const char *word)
{
    size_t length = strlen(word);
    for (char *at = strstr(line, word); at; at = strstr(at + 1, word)) {
        bool ends = !isalnum((unsigned char)at[length]) && at[length] != '_';
        bool begins = at == line || (!isalnum((unsigned char)at[-1]) && at[-1] != '_');
        if (begins && ends)
            return at;
    }
    return NULL;
}

static char *replaced(const char *line, const char *at, size_t length, const char *by)
{
    mz_text text = {0};
    mz_text_add_bytes(&text, line, (size_t)(at - line));
    mz_text_add(&text, "%s%s", by, at + length);
    char *result = mz_copy_string(mz_text_string(&text));
    mz_text_release(&text);
    return result;
}

/* An order that is written out is replaced. */
static char *with_other_word(char *line, size_t from, mz_order written, mz_order now)
{
    mz_text word = {0}, by = {0};
    mz_text_add(&word, "memory_order_%s", names[written]);
    mz_text_add(&by, "memory_order_%s", names[now]);
    char *at = find_word(line + from, mz_text_string(&word)), *result = NULL;
    if (at)
        result = replaced(line, at, word.length, mz_text_string(&by));
    else if ((at = find_word(line + from, builtins[written])))
        result = replaced(line, at, strlen(builtins[written]), builtins[now]);
    mz_text_release(&word);
    mz_text_release(&by);
    return result;
}

static char *closing(char *open)
{
    int depth = 0;
    for (char *c = open; *c; c++) {
        depth += *c == '(';
        depth -= *c == ')';
        if (depth == 0)
            return c;
    }
    return NULL;
}

/* atomic_load(&x) and x.load() name no order: it is added. */
static char *with_added_word(char *line, size_t from, const mz_order_site *site)
{
    static const char *const functions[] = {"load",      "store",    "exchange",  "fetch_add",
                                            "fetch_sub", "fetch_or", "fetch_and", "fetch_xor"};
    for (size_t i = 0; i < sizeof functions / sizeof *functions && site->kind != MZ_SITE_EXCHANGE; i++) {
        mz_text word = {0}, call = {0};
        mz_text_add(&word, "atomic_%s", functions[i]);
        char *at = find_word(line + from, mz_text_string(&word));
        bool c = at != NULL;
        char *open = c                                             ? at + word.length
                     : (at = find_word(line + from, functions[i])) ? at + strlen(functions[i])
                                                                   : NULL;
        char *end = open && *open == '(' ? closing(open) : NULL;
        mz_text_release(&word);
        if (!end || (!c && (at == line || (at[-1] != '.' && at[-1] != '>'))))
            continue;
        mz_text_add_bytes(&call, line, (size_t)(open - line));
        mz_text_add(&call, "%s", c ? "_explicit" : "");
        mz_text_add_bytes(&call, open, (size_t)(end - open));
        mz_text_add(&call, "%s%smemory_order_%s%s", end == open + 1 ? "" : ", ",
                    c ? "" : "std::", names[site->now], end);
        char *result = mz_copy_string(mz_text_string(&call));
        mz_text_release(&call);
        return result;
    }
    return NULL;
}

/* A fence that is left out is a comment. */
static char *changed(char *line, const mz_order_site *site)
{
    size_t from = site->column > 0 && site->column <= strlen(line) ? site->column - 1 : 0;
    if (site->now == MZ_PLAIN)
        return NULL;
    char *result = with_other_word(line, from, (mz_order)site->written, (mz_order)site->now);
    return result || site->written != MZ_SEQ_CST ? result : with_added_word(line, from, site);
}

static int compare_places(const void *a, const void *b)
{
    const mz_order_site *x = a, *y = b;
    int files = strcmp(x->file, y->file);
    return files                ? files
           : x->line != y->line ? (x->line < y->line ? -1 : 1)
                                : (int)y->column - (int)x->column;
}

static bool is_same_line(const mz_order_site *a, const mz_order_site *b)
{
    return a->line == b->line && strcmp(a->file, b->file) == 0;
}

static void patch_line(const mz_order_site *sites, size_t count, const char *text, mz_text *out,
                       mz_text *left)
{
    char *before = line_of(text, sites[0].line), *now = before ? mz_copy_string(before) : NULL;
    for (size_t i = 0; i < count; i++) {
        const mz_order_site *s = &sites[i];
        char *next = s->now != s->written && now ? changed(now, s) : NULL;
        if (next) {
            mz_release(now);
            now = next;
        } else if (s->now != s->written) {
            mz_text_add(left, "%s:%u:%u: by hand: %s instead of %s\n", s->file, s->line, s->column,
                        s->now == MZ_PLAIN ? "no fence" : names[s->now], names[s->written]);
        }
        if (s->now_failure != s->written_failure)
            mz_text_add(left, "%s:%u:%u: by hand: if it fails, %s instead of %s\n", s->file, s->line,
                        s->column, names[s->now_failure], names[s->written_failure]);
    }
    if (before && strcmp(before, now) != 0)
        mz_text_add(out, "@@ -%u +%u @@\n-%s\n+%s\n", sites[0].line, sites[0].line, before, now);
    mz_release(before);
    mz_release(now);
}

void mz_orders_patch(const mz_orders *orders, mz_text *out, mz_text *left)
{
    uint32_t count = orders->sites->count;
    mz_order_site *sites = mz_allocate(count * sizeof *sites);
    memcpy(sites, orders->sites->sites, count * sizeof *sites);
    qsort(sites, count, sizeof *sites, compare_places);
    mz_text source = {0}, hunks = {0};
    for (uint32_t i = 0, end; i < count; i = end) {
        bool is_new = i == 0 || strcmp(sites[i].file, sites[i - 1].file) != 0;
        if (is_new) {
            mz_text_release(&source);
            source = (mz_text){0};
            mz_file_read(sites[i].file, MZ_FILE_ANY_SIZE - 1, &source);
            mz_text_clear(&hunks);
        }
        for (end = i + 1; end < count && is_same_line(&sites[i], &sites[end]);)
            end++;
        bool empty = hunks.length == 0;
        mz_text_clear(&hunks);
        patch_line(&sites[i], end - i, mz_text_string(&source), &hunks, left);
        if (hunks.length > 0 && (is_new || empty))
            mz_text_add(out, "--- %s\n+++ %s\n", sites[i].file, sites[i].file);
        mz_text_add(out, "%s", mz_text_string(&hunks));
        if (hunks.length == 0 && !empty)
            mz_text_add(&hunks, " ");
    }
    mz_text_release(&source);
    mz_text_release(&hunks);
    mz_release(sites);
}
