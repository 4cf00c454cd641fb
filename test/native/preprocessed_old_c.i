// C as it was written before 1989: parameters declared after the list, no types where int is meant, functions
// that are not declared at all.
// args: --cflags=-w
// expect: safe traces=2
// args: --cflags='-w -std=gnu89'
// expect: safe traces=2
// args: --cc=clang --cflags='-w -std=gnu89'
// expect: safe traces=2
# 1 "old.c"
typedef unsigned long pthread_t;
extern int pthread_create ();
typedef struct { long words[5]; } pthread_mutex_t;
static pthread_mutex_t lock;
static total;

add(amount)
  int amount;
{
  pthread_mutex_lock(&lock);
  total += amount;
  pthread_mutex_unlock(&lock);
}

char *worker(argument)
  char *argument;
{
  add(2);
  return argument;
}

main()
{
  pthread_t thread;
  register result;
  if (pthread_create(&thread, (char *) 0, worker, (char *) 0))
    exit(1);
  add(3);
  pthread_join(thread, (char **) 0);
  result = total;
  if (result != 5)
    abort();
  return 0;
}
