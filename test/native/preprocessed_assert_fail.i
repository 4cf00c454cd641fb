// A failing assertion that was expanded, in a function called from a thread: the place is that of the program, not
// of the header.
// expect: unsafe assertion 9
// args: --cc=clang
// expect: unsafe assertion 9
# 1 "fails.c"
# 1 "/usr/include/assert.h" 1 3 4
extern void __assert_fail (const char *__assertion, const char *__file, unsigned int __line, const char *__function)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__noreturn__));
# 2 "fails.c" 2
typedef unsigned long int pthread_t;
extern int pthread_create (pthread_t *, const void *, void *(*) (void *), void *);
extern int pthread_join (pthread_t, void **);
_Atomic int x;
void check(int v)
{

# 9 "fails.c"
  ((void) sizeof ((v != 2) ? 1 : 0), __extension__ ({ if (v != 2) ; else __assert_fail ("v != 2", "fails.c", 9, __extension__ __PRETTY_FUNCTION__); }));
}
void *f(void *arg) { x = 1; check(x); return arg; }
int main(void)
{
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  x = 2;
  pthread_join(t, 0);
  return 0;
}
