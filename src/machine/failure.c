#include "machine/failure.h"

#include <string.h>

#include "base/memory.h"

static const struct {
    const char *name, *check, *description;
} kinds[] = {
#define MZ_X(constant, name, check, description) {name, check, description},
    MZ_FAILURE_KINDS(MZ_X)
#undef MZ_X
};

const char *mz_warning_name(mz_warning_kind kind)
{
    static const char *const names[] = {
#define MZ_X(constant, name) name,
        MZ_WARNING_KINDS(MZ_X)
#undef MZ_X
    };
    return names[kind];
}

const char *mz_failure_name(mz_failure_kind kind)
{
    return kinds[kind].name;
}

const char *mz_failure_check_name(mz_failure_kind kind)
{
    return kinds[kind].check;
}

const char *mz_failure_description(mz_failure_kind kind)
{
    return kinds[kind].description;
}

bool mz_failure_same(const mz_failure *a, const mz_failure *b)
{
    return a->kind == b->kind && a->thread == b->thread && a->position.line == b->position.line &&
           a->position.column == b->position.column;
}

static bool is_same_place(const mz_position *a, const mz_position *b)
{
    bool same_file = a->file == b->file || (a->file && b->file && strcmp(a->file, b->file) == 0);
    return same_file && a->line == b->line && a->column == b->column;
}

bool mz_failure_repeated(const mz_failure *a, const mz_failure *b)
{
    return mz_failure_same(a, b) && is_same_place(&a->other, &b->other);
}

const mz_failure *mz_failure_find(const mz_failure *failures, uint32_t count, const mz_failure *sought)
{
    const mz_failure *same = NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (mz_failure_repeated(&failures[i], sought))
            return &failures[i];
        if (!same && mz_failure_same(&failures[i], sought))
            same = &failures[i];
    }
    return sought->kind == MZ_FAIL_RACE && sought->other.line > 0 ? NULL : same;
}

bool mz_failure_alike(const mz_failure *a, const mz_failure *b)
{
    if (a->kind != MZ_FAIL_RACE || b->kind != MZ_FAIL_RACE)
        return false;
    return (is_same_place(&a->position, &b->position) && is_same_place(&a->other, &b->other)) ||
           (is_same_place(&a->position, &b->other) && is_same_place(&a->other, &b->position));
}

void mz_failure_copy(mz_failure *to, const mz_failure *from)
{
    mz_text message = to->message;
    *to = *from;
    to->message = message;
    mz_text_clear(&to->message);
    mz_text_add(&to->message, "%s", mz_text_string(&from->message));
}

void mz_failure_release(mz_failure *failure)
{
    mz_text_release(&failure->message);
}

void mz_failures_release(mz_failure *failures, size_t count)
{
    for (size_t i = 0; i < count; i++)
        mz_failure_release(&failures[i]);
    mz_release(failures);
}
