#include "search/search.h"

/* Nothing comes after it, for anybody. */
static bool ends_by_itself(mz_failure_kind kind)
{
    return kind == MZ_FAIL_DEADLOCK || kind == MZ_FAIL_LIVELOCK;
}

void mz_unasked_note(mz_search *s, const mz_failure *failure)
{
    mz_unasked *u = &s->unasked;
    size_t known = 0;
    if (ends_by_itself(failure->kind))
        return;
    while (known < u->count && !mz_failure_same(&u->failures[known], failure))
        known++;
    if (known < u->count)
        return;
    if (u->count == MZ_MOST_UNASKED)
        u->more = true;
    else
        mz_failure_copy(&u->failures[u->count++], failure);
}

static void describe(const mz_failure *failure, mz_text *out)
{
    mz_text_add(out, "%s", mz_failure_name(failure->kind));
    if (failure->position.file)
        mz_text_add(out, " at %s:%u:%u", failure->position.file, failure->position.line,
                    failure->position.column);
    mz_text_add(out, " (%s)", mz_text_string(&failure->message));
}

/* "3 executions were cut by an error that was not asked for: memory at a.c:5:3 (…); --check=assertions,memory
 * …" */
void mz_unasked_close(mz_search *s)
{
    const mz_unasked *u = &s->unasked;
    mz_text *out = &s->reason;
    uint64_t cut = s->statistics.cut_by_errors;
    uint32_t kinds = 0;
    if (u->count == 0)
        return;
    s->incomplete = true;
    mz_text_add(out, "%s%llu execution%s cut by %s not asked for: ", out->length > 0 ? "; " : "",
                (unsigned long long)cut, cut == 1 ? " was" : "s were",
                u->count > 1 ? "errors that were" : "an error that was");
    for (size_t i = 0; i < u->count; i++) {
        mz_text_add(out, "%s", i ? "; " : "");
        describe(&u->failures[i], out);
        kinds |= 1u << u->failures[i].kind;
    }
    mz_text_add(out, "%s; --check with ", u->more ? "; and others" : "");
    for (int kind = 0; kind < MZ_FAILURE_KIND_COUNT; kind++) {
        if (kinds & (1u << kind))
            mz_text_add(out, "%s%s", mz_failure_check_name((mz_failure_kind)kind),
                        kinds >> (kind + 1) ? ", " : "");
    }
    mz_text_add(out, " reports %s", u->count > 1 ? "them" : "it");
}

void mz_unasked_release(mz_unasked *u)
{
    for (size_t i = 0; i < u->count; i++)
        mz_failure_release(&u->failures[i]);
    u->count = 0;
    u->more = false;
}
