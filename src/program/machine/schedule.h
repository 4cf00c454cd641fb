/* Steps: what the machine asks of the scheduler (schedule.c). */
#ifndef MZ_PROGRAM_MACHINE_SCHEDULE_H
#define MZ_PROGRAM_MACHINE_SCHEDULE_H

#include "program/world/world.h"

void mz__restore_image(void); /* load.c */
void mz__create_main(void);
mz_outcome mz__reset(mz_choices *choices);
mz_outcome mz__step(mz_machine *machine, uint32_t thread, mz_choices *choices, mz_operation *executed);
void mz__rewind(size_t steps);

#endif
