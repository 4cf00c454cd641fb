/* Who has called the functions that take locks, and who has posted semaphores: for reports.
 *
 * Of a lock that is taken in a function of the program's own (my_lock(), queue_lock()) the line there says
 * nothing: all locks are taken there. Such a function is known by returning while the lock is held. Frames
 * are walked only while an execution is repeated for its report: in the search a taking costs one comparison.
 */
#include "program/order/lock_callers.h"

#include <string.h>

#include "program/describe/frames.h"
#include "program/describe/names.h"
#include "program/symbols/symbols.h"

enum { TAKINGS = 1024, CALLERS = 6, MOST_FRAMES = 64, WRAPPERS = 32, POSTED = 32, TOLD = 2 };

typedef struct taking {
    uint32_t number; /* as mz__note_taking() has returned it: later ones come into the same place */
    uintptr_t cfa;   /* of the function that has taken the lock */
    uintptr_t callers[CALLERS];
} taking;

static taking takings[TAKINGS];
static uint32_t taking_count;

static const char *wrappers[WRAPPERS]; /* functions */
static size_t wrapper_count;

static struct {
    const void *semaphore;
    mz_threads by;
} posted[POSTED];
static size_t posted_count;

void mz__begin_lock_callers(void)
{
    taking_count = 0;
    wrapper_count = posted_count = 0;
}

static bool is_told(void)
{
    return MZ_UNLIKELY(mz__w.base.sought != NULL);
}

static bool is_noted(void)
{
    return is_told() && !mz__w.trying && mz__w.current;
}

/* ---- takings --------------------------------------------------------------------------------------------
 */

static const taking *find_taking(uint32_t number)
{
    const taking *t = &takings[number % TAKINGS];
    return number > 0 && number <= taking_count && t->number == number ? t : NULL;
}

/* The frame that stands at this place, from this one on. */
static bool go_to(mz_frame *frame, uintptr_t pc)
{
    mz_frame caller;
    for (int depth = 0; frame->pc != pc; depth++, *frame = caller)
        if (depth == MOST_FRAMES || !mz_symbols_caller(mz__w.symbols, frame, &caller))
            return false;
    return mz_symbols_frame(mz__w.symbols, frame);
}

static size_t callers_of(mz_frame frame, uintptr_t *callers)
{
    size_t count = 0;
    mz_frame caller;
    for (; count < CALLERS && mz_symbols_caller(mz__w.symbols, &frame, &caller); frame = caller)
        callers[count++] = caller.pc;
    return count;
}

uint32_t mz__note_taking(uintptr_t pc)
{
    if (!is_noted())
        return 0;
    uint32_t number = ++taking_count;
    taking *t = &takings[number % TAKINGS];
    mz_frame frame = mz__frame_of_caller();
    *t = (taking){0};
    if (!go_to(&frame, pc))
        return 0;
    t->number = number;
    t->cfa = frame.cfa;
    callers_of(frame, t->callers);
    return number;
}

/* ---- functions that return while the lock is held ---------------------------------------------------------
 */

static const char *function_at(uintptr_t pc)
{
    mz_code_place place;
    return pc && mz_symbols_code(mz__w.symbols, pc - 1, &place) ? place.function : NULL;
}

static bool is_wrapper(const char *function)
{
    for (size_t i = 0; function && i < wrapper_count; i++)
        if (strcmp(wrappers[i], function) == 0)
            return true;
    return false;
}

/* Another call of it may have its frame at the same place: then it stands elsewhere in its caller. */
static bool is_in(const taking *t, mz_frame frame)
{
    mz_frame caller;
    for (int depth = 0; depth < MOST_FRAMES && mz_symbols_frame(mz__w.symbols, &frame); depth++) {
        bool has_caller = mz_symbols_caller(mz__w.symbols, &frame, &caller);
        if (frame.cfa == t->cfa)
            return (has_caller ? caller.pc : 0) == t->callers[0];
        if (!has_caller)
            return false;
        frame = caller;
    }
    return false;
}

static void learn(const taking *t, uintptr_t pc, mz_frame frame)
{
    const char *function = function_at(pc);
    if (t && function && wrapper_count < WRAPPERS && !is_wrapper(function) && !is_in(t, frame))
        wrappers[wrapper_count++] = function;
}

