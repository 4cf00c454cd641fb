/* What runs before main (constructors in C, the initialisation of static objects in C++) is part of every
 * execution, and is to be checked like the rest. The system's loader would run it when the program is loaded,
 * once, before there is any thread to run it in. So linking hides the list from it, under tags of the dynamic
 * section that only we know, and the main thread begins with it. */
#ifndef MZ_PROGRAM_BUILD_CONSTRUCTORS_H
#define MZ_PROGRAM_BUILD_CONSTRUCTORS_H

/* In the range for systems' own tags; other than those, loaders pass over what they do not know. */
#define MZ__DEFERRED_ARRAY 0x6d7a0019 /* for DT_INIT_ARRAY */
#define MZ__DEFERRED_BYTES 0x6d7a001b /* for DT_INIT_ARRAYSZ */

#endif
