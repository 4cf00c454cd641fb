/* Inputs (wire/symbolic_format.h, mazurka.h) when the program runs: where their values come from. They may
 * decide which plan applies (runtime_stage.c). */
#include "safe/runtime/follow/runtime.h"
#include "wire/nondet.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#define DEFINE(T, name, ...)                                                                                 \
    T name(__VA_ARGS__);                                                                                     \
    T name(__VA_ARGS__)

/* ---- where values come from -----------------------------------------------------------------------------
 */

static int argument_count;
static char **arguments;

static void find_drawing(void);
static void note_arguments(int count, char **words, char **environment)
{
    mz__note_environment(environment);
    argument_count = count;
    arguments = words;
    find_drawing();
}

MZ__BEFORE_ALL_ELSE(note_arguments);

/* NAME=VALUE or --NAME=VALUE, the last one; or the environment variable. NULL: there is none. */
static const char *given(const char *name)
{
    size_t length = strlen(name);
    for (int i = argument_count - 1; i > 0; i--) {
        const char *word = strncmp(arguments[i], "--", 2) == 0 ? arguments[i] + 2 : arguments[i];
        if (strncmp(word, name, length) == 0 && word[length] == '=')
            return word + length + 1;
    }
    return mz__variable(name);
}

/* For many runs: values are drawn, or gone through one after the other (MZ_INPUTS_ENVIRONMENT). */
static _Atomic uint64_t draw_state;
static uint64_t first_state;
static enum { NOT_DRAWN, DRAWN_AT_RANDOM, GONE_THROUGH } drawing;

static void find_drawing(void)
{
    const char *word = mz__variable(MZ_INPUTS_ENVIRONMENT);
    if (word && strncmp(word, "random ", 7) == 0)
        drawing = DRAWN_AT_RANDOM;
    else if (word && strncmp(word, "all ", 4) == 0)
        drawing = GONE_THROUGH;
    if (drawing != NOT_DRAWN)
        draw_state = first_state = strtoull(strchr(word, ' '), NULL, 10);
    mz__forget_variable(MZ_INPUTS_ENVIRONMENT);
}

static int64_t value_at(int64_t low, int64_t high, uint64_t number)
{
    return (int64_t)((uint64_t)low + mz_range_digit(low, high, &number));
}

/* `name` may be NULL. An input that the plan knows is a digit of the number of the valuation, whoever reads
 * it first; the others take what is left of it as they come. */
