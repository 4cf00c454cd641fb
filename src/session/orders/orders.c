/* Each candidate is verified in full, by a search of its own under RC11.
 *
 * A safe program is weakened, site by site, each to the weakest order with which it is still safe. To weaken
 * other sites only adds executions: what was refused once would be refused in the end as well. So no single
 * order of the result can be weaker.
 *
 * A program that fails is first tried with all orders seq_cst: if that fails, orders are not what is wrong.
 * Then sets of sites are made seq_cst, the smaller sets first, up to three; if none is enough, all are, and
 * those that need not be get their own orders back. What was made stronger is then weakened as above, but not
 * below what was written. */
#include "session/orders/orders.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "session/program.h"
#include "session/worker.h"

typedef struct finding {
    mz_orders *orders;
    mz_settings settings;
    mz_compiled compiled;
    char failure[240]; /* of the last search */
} finding;

/* ---- one search --------------------------------------------------------------------------------------- */

static void tell_failure(finding *f, const mz_report *r)
{
    if (r->error_count == 0) {
        snprintf(f->failure, sizeof f->failure, "%s", r->reason ? r->reason : "");
        return;
    }
    const mz_report_error *e = &r->errors[0];
    const char *parts = strstr(e->message, ": ");
    bool has_parts =
        parts && (e->kind == MZ_FAIL_RACE || e->kind == MZ_FAIL_DEADLOCK || e->kind == MZ_FAIL_LIVELOCK);
    int length = has_parts ? (int)(parts - e->message) : (int)strlen(e->message);
    snprintf(f->failure, sizeof f->failure, "%.*s, line %u", length, e->message, e->position.line);
}

static mz_verdict search(finding *f)
{
    mz_ending ending = {0};
    mz_error error = {0};
    mz_verdict verdict = MZ_INCOMPLETE;
    mz_check_job job = {.settings = &f->settings,
                        .compiled = &f->compiled,
                        .algorithm = &mz_algorithm_graph,
                        .begun = mz_seconds_now()};
    f->orders->checks++;
    mz_shared *shared =
        mz_run_worker(mz_worker_check, &job, f->settings.search.limits.seconds, &ending, &error);
    if (!error.set && shared->finished) {
        verdict = shared->report.verdict;
        tell_failure(f, &shared->report);
    } else {
        snprintf(f->failure, sizeof f->failure, "%s",
                 error.set ? mz_text_string(&error.message) : mz_text_string(&ending.words));
        verdict = error.set ? MZ_INCOMPLETE : MZ_UNSAFE;
    }
    if (shared)
        mz_shared_release(shared);
    mz_text_release(&ending.words);
    mz_error_release(&error);
    return mz_interrupted ? MZ_INCOMPLETE : verdict;
}

/* ---- the orders of a site ------------------------------------------------------------------------------ */

static const mz_order of_loads[] = {MZ_RELAXED, MZ_ACQUIRE, MZ_SEQ_CST},
                      of_stores[] = {MZ_RELAXED, MZ_RELEASE, MZ_SEQ_CST},
                      of_updates[] = {MZ_RELAXED, MZ_ACQUIRE, MZ_RELEASE, MZ_ACQ_REL, MZ_SEQ_CST},
                      of_fences[] = {MZ_PLAIN, MZ_ACQUIRE, MZ_RELEASE, MZ_ACQ_REL, MZ_SEQ_CST};

static const mz_order *orders_of(mz_site_kind kind, size_t *count)
{
    *count = kind == MZ_SITE_LOAD || kind == MZ_SITE_STORE ? 3 : 5;
    return kind == MZ_SITE_LOAD    ? of_loads
           : kind == MZ_SITE_STORE ? of_stores
           : kind == MZ_SITE_FENCE ? of_fences
                                   : of_updates;
}

bool mz_order_is_stronger(mz_site_kind kind, mz_order order, mz_order than)
{
    (void)kind;
    if (order == than || than <= MZ_RELAXED)
        return order >= than;
    return order == MZ_SEQ_CST || (order == MZ_ACQ_REL && than != MZ_SEQ_CST);
}

/* The weakest order of the site, between these two, with which the program is safe: with the stronger one it
 * is. */
static void weaken(finding *f, uint32_t number, mz_order least, uint8_t *order, mz_order_reason *reason)
{
    mz_order_site *site = &f->orders->sites->sites[number];
    mz_order strongest = (mz_order)*order;
    size_t count;
    const mz_order *all = orders_of(reason ? site->kind : MZ_SITE_LOAD, &count);
    for (size_t i = 0; i < count && !mz_interrupted; i++) {
        if (all[i] == strongest || !mz_order_is_stronger(site->kind, all[i], least) ||
            !mz_order_is_stronger(site->kind, strongest, all[i]))
            continue;
        *order = (uint8_t)all[i];
        if (search(f) == MZ_SAFE)
            return;
        if (reason) {
            reason->weaker = (uint8_t)all[i];
            snprintf(reason->why, sizeof reason->why, "%s", f->failure);
        }
    }
    *order = (uint8_t)strongest;
}

