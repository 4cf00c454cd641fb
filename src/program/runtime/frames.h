/* The end of local variables that other threads know of (frames.c). */
#ifndef MZ_PROGRAM_RUNTIME_FRAMES_H
#define MZ_PROGRAM_RUNTIME_FRAMES_H

/* The running thread, whose stack others touch, has ended. */
void mz__leave_shared_stack(void);
/* On its own stack, but below what others may still write there. The function does not return. */
void mz__call_below_shared_words(void (*function)(void));

#endif
