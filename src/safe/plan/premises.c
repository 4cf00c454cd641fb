/* Premises of plans in memory, and their lines in files: wire/premise.h. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/lines.h"
#include "base/memory.h"
#include "safe/plan/plan_reader.h"

#define NUMBERS                                                                                              \
    (MZ_PREMISES_NOT_COMPARED |                                                                              \
     ~(1u << MZ_PREMISE_ENVIRONMENT | 1u << MZ_PREMISE_FILE | 1u << MZ_PREMISE_INPUT |                       \
       1u << MZ_PREMISE_HOST | 1u << MZ_PREMISE_DIRECTORY))

const char *mz_premise_name(mz_premise_kind kind)
{
    static const char *const names[] = {
#define MZ_X(kind, name, words) name,
        MZ_PREMISES(MZ_X)
#undef MZ_X
    };
    return names[kind];
}

const char *mz_premise_words(mz_premise_kind kind)
{
    static const char *const all[] = {
#define MZ_X(kind, name, words) words,
        MZ_PREMISES(MZ_X)
#undef MZ_X
    };
    return all[kind];
}

void mz_symbolic_add_premise(mz_symbolic_plan *s, mz_premise_kind kind, const char *name, uint64_t size,
                             uint64_t hash)
{
    s->premises = mz_grow(s->premises, &s->premise_capacity, s->premise_count + 1, sizeof *s->premises);
    s->premises[s->premise_count++] =
        (mz_plan_premise){kind, mz_arena_copy(&s->strings, name, strlen(name)), size, hash};
}

void mz_symbolic_add_seen(mz_symbolic_plan *s, mz_seen_thread thread)
{
    s->seen = mz_grow(s->seen, &s->seen_capacity, s->seen_count + 1, sizeof *s->seen);
    s->seen[s->seen_count++] = thread;
}

void mz_symbolic_take_premises(mz_symbolic_plan *s, const mz_symbolic_plan *from)
{
    s->premise_count = 0;
    for (size_t i = 0; i < from->premise_count; i++) {
        const mz_plan_premise *p = &from->premises[i];
        mz_symbolic_add_premise(s, p->kind, p->name, p->size, p->hash);
    }
    s->seen_count = 0;
    for (size_t i = 0; i < from->seen_count; i++)
        mz_symbolic_add_seen(s, from->seen[i]);
    s->waived = from->waived;
}

bool mz_symbolic_lacks_premises(const mz_symbolic_plan *s)
{
    return !s->says_premises && s->plan_count > 0 && mz_plan_line_of(&s->plans[0], "file");
}

/* ---- for people -------------------------------------------------------------------------------------------
 */

/* A list that begins with `title`, as soon as there is something in it. */
typedef struct list {
    const char *before, *title;
    size_t count;
    mz_text *out;
} list;

static void add_item(list *l, const char *what, const char *name, const char *quote)
{
    bool first = l->count++ == 0;
    mz_text_add(l->out, "%s%s%s%s%s%s", first ? l->before : "", first ? l->title : ", ", what, quote, name,
                quote);
}

static void end_list(const list *l)
{
    if (l->count > 0)
        mz_text_add(l->out, "\n");
}