static void weaken_site(finding *f, uint32_t number, bool below_written)
{
    mz_order_site *site = &f->orders->sites->sites[number];
    bool fence = site->kind == MZ_SITE_FENCE;
    mz_order lowest = fence ? MZ_PLAIN : MZ_RELAXED;
    weaken(f, number, below_written ? lowest : (mz_order)site->written, &site->now,
           &f->orders->reasons[number]);
    if (site->kind == MZ_SITE_EXCHANGE)
        weaken(f, number, below_written ? MZ_RELAXED : (mz_order)site->written_failure, &site->now_failure,
               NULL);
}

static void strengthen(mz_order_site *site, bool as_written)
{
    site->now = as_written ? site->written : MZ_SEQ_CST;
    site->now_failure = as_written || site->kind != MZ_SITE_EXCHANGE ? site->written_failure : MZ_SEQ_CST;
}

/* ---- a program that is safe, and one that is not ------------------------------------------------------- */

/* Sites may come up that were not met before: they are weakened in their turn. */
static void weaken_all(finding *f)
{
    for (uint32_t i = 0; i < f->orders->sites->count && !mz_interrupted; i++)
        weaken_site(f, i, true);
    f->orders->is_found = !mz_interrupted && search(f) == MZ_SAFE;
}

/* Those from `first` on of which `count` more are made seq_cst: is that enough? */
static bool try_sets(finding *f, uint32_t first, uint32_t count)
{
    mz_order_sites *s = f->orders->sites;
    if (count == 0)
        return search(f) == MZ_SAFE;
    for (uint32_t i = first; i < s->count && !mz_interrupted; i++) {
        if (s->sites[i].written == MZ_SEQ_CST)
            continue;
        strengthen(&s->sites[i], false);
        if (try_sets(f, i + 1, count - 1))
            return true;
        strengthen(&s->sites[i], true);
    }
    return false;
}

static void strengthen_few(finding *f)
{
    enum { LARGEST_SET = 3 };
    mz_order_sites *s = f->orders->sites;
    for (uint32_t i = 0; i < s->count; i++)
        strengthen(&s->sites[i], false);
    if (search(f) != MZ_SAFE)
        return;
    for (uint32_t i = 0; i < s->count; i++)
        strengthen(&s->sites[i], true);
    bool found = false;
    for (uint32_t size = 1; size <= LARGEST_SET && !found; size++)
        found = try_sets(f, 0, size);
    for (uint32_t i = 0; i < s->count && !found; i++)
        strengthen(&s->sites[i], false);
    for (uint32_t i = 0; i < s->count && !found && !mz_interrupted; i++) {
        strengthen(&s->sites[i], true);
        if (search(f) != MZ_SAFE)
            strengthen(&s->sites[i], false);
    }
    for (uint32_t i = 0; i < s->count && !mz_interrupted; i++)
        if (s->sites[i].now != s->sites[i].written)
            weaken_site(f, i, false);
    f->orders->is_found = !mz_interrupted && search(f) == MZ_SAFE;
}

void mz_orders_find(mz_orders *orders, const mz_settings *settings, mz_error *error)
{
    finding f = {.orders = orders, .settings = *settings};
    *orders = (mz_orders){0};
    orders->sites =
        mmap(NULL, sizeof *orders->sites, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (orders->sites == MAP_FAILED) {
        orders->sites = NULL;
        mz_error_set(error, (mz_position){0}, "there is no memory for the orders");
        return;
    }
    f.settings.search.memory = MZ_MEMORY_RC11;
    f.settings.search.all_errors = false;
    f.settings.quiet = true;
    f.settings.orders = orders->sites;
    if (mz_native_build(&f.settings, &f.compiled, error)) {
        fputs(f.compiled.warnings ? f.compiled.warnings : "", stderr);
        mz_catch_interrupts(true);
        orders->written = search(&f);
        snprintf(orders->failure, sizeof orders->failure, "%s", f.failure);
        if (orders->written == MZ_SAFE)
            weaken_all(&f);
        else if (orders->written == MZ_UNSAFE)
            strengthen_few(&f);
    }
    mz_compiled_release(&f.compiled);
}

void mz_orders_release(mz_orders *orders)
{
    if (orders->sites)
        munmap(orders->sites, sizeof *orders->sites);
}
