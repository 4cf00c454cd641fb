/* The locks that threads hold (held.c), and the orders in which they are taken (lock_order.c). */
#ifndef MZ_PROGRAM_ORDER_HELD_H
#define MZ_PROGRAM_ORDER_HELD_H

#include "program/world/world.h"

/* The running thread has taken a lock. `waited`: by an operation that waits until the lock is free. */
void mz__now_holds(const void *object, bool shared, bool waited);
/* The running thread has given a lock back. */
void mz__no_longer_holds(const void *object);
/* Where a thread has taken a lock that it holds; 0 if it does not. */
uintptr_t mz__held_since(const mz__thread *thread, const void *object);
/* " (locked at queue.c:12)" */
void mz__add_held_since(const mz__thread *thread, const void *object, mz_text *out);
/* ", called by put() queue.c:12", if that is not plain from where it is (lock_callers.c). */
void mz__add_callers_of_taking(const mz__thread *thread, const void *object, mz_text *out);
/* Does it hold the lock for reading? */
bool mz__reads_under(const mz__thread *thread, const void *object);
/* ", holding queue.lock (locked at queue.c:12)": at a time that an index of the thread's log tells. */
void mz__add_holding(const mz__thread *thread, uint32_t link, mz_text *out);
/* The running thread ends: with what it holds nobody can do anything any more. */
void mz__warn_of_kept_locks(void);
/* It takes a lock, for which it has waited while it held those from `link` on (lock_order.c). */
void mz__note_lock_order(uint32_t link, const void *object, bool shared);
/* For other processes, and from them (testimony.c). */
void mz__write_lock_orders(mz_bytes *out);
void mz__hear_lock_orders(mz_byte_reader *reader);
/* All cycles in these orders, as warnings. */
void mz__warn_of_lock_orders(void);

#endif
