// Condition variables with their declarations spelled out. The consumer asks only once (if, not while): it can take
// what another consumer has taken.
// expect: unsafe assertion 18
// args: --cc=clang --cflags=-O2
// expect: unsafe assertion 18
# 1 "condition.c"
typedef unsigned long int pthread_t;
struct __pthread_cond_s
{
  __extension__ union
  {
    __extension__ unsigned long long int __wseq;
    struct
    {
      unsigned int __low;
      unsigned int __high;
    } __wseq32;
  };
  __extension__ union
  {
    __extension__ unsigned long long int __g1_start;
    struct
    {
      unsigned int __low;
      unsigned int __high;
    } __g1_start32;
  };
  unsigned int __g_refs[2] ;
  unsigned int __g_size[2];
  unsigned int __g1_orig_size;
  unsigned int __wrefs;
  unsigned int __g_signals[2];
};
typedef union
{
  struct __pthread_cond_s __data;
  char __size[48];
  __extension__ long long int __align;
} pthread_cond_t;
typedef union { char __size[40]; long int __align; } pthread_mutex_t;
extern int pthread_create (pthread_t *__restrict, const void *__restrict, void *(*) (void *), void *__restrict) __attribute__ ((__nothrow__));
extern int pthread_join (pthread_t, void **);
extern int pthread_mutex_lock (pthread_mutex_t *);
extern int pthread_mutex_unlock (pthread_mutex_t *);
extern int pthread_cond_signal (pthread_cond_t *__cond) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1)));
extern int pthread_cond_broadcast (pthread_cond_t *__cond) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1)));
extern int pthread_cond_wait (pthread_cond_t *__restrict __cond, pthread_mutex_t *__restrict __mutex) __attribute__ ((__nonnull__ (1, 2)));
extern void __assert_fail (const char *, const char *, unsigned int, const char *) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__noreturn__));
# 4 "condition.c"
pthread_mutex_t m = {{0}};
pthread_cond_t c = { { {0}, {0}, {0, 0}, {0, 0}, 0, 0, {0, 0} } };
int there;
void put(void)
{
  pthread_mutex_lock(&m);
  there++;
  pthread_cond_broadcast(&c);
  pthread_mutex_unlock(&m);
}
void *take(void *arg)
{
  pthread_mutex_lock(&m);
  if (!there) pthread_cond_wait(&c, &m);
  ((there > 0) ? (void) (0) : __assert_fail ("there > 0", "condition.c", 18, __extension__ __PRETTY_FUNCTION__));
  there--;
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void)
{
  pthread_t t[2];
  pthread_create(&t[0], 0, take, 0);
  pthread_create(&t[1], 0, take, 0);
  put();
  put();
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  return 0;
}
