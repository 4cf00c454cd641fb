/* Functions of the C library that call the program back: sorting and searching. */
#include <stdlib.h>

#include "program/libc/libc.h"

/* A function of two arguments does not see the third one. */
typedef int (*comparison)(const void *, const void *, void *);

/* The call that is made next, and its result: nothing comes in between, so that there is one of them. */
static struct {
    comparison compare;
    const void *a, *b;
    void *context;
    int result;
} call;

static void make_call(void)
{
    call.result = call.compare(call.a, call.b, call.context);
}

static int call_compare(comparison compare, const void *a, const void *b, void *context)
{
    mz__registers caller = mz__caller; /* the callback has hooks of its own */
    call.compare = compare;
    call.a = a;
    call.b = b;
    call.context = context;
    mz__call_program(make_call);
    mz__caller = caller;
    return call.result;
}

typedef struct sorting {
    comparison compare;
    void *context;
    size_t size;
} sorting;

/* Two sorted runs, one behind the other, into one. */
static void merge(const sorting *s, char *to, const char *from, size_t first, size_t second)
{
    const char *left = from, *right = from + first * s->size;
    while (first > 0 && second > 0) {
        bool takes_left = call_compare(s->compare, left, right, s->context) <= 0;
        mz__copy_memory(to, takes_left ? left : right, s->size);
        to += s->size;
        *(takes_left ? &left : &right) += s->size;
        --*(takes_left ? &first : &second);
    }
    mz__copy_memory(to, left, first * s->size);
    mz__copy_memory(to + first * s->size, right, second * s->size);
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Merging runs of 1, 2, 4, … elements to and fro between the array and a buffer: stable, as in the library
 * that most programs know. Where they are is on the hook's stack, which comes back with the thread. */
static void sort(const sorting *s, char *array, size_t count)
{
    if (count < 2 || s->size == 0)
        return;
    uintptr_t pc = mz__caller.pc;
    char *buffer = mz__allocate(count * s->size, 16);
    if (!buffer)
        mz__give_up(pc, "there is no memory left for sorting");
    char *from = array, *to = buffer;
    for (size_t run = 1; run < count; run *= 2) {
        for (size_t at = 0; at < count; at += 2 * run) {
            size_t first = smaller(run, count - at), second = smaller(run, count - at - first);
            merge(s, to + at * s->size, from + at * s->size, first, second);
        }
        char *sorted = to;
        to = from;
        from = sorted;
    }
    if (from == buffer)
        mz__copy_memory(array, buffer, count * s->size);
    mz__heap_free(buffer, pc);
}

MZ__HOOK(void, __wrap_qsort_r, void *array, size_t count, size_t size, comparison compare, void *context)
{
    sort(&(sorting){compare, context, size}, array, count);
}

MZ__HOOK(void, __wrap_qsort, void *array, size_t count, size_t size, void (*compare)(void))
{
    sort(&(sorting){(comparison)compare, NULL, size}, array, count);
}

MZ__HOOK(void *, __wrap_bsearch, const void *key, const void *array, size_t count, size_t size,
         void (*compare)(void))
{
    const char *from = array;
    while (count > 0) {
        const char *middle = from + count / 2 * size;
        int result = call_compare((comparison)compare, key, middle, NULL);
        if (result == 0)
            return (void *)middle;
        if (result > 0) {
            from = middle + size;
            count--;
        }
        count /= 2;
    }
    return NULL;
}
