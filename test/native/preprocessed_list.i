// malloc and free as old headers declare them; a list that two threads put nodes on, and main frees. One node is
// freed twice.
// expect: unsafe memory 28
// args: --cc=clang
// expect: unsafe memory 28
# 1 "list.c"
typedef unsigned long int size_t;
typedef int wchar_t;
extern void *malloc (size_t __size) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__malloc__)) __attribute__ ((__alloc_size__ (1))) ;
extern void free (void *__ptr) __attribute__ ((__nothrow__ , __leaf__));
typedef unsigned long int pthread_t;
typedef union { char __size[40]; long int __align; } pthread_mutex_t;
extern int pthread_create (pthread_t *, const void *, void *(*) (void *), void *);
extern int pthread_join (pthread_t, void **);
extern int pthread_mutex_lock (pthread_mutex_t *);
extern int pthread_mutex_unlock (pthread_mutex_t *);
# 4 "list.c"
struct node { struct node *next; int value; } *first;
pthread_mutex_t m;
void *put(void *arg)
{
  struct node *n = (struct node *) malloc(sizeof(struct node));
  n->value = (int)(long) arg;
  pthread_mutex_lock(&m);
  n->next = first;
  first = n;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void)
{
  pthread_t t;
  struct node *n, *next;
  pthread_create(&t, 0, put, (void *) 1l);
  put((void *) 2l);
  pthread_join(t, 0);
  for (n = first; n; n = next) {
# 25 "list.c"
    next = n->next;
    if (n->value == 1)
      free(n);
    free(n);
  }
  return 0;
}
