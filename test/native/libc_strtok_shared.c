// strtok keeps where it goes on for all threads together: two that use it at the same time race. strtok_r does not.
// expect: unsafe data-race *
// args: -DREENTRANT
// expect: safe traces=1
#include <pthread.h>
#include <string.h>

static void *worker(void *arg) {
  char text[] = "a b c", *rest = NULL;
#ifdef REENTRANT
  for (char *p = strtok_r(text, " ", &rest); p; p = strtok_r(NULL, " ", &rest))
    ;
#else
  (void)rest;
  for (char *p = strtok(text, " "); p; p = strtok(NULL, " "))
    ;
#endif
  return arg;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}
