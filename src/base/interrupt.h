/* Ctrl-C ends a search early, not the process. */
#ifndef MZ_BASE_INTERRUPT_H
#define MZ_BASE_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

/* What a signal handler can reach. */
extern volatile sig_atomic_t mz_interrupted;
/* once: a second signal, a while after the first, does what it always does. */
void mz_catch_interrupts(bool once);

#endif
