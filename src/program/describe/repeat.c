/* Does the program do the same when a schedule is repeated? The search compares what it sees of the
 * operations. This compares what is in the program's variables afterwards, which shows what came from
 * somewhere else, too: a counter of the processor's, say. */
#include <string.h>

#include "base/memory.h"
#include "program/describe/names.h"
#include "program/describe/repeat.h"
#include "program/symbols/symbols.h"
#include "program/world/world.h"

enum { LARGEST_SCALAR = 16 };
enum { MOST_BYTES = 4 << 20 }; /* more is not copied over and over again */

static char *kept;

static size_t bytes_to_compare(void)
{
    size_t bytes = mz__w.memory.image_end - mz__w.memory.image;
    return bytes <= MOST_BYTES ? bytes : 0;
}

void mz__keep_variables(mz_machine *machine)
{
    (void)machine;
    if (!kept)
        kept = mz_allocate(bytes_to_compare() + 1);
    memcpy(kept, (const char *)mz__w.memory.image, bytes_to_compare());
}

/* The member or element in which the byte is: what begins there has a name without an offset. */
static void add_name_around(uintptr_t address, mz_text *name)
{
    mz_value_type ignored;
    for (size_t i = 0; i < LARGEST_SCALAR && address - i >= mz__w.memory.image; i++) {
        mz_text_clear(name);
        mz__name_data(address - i, 1, name, &ignored);
        if (!strchr(mz_text_string(name), '+'))
            return;
    }
}

bool mz__find_difference(mz_machine *machine, mz_text *name)
{
    (void)machine;
    const char *now = (const char *)mz__w.memory.image;
    size_t count = bytes_to_compare(), i = 0;
    for (uint32_t u = 0; u < mz__w.state.thread_count; u++)
        if (mz__w.threads[u].life == MZ__CUT)
            return false; /* how far it came is a matter of time: stuck.c */
    if (memcmp(kept, now, count) == 0)
        return false;
    while (kept[i] == now[i])
        i++;
    add_name_around((uintptr_t)now + i, name);
    return true;
}
