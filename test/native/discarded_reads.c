// Reads whose value nobody uses: in C they are accesses. clang keeps them where it does not optimise, gcc drops them before it
// begins to (doc/native.md says so).
// args: --cc=clang -DREAD=x
// expect: unsafe data-race *
// args: --cc=clang -DREAD=(void)x
// expect: unsafe data-race *
// args: --cc=clang -DREAD=(void)(x*0)
// expect: unsafe data-race *
// args: --cc=clang -DREAD=(void)(x==x)
// expect: unsafe data-race *
// args: -DREAD=(void)(x+1)
// expect: unsafe data-race *
#include <pthread.h>

static int x;

static void *writes(void *a) {
  x = 1;
  return a;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writes, 0);
  READ;
  pthread_join(t, 0);
  return 0;
}
