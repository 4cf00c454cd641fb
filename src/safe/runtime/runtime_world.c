/* What the world answers (wire/world.h), when the program runs: the calls themselves, and a look at what
 * comes of them. An answer that was not verified is a divergence, told by the call and by what came. */
#include "safe/runtime/follow/runtime_plan.h"
#include "safe/runtime/follow/runtime_serial.h"
#include "wire/premise.h"
#include "wire/world.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- calls
 * --------------------------------------------------------------------------------------------------
 *
 * By their numbers: the functions of these names are the program's. The kernel's own number of a socket is
 * exchanged for that of the program at once. */

static long renumber(long descriptor, int number)
{
    if (descriptor < 0)
        return descriptor;
    long result = syscall(SYS_dup3, descriptor, number, 0);
    int error = errno;
    syscall(SYS_close, descriptor);
    errno = error;
    return result < 0 ? -1 : 0;
}

static bool is_ready(int descriptor, short events, int milliseconds)
{
    struct timespec time = {.tv_sec = milliseconds / 1000};
    struct pollfd one = {.fd = descriptor, .events = events};
    return syscall(SYS_ppoll, &one, 1, milliseconds < 0 ? NULL : &time, NULL, 0) > 0;
}

/* The connection may be gone by now, and to wait for the next one is for those who are outside. */
static long do_accept(const mz_world_call *c)
{
    if (!is_ready(c->descriptor, POLLIN, 0))
        return MZ_WORLD_AGAIN;
    return renumber(syscall(SYS_accept4, c->descriptor, NULL, NULL, 0), c->numbers[0]);
}

static long do_recv(const mz_world_call *c)
{
    long got = syscall(SYS_recvfrom, c->descriptor, c->to, c->to_size, MSG_DONTWAIT, NULL, NULL);
    return got < 0 && (errno == EAGAIN || errno == EINTR) ? MZ_WORLD_AGAIN : got;
}

static long do_send(const mz_world_call *c)
{
    size_t sent = 0;
    while (sent < c->from_size) {
        long now = syscall(SYS_sendto, c->descriptor, (const char *)c->from + sent, c->from_size - sent,
                           c->numbers[0], NULL, 0);
        if (now < 0 && errno == EINTR)
            continue;
        if (now < 0)
            return -1;
        sent += (size_t)now;
    }
    return (long)sent;
}

static long do_others(const mz_world_call *c)
{
    if (strcmp(c->name, "socket") == 0)
        return renumber(syscall(SYS_socket, c->numbers[0], c->numbers[1], c->numbers[2]), c->descriptor);
    if (strcmp(c->name, "setsockopt") == 0)
        return syscall(SYS_setsockopt, c->descriptor, c->numbers[0], c->numbers[1], c->from, c->from_size);
    if (strcmp(c->name, "bind") == 0)
        return syscall(SYS_bind, c->descriptor, c->from, c->from_size);
    if (strcmp(c->name, "listen") == 0)
        return syscall(SYS_listen, c->descriptor, c->numbers[0]);
    if (strcmp(c->name, "shutdown") == 0)
        return syscall(SYS_shutdown, c->descriptor, c->numbers[0]);
    return syscall(SYS_close, c->descriptor);
}

/* ---- answers as text
 * ----------------------------------------------------------------------------------------
 */

typedef struct answer {
    const char *call, *word; /* NULL: bytes */
    const unsigned char *bytes;
    size_t length;
} answer;

static const char *name_of(int error)
{
#define MZ_X(name)                                                                                           \
    if (error == name)                                                                                       \
        return #name;
    MZ_WORLD_ERRORS(MZ_X)
#undef MZ_X
    return "an error that has no name here";
}

static answer answer_of(const mz_world_call *c, long result)
{
    bool brings = strcmp(c->name, "recv") == 0;
    if (result < 0)
        return (answer){.call = c->name, .word = name_of(errno)};
    if (!brings)
        return (answer){.call = c->name, .word = "ok"};
    return (answer){.call = c->name, .bytes = c->to, .length = (size_t)result};
}

static void add(mz__message *to, const char *text, size_t length)
{
    size_t room = sizeof to->text - to->length;
    length = length < room ? length : room;
    memcpy(to->text + to->length, text, length);
    to->length += length;
}

/* As much as fits, from that byte on; returns where to go on. */
static size_t add_bytes(mz__message *to, const answer *a, size_t from)
{
    char one[4];
    for (; from < a->length && to->length + sizeof one < sizeof to->text; from++)
        add(to, one, mz_world_escape(a->bytes[from], one));
    return from;
}

/* Is this the line? */
static bool is_line(const answer *a, const char *line)
{
    size_t length = strlen(a->call);
    if (strncmp(line, a->call, length) != 0 || line[length] != ' ')
        return false;
    line += length + 1;
    if (a->word)
        return strcmp(line, a->word) == 0;
    if (*line++ != '"')
        return false;
    for (size_t i = 0; i < a->length; i++) {
        char one[4];
        size_t size = mz_world_escape(a->bytes[i], one);
        if (strncmp(line, one, size) != 0)
            return false;
        line += size;
    }
    return strcmp(line, "\"") == 0;
}

/* ---- were they verified?
 * ------------------------------------------------------------------------------------
 */

