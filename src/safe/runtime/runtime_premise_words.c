/* What is told when something is not as it was when the plan was made. */
#include "safe/runtime/runtime_premises.h"

static const char *const kind_names[] = {
#define MZ_X(kind, name, words) name,
    MZ_PREMISES(MZ_X)
#undef MZ_X
};

mz__message mz__premise_begin_message(void)
{
    mz__message message = {.length = 0};
    mz__add_text(&message, "mazurka: the plan does not hold here: ");
    return message;
}

void mz__premise_end_message(mz__message *message, uint32_t kind)
{
    mz__add_text(message, " (--waive=");
    mz__add_text(message, kind_names[kind]);
    mz__add_text(message, " if that does not matter)");
    mz__leave_verified_ground(message);
}

void mz__premise_add_quoted(mz__message *message, const char *text)
{
    mz__add_text(message, "'");
    mz__add_text(message, text);
    mz__add_text(message, "'");
}

const char *mz__premise_name(const mz_premise *p)
{
    return mz__in_symbolic(p->name);
}

/* "there are 4 processors, and were 2 when the plan was made" */
void mz__premise_tell_number(const mz_premise *p, const char *before, uint64_t number, const char *after,
                             const char *between)
{
    mz__message message = mz__premise_begin_message();
    mz__add_text(&message, before);
    mz__add_number(&message, number);
    mz__add_text(&message, after);
    mz__add_text(&message, between);
    mz__add_number(&message, p->size);
    mz__add_text(&message, " when the plan was made");
    mz__premise_end_message(&message, p->kind);
}
