// Inline functions of the older kind: `extern inline` has no definition of its own and is always inlined;
// `inline` defines one. With today's meaning they would be the other way round.
// args: --cflags=-fgnu89-inline
// expect: safe traces=2
// args: --cflags='-std=gnu89 -w'
// expect: safe traces=2
// args: --cc=clang --cflags='-std=gnu89 -w'
// expect: safe traces=2
# 1 "inline.c"
typedef unsigned long pthread_t;
typedef struct { long words[5]; } pthread_mutex_t;
extern int pthread_create (pthread_t *, const void *, void *(*) (void *), void *);
extern int pthread_join (pthread_t, void **);
extern int pthread_mutex_lock (pthread_mutex_t *);
extern int pthread_mutex_unlock (pthread_mutex_t *);
extern void abort(void);
static pthread_mutex_t m;
static int x;
extern __inline __attribute__ ((__always_inline__)) __attribute__ ((__gnu_inline__)) __attribute__ ((__artificial__))
int twice(int a) { return 2 * a; }
inline int locked_add(int a) { pthread_mutex_lock(&m); int n = x += a; pthread_mutex_unlock(&m); return n; }
static inline int three(void) { return 3; }
void *f(void *arg) { locked_add(twice(three())); return arg; }
int main()
{
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  locked_add(1);
  pthread_join(t, 0);
  if (x != 7) abort();
  return 0;
}