/* *known: how many answers of that call the plan has, *all: of any. */
static bool is_verified(const answer *a, uint32_t *known, uint32_t *all)
{
    const mz_premise *premises = mz__in_symbolic(mz__symbolic->premises);
    size_t length = strlen(a->call);
    *known = *all = 0;
    for (uint32_t i = 0; i < mz__symbolic->premise_count; i++) {
        if (premises[i].kind != MZ_PREMISE_WORLD)
            continue;
        const char *line = mz__in_symbolic(premises[i].name);
        ++*all;
        *known += strncmp(line, a->call, length) == 0 && line[length] == ' ';
        if (is_line(a, line))
            return true;
    }
    return *all == 0; /* nobody wants to compare them */
}

static void tell_unverified(const answer *a, uint32_t known)
{
    enum { SHOWN = 60 };
    mz__message message = {.length = 0};
    answer shown = *a;
    mz__add_text(&message, "mazurka: ");
    mz__add_text(&message, a->call);
    if (a->word) {
        mz__add_text(&message, strcmp(a->word, "ok") == 0 ? "() succeeded" : "() failed with ");
        mz__add_text(&message, strcmp(a->word, "ok") == 0 ? "" : a->word);
    } else {
        shown.length = a->length < SHOWN ? a->length : SHOWN;
        mz__add_text(&message, "() brought ");
        mz__add_number(&message, a->length);
        mz__add_text(&message, a->length == 1 ? " byte, \"" : " bytes, \"");
        add_bytes(&message, &shown, 0);
        mz__add_text(&message, a->length > SHOWN ? "…\"" : "\"");
    }
    mz__add_text(&message, ", which is none of the ");
    mz__add_number(&message, known);
    mz__add_text(&message, known == 1 ? " answer" : " answers");
    mz__add_text(&message, " that the plan was verified for (mazurka show lists them)");
    mz__leave_verified_ground(&message);
}

static void compare(const answer *a)
{
    uint32_t known, all;
    if (mz__symbolic && !atomic_load_explicit(&mz__switched_off, memory_order_relaxed) &&
        !is_verified(a, &known, &all))
        tell_unverified(a, known);
}

/* ---- for an environment to be verified
 * ----------------------------------------------------------------------
 */

static int written_to = -1;

static void find_descriptor(int count, char **words, char **environment)
{
    (void)count;
    (void)words;
    mz__note_environment(environment);
    const char *word = mz__variable(MZ_WORLD_ENVIRONMENT);
    written_to = word && *word ? atoi(word) : -1;
    mz__forget_variable(MZ_WORLD_ENVIRONMENT);
}

MZ__BEFORE_ALL_ELSE(find_descriptor);

/* Each once: a table of sums. Two different answers with the same sum, of 64 bits, are not to be feared. */
static bool is_new(const answer *a)
{
    enum { PLACES = 1 << 12 };
    static _Atomic uint64_t seen[PLACES];
    uint64_t sum = mz_premise_hash(MZ_PREMISE_BASE, a->call, strlen(a->call));
    sum = a->word ? mz_premise_hash(sum, a->word, strlen(a->word))
                  : mz_premise_hash(sum ^ 1, a->bytes, a->length);
    sum |= 1;
    for (uint32_t i = 0; i < PLACES; i++) {
        uint64_t empty = 0;
        _Atomic uint64_t *place = &seen[(sum >> 8 ^ i) % PLACES];
        if (atomic_compare_exchange_strong(place, &empty, sum))
            return true;
        if (empty == sum)
            return false;
    }
    return false;
}

/* A line in one piece, however many threads write. */
static void write_down(const answer *a)
{
    static _Atomic uint32_t lock;
    if (written_to < 0 || !is_new(a))
        return;
    mz__take(&lock);
    mz__message part = {.length = 0};
    mz__add_text(&part, "world ");
    mz__add_text(&part, a->call);
    mz__add_text(&part, a->word ? " " : " \"");
    mz__add_text(&part, a->word ? a->word : "");
    for (size_t at = 0; !a->word && at < a->length; part.length = 0) {
        at = add_bytes(&part, a, at);
        syscall(SYS_write, written_to, part.text, part.length);
    }
    mz__add_text(&part, a->word ? "\n" : "\"\n");
    syscall(SYS_write, written_to, part.text, part.length);
    mz__give(&lock);
}

/* ---- the two functions
 * --------------------------------------------------------------------------------------
 */

void mz_world_await(const mz_world_call *call);
void mz_world_await(const mz_world_call *call)
{
    while (!is_ready(call->descriptor, POLLIN, -1) && errno == EINTR)
        continue;
}

long mz_world_answer(const mz_world_call *call);
long mz_world_answer(const mz_world_call *call)
{
    mz__settle();
    mz__end(mz__begin(MZ__KIND(CHOOSE) | MZ__INSTANT, NULL)); /* counted, as in the check */
    long result = strcmp(call->name, "accept") == 0 ? do_accept(call)
                  : strcmp(call->name, "recv") == 0 ? do_recv(call)
                  : strcmp(call->name, "send") == 0 ? do_send(call)
                                                    : do_others(call);
    if (result == MZ_WORLD_AGAIN)
        return result;
    int error = errno;
    answer a = answer_of(call, result);
    write_down(&a);
    compare(&a);
    errno = error;
    return result;
}
