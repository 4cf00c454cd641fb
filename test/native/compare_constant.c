// What memcmp and strcmp read is seen also where the compiler could compare with a constant by itself.
// args: --cflags=-O2
// expect: unsafe data-race 13|19
// args: --cflags=-O2 -DSTRCMP
// expect: unsafe data-race 15|19
#include <pthread.h>
#include <string.h>

static char name[16] = "alpha";

static void *compares(void *arg) {
#ifndef STRCMP
  return memcmp(name, "alpha", 6) == 0 ? arg : NULL;
#else
  return strcmp(name, "alpha") == 0 ? arg : NULL;
#endif
}

static void renames(void) { name[0] = 'z'; }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, compares, NULL);
  renames();
  pthread_join(thread, NULL);
}
