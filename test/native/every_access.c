// Every access of the source is one of the program: none is merged with another, moved, or dropped because nobody uses
// its value. With an -O of the user's own it is the optimised program that is checked.
// args: -DKIND=1
// expect: unsafe data-race *
// args: -DKIND=2
// expect: unsafe data-race *
// args: -DKIND=3
// expect: unsafe data-race *
// args: -DKIND=4
// expect: unsafe data-race *
// args: -DKIND=5 --check=assertions
// expect: unsafe assertion 63
// args: -DKIND=6 --check=assertions
// expect: unsafe assertion 68
// args: -DKIND=7 --check=assertions
// expect: unsafe assertion 70
// args: -DKIND=8 --check=assertions
// expect: unsafe assertion 75
// args: -DKIND=1 --cc=clang
// expect: unsafe data-race *
// args: -DKIND=2 --cc=clang
// expect: unsafe data-race *
// args: -DKIND=5 --cc=clang --check=assertions
// expect: unsafe assertion 63
// args: -DKIND=7 --cc=clang --check=assertions
// expect: unsafe assertion 70
// args: -DKIND=2 --cflags=-O2
// expect: safe
// compilers: the same with none but the default level, which is what it is about
#include <assert.h>
#include <pthread.h>

int x, y;
static int written; // and never read

struct big { int part[20]; } one, other;

static int get(void)
{
    return x;
}

static void copy(void)
{
    one = other;
}

static void *reads(void *a)
{
#if KIND == 1 // a value that nobody uses
    int unused =
        x;
    (void)unused;
#elif KIND == 2 // a variable that nobody reads
    written = 1;
#elif KIND == 3 // a function whose result nobody uses
    get();
#elif KIND == 4 // a struct that nobody reads
    copy();
#elif KIND == 5 // two reads of one variable
    int before = x;
    y = before;
    assert(y == x);
#elif KIND == 6 // what was written is read again
    y = 1;
    x = 5;
    int seen = x;
    assert(seen == 5 || seen == 4);
#elif KIND == 7 // a value that is overwritten at once
    assert(x != 3);
#elif KIND == 8 // a loop that counts in memory
    int now = x;
    if (now == 2)
        y = 1;
    assert(y == 0);
#endif
    return a;
}

static void *writes(void *a)
{
#if KIND == 2
    written = 2;
#elif KIND == 4
    other.part[19] = 1;
#elif KIND == 7
    x = 3;
    x = 4;
#elif KIND == 8
    for (int i = 0; i < 4; i++)
        x++;
#else
    x = 3;
#endif
    return a;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, reads, 0);
    pthread_create(&u, 0, writes, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
