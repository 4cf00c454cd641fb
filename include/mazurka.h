/* mazurka.h: what a program under test may say to the checker. C and C++.
 *
 * Under `mazurka check` (the macro MAZURKA is defined) the calls are answered by the checker. Compiled in any
 * other way the same program still builds and runs: an assertion is assert(), an assumption that does not
 * hold ends the program quietly, a choice is its smallest value, an input is read as below, and the rest does
 * nothing that matters.
 *
 *   #include <mazurka.h>
 *   int items = mz_choose(1, 3);       // explored for 1, 2 and 3
 *   int n = mz_input_int("n", 1, 8);   // the same; but when the program runs, it is given from outside
 *   mz_assume(items != 2);             // executions in which this is false are not looked at
 *   mz_assert(sum == items);           // must hold in all others
 */
#ifndef MAZURKA_H
#define MAZURKA_H

#include <stddef.h>

#ifdef MAZURKA

#ifdef __cplusplus
extern "C" {
#endif

/* For mz_assert(). */
void mz_assert_failed(const char *expression, const char *file, int line) __attribute__((noreturn));

/* Only executions in which the condition holds count. (Within a function called __VERIFIER_atomic_… the
 * thread waits until it does.)
 */
void mz_assume(int condition);

/* Some number of lo, lo + 1, …, hi: every one is explored. */
int mz_choose(int lo, int hi);

/* The input called NAME: every one of lo … hi is explored; when the program runs, its value is
 *   1. that of an argument NAME=VALUE or --NAME=VALUE of the program (the last one counts), or else
 *   2. that of the environment variable NAME, or else
 *   3. the next line of standard input, a number.
 * If there is none of these, or it is no number from lo to hi, a message says so, and the program ends with
 * exit code 70. An input is read once. Its name consists of letters, digits, '_', '.' and '-', and begins
 * with a letter. */
int mz_input_int(const char *name, int lo, int hi);

/* No other thread runs between the two. Do not wait for another thread in there. */
void mz_atomic_begin(void);
void mz_atomic_end(void);

/* A point at which other threads may run. In a loop that waits it says: nothing to do here yet. */
void mz_yield(void);

/* The beginning of an iteration of a loop that need not end, as that of a server. A thread waits here until
 * every other one is at such a place, too, or waits for what only others can do; then all go on. A state that
 * the checker has seen at this point before is not followed again: so all numbers of iterations are checked,
 * if the states are not too many. */
void mz_loop_boundary(void);

/* Between the two the thread waits for something outside of the program, or computes for itself alone, for as
 * long as it takes: nobody waits for it at a loop boundary meanwhile. It holds no lock, does no operation on
 * anything shared, and touches no memory that others touch; all of that is checked. mz_outside_end() is a
 * loop boundary, at which the thread comes back among the others.
 *
 *   mz_outside_begin();
 *   ssize_t got = recv(client, request, sizeof request, 0);
 *   mz_outside_end();
 */
void mz_outside_begin(void);
void mz_outside_end(void);

/* This memory does not matter to what happens after a boundary: a counter of requests, for example. Two
 * states that differ in nothing else are the same. */
void mz_boundary_ignore(const void *memory, size_t size);

#ifdef __cplusplus
}
#endif

/* What the iteration before has left in registers is no part of the state: what is needed, the compiler keeps
 * elsewhere. */
#if defined __x86_64__
#define MZ_CLEAR_REGISTERS()                                                                                 \
    __asm__ volatile("xorl %%ebx, %%ebx; xorl %%r12d, %%r12d; xorl %%r13d, %%r13d; xorl %%r14d, %%r14d; "    \
                     "xorl %%r15d, %%r15d" ::                                                                \
                         : "rbx", "r12", "r13", "r14", "r15", "cc")
#elif defined __aarch64__
#define MZ_CLEAR_REGISTERS()                                                                                 \
    __asm__ volatile("mov x19, 0; mov x20, 0; mov x21, 0; mov x22, 0; mov x23, 0; mov x24, 0; mov x25, 0; "  \
                     "mov x26, 0; mov x27, 0; mov x28, 0" ::                                                 \
                         : "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28")
#endif
#define mz_loop_boundary()                                                                                   \
    do {                                                                                                     \
        MZ_CLEAR_REGISTERS();                                                                                \
        (mz_loop_boundary)();                                                                                \
    } while (0)
#define mz_outside_end()                                                                                     \
    do {                                                                                                     \
        MZ_CLEAR_REGISTERS();                                                                                \
        (mz_outside_end)();                                                                                  \
    } while (0)

/* Checked in every execution, whatever NDEBUG says. */
#define mz_assert(condition) ((condition) ? (void)0 : mz_assert_failed(#condition, __FILE__, __LINE__))

#else /* without the checker */

#include <assert.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define mz_assert(condition) assert(condition)

static inline void mz_assume(int condition)
{
    if (!condition)
        exit(0);
}

static inline int mz_choose(int lo, int hi)
{
    (void)hi;
    return lo;
}

/* NAME=VALUE or --NAME=VALUE among the program's arguments, as Linux shows them: into `value`. */
static inline int mz_input_argument(const char *name, char *value, size_t size)
{
    FILE *file = fopen("/proc/self/cmdline", "rb");
    char word[512];
    size_t length = strlen(name), at = 0;
    int found = 0, first = 1, c;
    while (file && (c = getc(file)) != EOF) {
        if (at < sizeof word - 1)
            word[at++] = (char)c;
        if (c != 0)
            continue;
        const char *start = strncmp(word, "--", 2) == 0 ? word + 2 : word;
        if (!first && strncmp(start, name, length) == 0 && start[length] == '=') {
            snprintf(value, size, "%s", start + length + 1);
            found = 1;
        }
        first = 0;
        at = 0;
    }
    if (file)
        fclose(file);
    return found;
}

static inline int mz_input_int(const char *name, int lo, int hi)
{
    char text[512] = "", *end;
    const char *variable = getenv(name);
    if (!mz_input_argument(name, text, sizeof text)) {
        if (variable)
            snprintf(text, sizeof text, "%s", variable);
        else if (!fgets(text, sizeof text, stdin))
            text[0] = 0;
    }
    long value = strtol(text, &end, 10);
    end += strspn(end, " \t\r\n");
    if (end == text || *end || value < lo || value > hi) {
        text[strcspn(text, "\r\n")] = 0;
        fprintf(stderr, "input '%s': a number from %d to %d is needed, not '%s'\n", name, lo, hi, text);
        exit(70);
    }
    return (int)value;
}

static inline void mz_atomic_begin(void)
{
}

static inline void mz_atomic_end(void)
{
}

static inline void mz_loop_boundary(void)
{
}

static inline void mz_outside_begin(void)
{
}

static inline void mz_outside_end(void)
{
}

static inline void mz_boundary_ignore(const void *memory, size_t size)
{
    (void)memory;
    (void)size;
}

static inline void mz_yield(void)
{
    sched_yield();
}

#endif
#endif
