// <stdatomic.h> as the preprocessor leaves it: generic functions written with __auto_type and statement
// expressions. Two increments made of a load and a store: one of them can be lost.
// expect: unsafe assertion 21
// args: --cc=clang
// expect: unsafe assertion 21
# 1 "atomics.c"
typedef _Atomic int atomic_int;
typedef _Atomic _Bool atomic_bool;
typedef enum
  {
    memory_order_relaxed = 0,
    memory_order_consume = 1,
    memory_order_acquire = 2,
    memory_order_release = 3,
    memory_order_acq_rel = 4,
    memory_order_seq_cst = 5
  } memory_order;
typedef unsigned long int pthread_t;
extern int pthread_create (pthread_t *, const void *, void *(*) (void *), void *);
extern int pthread_join (pthread_t, void **);
extern void __assert_fail (const char *, const char *, unsigned int, const char *) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__noreturn__));
# 6 "atomics.c"
static int plain;
static atomic_int x;
void *f(void *arg)
{
  int seen = __extension__ ({ __auto_type __atomic_load_ptr = ((int *)&plain + 0); __typeof__ (*__atomic_load_ptr) __atomic_load_tmp; __atomic_load (__atomic_load_ptr, &__atomic_load_tmp, (5)); __atomic_load_tmp; });
  __extension__ ({ __auto_type __atomic_store_ptr = ((int *)&plain + 0); __typeof__ (*__atomic_store_ptr) __atomic_store_tmp = (seen + 1); __atomic_store (__atomic_store_ptr, &__atomic_store_tmp, (memory_order_seq_cst)); });
  __atomic_fetch_add((int *)&x, 1, memory_order_relaxed);
  return arg;
}
int main(void)
{
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  ((plain == 2) ? (void) (0) : __assert_fail ("plain == 2", "atomics.c", 20, __extension__ __PRETTY_FUNCTION__));
  return 0;
}