void mz__note_giving(uint32_t number, uintptr_t pc)
{
    if (is_noted())
        learn(find_taking(number), pc, mz__frame_of_caller());
}

/* What all threads hold now is to be known before any of it is told. */
static void learn_from_all(void)
{
    for (uint32_t u = 0; u < mz__w.birth_count; u++) {
        const mz__thread *t = &mz__w.threads[u];
        mz_frame frame;
        if (!mz__frame_of_thread(u, &frame))
            continue;
        for (uint32_t link = t->held_last; link; link = t->holds[link].outer)
            learn(find_taking(t->holds[link].taking), t->holds[link].pc, frame);
    }
}

/* ---- in words ---------------------------------------------------------------------------------------------
 */

static void add_places(const uintptr_t *callers, size_t count, mz_text *out)
{
    int told = 0;
    for (size_t i = 0; i < count && told < TOLD; i++) {
        mz_code_place place;
        if (!callers[i] || !mz_symbols_code(mz__w.symbols, callers[i] - 1, &place) || !place.function ||
            mz__is_generated(place.function))
            return;
        if (!place.file || mz__is_of_library(place.file))
            continue;
        mz_text_add(out, "%s%s() %s:%u", told++ ? " < " : ", called by ", place.function, place.file,
                    place.line);
    }
}

void mz__add_callers(const mz__thread *thread, uint32_t number, uintptr_t pc, mz_text *out)
{
    const taking *t = find_taking(number);
    mz_frame frame;
    if (!t || !is_told())
        return;
    learn_from_all();
    bool has_ended = !mz__frame_of_thread(thread->number, &frame);
    if (has_ended || is_wrapper(function_at(pc)))
        add_places(t->callers, CALLERS, out);
}

void mz__add_callers_of_wait(const mz__thread *thread, mz_text *out)
{
    uintptr_t callers[CALLERS] = {0};
    if (!is_told())
        return;
    learn_from_all();
    mz_frame frame = mz__frame_of(thread);
    uintptr_t pc = wrapper_count > 0 ? mz__call_of_thread(thread) : 0;
    if (is_wrapper(function_at(pc)) && go_to(&frame, pc))
        add_places(callers, callers_of(frame, callers), out);
}

/* ---- semaphores -------------------------------------------------------------------------------------------
 */

void mz__note_post(const void *semaphore)
{
    size_t i = 0;
    if (!is_noted())
        return;
    while (i < posted_count && posted[i].semaphore != semaphore)
        i++;
    if (i == POSTED)
        return;
    if (i == posted_count) {
        posted[posted_count++].semaphore = semaphore;
        posted[i].by = MZ_NO_THREADS;
    }
    posted[i].by |= mz_threads_of(mz__w.current->number);
}

static mz_threads posters_of(const void *semaphore)
{
    for (size_t i = 0; i < posted_count; i++)
        if (posted[i].semaphore == semaphore)
            return posted[i].by;
    return MZ_NO_THREADS;
}

static void add_threads(mz_threads threads, mz_text *out)
{
    const char *before = "thread ";
    MZ_FOR_EACH_THREAD(t, threads)
    {
        mz_text_add(out, "%s%u", before, t);
        before = " and ";
    }
}

/* That a thread has posted is what speaks for its posting again: one that has ended does not. */
void mz__add_posters(const void *semaphore, uint32_t thread, mz_text *out)
{
    mz_threads by = posters_of(semaphore), alive = MZ_NO_THREADS;
    if (!is_told())
        return;
    MZ_FOR_EACH_THREAD(t, by)
    {
        if (mz__w.threads[t].life == MZ__ALIVE && t != thread)
            alive |= mz_threads_of(t);
    }
    if (!mz_threads_any(by)) {
        mz_text_add(out, ", which nobody has posted");
    } else if (mz_threads_any(alive)) {
        mz_text_add(out, ", which ");
        add_threads(alive, out);
        mz_text_add(out, " has posted before, and could again");
    } else {
        mz_text_add(out, ", which nobody can post: only ");
        add_threads(by, out);
        mz_text_add(out,
                    !mz_threads_any(by & ~mz_threads_of(thread)) ? " has, itself" : " has, and has ended");
    }
}
