/* What the program shows of itself to `mazurka attach` (wire/deployment.h). */
#include "safe/runtime/follow/runtime_deployed.h"
#include "safe/runtime/follow/runtime_plan.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static mz_status_page *page;
static mz_status_page early; /* what is shown as soon as there is a page */

/* Beyond those that the program gets: it may count on the lowest ones. */
static void move_out_of_the_way(int file)
{
    enum { FAR = 900 };
    if (fcntl(file, F_DUPFD_CLOEXEC, FAR) >= 0)
        close(file);
}

static uint32_t constraints_of(const mz_plan_image *plan)
{
    uint32_t count = 0;
    for (uint32_t t = 0; t < plan->thread_count; t++) {
        const mz_plan_thread *thread = mz__thread_in(plan, t);
        const mz_plan_entry *entries = mz__entries_in(plan, thread);
        for (uint32_t i = 0; i < thread->entry_count && entries[i].rank < plan->prefix; i++)
            count += entries[i].wait_count;
    }
    return count;
}

void mz__show_status(const char *name)
{
    if (!mz__symbolic && !mz__expects_plan())
        return;
    int file = memfd_create(MZ_STATUS_FILE, MFD_CLOEXEC);
    void *memory = MAP_FAILED;
    if (file >= 0 && ftruncate(file, sizeof *page) == 0)
        memory = mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) {
        if (file >= 0)
            close(file);
        return;
    }
    mz_status_page *shown = memory;
    strcpy(shown->plan, name);
    if (mz__symbolic) {
        shown->state = MZ_STATE_PLANNED;
        shown->threads = mz__symbolic->thread_count;
        shown->iterates = mz__iterates;
        shown->is_set = (mz__plan_number(0)->flags & MZ_PLAN_EDGES_ONLY) != 0;
        for (uint32_t i = 0; i < mz__symbolic->plan_count; i++) {
            uint32_t constraints = constraints_of(mz__plan_number(i));
            shown->constraints = constraints > shown->constraints ? constraints : shown->constraints;
        }
    }
    if (early.state != MZ_STATE_NO_PLAN) {
        shown->state = early.state;
        strcpy(shown->divergence, early.divergence);
    }
    shown->magic = MZ_STATUS_MAGIC;
    page = shown;
    move_out_of_the_way(file);
}

void mz__show_wait(uint32_t thread)
{
    if (page && thread < MZ_PLAN_MOST_THREADS)
        __atomic_fetch_add(&page->waits[thread], 1, __ATOMIC_RELAXED);
}

void mz__show_divergence(const char *text, size_t length, bool serial)
{
    mz_status_page *shown = page ? page : &early;
    length = length < sizeof shown->divergence ? length : sizeof shown->divergence - 1;
    memcpy(shown->divergence, text, length);
    shown->divergence[length] = 0;
    __atomic_store_n(&shown->state, serial ? MZ_STATE_SERIAL : MZ_STATE_DIVERGED, __ATOMIC_RELEASE);
}