static int64_t draw(const char *name, int64_t low, int64_t high)
{
    uint64_t number = draw_state, left;
    if (drawing == GONE_THROUGH && name && mz__digit_of_input(name, first_state, &number))
        return value_at(low, high, number);
    if (drawing == GONE_THROUGH) {
        do {
            left = number;
            mz_range_digit(low, high, &left);
        } while (!atomic_compare_exchange_weak(&draw_state, &number, left));
        return value_at(low, high, number);
    }
    number = atomic_fetch_add(&draw_state, UINT64_C(0x9e3779b97f4a7c15));
    number = (number ^ number >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    number = (number ^ number >> 27) * UINT64_C(0x94d049bb133111eb);
    return value_at(low, high, number ^ number >> 31);
}

/* ---- what is wrong with them ----------------------------------------------------------------------------
 */

static void add_signed(mz__message *message, int64_t number)
{
    if (number < 0)
        mz__add_text(message, "-");
    mz__add_number(message, number < 0 ? -(uint64_t)number : (uint64_t)number);
}

static mz__message about(const char *name, int64_t low, int64_t high)
{
    mz__message message = {.length = 0};
    mz__add_text(&message, "mazurka: input '");
    mz__add_text(&message, name);
    mz__add_text(&message, "', a number from ");
    add_signed(&message, low);
    mz__add_text(&message, " to ");
    add_signed(&message, high);
    return message;
}

static void tell_missing(const char *name, int64_t low, int64_t high)
{
    mz__message message = about(name, low, high);
    mz__add_text(&message, ", is not given: neither as an argument ");
    mz__add_text(&message, name);
    mz__add_text(&message, "=VALUE, nor in the environment, nor on standard input");
    mz__leave_verified_ground(&message);
    _exit(MZ_PLAN_EXIT_DIVERGED); /* even if it was only to be told */
}

static void tell_wrong(const char *name, int64_t low, int64_t high, const char *text)
{
    mz__message message = about(name, low, high);
    mz__add_text(&message, ", is given as '");
    mz__add_text(&message, text);
    mz__add_text(&message, "'");
    mz__leave_verified_ground(&message);
}

/* It is returned as it is if leaving verified ground is only to be told. */
static int64_t value_of(const char *name, int64_t low, int64_t high, const char *text)
{
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    bool number = end != text && errno == 0 && *end == 0;
    if (!number || value < low || value > high)
        tell_wrong(name, low, high, text);
    if (!number)
        _exit(MZ_PLAN_EXIT_DIVERGED);
    return value;
}

/* ---- inputs with a name ---------------------------------------------------------------------------------
 */

static const char *next_line(const char *name, int64_t low, int64_t high, char *line, int size)
{
    if (isatty(STDIN_FILENO)) {
        mz__message message = about(name, low, high);
        mz__add_text(&message, ": ");
        mz__say(&message);
    }
    if (!fgets(line, size, stdin))
        return NULL;
    line[strcspn(line, "\r\n")] = 0;
    return line;
}

/* It is a counted operation, and can be an event, which touches nothing: what is read follows it. */
static void count_choice(void)
{
    mz__end(mz__begin(MZ__KIND(CHOOSE) | MZ__INSTANT, NULL));
}

DEFINE(int, mz_input_int, const char *name, int low, int high)
{
    char line[256];
    mz__settle(); /* it may have to wait */
    count_choice();
    const char *text = given(name);
    if (!text && drawing == NOT_DRAWN)
        text = next_line(name, low, high, line, sizeof line);
    if (!text && drawing == NOT_DRAWN)
        tell_missing(name, low, high);
    int64_t value = text ? value_of(name, low, high, text) : draw(name, low, high);
    mz__input_is_read(name, value);
    return (int)value;
}

/* ---- choices: any value is right, unless one is given ---------------------------------------------------
 */

static int64_t random_value(const char *name, int64_t low, int64_t high)
{
    uint64_t random = 0;
    if (drawing != NOT_DRAWN)
        return draw(name, low, high);
    if (getrandom(&random, sizeof random, 0) != sizeof random)
        random = (uint64_t)time(NULL) * 2862933555777941757u + mz__self.chosen;
    return value_at(low, high, random);
}

/* "choose2", "choose1.3", as the checker calls them; "" in a thread of which nothing is known. */
static void name_choice(mz__message *name)
{
    bool is_main = mz__thread_id() == (uint32_t)getpid();
    *name = (mz__message){.length = 0};
    mz__self.chosen++;
    if (!is_main && mz__self.number == MZ__UNKNOWN)
        return;
    mz__add_text(name, "choose");
    mz__add_number(name, mz__self.chosen);
    if (!is_main) {
        mz__add_text(name, ".");
        mz__add_number(name, mz__self.number);
    }
}

static int64_t choose(int64_t low, int64_t high)
{
    mz__message name;
    count_choice();
    name_choice(&name);
    const char *text = name.length > 0 ? given(name.text) : NULL;
    int64_t value = text ? value_of(name.text, low, high, text) : random_value(name.text, low, high);
    mz__input_is_read(name.text, value);
    return value;
}

DEFINE(int, mz_choose, int low, int high)
{
    return (int)choose(low, high);
}

/* Of all values of a type the range that was verified. */
static int64_t any_number(bool has_negative, size_t bytes)
{
    int64_t low, high;
    mz__nondet_range(&low, &high);
    mz_nondet_range(has_negative, bytes, &low, &high);
    return choose(low, high);
}

#define NONDET(T, name, has_negative)                                                                        \
    DEFINE(T, __VERIFIER_nondet_##name, void)                                                                \
    {                                                                                                        \
        return (T)any_number(has_negative, sizeof(T));                                                       \
    }

#define NONDET_BOOL(name)                                                                                    \
    DEFINE(_Bool, __VERIFIER_nondet_##name, void)                                                            \
    {                                                                                                        \
        return choose(0, 1) != 0;                                                                            \
    }

MZ_NONDET_BOOL(NONDET_BOOL)
MZ_NONDET(NONDET)

DEFINE(void *, __VERIFIER_nondet_pointer, void)
{
    return choose(0, 1) ? MZ_NONDET_NOWHERE : NULL;
}
