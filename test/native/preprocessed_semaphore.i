// Semaphores, with a union as their type, and a loop that the preprocessor has unrolled from a macro.
// expect: safe
// args: --cc=clang --cflags=-O0
// expect: safe
# 1 "semaphore.c"
typedef union
{
  char __size[32];
  long int __align;
} sem_t;
extern int sem_init (sem_t *__sem, int __pshared, unsigned int __value) __attribute__ ((__nothrow__ , __leaf__));
extern int sem_destroy (sem_t *__sem) __attribute__ ((__nothrow__ , __leaf__));
extern int sem_wait (sem_t *__sem);
extern int sem_post (sem_t *__sem) __attribute__ ((__nothrow__ , __leaf__));
typedef unsigned long int pthread_t;
extern int pthread_create (pthread_t *, const void *, void *(*) (void *), void *);
extern int pthread_join (pthread_t, void **);
extern void pthread_exit (void *__retval) __attribute__ ((__noreturn__));
extern void __VERIFIER_assert(int);
# 3 "semaphore.c"
static sem_t s;
static int v;
void *f(void *arg)
{
  do { sem_wait(&s); v = v + 1; sem_post(&s); } while (0);
  do { sem_wait(&s); v = v + 1; sem_post(&s); } while (0);
  pthread_exit(0);
}
int main()
{
  pthread_t id1, id2;
  sem_init(&s, 0, 1);
  pthread_create(&id1, ((void *)0), f, ((void *)0));
  pthread_create(&id2, ((void *)0), f, ((void *)0));
  pthread_join(id1, ((void *)0));
  pthread_join(id2, ((void *)0));
  __VERIFIER_assert(v == 4);
  sem_destroy(&s);
  return 0;
}
