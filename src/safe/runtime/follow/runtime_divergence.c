/* What is said, and done, when the program leaves verified ground. */
#include "safe/runtime/follow/runtime_deployed.h"
#include "safe/runtime/follow/runtime_plan.h"
#include "safe/runtime/follow/runtime_serial.h"

#include <unistd.h>

_Atomic bool mz__switched_off;

/* Who stops the program lets nobody go on before that: constraints hold until the end. */
void mz__leave_verified_ground(mz__message *message)
{
    static _Atomic bool told;
    uint32_t flags = mz__symbolic ? mz__plan_number(0)->flags : 0;
    bool warns = flags & MZ_PLAN_WARNS, serialises = flags & MZ_PLAN_SERIALISES;
    if (atomic_exchange(&told, true)) {
        while (!warns)
            pause(); /* another thread is ending the program */
        return;
    }
    mz__show_divergence(message->text, message->length, serialises);
    mz__add_text(message, serialises ? "; from now on one thread runs at a time\n"
                          : warns    ? "; constraints are no longer enforced\n"
                                     : "; stopped\n");
    mz__say(message);
    if (!warns)
        _exit(MZ_PLAN_EXIT_DIVERGED);
    mz__switched_off = true;
    if (serialises)
        mz__begin_serial();
}

static void begin_message(mz__message *message)
{
    *message = (mz__message){.length = 0};
    mz__add_text(message, "mazurka: thread ");
    mz__add_number(message, mz__self.number);
    mz__add_text(message, " leaves verified ground at its operation ");
    mz__add_number(message, mz__self.count);
    mz__add_text(message, ": ");
}

static void add_event(mz__message *message, uint32_t kinds, uint64_t place)
{
    mz__add_kinds(message, kinds);
    mz__add_place(message, place);
}

static void add_entry(mz__message *message, const mz_plan_entry *entry)
{
    if (entry->kind == MZ_PLAN_ANY_KIND)
        mz__add_text(message, "an operation");
    add_event(message, entry->kind == MZ_PLAN_ANY_KIND ? 0 : 1u << entry->kind, entry->place);
}

void mz__tell_difference(const mz_plan_entry *entry, uint32_t kinds, uint64_t place)
{
    mz__message message;
    begin_message(&message);
    if (entry)
        add_entry(&message, entry);
    else
        mz__add_text(&message, "its end");
    mz__add_text(&message, " is expected, found ");
    add_event(&message, kinds, place);
    mz__leave_verified_ground(&message);
}

void mz__tell_too_many(uint32_t kinds, uint64_t place)
{
    mz__message message;
    begin_message(&message);
    mz__add_text(&message, "in no verified execution it has more than ");
    mz__add_number(&message, mz__self.most);
    mz__add_text(&message, mz__self.most == 1 ? " operation, found " : " operations, found ");
    add_event(&message, kinds, place);
    mz__leave_verified_ground(&message);
}

void mz__tell_missing_event(uint32_t number, uint32_t count)
{
    mz__message message;
    begin_message(&message);
    mz__add_text(&message, "it waits for operation ");
    mz__add_number(&message, count);
    mz__add_text(&message, " of thread ");
    mz__add_number(&message, number);
    mz__add_text(&message, ", which does not come");
    mz__leave_verified_ground(&message);
}

void mz__tell_missing_input(const char *name)
{
    mz__message message;
    begin_message(&message);
    mz__add_text(&message, "it waits until input '");
    mz__add_text(&message, name);
    mz__add_text(&message, "' is read, which nobody does");
    mz__leave_verified_ground(&message);
}

void mz__tell_missing_operation(void)
{
    mz__message message;
    begin_message(&message);
    mz__add_text(&message, "it ends, but its operation ");
    mz__add_number(&message, mz__self.entry->count);
    mz__add_text(&message, ", ");
    add_entry(&message, mz__self.entry);
    mz__add_text(&message, ", is expected");
    mz__leave_verified_ground(&message);
}

void mz__tell_missing_thread(uint32_t number)
{
    mz__message message;
    begin_message(&message);
    mz__add_text(&message, "it ends, but was expected to create thread ");
    mz__add_number(&message, number);
    mz__leave_verified_ground(&message);
}

void mz__refuse_under_plan(const char *what)
{
    if (!mz__symbolic)
        return;
    mz__message message;
    begin_message(&message);
    mz__add_text(&message, what);
    mz__leave_verified_ground(&message);
}
