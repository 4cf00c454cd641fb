// With a lock that prefers writers, one who reads and wants to read again waits behind a writer who waits for it. READERS: with the
// C library's default it comes in. ONCE: nobody reads twice. TRY: whoever only tries is told, and goes on. TIMED: writers that give
// up let it pass in the end. STATIC: the initialiser sets the kind, too.
// expect: unsafe deadlock *
// args: -DSTATIC
// expect: unsafe deadlock *
// args: -DKIND=PTHREAD_RWLOCK_PREFER_READER_NP
// expect: safe full=yes
// args: -DKIND=PTHREAD_RWLOCK_PREFER_WRITER_NP
// expect: safe
// args: -DONCE
// expect: safe full=yes
// args: -DTRY
// expect: safe full=yes
// args: -DTRY -DNEVER
// expect: unsafe assertion *
// args: -DTIMED
// expect: safe full=yes
// args: -DTWO
// expect: unsafe deadlock *
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

#ifndef KIND
#define KIND PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP
#endif
#ifdef STATIC
static pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
#else
static pthread_rwlock_t lock;
#endif
static int value;

static void *reader(void *arg) {
  pthread_rwlock_rdlock(&lock);
  int before = value;
#if defined TRY
  int result = pthread_rwlock_tryrdlock(&lock);
  assert(result == 0 || result == EBUSY);
#ifdef NEVER
  assert(result == 0);
#endif
  if (result == 0)
    pthread_rwlock_unlock(&lock);
#elif !defined ONCE
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
#endif
  assert(value == before);
  pthread_rwlock_unlock(&lock);
  return arg;
}

static void *writer(void *arg) {
#ifdef TIMED
  struct timespec deadline = {1, 0};
  if (pthread_rwlock_timedwrlock(&lock, &deadline) != 0)
    return arg;
#else
  pthread_rwlock_wrlock(&lock);
#endif
  value++;
  pthread_rwlock_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t[3];
#ifndef STATIC
  pthread_rwlockattr_t attributes;
  pthread_rwlockattr_init(&attributes);
  pthread_rwlockattr_setkind_np(&attributes, KIND);
  pthread_rwlock_init(&lock, &attributes);
#endif
  pthread_create(&t[0], NULL, reader, NULL);
  pthread_create(&t[1], NULL, writer, NULL);
#ifdef TWO
  pthread_create(&t[2], NULL, writer, NULL);
  pthread_join(t[2], NULL);
#endif
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
}