static void add_premise(list *l, const mz_plan_premise *p)
{
    char number[64];
    bool all = strcmp(p->name, "-") == 0;
    snprintf(number, sizeof number, "%" PRIu64, p->size);
    if (p->kind == MZ_PREMISE_FILE)
        add_item(l, "file ", p->name, "'");
    else if (p->kind == MZ_PREMISE_ENVIRONMENT)
        add_item(l, all ? "the whole environment" : "environment variable ", all ? "" : p->name, "");
    else if (p->kind == MZ_PREMISE_PROCESSORS)
        add_item(l, all ? "processors: " : "processors that it may use: ", number, "");
    else if (p->kind == MZ_PREMISE_PROCESS || p->kind == MZ_PREMISE_USER)
        add_item(l, p->kind == MZ_PREMISE_PROCESS ? "process number " : "user and group number ", number, "");
    else if (p->kind == MZ_PREMISE_PERMISSIONS || p->kind == MZ_PREMISE_MODES)
        add_item(l, p->kind == MZ_PREMISE_MODES ? "mode of " : "permissions of ", p->name, "'");
    else if (p->kind == MZ_PREMISE_TERMINAL || p->kind == MZ_PREMISE_SEMAPHORE)
        add_item(l, p->kind == MZ_PREMISE_TERMINAL ? "no terminal: " : "no semaphore ", p->name, "");
    else if (p->kind == MZ_PREMISE_DESCRIPTORS)
        add_item(l, *p->name == 'o' ? "no other descriptors" : "descriptor ", *p->name == 'o' ? "" : p->name,
                 "");
    else if (p->kind == MZ_PREMISE_WORLD)
        add_item(l, "answer ", p->name, "");
    else if (p->kind == MZ_PREMISE_SYSTEM || (p->kind == MZ_PREMISE_LOCALE && !all))
        add_item(l, p->kind == MZ_PREMISE_SYSTEM ? "the system's " : "no locale ", p->name, "");
    else
        add_item(l, mz_premise_words(p->kind), "", "");
}

static void add_arguments(const mz_symbolic_plan *s, list *l)
{
    for (size_t i = 0; s->plan_count > 0 && i < s->plans[0].line_count; i++)
        if (strcmp(s->plans[0].lines[i].key, "argument") == 0)
            add_item(l, "argument ", s->plans[0].lines[i].text, "'");
}

void mz_symbolic_describe_uncompared(const mz_symbolic_plan *s, const char *before, mz_text *out)
{
    list l = {.before = before, .title = "not compared when it runs: ", .out = out};
    for (size_t i = 0; i < s->premise_count; i++)
        if ((MZ_PREMISES_NOT_COMPARED & ~s->waived) >> s->premises[i].kind & 1)
            add_premise(&l, &s->premises[i]);
    if (l.count > 0)
        mz_text_add(out, ", which the program asks for");
    end_list(&l);
}

void mz_symbolic_describe_premises(const mz_symbolic_plan *s, const char *before, mz_text *out)
{
    list held = {.before = before, .title = "it holds for: ", .out = out};
    list waived = {.before = before, .title = "waived: ", .out = out};
    if (!(s->waived >> MZ_PREMISE_ARGUMENTS & 1))
        add_arguments(s, &held);
    for (size_t i = 0; i < s->premise_count; i++)
        if (!((s->waived | MZ_PREMISES_NOT_COMPARED) >> s->premises[i].kind & 1))
            add_premise(&held, &s->premises[i]);
    end_list(&held);
    mz_symbolic_describe_uncompared(s, before, out);
    for (int k = 0; k < MZ_PREMISE_KIND_COUNT; k++)
        if (s->waived >> k & 1)
            add_item(&waived, mz_premise_words((mz_premise_kind)k), "", "");
    end_list(&waived);
}

/* ---- lines ------------------------------------------------------------------------------------------------
 */

static void add_value(mz_text *out, const mz_plan_premise *p)
{
    if (MZ_PREMISES_NOT_COMPARED >> p->kind & 1)
        mz_text_add(out, " -\n");
    else if (NUMBERS >> p->kind & 1)
        mz_text_add(out, " %" PRIu64 "\n", p->size);
    else if (p->size == MZ_PREMISE_ABSENT)
        mz_text_add(out, " absent\n");
    else
        mz_text_add(out, " %" PRIu64 ":%016" PRIx64 "\n", p->size, p->hash);
}

