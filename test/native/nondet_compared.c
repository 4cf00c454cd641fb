// Numbers stand for all others. Beside those that the program compares with it may behave differently: they are tried, too. And
// ranges end where their types do.
// expect: unsafe assertion 45
// args: -DASSUMED
// expect: unsafe assertion 45
// args: -O2
// expect: unsafe assertion 45
// args: --cc=clang
// expect: unsafe assertion 45
// args: -DTYPE=unsigned -DNAME=uint
// expect: unsafe assertion 45
// args: -DTYPE=long -DNAME=long -DLIMIT=5000000000
// expect: unsafe assertion 45
// args: --nondet=0..1000
// expect: safe
// args: -DTYPE=short -DNAME=short -DLIMIT=32767 --nondet=32766..32769
// expect: safe
// args: -DTYPE=short -DNAME=short -DLIMIT=32766 --nondet=32766..32769
// expect: unsafe assertion 45
// args: -DTYPE=char -DNAME=char -DLIMIT=126 --nondet=300..400
// expect: unsafe assertion 45
// args: -DTYPE=char -DNAME=char -DLIMIT=127 --nondet=300..400
// expect: safe
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifndef TYPE
#define TYPE int
#define NAME int
#endif
#ifndef LIMIT
#define LIMIT 1000
#endif
#define NONDET2(name) __VERIFIER_nondet_##name
#define NONDET(name)  NONDET2(name)
extern TYPE NONDET(NAME)(void);
extern void __VERIFIER_assume(int holds);
static TYPE number;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *checks(void *argument)
{
    pthread_mutex_lock(&m);
    assert(number <= LIMIT);
    pthread_mutex_unlock(&m);
    return argument;
}

int main(void)
{
    pthread_t t;
    number = NONDET(NAME)();
#ifdef ASSUMED
    __VERIFIER_assume(number >= 100);
#endif
    pthread_create(&t, NULL, checks, NULL);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
