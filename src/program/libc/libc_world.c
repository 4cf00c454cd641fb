/* What the world answers a program (wire/world.h): one of the answers that were declared, each of which is
 * explored. Which one it is is a choice; it has a name, so that counterexamples tell it, and it counts as an
 * operation, so that plans have it. */
#include <string.h>
#include <sys/socket.h>

#include "base/memory.h"
#include "base/words.h"
#include "program/describe/failures.h"
#include "program/libc/libc.h"
#include "program/program.h"
#include "program/runtime/accesses.h"
#include "program/runtime/choices.h"
#include "program/runtime/for_the_program.h"
#include "program/runtime/operations.h"
#include "program/world/noted_premises.h"
#include "program/world/progress.h"
#include "program/world/world.h"
#include "wire/world.h"

/* ---- answers
 * ------------------------------------------------------------------------------------------------
 */

typedef struct answer {
    const char *text; /* all of the line */
    const char *call;
    bool brings;
    char *bytes;
    size_t length;
    int error; /* 0: none */
} answer;

static const char *const calls[] = {
#define MZ_X(name) #name,
    MZ_WORLD_CALLS(MZ_X)
#undef MZ_X
};

static const struct {
    const char *name;
    int number;
} errors[] = {
#define MZ_X(name) {#name, name},
    MZ_WORLD_ERRORS(MZ_X)
#undef MZ_X
};

static int digit_of(char c)
{
    const char *digits = "0123456789abcdef", *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* What stands between quotes, up to the end of the line, into `to`, which is long enough. */
static const char *read_bytes(const char *text, char *to, size_t *length)
{
    *length = 0;
    for (text++; *text && *text != '"'; text++) {
        static const char words[] = "nrt\\\"", bytes[] = "\n\r\t\\\"";
        char c = *text;
        if (c == '\\') {
            const char *word = *++text ? strchr(words, *text) : NULL;
            bool hexadecimal = *text == 'x' && digit_of(text[1]) >= 0 && digit_of(text[2]) >= 0;
            if (!word && !hexadecimal)
                return "after \\ there is one of n r t \\ \", or x and two digits (0 to 9, a to f)";
            c = hexadecimal ? (char)(digit_of(text[1]) * 16 + digit_of(text[2])) : bytes[word - words];
            text += hexadecimal ? 2 : 0;
        }
        to[(*length)++] = c;
    }
    return *text != '"' ? "the closing quote is missing"
           : text[1]    ? "nothing may follow the closing quote"
                        : NULL;
}

static const char *read_word(const char *word, answer *a)
{
    if (strcmp(word, "ok") == 0)
        return a->brings ? "what recv brings is told: recv \"bytes\", or an error" : NULL;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (strcmp(word, errors[i].name) == 0)
            a->error = errors[i].number;
    return a->error ? NULL : "an answer is ok, \"bytes\" in quotes, or the name of an error such as EPIPE";
}

/* Returns what is wrong with the line; NULL: nothing. */
static const char *read_answer(const char *line, answer *a)
{
    size_t length = strcspn(line, " ");
    *a = (answer){.text = line};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strlen(calls[i]) == length && strncmp(calls[i], line, length) == 0)
            a->call = calls[i];
    if (!a->call)
        return "the line does not begin with a call of sockets that is known: accept, recv, send, …";
    a->brings = strcmp(a->call, "recv") == 0;
    const char *rest = line + length + (line[length] == ' ');
    if (*rest != '"')
        return read_word(rest, a);
    if (!a->brings)
        return "only recv brings bytes";
    a->bytes = mz_allocate(strlen(rest) + 1);
    return read_bytes(rest, a->bytes, &a->length);
}

const char *mz_world_problem(const char *line)
{
    answer a;
    const char *problem = read_answer(line, &a);
    mz_release(a.bytes);
    return problem;
}

/* ---- those of the program at hand
 * ---------------------------------------------------------------------------
 */

static answer *answers;
static size_t answer_count;

void mz__world_create(const struct mz_words *lines)
{
    answer_count = lines ? lines->count : 0;
    answers = answer_count > 0 ? mz_allocate_zeroed(answer_count, sizeof *answers) : NULL;
    for (size_t i = 0; i < answer_count; i++)
        read_answer(mz_copy_string(lines->items[i]), &answers[i]);
}

static bool can_answer(const answer *a, const mz_world_call *what)
{
    return strcmp(a->call, what->name) == 0 && a->length <= what->to_size;
}

/* Nothing was declared: it succeeds. */
static void note_success(const mz_world_call *what)
{
    char text[32];
    snprintf(text, sizeof text, "%s ok", what->name);
    mz__ask_about(MZ_PREMISE_WORLD, text, 0);
}

static void check_call(const mz_world_call *what)
{
    uintptr_t pc = mz__caller.pc;
    if (strcmp(what->name, "socket") == 0 && (what->numbers[1] & SOCK_NONBLOCK))
        mz__give_up(pc, "a socket that does not wait (SOCK_NONBLOCK), which cannot be followed");
    if (strcmp(what->name, "recv") == 0 && what->numbers[0] != 0)
        mz__give_up(pc, "recv() with flags, which cannot be followed");
    if (strcmp(what->name, "accept") == 0 && what->to)
        mz__give_up(pc, "accept() is asked who it is that has come, which cannot be followed: give NULL");
}

/* Which answer it is; NULL: it succeeds. */
static const answer *choose_answer(const mz_world_call *what)
{
    size_t count = 0;
    const answer *chosen = NULL;
    for (size_t i = 0; i < answer_count; i++)
        count += can_answer(&answers[i], what);
    if (count == 0 && strcmp(what->name, "recv") == 0)
        mz__give_up(mz__caller.pc, "recv() brings what the world sends, and nothing is declared that fits: "
                                   "--environment=FILE, with lines as recv \"bytes\"");
    if (count == 0)
        note_success(what);
    int64_t left = count > 0 ? mz__choose_input(0, (int64_t)count - 1, what->name) : -1;
    for (size_t i = 0; i < answer_count; i++)
        if (can_answer(&answers[i], what)) {
            mz__ask_about(MZ_PREMISE_WORLD, answers[i].text, 0);
            chosen = left-- == 0 ? &answers[i] : chosen;
        }
    return chosen;
}

MZ__HOOK(void, mz_world_await, const mz_world_call *what)
{
    (void)what;
}

MZ__HOOK(long, mz_world_answer, const mz_world_call *what)
{
    mz__w.asks_world = true;
    check_call(what);
    mz__made_progress();
    mz__count(mz__w.current);
    if (what->from_size > 0)
        mz__plain_access((uintptr_t)what->from, what->from_size, false);
    const answer *a = choose_answer(what);
    if (a && a->error) {
        errno = a->error;
        return -1;
    }
    if (a && a->length > 0)
        mz__write_memory(what->to, a->bytes, a->length);
    return strcmp(what->name, "send") == 0 ? (long)what->from_size : a ? (long)a->length : 0;
}