void mz_symbolic_premises_text(const mz_symbolic_plan *s, mz_text *out)
{
    for (size_t i = 0; i < s->premise_count; i++) {
        mz_text_add(out, "premise %s ", mz_premise_name(s->premises[i].kind));
        mz_add_escaped(out, s->premises[i].name);
        add_value(out, &s->premises[i]);
    }
    for (size_t i = 0; i < s->seen_count; i++) {
        mz_text_add(out, "seen %u.%u ", s->seen[i].parent, s->seen[i].child);
        if (s->seen[i].most == UINT32_MAX)
            mz_text_add(out, "-\n");
        else
            mz_text_add(out, "%u\n", s->seen[i].most);
    }
    for (int k = 0; k < MZ_PREMISE_KIND_COUNT; k++)
        if (s->waived >> k & 1)
            mz_text_add(out, "waives %s\n", mz_premise_name((mz_premise_kind)k));
}

static mz_premise_kind kind_of(mz_plan_reader *r, const char *word)
{
    int k = 0;
    while (k < MZ_PREMISE_KIND_COUNT && strcmp(word, mz_premise_name((mz_premise_kind)k)) != 0)
        k++;
    if (k == MZ_PREMISE_KIND_COUNT && !r->lines.error->set)
        mz_lines_wrong_at(&r->lines, word, "'%.40s' is no kind of premise", word);
    return k == MZ_PREMISE_KIND_COUNT ? MZ_PREMISE_ARGUMENTS : (mz_premise_kind)k;
}

void mz_plan_read_waives(mz_plan_reader *r, const char *key, char *rest)
{
    (void)key;
    r->symbolic->waived |= 1u << kind_of(r, rest);
}

void mz_plan_read_seen(mz_plan_reader *r, const char *key, char *rest)
{
    unsigned parent, child, most = UINT32_MAX;
    int end = -1;
    (void)key;
    if (sscanf(rest, "%u.%u -%n", &parent, &child, &end) != 2 || end < 0)
        if (sscanf(rest, "%u.%u %u%n", &parent, &child, &most, &end) != 3)
            end = -1;
    size_t count = r->symbolic->seen_count;
    if (end < 0 || rest[end] || count == MZ_PLAN_MOST_THREADS || (count > 0 && parent >= count))
        mz_lines_wrong_at(&r->lines, rest, "a thread that was seen is PARENT.CHILD COUNT, at most %d of them",
                          MZ_PLAN_MOST_THREADS);
    else
        mz_symbolic_add_seen(r->symbolic, (mz_seen_thread){.parent = parent, .child = child, .most = most});
}

static void read_value(mz_plan_reader *r, mz_premise_kind kind, const char *word, uint64_t *size,
                       uint64_t *hash)
{
    int end = 0;
    bool number = NUMBERS >> kind & 1;
    *size = MZ_PREMISE_ABSENT;
    *hash = 0;
    if (strcmp(word, number ? "-" : "absent") == 0)
        return;
    if (number ? sscanf(word, "%" SCNu64 "%n", size, &end) != 1
               : sscanf(word, "%" SCNu64 ":%" SCNx64 "%n", size, hash, &end) != 2)
        end = -1;
    if (end < 0 || word[end])
        mz_lines_wrong_at(&r->lines, word, "'%.40s' is no value of a premise", word);
}

/* NAME may have blanks in it: VALUE is what follows the last one. */
void mz_plan_read_premise(mz_plan_reader *r, const char *key, char *rest)
{
    (void)key;
    uint64_t size, hash;
    mz_premise_kind kind = kind_of(r, mz_plan_next_word(r, &rest, "the kind"));
    char *last = strrchr(rest, ' ');
    if (!r->lines.error->set && !last)
        mz_lines_wrong_at(&r->lines, rest, "a premise is KIND NAME VALUE");
    if (r->lines.error->set)
        return;
    *last = '\0';
    read_value(r, kind, last + 1, &size, &hash);
    if (!r->lines.error->set)
        mz_symbolic_add_premise(r->symbolic, kind, mz_lines_unescape(&r->lines, rest), size, hash);
}
