/* What threads that wait in loops come to if all of them go on (together.c). */
#ifndef MZ_PROGRAM_RUNTIME_TOGETHER_H
#define MZ_PROGRAM_RUNTIME_TOGETHER_H

#include <stdbool.h>

/* Nobody else can go on: is there a way for one of them to come to something else than its rounds? It gives
 * up if that is too much to be found out. */
bool mz__get_on_together(void);

#endif
