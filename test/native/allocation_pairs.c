// A block that only its own allocation, its misuse and its free ever see: no compiler may leave these out.
// args: -DKIND=1
// expect: unsafe memory 53
// args: --cc=clang -DKIND=1
// expect: unsafe memory 53
// args: --cflags=-O2 -DKIND=1
// expect: unsafe memory 53
// args: --cc=clang --cflags=-O2 -DKIND=1
// expect: unsafe memory 53
// args: -DKIND=2
// expect: unsafe memory 55
// args: --cc=clang -DKIND=2
// expect: unsafe memory 55
// args: --cflags=-O2 -DKIND=2
// expect: unsafe memory 55
// args: --cc=clang --cflags=-O2 -DKIND=2
// expect: unsafe memory 55
// args: -DKIND=3
// expect: unsafe memory 57
// args: --cc=clang -DKIND=3
// expect: unsafe memory 57
// args: --cflags=-O2 -DKIND=3
// expect: unsafe memory 57
// args: --cc=clang --cflags=-O2 -DKIND=3
// expect: unsafe memory 57
// args: -DKIND=4
// expect: unsafe memory 59
// args: --cflags=-O2 -DKIND=4
// expect: unsafe memory 59
// args: --cc=clang -DKIND=5
// expect: unsafe memory 61
// args: --cc=clang --cflags=-O2 -DKIND=5
// expect: unsafe memory 61
// args: -DKIND=6
// expect: unsafe memory 64
// args: --cflags=-O2 -DKIND=6
// expect: unsafe memory 64
// args: --cc=clang -DKIND=7
// expect: unsafe memory 66
// args: --cc=clang --cflags=-O2 -DKIND=7
// expect: unsafe memory 66
// args: -DKIND=8
// expect: unsafe memory 68
// args: --cflags=-O2 -DKIND=8
// expect: unsafe memory 68
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *q = malloc(4);
#if KIND == 1
    free(q), free(q);
#elif KIND == 2
    q[7] = 1, free(q);
#elif KIND == 3
    free(q), q[0] = 1;
#elif KIND == 4
    q = realloc(q, 8), free(q), free(q);
#elif KIND == 5
    q = strdup("abc"), q[9] = 1, free(q);
#elif KIND == 6
    int *c = calloc(2, sizeof *c);
    c[3] = 1, free(c);
#elif KIND == 7
    memset(q, 0, 9), free(q);
#elif KIND == 8
    q = aligned_alloc(16, 16), q[20] = 1, free(q);
#endif
    return 0;
}
