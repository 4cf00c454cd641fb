/* Ctrl-C ends a search early, not the process. */
#ifndef MZ_BASE_INTERRUPT_H
#define MZ_BASE_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

/* What a signal handler can reach. */
extern volatile sig_atomic_t mz_interrupted;
/* By the limit on the processor time of this process (ulimit -t), which is an interrupt, too. */
extern volatile sig_atomic_t mz_out_of_processor_time;
#define MZ_OUT_OF_PROCESSOR_TIME "the limit of processor time was reached (ulimit -t)"
/* In a process that has the limit for itself. */
void mz_hear_of_processor_time(void);
bool mz_is_processor_time_limited(void);

/* A signal that ends a process whatever that does: somebody, or the system, has sent it. */
static inline bool mz_comes_from_outside(int signal_number)
{
    return signal_number == SIGKILL || signal_number == SIGTERM || signal_number == SIGXCPU;
}

/* The signal by which somebody has asked this process to end, also if it is blocked and waits to be read from
 * a descriptor; 0: nobody has. */
int mz_ending_signal(void);

/* once: a second signal, a while after the first, does what it always does. */
void mz_catch_interrupts(bool once);

#endif
