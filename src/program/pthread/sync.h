/* Trying to take an object: for waits with a time limit, too. */
#ifndef MZ_PROGRAM_PTHREAD_SYNC_H
#define MZ_PROGRAM_PTHREAD_SYNC_H

#include "program/world/object_states.h"
#include "program/world/world.h"

/* 0, or EBUSY (and the same that taking it would give). */
int mz__try_mutex(mz__mutex *mutex, const char *verb);
bool mz__try_semaphore(uint32_t *semaphore, const char *verb);
/* A semaphore is made with this value. */
void mz__note_first_value(uint32_t value);
/* Taken or not. */
bool mz__try_rwlock(mz__rwlock *lock, bool writes, const char *verb);
/* The same for a writer that may wait for a while. */
bool mz__write_with_limit(mz__rwlock *lock, const char *verb);

#endif
