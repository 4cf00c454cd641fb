// All numbers of the usual range are pruned: a wider one is taken, up to 16, up to 256 … If none will do, or the range was
// chosen, nothing is said about the program: no execution is not SAFE.
// expect: unsafe assertion 24
// args: -DLOW=200 -DHIGH=220
// expect: unsafe assertion 24
// args: -DLOW=60000 -DHIGH=65000
// expect: unsafe assertion 24
// args: -DNEGATIVE
// expect: unsafe assertion 28
// args: --nondet=-1..2
// expect: incomplete no execution came to its end
// args: -DLOW=1000000 -DHIGH=1000001
// expect: incomplete also with numbers from -65536 to 65536 (--nondet
// args: -DLOW=1000000 -DHIGH=1000001 --nondet=1000000..1000001
// expect: unsafe assertion 24
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern void __VERIFIER_assume(int);
#ifndef LOW
#define LOW 5
#define HIGH 10
#endif
static void positive(void) { unsigned n = __VERIFIER_nondet_uint(); __VERIFIER_assume(n >= LOW && n <= HIGH); assert(0); }
#ifdef NEGATIVE
int main(void) {
    long n = __VERIFIER_nondet_long(); __VERIFIER_assume(n < -1);
    assert(n != -3);
}
#else
int main(void) { positive(); }
#endif
