/* Channels of rank 0 to the agents of the others. */
#ifndef MZ_SESSION_PROCESS_CHANNELS_H
#define MZ_SESSION_PROCESS_CHANNELS_H

#include <stdbool.h>
#include <stddef.h>

/* One for each other rank; 0: there are none. */
size_t mz_ranks(const int **channels);
void mz_ranks_add(int channel);

/* Before this process becomes another program, which is to begin with them, too: they are named in the
 * environment, which the checked program does not get to see. And in that program: are there any? */
void mz_ranks_hand_over(void);
bool mz_ranks_take_over(void);

#endif
