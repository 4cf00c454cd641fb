// Names of the verification competition, declared as its programs declare them: without a prototype, or with
// attributes; reach_error is the program's own, and an empty one.
// args: --nondet=0..3
// expect: unsafe assertion 14
// args: --nondet=0..2
// expect: safe pruned=3
// args: --nondet=0..3 --cc=clang
// expect: unsafe assertion 14
# 1 "verifier.c"
extern void abort(void);
void reach_error(){}
extern void __VERIFIER_error() __attribute__ ((__noreturn__));
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint();
extern _Bool __VERIFIER_nondet_bool(void);
typedef unsigned long int pthread_t;
typedef union pthread_attr_t pthread_attr_t;
extern int pthread_create (pthread_t *, const pthread_attr_t *, void *(*) (void *), void *);
extern int pthread_join (pthread_t, void **);
int x, y;
# 13 "verifier.c"
void *f(void *arg) { if (x >= 3) ERROR:
    reach_error();
  return 0; }
int main(void)
{
  pthread_t t;
  x = __VERIFIER_nondet_int();
  y = __VERIFIER_nondet_bool();
  __VERIFIER_assume(y == 1);
  if (x < 0) __VERIFIER_error();
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  return 0;
}
