/* What the process that verifies and the one that waits for it both see. */
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>

#include "base/error.h"
#include "safe/verify/verify.h"

mz_verification *mz_verification_create(void)
{
    mz_verification *v = mmap(NULL, sizeof *v, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return v == MAP_FAILED ? NULL : v;
}

void mz_verification_release(mz_verification *v)
{
    if (v)
        munmap(v, sizeof *v);
}

bool mz_verification_is_over(const mz_verification *v)
{
    int worker = atomic_load(&v->worker);
    return worker < 0 || (worker > 0 && kill(worker, 0) != 0);
}

void mz_verification_pause(mz_verification *v, bool rest)
{
    atomic_store(&v->rest, rest ? MZ_SHOULD_REST : MZ_AT_WORK);
    while (rest && atomic_load(&v->rest) != MZ_RESTS && !mz_verification_is_over(v))
        poll(NULL, 0, 1);
}

bool mz_verification_plan(mz_verification *v, mz_symbolic_plan *symbolic)
{
    mz_error error = {0};
    mz_symbolic_init(symbolic);
    if (atomic_load(&v->state) == MZ_NO_PLAN ||
        !mz_symbolic_parse(symbolic, "plan", v->text, v->length, &error)) {
        mz_error_release(&error);
        return false;
    }
    for (size_t i = 0; i < symbolic->plan_count; i++)
        symbolic->plans[i].prefix = atomic_load(&v->prefixes[i]);
    mz_symbolic_keep_reads(symbolic);
    symbolic->plans[0].traces = atomic_load(&v->traces);
    symbolic->plans[0].share = (double)atomic_load(&v->share) / 1e6;
    return true;
}

bool mz_verification_set(const mz_verification *v, mz_symbolic_plan *symbolic)
{
    mz_error error = {0};
    mz_symbolic_init(symbolic);
    bool good = atomic_load(&v->has_set) &&
                mz_symbolic_parse(symbolic, "constraint set", v->set_text, v->set_length, &error);
    mz_error_release(&error);
    if (good) {
        symbolic->plans[0].traces = v->minimised.traces;
        symbolic->plans[0].share = 1; /* of what it allows */
    }
    return good;
}

static void add_words(mz_plan *plan, const char *key, const mz_words *words)
{
    for (size_t i = 0; i < words->count; i++)
        mz_plan_add_line(plan, key, words->items[i]);
}

void mz_plan_describe_program(mz_plan *plan, const mz_settings *s)
{
    for (size_t i = 0; i < s->file_count; i++)
        mz_plan_add_line(plan, "file", s->files[i]);
    if (s->compiler)
        mz_plan_add_line(plan, "compiler", s->compiler);
    add_words(plan, "flag", &s->compile_flags);
    add_words(plan, "link", &s->link_flags);
    add_words(plan, "argument", &s->arguments);
}
