// The declarations of a 32-bit C library, compiled for 64 bits: size_t is too short, and objects are laid out in
// another way, but their size is enough.
// expect: safe traces=6
// args: --cc=clang --cflags=-w
// expect: safe traces=6
# 1 "ilp32.c"
# 1 "<built-in>"
# 1 "<command-line>"
# 1 "ilp32.c"
typedef unsigned int size_t;
typedef int __int32_t;
__extension__ typedef long long int __quad_t;
__extension__ typedef unsigned long long int __u_quad_t;
typedef unsigned long int pthread_t;
typedef union
{
  char __size[36];
  long int __align;
} pthread_attr_t;
typedef struct __pthread_internal_slist
{
  struct __pthread_internal_slist *__next;
} __pthread_slist_t;
typedef union
{
  struct __pthread_mutex_s
  {
    int __lock;
    unsigned int __count;
    int __owner;
    int __kind;
    unsigned int __nusers;
    __extension__ union
    {
      int __spins;
      __pthread_slist_t __list;
    };
  } __data;
  char __size[24];
  long int __align;
} pthread_mutex_t;
typedef union
{
  char __size[4];
  long int __align;
} pthread_mutexattr_t;
extern int pthread_create (pthread_t *__restrict __newthread, __const pthread_attr_t *__restrict __attr,
      void *(*__start_routine) (void *), void *__restrict __arg) __attribute__ ((__nothrow__)) __attribute__ ((__nonnull__ (1, 3)));
extern int pthread_join (pthread_t __th, void **__thread_return);
extern int pthread_mutex_init (pthread_mutex_t *__mutex, __const pthread_mutexattr_t *__mutexattr)
     __attribute__ ((__nothrow__)) __attribute__ ((__nonnull__ (1)));
extern int pthread_mutex_destroy (pthread_mutex_t *__mutex) __attribute__ ((__nothrow__));
extern int pthread_mutex_lock (pthread_mutex_t *__mutex) __attribute__ ((__nothrow__)) __attribute__ ((__nonnull__ (1)));
extern int pthread_mutex_unlock (pthread_mutex_t *__mutex) __attribute__ ((__nothrow__)) __attribute__ ((__nonnull__ (1)));
extern void *malloc (size_t __size) __attribute__ ((__nothrow__)) __attribute__ ((__malloc__)) ;
extern void free (void *__ptr) __attribute__ ((__nothrow__));
extern void *memset (void *__s, int __c, size_t __n) __attribute__ ((__nothrow__)) __attribute__ ((__nonnull__ (1)));
extern void __assert_fail (__const char *__assertion, __const char *__file, unsigned int __line,
      __const char *__function) __attribute__ ((__nothrow__)) __attribute__ ((__noreturn__));
# 5 "ilp32.c"
pthread_mutex_t mutex;
int *data;
void *thread(void *arg)
{
  pthread_mutex_lock(&mutex);
  *data += 1;
  pthread_mutex_unlock(&mutex);
  return ((void *)0);
}
int main()
{
  pthread_t t[3];
  int i;
  pthread_mutex_init(&mutex, ((void *)0));
  data = malloc(sizeof(int));
  memset(data, 0, sizeof(int));
  for (i = 0; i < 3; i++)
    pthread_create(&t[i], ((void *)0), thread, ((void *)0));
  for (i = 0; i < 3; i++)
    pthread_join(t[i], ((void *)0));
  ((*data == 3) ? (void) (0) : __assert_fail ("*data == 3", "ilp32.c", 24, __PRETTY_FUNCTION__));
  pthread_mutex_destroy(&mutex);
  free(data);
  return 0;
}
