/* Memory orders of operations, and the memory models under which a program can be explored. */
#ifndef MZ_MACHINE_MEMORY_H
#define MZ_MACHINE_MEMORY_H

#include <stdbool.h>

typedef enum mz_order { MZ_PLAIN, MZ_RELAXED, MZ_ACQUIRE, MZ_RELEASE, MZ_ACQ_REL, MZ_SEQ_CST } mz_order;

static inline bool mz_acquires(mz_order order)
{
    return order == MZ_ACQUIRE || order >= MZ_ACQ_REL;
}

static inline bool mz_releases(mz_order order)
{
    return order >= MZ_RELEASE;
}

/* MZ_MEMORY_AUTO: what the C standard promises. A program without races whose atomic operations are all
 * seq_cst has sequentially consistent behaviour only; any other one is explored under RC11. */
typedef enum mz_memory { MZ_MEMORY_AUTO, MZ_MEMORY_SC, MZ_MEMORY_TSO, MZ_MEMORY_RC11 } mz_memory;

static inline const char *mz_memory_name(mz_memory memory)
{
    static const char *const names[] = {"auto", "sc", "tso", "rc11"};
    return names[memory];
}

#endif
