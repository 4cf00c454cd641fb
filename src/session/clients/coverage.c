#include "session/clients/coverage.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "program/coverage.h"

/* ---- what is the library's ------------------------------------------------------------------------------
 */

/* Not the driver, the texts of the user, and what came with the compiler. */
static bool is_of_library(const char *file)
{
    static const char *const others[] = {"<clients>", "--op=", "--setup=", "--finally=", "--entry"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strstr(file, others[i]))
            return false;
    return strncmp(file, "/usr/", 5) != 0;
}

static bool is_pair_of_library(const mz_covered_pair *p)
{
    return is_of_library(p->files[0]) && is_of_library(p->files[1]);
}

static void select_library(mz_coverage *c)
{
    size_t kept = 0;
    for (size_t i = 0; i < c->line_count; i++)
        if (is_of_library(c->lines[i].file))
            c->lines[kept++] = c->lines[i];
    c->line_count = kept;
    kept = 0;
    for (size_t i = 0; i < c->branch_count; i++)
        if (is_of_library(c->branches[i].file))
            c->branches[kept++] = c->branches[i];
    c->branch_count = kept;
    kept = 0;
    for (size_t i = 0; i < c->pair_count; i++)
        if (is_pair_of_library(&c->pairs[i]))
            c->pairs[kept++] = c->pairs[i];
    c->pair_count = kept;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* ---- counting -------------------------------------------------------------------------------------------
 */

typedef struct counts {
    size_t lines, ways, pairs, reversed;
} counts;

/* A pair that came in both orders is listed twice, but for two accesses in the same line. */
static bool is_second(const mz_covered_pair *p)
{
    int order = strcmp(p->files[0], p->files[1]);
    return p->reversed && (order > 0 || (order == 0 && p->lines[0] > p->lines[1]));
}

static counts count(const mz_coverage *c)
{
    counts n = {0};
    for (size_t i = 0; i < c->line_count; i++)
        n.lines += c->lines[i].ran;
    for (size_t i = 0; i < c->branch_count; i++)
        n.ways += (size_t)c->branches[i].went_on + c->branches[i].was_taken;
    for (size_t i = 0; i < c->pair_count; i++) {
        n.pairs += !is_second(&c->pairs[i]);
        n.reversed += c->pairs[i].reversed && !is_second(&c->pairs[i]);
    }
    return n;
}

/* ---- lists ----------------------------------------------------------------------------------------------
 */

/* A line of the text, or an array of JSON. */
typedef struct list {
    mz_text *out;
    const char *title; /* of the text; NULL: it is JSON */
    size_t count;
} list;

static void add_item(list *l, const char *words)
{
    enum { MOST = 12 }; /* people read no more */
    if (!l->title) {
        mz_text_add(l->out, "%s", l->count > 0 ? "," : "");
        mz_json_add_string(l->out, words);
    } else if (l->count < MOST) {
        mz_text_add(l->out, "%s%s", l->count > 0 ? ", " : l->title, words);
    }
    l->count++;
}

static void end_list(list *l)
{
    if (l->title && l->count > 12)
        mz_text_add(l->out, ", and %zu more", l->count - 12);
    mz_text_add(l->out, "%s", !l->title ? "]" : l->count > 0 ? "\n" : "");
}

/* Lines that stand next to each other in the table are one range: "queue.c:52-54". */
static void list_lines(list *l, const mz_coverage *c)
{
    for (size_t i = 0; i < c->line_count; i++) {
        const mz_covered_line *first = &c->lines[i];
        if (first->ran)
            continue;
        while (i + 1 < c->line_count && !c->lines[i + 1].ran &&
               strcmp(c->lines[i + 1].file, first->file) == 0)
            i++;
        mz_text words = {0};
        mz_text_add(&words, "%s:%u", base_name(first->file), first->line);
        if (c->lines[i].line > first->line)
            mz_text_add(&words, "-%u", c->lines[i].line);
        add_item(l, mz_text_string(&words));
        mz_text_release(&words);
    }
    end_list(l);
}

/* A line counts once, and not at all if none of it ran. */
static void list_branches(list *l, const mz_coverage *c)
{
    const mz_covered_branch *last = NULL;
    for (size_t i = 0; i < c->branch_count; i++) {
        const mz_covered_branch *b = &c->branches[i];
        bool again = last && last->line == b->line && strcmp(last->file, b->file) == 0;
        if (again || b->went_on == b->was_taken)
            continue;
        mz_text words = {0};
        mz_text_add(&words, "%s:%u", base_name(b->file), b->line);
        add_item(l, mz_text_string(&words));
        mz_text_release(&words);
        last = b;
    }
    end_list(l);
}

static void list_pairs(list *l, const mz_coverage *c)
{
    for (size_t i = 0; i < c->pair_count; i++) {
        const mz_covered_pair *p = &c->pairs[i];
        if (p->reversed)
            continue;
        mz_text words = {0};
        mz_text_add(&words, "%s:%u before ", base_name(p->files[0]), p->lines[0]);
        if (strcmp(p->files[0], p->files[1]) != 0)
            mz_text_add(&words, "%s:", base_name(p->files[1]));
        mz_text_add(&words, "%u", p->lines[1]);
        add_item(l, mz_text_string(&words));
        mz_text_release(&words);
    }
    end_list(l);
}

static bool ran_beside_any(const mz_machine *machine, const mz_words *operations, uint32_t operation)
{
    for (uint32_t i = 0; i < operations->count; i++)
        if (mz_native_ran_beside(machine, operation, i))
            return true;
    return false;
}

static bool all_ran_alone(const mz_machine *machine, const mz_words *operations)
{
    for (uint32_t i = 0; i < operations->count; i++)
        if (ran_beside_any(machine, operations, i))
            return false;
    return true;
}

/* Functions of which no step was ever made while another call was under way. */
static void list_alone(list *l, const mz_coverage *c)
{
    for (size_t i = 0; i < c->never_beside_count; i++) {
        mz_text words = {0};
        mz_text_add(&words, "%s()", c->never_beside[i]);
        add_item(l, mz_text_string(&words));
        mz_text_release(&words);
    }
    end_list(l);
}

/* ---- the three forms ------------------------------------------------------------------------------------
 */

static void add_text(mz_text *out, mz_machine *machine, const mz_words *operations, const mz_coverage *c,
                     counts n)
{
    if (c->line_count == 0)
        mz_text_add(out, "coverage: only of sources that are compiled with the clients (not of objects)\n");
    else
        mz_text_add(
            out,
            "coverage: %zu of %zu lines, %zu of %zu ways of branches, %zu of %zu pairs of accesses in both "
            "orders\n",
            n.lines, c->line_count, n.ways, 2 * c->branch_count, n.reversed, n.pairs);
    list_lines(&(list){out, "never run: ", 0}, c);
    list_branches(&(list){out, "branches that always went the same way: ", 0}, c);
    list_pairs(&(list){out, "accesses that never came in the other order: ", 0}, c);
    if (all_ran_alone(machine, operations))
        mz_text_add(out, "no call ever ran beside another one: does a lock keep them apart?\n");
    else
        list_alone(&(list){out, "never ran beside another call: ", 0}, c);
}

static void add_json(mz_text *out, const mz_coverage *c, counts n)
{
    mz_text_add(out,
                "{\"lines\":%zu,\"lines_run\":%zu,\"ways\":%zu,\"ways_gone\":%zu,\"pairs\":%zu,"
                "\"pairs_in_both_orders\":%zu,\"never_run\":[",
                c->line_count, n.lines, 2 * c->branch_count, n.ways, n.pairs, n.reversed);
    list_lines(&(list){out, NULL, 0}, c);
    mz_text_add(out, ",\"always_the_same_way\":[");
    list_branches(&(list){out, NULL, 0}, c);
    mz_text_add(out, ",\"in_one_order\":[");
    list_pairs(&(list){out, NULL, 0}, c);
    mz_text_add(out, ",\"never_beside_another\":[");
    list_alone(&(list){out, NULL, 0}, c);
    mz_text_add(out, "}");
}

static const char *absolute(const char *file, mz_text *room)
{
    char *path = realpath(file, NULL);
    mz_text_clear(room);
    mz_text_add(room, "%s", path ? path : file);
    free(path);
    return mz_text_string(room);
}

static bool ran(const mz_coverage *c, const char *file, uint32_t line)
{
    for (size_t i = 0; i < c->line_count; i++)
        if (c->lines[i].line == line && strcmp(c->lines[i].file, file) == 0)
            return c->lines[i].ran;
    return false;
}

/* What lcov and genhtml read. How often is not known: 1 is "some time". */
static void add_lcov(mz_text *out, const mz_coverage *c)
{
    mz_text path = {0};
    for (size_t i = 0, b = 0; i < c->line_count;) {
        const char *file = c->lines[i].file;
        size_t found = 0, hit = 0, ways = 0, gone = 0;
        mz_text_add(out, "TN:\nSF:%s\n", absolute(file, &path));
        for (; b < c->branch_count && strcmp(c->branches[b].file, file) == 0; b++) {
            const mz_covered_branch *branch = &c->branches[b];
            bool is_reached = ran(c, file, branch->line);
            for (int way = 0; way < 2; way++) {
                bool went = way ? branch->was_taken : branch->went_on;
                mz_text_add(out, "BRDA:%u,%u,%d,%s\n", branch->line, branch->number, way,
                            !is_reached ? "-"
                            : went      ? "1"
                                        : "0");
                ways++;
                gone += went;
            }
        }
        mz_text_add(out, "BRF:%zu\nBRH:%zu\n", ways, gone);
        for (; i < c->line_count && strcmp(c->lines[i].file, file) == 0; i++) {
            mz_text_add(out, "DA:%u,%d\n", c->lines[i].line, c->lines[i].ran);
            found++;
            hit += c->lines[i].ran;
        }
        mz_text_add(out, "LF:%zu\nLH:%zu\nend_of_record\n", found, hit);
    }
    mz_text_release(&path);
}

void mz_clients_tell_coverage(mz_machine *machine, const mz_words *operations, mz_report *report)
{
    mz_coverage c;
    mz_text text = {0}, json = {0}, lcov = {0};
    mz_native_coverage(machine, &c);
    select_library(&c);
    counts n = count(&c);
    add_text(&text, machine, operations, &c, n);
    add_json(&json, &c, n);
    add_lcov(&lcov, &c);
    report->coverage = mz_text_string(&text);
    report->coverage_json = mz_text_string(&json);
    report->lcov = mz_text_string(&lcov);
    mz_coverage_release(&c);
}
