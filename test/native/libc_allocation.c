// Aligned memory is aligned, its bounds are known, and wrong arguments are refused as the library refuses them.
// expect: safe traces=1
// args: -DBEYOND
// expect: unsafe memory 29
// args: -DTWICE
// expect: unsafe memory 32
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  void *p = &p;
  volatile size_t huge = SIZE_MAX / 2, odd = 24;
  assert(posix_memalign(&p, 3, 8) == EINVAL && p == &p);
  assert(posix_memalign(&p, 256, 100) == 0 && (uintptr_t)p % 256 == 0);
  char *a = aligned_alloc(4096, 4096), *b = memalign(64, 10);
  assert((uintptr_t)a % 4096 == 0 && (uintptr_t)b % 64 == 0 && malloc_usable_size(b) >= 10);
  assert(aligned_alloc(odd, 24) == NULL && errno == EINVAL);
  int *grown = reallocarray(NULL, 2, sizeof(int));
  grown[0] = 1, grown[1] = 2;
  grown = reallocarray(grown, 100, sizeof(int));
  assert(grown[0] == 1 && grown[1] == 2);
  assert(reallocarray(grown, huge, 4) == NULL && errno == ENOMEM && grown[1] == 2);
#ifdef BEYOND
  memset(b, 0, 11);
#endif
#ifdef TWICE
  free(grown), free(grown);
#endif
  free(p);
  free(a);
  free(b);
  free(grown);
}
// compilers: clang takes it that an aligned allocation succeeds if nobody uses it
