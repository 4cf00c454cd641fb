"""Memory that is freed, for the suite `run`: its addresses do not come back, as it was verified."""

from under import expect

# Whether a node is the one that was seen is told by its address: right, as long as no other one gets it.
SAME_ADDRESS = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
static _Atomic(uintptr_t) top;
static atomic_int begun, changed;
static void *change(void *argument)
{
    atomic_store(&begun, 1);
    GIVE((void *)atomic_exchange(&top, 0));
    atomic_store(&top, (uintptr_t)GET);
    atomic_store(&changed, 1);
    return argument;
}
static void *look(void *argument)
{
    uintptr_t seen = atomic_load(&top);
    if (atomic_load(&begun) != 0)
        return argument;
    atomic_int own = 0; /* time passes, which nobody else notices */
    for (int i = 0; i < 20; i++)
        atomic_fetch_add(&own, 1);
    if (atomic_load(&changed) == 1)
        assert(!atomic_compare_exchange_strong(&top, &seen, seen));
    return argument;
}
int main(void)
{
    pthread_t threads[2];
    atomic_store(&top, (uintptr_t)GET);
    pthread_create(&threads[0], NULL, change, NULL);
    pthread_create(&threads[1], NULL, look, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    GIVE((void *)atomic_load(&top));
    return 0;
}
"""
IN_CXX = SAME_ADDRESS.replace("<stdatomic.h>", "<atomic>").replace("static _Atomic(uintptr_t) top", "using namespace std;\nstatic atomic<uintptr_t> top").replace(
    "(void *)", "(long *)").replace("atomic_exchange(&top, 0)", "top.exchange(0)")


def no_address_comes_back(under):
    for name, give, get in (("free.c", "free", "malloc(40)"), ("realloc.c", "free", "malloc(40)"), ("new.cpp", "delete", "new long")):
        text = SAME_ADDRESS if name.endswith(".c") else IN_CXX
        if name == "realloc.c":  # moves, and the old place is free
            text = text.replace("GIVE((void *)atomic_exchange(&top, 0));",
                                "void *moved = realloc((void *)atomic_exchange(&top, 0), 400);").replace(
                                    "atomic_store(&changed, 1);\n", "atomic_store(&changed, 1);\n    free(moved);\n", 1)
        source = under.write(name, text.replace("GIVE", give).replace("GET", get))
        plan = under.plan(source)
        expect(plan, name, "no plan")
        runs, _, endings, err = under.repeat(source, f"--plan={plan}", "--jitter=3", runs=300)
        expect(endings == {"exit code 0": runs}, name, endings, err)
        _, _, endings, err = under.repeat(source, f"--plan={plan}", "--jitter=3", "--quarantine=0", runs=300)
        expect(endings.get("exit code 0", 0) < 300, name, "addresses do not come back by themselves", endings, err)


CHURN = """\
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long rounds;
static void *work(void *argument)
{
    for (long i = 0; i < rounds; i++) {
        char *block = malloc(16 + i % 500);
        block = realloc(block, i % 1000 == 0 ? 300000 : 600);
        memset(block, 1, 600 - i % 2);
        free(block);
    }
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return argument;
}
int main(int argc, char **argv)
{
    pthread_t threads[2];
    rounds = argc > 1 ? atol(argv[1]) : 1;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
"""


def it_is_bounded(under):
    """A program that frees more and more keeps little of it, and it is told that addresses may come back."""
    source = under.write("churn.c", CHURN)
    plan = under.plan(source, "--waive=arguments")
    code, out, err = under.run(source, f"--plan={plan}", own=["--", "100"])
    expect(code == 0 and err == "", code, out, err)
    code, out, err = under.run(source, f"--plan={plan}", "--quarantine=1M", own=["--", "200000"])
    expect(code == 0 and err.count("has freed more than 1 MB: from now on addresses may come back") == 1, code, out, err)
    code, out, err = under.run(source, f"--plan={plan}", "--quarantine=0", own=["--", "200000"])
    expect(code == 0 and err == "", code, out, err)
    for size in ("x", "-1", ""):
        code, out, err = under.run(source, f"--plan={plan}", f"--quarantine={size}")
        expect(code == 2 and "option --quarantine" in err, size, code, out, err)


TESTS = [no_address_comes_back, it_is_bounded]
