// Atomic sections as the competition has them: as calls around statements, and as functions, one of them an
// old-style inline function. No update is lost.
// expect: safe
// args: --cflags=-O2
// expect: safe
// args: --cc=clang
// expect: safe
# 1 "atomic.c"
extern void __VERIFIER_atomic_begin();
extern void __VERIFIER_atomic_end();
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__noreturn__));
void reach_error() { __assert_fail("0", "atomic.c", 4, __extension__ __PRETTY_FUNCTION__); }
typedef unsigned long int pthread_t;
extern int pthread_create (pthread_t *, const void *, void *(*) (void *), void *);
extern int pthread_join (pthread_t, void **);
int n = 0;
inline void __VERIFIER_atomic_add(int by)
{
  n = n + by;
}
void *f(void *arg)
{
  __VERIFIER_atomic_add(1);
  __VERIFIER_atomic_begin();
  int seen = n;
  n = seen + 1;
  __VERIFIER_atomic_end();
  return arg;
}
int main(int argc, char **argv)
{
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  if (!(n == 4)) { reach_error(); abort(); }
}
