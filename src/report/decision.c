/* With which step it was decided that an execution fails, and what would have been fine. */
#include "report/lines.h"
#include "report/table.h"

static void add_executions(mz_text *out, uint64_t count)
{
    mz_text_add_grouped(out, count);
    mz_text_add(out, " execution%s", count == 1 ? "" : "s");
}

static void add_line(mz_text *words, mz_style style, mz_text *out)
{
    if (style.ascii)
        mz_text_to_ascii(words);
    mz_text_add(out, "  ");
    mz__add_wrapped(out, mz_text_string(words), 2, 4, style, NULL);
    mz_text_add(out, "\n");
    mz_text_clear(words);
}

static void add_instead(const mz_report *r, const mz_report_error *e, mz_style style, mz_text *out)
{
    mz_text words = {0};
    const mz_report_step *step = &e->passing[e->decisive - 1];
    mz_text_add(&words, "fine instead: ");
    mz__add_thread_name(r, e, step->thread, &words);
    if (step->position.line)
        mz_text_add(&words, ", line %u", step->position.line);
    mz_text_add(&words, ": %s", step->source ? step->source : step->text);
    add_line(&words, style, out);
    mz_text_release(&words);
}

void mz__add_decision(const mz_report *r, const mz_report_error *e, mz_style style, mz_text *out)
{
    mz_text words = {0};
    if (e->decided == MZ_DECIDED_UNKNOWN || (r->thread_count < 2 && e->thread_count < 2))
        return;
    mz_text_add(out, "\n");
    if (e->decided == MZ_DECIDED_AT_START) {
        mz_text_add(&words, "every schedule fails: ");
        add_executions(&words, e->continuations);
        mz_text_add(&words, " tried, which stand for all");
    } else if (e->decided == MZ_DECIDED_PERHAPS) {
        mz_text_add(&words, "* step %zu decides, it seems: after it no execution was found that passes (",
                    e->decisive);
        mz_text_add_grouped(&words, e->continuations);
        mz_text_add(&words, " tried, not all)");
    } else if (e->decisive == e->step_count) {
        mz_text_add(&words, "* step %zu decides: until then all might have gone well", e->decisive);
    } else {
        mz_text_add(&words, "* step %zu decides: whatever follows, it fails (", e->decisive);
        add_executions(&words, e->continuations);
        mz_text_add(&words, " tried, which stand for all)");
    }
    add_line(&words, style, out);
    if (e->decided != MZ_DECIDED_AT_START && e->decisive >= 1 && e->decisive <= e->passing_count)
        add_instead(r, e, style, out);
    mz_text_release(&words);
}
