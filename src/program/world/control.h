/* How the processor calculates: rounding, what is flushed to zero, which exceptions have come. A thread has
 * that for itself; with fibers it has to be changed as threads are, once a program looks at it or sets it. */
#ifndef MZ_PROGRAM_WORLD_CONTROL_H
#define MZ_PROGRAM_WORLD_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

/* Zero in both: as a program begins, kept as what differs from that. */
typedef struct mz__control {
    uint32_t vectors; /* mxcsr; fpcr */
    uint32_t others;  /* of the older unit; fpsr */
} mz__control;

#if defined(__x86_64__)
enum { MZ__USUAL_VECTORS = 0x1f80, MZ__USUAL_OTHERS = 0x37f };

static inline mz__control mz__control_now(void)
{
    uint32_t vectors;
    uint16_t others;
    __asm__ volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(vectors), "=m"(others));
    return (mz__control){vectors ^ MZ__USUAL_VECTORS, (uint32_t)others ^ MZ__USUAL_OTHERS};
}

static inline void mz__control_set(mz__control control)
{
    uint32_t vectors = control.vectors ^ MZ__USUAL_VECTORS;
    uint16_t others = (uint16_t)(control.others ^ MZ__USUAL_OTHERS);
    __asm__ volatile("ldmxcsr %0\n\tfldcw %1" : : "m"(vectors), "m"(others));
}
#else
static inline mz__control mz__control_now(void)
{
    uint64_t control, status;
    __asm__ volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(control), "=r"(status));
    return (mz__control){(uint32_t)control, (uint32_t)status};
}

static inline void mz__control_set(mz__control control)
{
    __asm__ volatile("msr fpcr, %0\n\tmsr fpsr, %1"
                     :
                     : "r"((uint64_t)control.vectors), "r"((uint64_t)control.others));
}
#endif

static inline bool mz__control_differs(mz__control a, mz__control b)
{
    return a.vectors != b.vectors || a.others != b.others;
}

#endif
