/* What is to be known about the executions of a program before its verdict is trusted: how they ended, and
 * which assumptions never held. Of the ends, those count that the search has met since it last began: the
 * runs that prepare it may be ones that it does not come to, such as beyond a limit. */
#include "program/describe/notes.h"
#include "base/memory.h"
#include "program/describe/names.h"
#include "program/program.h"
#include "program/world/world.h"

/* ---- how the program ended --------------------------------------------------------------------------------
 *
 * When a thread ends the program, the others go on here, for what they do then they could have done before.
 * One of them may end the program, too. Nothing comes after the end of a thread because of it, so that each
 * of these ends could have come first: all are statuses of the program. */

void mz__note_status(int status, uintptr_t pc)
{
    mz__state *state = &mz__w.state; /* saved with the step */
    mz__w.exits[(uint8_t)status].pc = pc;
    if (state->exit_count < MZ__MOST_EXITS)
        state->exit_statuses[state->exit_count++] = (uint8_t)status;
    else
        mz__w.exits[(uint8_t)status].happened = true;
}

void mz__note_abort(uintptr_t pc)
{
    mz__w.state.aborted = true; /* saved with the step */
    mz__w.abort_seen.pc = pc;
}

void mz__note_end(void)
{
    const mz__state *state = &mz__w.state;
    for (uint32_t i = 0; i < state->exit_count; i++)
        mz__w.exits[state->exit_statuses[i]].happened = true;
    if (state->aborted)
        mz__w.abort_seen.happened = true;
    else if (state->exit_count == 0) /* all threads have ended */
        mz__w.exits[0].happened = true;
}

void mz__forget_ends(void)
{
    mz__w.abort_seen.happened = false;
    for (uint32_t status = 0; status < 256; status++)
        mz__w.exits[status].happened = false;
}

size_t mz_native_exit_statuses(const mz_machine *machine, uint8_t statuses[256])
{
    (void)machine;
    size_t count = 0;
    for (uint32_t status = 0; status < 256; status++)
        if (mz__w.exits[status].happened)
            statuses[count++] = (uint8_t)status;
    return count;
}

static const char *kept(mz_text *line)
{
    const char *copy = mz_copy_string(mz_text_string(line));
    mz_text_release(line);
    return copy;
}

static const char *status_line(uint8_t status, bool always, bool complete)
{
    mz_text line = {0};
    mz_text_add(&line, "the program ends with status %u", status);
    mz__add_place(&line, "", mz__w.exits[status].pc);
    mz_text_add(&line, !always    ? " in some executions, but not in all"
                       : complete ? " in every execution"
                                  : " in every execution so far");
    return kept(&line);
}

static const char *abort_line(void)
{
    mz_text line = {0};
    mz_text_add(&line, "the program is ended by an assertion or abort()");
    mz__add_place(&line, "", mz__w.abort_seen.pc);
    mz_text_add(&line, " in some execution, which was not asked for");
    return kept(&line);
}

/* ---- assumptions ------------------------------------------------------------------------------------------
 */

/* The one of this place; NULL: there are too many. */
static struct mz__assumption *assumption_at(uintptr_t pc)
{
    for (uint32_t i = 0; i < MZ__ASSUMPTION_SLOTS; i++) {
        struct mz__assumption *a = &mz__w.assumptions[(pc + i) % MZ__ASSUMPTION_SLOTS];
        if (!a->pc)
            a->pc = pc;
        if (a->pc == pc)
            return a;
    }
    return NULL;
}

void mz__note_assumption(uintptr_t pc, bool holds)
{
    struct mz__assumption *a = assumption_at(pc);
    if (a)
        a->held |= holds;
}

static const char *assumption_line(uintptr_t pc)
{
    mz_text line = {0};
    mz_text_add(&line, "an assumption never held");
    mz__add_place(&line, "", pc);
    mz_text_add(&line, ": nothing that comes after it was checked%s",
                mz__w.nondet_bounded ? " (--nondet=LO..HI takes other numbers)" : "");
    return kept(&line);
}

/* ---- all of them --------------------------------------------------------------------------------------- */

size_t mz_native_notes(mz_machine *machine, bool complete, const char **lines)
{
    uint8_t statuses[256];
    size_t ends = mz_native_exit_statuses(machine, statuses), count = 0;
    for (size_t i = 0; i < ends && count < MZ_NATIVE_NOTES; i++)
        if (statuses[i] != 0)
            lines[count++] = status_line(statuses[i], ends == 1 && !mz__w.abort_seen.happened, complete);
    if (mz__w.abort_seen.happened && count < MZ_NATIVE_NOTES)
        lines[count++] = abort_line();
    for (uint32_t i = 0; i < MZ__ASSUMPTION_SLOTS && count < MZ_NATIVE_NOTES; i++)
        if (mz__w.assumptions[i].pc && !mz__w.assumptions[i].held)
            lines[count++] = assumption_line(mz__w.assumptions[i].pc);
    if (mz__w.input_is_terminal && count < MZ_NATIVE_NOTES)
        lines[count++] = "standard input is a terminal: the program finds it empty";
    return count;
}
