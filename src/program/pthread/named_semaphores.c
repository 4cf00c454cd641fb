/* Named semaphores: those of the program itself. At its beginning there are none, and nobody else has any.
 *
 * Which thread is the first to open a name, and whether one is there, others can see: opening and unlinking
 * are operations on one location, that of all names. */
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <string.h>

#include "program/describe/failures.h"
#include "program/memory/heap.h"
#include "program/order/happens_before.h"
#include "program/pthread/sync.h"
#include "program/runtime/for_the_program.h"
#include "program/runtime/objects.h"
#include "program/runtime/operations.h"
#include "program/world/noted_premises.h"
#include "program/world/object_states.h"
#include "program/world/progress.h"
#include "program/world/world.h"

enum { MOST_NAMES = 32, LONGEST_NAME = 64 };

typedef struct named {
    char name[LONGEST_NAME]; /* "": unlinked, or never used */
    uint32_t *semaphore;     /* in the heap of who has created it; NULL: a free entry */
    uint32_t opened;         /* times, and not closed yet */
} named;

/* What changes is on the trail. */
static named all[MOST_NAMES];

/* A name for the location: nothing lives there. */
#define LOCATION ((const void *)(MZ__STACK_BASE(0) + 16))

static uint32_t cell_of_names(void)
{
    uint32_t cell;
    mz__cells_of((uintptr_t)LOCATION, 1, true, &cell);
    return cell;
}

static void begin(const char *verb)
{
    uint32_t cell = cell_of_names();
    mz__announce(mz__on_object(MZ_OP_UPDATE, MZ__FREE, LOCATION, cell, verb), false);
    mz__acquire(cell); /* who opens it sees what its creator has made */
    mz__made_progress();
}

static void end(void)
{
    mz__release(cell_of_names(), false);
}

/* The program's string; false if it is no name for a semaphore. */
static bool read_name(const char *text, char *name)
{
    size_t length = mz__limited_length(text, LONGEST_NAME);
    memcpy(name, text, length < LONGEST_NAME ? length + 1 : LONGEST_NAME);
    return length > 0 && length < LONGEST_NAME;
}

static named *find(const char *name)
{
    for (size_t i = 0; i < MOST_NAMES; i++)
        if (all[i].semaphore && strcmp(all[i].name, name) == 0)
            return &all[i];
    return NULL;
}

static named *create(const char *name, uint32_t value)
{
    size_t i = 0;
    while (i < MOST_NAMES && all[i].semaphore)
        i++;
    if (i == MOST_NAMES)
        mz__give_up(mz__caller.pc, "there are more than %d named semaphores", MOST_NAMES);
    MZ__SAVE(all[i]);
    all[i] = (named){.semaphore = mz__allocate(sizeof(sem_t), 16)};
    memcpy(all[i].name, name, strlen(name) + 1);
    mz__change_object(all[i].semaphore, sizeof(sem_t)); /* a part of this operation, not one of its own */
    memset(all[i].semaphore, 0, sizeof(sem_t));
    *all[i].semaphore = value;
    *mz__semaphore_state(all[i].semaphore) = MZ__READY;
    mz__note_first_value(value);
    return &all[i];
}

static sem_t *fail(int error)
{
    errno = error;
    return SEM_FAILED;
}

MZ__HOOK(sem_t *, __wrap_sem_open, const char *text, int flags, unsigned mode, unsigned value)
{
    (void)mode;
    char name[LONGEST_NAME];
    if (!read_name(text, name))
        return fail(EINVAL);
    begin("sem_open");
    mz__ask_about(MZ_PREMISE_SEMAPHORE, name, 0); /* none is there at first */
    named *found = find(name);
    if (!found && !(flags & O_CREAT))
        return fail(ENOENT);
    if (found && (flags & O_CREAT) && (flags & O_EXCL))
        return fail(EEXIST);
    if (!found)
        found = create(name, value);
    MZ__SAVE(found->opened);
    found->opened++;
    end();
    return (sem_t *)(void *)found->semaphore;
}

/* It goes when it has no name any more and nobody has it open. */
static void drop_if_unused(named *n)
{
    if (n->opened > 0 || n->name[0])
        return;
    MZ__SAVE(n->semaphore);
    mz__heap_free(n->semaphore, mz__caller.pc);
    n->semaphore = NULL;
}

MZ__HOOK(int, __wrap_sem_close, uint32_t *semaphore)
{
    begin("sem_close");
    for (size_t i = 0; i < MOST_NAMES; i++)
        if (all[i].semaphore == semaphore && semaphore && all[i].opened > 0) {
            MZ__SAVE(all[i].opened);
            all[i].opened--;
            end();
            drop_if_unused(&all[i]);
            return 0;
        }
    errno = EINVAL;
    return -1;
}

MZ__HOOK(int, __wrap_sem_unlink, const char *text)
{
    char name[LONGEST_NAME];
    bool is_name = read_name(text, name);
    begin("sem_unlink");
    named *found = is_name ? find(name) : NULL;
    if (!found) {
        errno = ENOENT;
        return -1;
    }
    MZ__SAVE(found->name);
    found->name[0] = '\0';
    drop_if_unused(found);
    return 0;
}
