// Spin locks of Concurrency Kit, from its own headers where these are installed. BROKEN: nobody unlocks.
// expect: safe
// args: -DBROKEN
// expect: unsafe livelock *
// args: -DFAS
// expect: safe
// args: -DFAS -DBROKEN
// expect: unsafe livelock|memory *
// args: -DTICKET
// expect: safe
// args: -DTICKET -DBROKEN
// expect: unsafe livelock|memory *
// args: -DCAS
// expect: safe
// args: -DCAS -DBROKEN
// expect: unsafe livelock|memory *
// args: -DMCS
// expect: safe
// args: -DMCS -DBROKEN
// expect: unsafe livelock|memory *
// args: -DDEC
// expect: safe
// args: -DDEC -DBROKEN
// expect: unsafe livelock|memory *
// args: -DANDERSON
// expect: safe
// args: -DANDERSON -DBROKEN
// expect: unsafe livelock|memory *
// args: -DCLH
// expect: safe
// args: -DCLH -DBROKEN
// expect: unsafe livelock|memory *
#include <assert.h>
#include <pthread.h>
#if __has_include(<ck_spinlock.h>)
#include <ck_spinlock.h>
static int n;
#ifdef FAS
static ck_spinlock_fas_t l = CK_SPINLOCK_FAS_INITIALIZER;
#define LOCK ck_spinlock_fas_lock(&l);
#define UNLOCK ck_spinlock_fas_unlock(&l);
#elif defined TICKET
static ck_spinlock_ticket_t l = CK_SPINLOCK_TICKET_INITIALIZER;
#define LOCK ck_spinlock_ticket_lock(&l);
#define UNLOCK ck_spinlock_ticket_unlock(&l);
#elif defined CAS
static ck_spinlock_cas_t l = CK_SPINLOCK_CAS_INITIALIZER;
#define LOCK ck_spinlock_cas_lock(&l);
#define UNLOCK ck_spinlock_cas_unlock(&l);
#elif defined MCS
static ck_spinlock_mcs_t l = CK_SPINLOCK_MCS_INITIALIZER;
#define LOCK ck_spinlock_mcs_context_t c; ck_spinlock_mcs_lock(&l, &c);
#define UNLOCK ck_spinlock_mcs_unlock(&l, &c);
#elif defined DEC
static ck_spinlock_dec_t l = CK_SPINLOCK_DEC_INITIALIZER;
#define LOCK ck_spinlock_dec_lock(&l);
#define UNLOCK ck_spinlock_dec_unlock(&l);
#elif defined ANDERSON
static ck_spinlock_anderson_t l; static ck_spinlock_anderson_thread_t slots[2];
#define INIT ck_spinlock_anderson_init(&l, slots, 2);
#define LOCK ck_spinlock_anderson_thread_t *c; ck_spinlock_anderson_lock(&l, &c);
#define UNLOCK ck_spinlock_anderson_unlock(&l, c);
#elif defined CLH
static ck_spinlock_clh_t *l, unowned, own[2];
#define FIRST &own[0]
#define SECOND &own[1]
#define INIT ck_spinlock_clh_init(&l, &unowned);
#define LOCK ck_spinlock_clh_t *c = a; ck_spinlock_clh_lock(&l, c);
#define UNLOCK ck_spinlock_clh_unlock(&c);
#else
static ck_spinlock_t l = CK_SPINLOCK_INITIALIZER;
#define LOCK ck_spinlock_lock(&l);
#define UNLOCK ck_spinlock_unlock(&l);
#endif
#ifndef FIRST
#define FIRST 0
#define SECOND 0
#endif
#ifndef INIT
#define INIT
#endif
#ifdef BROKEN
#undef UNLOCK
#define UNLOCK
#endif
static void *add(void *a) {
  LOCK n++;
  UNLOCK return a;
}
int main(void) {
  pthread_t x, y;
  INIT
  pthread_create(&x, 0, add, FIRST);
  pthread_create(&y, 0, add, SECOND);
  pthread_join(x, 0), pthread_join(y, 0);
  assert(n == 2);
}
#else
#include <stdatomic.h>
static atomic_flag l = ATOMIC_FLAG_INIT;
static void *add(void *a) {
  while (atomic_flag_test_and_set(&l))
    ;
#ifndef BROKEN
  atomic_flag_clear(&l);
#endif
  return a;
}
int main(void) {
  pthread_t x, y;
  pthread_create(&x, 0, add, 0);
  pthread_create(&y, 0, add, 0);
  pthread_join(x, 0), pthread_join(y, 0);
}
#endif
