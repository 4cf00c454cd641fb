// What programs for other checkers say: CBMC, ESBMC, GenMC, Goblint, CSeq. A program's own version is kept.
// expect: safe
// args: --nondet=0..1 -DCASE=1
// expect: unsafe assertion 54
// args: --nondet=0..1 -DCASE=2
// expect: unsafe assertion 57
// args: --nondet=0..1 -DCASE=3
// expect: unsafe assertion 60
// args: --nondet=0..1 -DCASE=4
// expect: unsafe assertion 63
// args: --nondet=0..1 -DCASE=5
// expect: unsafe assertion 67
// args: --nondet=0..1 -DCASE=6
// expect: safe
// args: --nondet=0..1 -DCASE=7
// expect: unsafe assertion 74
// args: -DTORN
// expect: unsafe data-race * or assertion *
#include <pthread.h>
#include <stdbool.h>

#ifndef CASE
#define CASE 0
#endif
void __CPROVER_assume(_Bool), __CPROVER_assert(_Bool, const char *), __CPROVER_atomic_begin(void), __CPROVER_atomic_end(void);
void __ESBMC_assume(_Bool), __ESBMC_assert(_Bool, const char *), __ESBMC_atomic_begin(void), __ESBMC_atomic_end(void), __ESBMC_yield(void);
void __goblint_check(int), __goblint_assume(int), __goblint_split_begin(int), __goblint_split_end(int);
void __VERIFIER_loop_begin(void), __VERIFIER_spin_start(void), __VERIFIER_spin_end(bool), __VERIFIER_loop_bound(int);
void *nondet_pointer(void);
void __goblint_assume_join(pthread_t);
int nondet_int(void);
unsigned __CPROVER_nondet_uint(void);
_Bool nondet_bool(void);
char __ESBMC_nondet_char(void) { return 7; }

static int x, y;

static void *worker(void *arg) {
#ifndef TORN
  __CPROVER_atomic_begin();
#endif
  x++, y++;
#ifndef TORN
  __CPROVER_atomic_end();
#endif
  return arg;
}

int main(void) {
  pthread_t t;
  int n = nondet_int();
  switch (CASE) {
  case 1:
    __CPROVER_assert(n == 0, "n is zero");
    break;
  case 2:
    __ESBMC_assert(n == 0, "n is zero");
    break;
  case 3:
    __goblint_check(n == 0);
    break;
  case 4:
    __CPROVER_assert(!nondet_bool(), "never");
    break;
  case 5:
    __goblint_assume(n == 1);
    __goblint_check(n == 0);
    break;
  case 6:
    __ESBMC_assume(n == 1), __CPROVER_assume(__CPROVER_nondet_uint() == 1);
    __goblint_split_begin(n), __goblint_check(n == 1), __goblint_split_end(n);
    break;
  case 7:
    __CPROVER_assert(!nondet_pointer(), "it may lead anywhere");
    break;
  }
  __CPROVER_assert(__ESBMC_nondet_char() == 7, "its own");
  pthread_create(&t, 0, worker, 0);
  __VERIFIER_loop_begin();
  __VERIFIER_loop_bound(3);
#ifdef TORN
  __CPROVER_assert(x == y, "together");
#endif
  for (bool done = false; !done;) {
    __VERIFIER_spin_start();
    __ESBMC_atomic_begin();
    __CPROVER_assert(x == y, "together");
    done = x;
    __ESBMC_atomic_end();
    __VERIFIER_spin_end(done);
    __ESBMC_yield();
  }
  pthread_join(t, 0);
  __goblint_assume_join(t);
}
