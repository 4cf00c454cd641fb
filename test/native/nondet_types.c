// Types with few values have all of them: 2 Booleans, 256 characters, unless another range was chosen; a pointer is NULL or
// points nowhere.
// args: -DCHAR
// expect: unsafe assertion 27
// args: -DCHAR -DMOST=127
// expect: safe traces=256
// args: -DCHAR --nondet=0..50
// expect: safe traces=51
// args: -DUCHAR
// expect: unsafe assertion 29
// args: -DPOINTER
// expect: unsafe memory 32
// args: -DPOINTER -DGUARDED
// expect: safe traces=2
#include <assert.h>
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void *__VERIFIER_nondet_pointer(void);
#ifndef GUARDED
#define GUARDED 0
#endif
#ifndef MOST
#define MOST 99
#endif
int main(void) {
#ifdef CHAR
    int c = __VERIFIER_nondet_char(); assert(c <= MOST);
#elif defined UCHAR
    int c = __VERIFIER_nondet_uchar(); assert(c != 255);
#else
    int *p = __VERIFIER_nondet_pointer();
    if (p && !GUARDED) *p = 1;
#endif
    return 0;
}
