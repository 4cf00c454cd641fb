/* The end of a C++ program's objects (cxx.c). Nothing happens in a program that has none. */
#ifndef MZ_PROGRAM_CXX_CXX_H
#define MZ_PROGRAM_CXX_CXX_H

/* Destructors of static objects, and handlers of atexit, in one order. */
void mz__end_static_objects(void);
/* Destructors of the running thread's thread-local objects. */
void mz__end_thread_objects(void);

#endif
