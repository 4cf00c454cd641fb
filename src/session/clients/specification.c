/* The process gets words, one after the other, and answers each with a history. */
#include "session/clients/specification.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/socket.h"
#include "session/clients/alone.h"
#include "session/program.h"

struct mz_specification {
    const char *file;
    pid_t process;
    int *sockets;
    uint32_t askers, asker;
};

typedef struct question {
    uint32_t length;
    uint8_t word[MZ_CLIENT_CALLS];
} question;

typedef struct answer {
    bool refused;
    char message[512], hint[512];
    mz_sequential_end end;
    mz_history history;
} answer;

/* ---- the process ----------------------------------------------------------------------------------------
 */

static void refuse(answer *a, const char *message, const char *hint)
{
    a->refused = true;
    snprintf(a->message, sizeof a->message, "%s", message);
    snprintf(a->hint, sizeof a->hint, "%s", hint);
}

static bool answer_one(mz_alone *alone, const question *q, answer *a)
{
    mz_error error = {0};
    mz_run_word(alone, q->word, q->length, &a->history, &a->end, &error);
    if (error.set) {
        refuse(a, mz_text_string(&error.message), mz_text_string(&error.hint));
    } else if (a->end == MZ_SEQUENTIAL_FAILED) {
        mz_text message = {0};
        const mz_machine *machine = alone->machine;
        for (uint32_t i = 0; i < q->length; i++)
            mz_text_add(&message, "%s%s", i ? "; " : "", alone->settings->operations.items[q->word[i]]);
        mz_text_add(&message, " fails, although nobody else runs: %s",
                    machine->failure_count > 0 ? mz_text_string(&machine->failures[0].message)
                                               : "it does not end");
        refuse(a, mz_text_string(&message), "a specification is right for all sequences of calls");
        mz_text_release(&message);
    }
    return !a->refused;
}

static void close_all(const int *sockets, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        close(sockets[i]);
}

/* A copy for each of the other askers, which ends when nobody asks it any more. */
static int choose_socket(int *sockets, uint32_t count)
{
    uint32_t own = 0;
    signal(SIGCHLD, SIG_IGN); /* nobody waits for them */
    for (uint32_t i = 1; i < count && own == 0; i++)
        own = fork() == 0 ? i : 0;
    int socket = sockets[own];
    sockets[own] = sockets[count - 1];
    close_all(sockets, count - 1);
    return socket;
}

static void serve(const mz_settings *given, int *sockets, uint32_t count)
{
    mz_settings own = *given;
    mz_shared *shared = mmap(NULL, MZ_SHARED_BYTES, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    mz_compiled compiled = {0};
    mz_error error = {0};
    mz_alone alone = {0};
    answer a = {0};
    question q;
    own.files = (const char **)&given->specification;
    own.file_count = 1;
    own.specification = own.client = NULL;
    own.clients = NULL;
    alone.machine = shared != MAP_FAILED && mz_native_build(&own, &compiled, &error)
                        ? mz_native_load(&own, &compiled, shared)
                        : NULL;
    if (alone.machine) {
        mz_native_prepare(alone.machine);
        mz_alone_begin(&alone, &own, alone.machine);
    } else {
        refuse(&a, error.set ? mz_text_string(&error.message) : shared->message,
               error.set ? mz_text_string(&error.hint) : "");
    }
    mz_compiled_release(&compiled);
    int socket = a.refused ? sockets[0] : choose_socket(sockets, count);
    while (mz_socket_send(socket, &a, sizeof a) && mz_socket_receive(socket, &q, sizeof q)) {
        a = (answer){0};
        answer_one(&alone, &q, &a);
    }
}

/* ---- asking it ------------------------------------------------------------------------------------------
 */

static bool receive(const mz_specification *s, answer *a, mz_error *error)
{
    if (!mz_socket_receive(s->sockets[s->asker], a, sizeof *a))
        refuse(a, "its process has ended", "");
    if (a->refused) {
        mz_error_set(error, (mz_position){.file = s->file}, "%s", a->message);
        mz_error_set_hint(error, "%s", a->hint);
    }
    return !a->refused;
}

/* False: there cannot be so many. */
static bool open_sockets(int *ours, int *theirs, uint32_t count)
{
    int ends[2];
    for (uint32_t i = 0; i < count; i++) {
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
            return false;
        ours[i] = ends[0];
        theirs[i] = ends[1];
    }
    return true;
}

mz_specification *mz_specification_begin(const mz_settings *settings, uint32_t askers, mz_error *error)
{
    answer a;
    mz_specification *s = mz_allocate(sizeof *s);
    int *theirs = mz_allocate(askers * sizeof *theirs);
    *s = (mz_specification){.file = settings->specification, .askers = askers};
    s->sockets = mz_allocate(askers * sizeof *s->sockets);
    fflush(NULL);
    if (!open_sockets(s->sockets, theirs, askers) || (s->process = fork()) < 0) {
        mz_error_set(error, (mz_position){0}, "there can be no process for the specification: %s",
                     strerror(errno));
        return NULL;
    }
    if (s->process == 0) {
        close_all(s->sockets, askers);
        serve(settings, theirs, askers);
        _exit(0);
    }
    close_all(theirs, askers);
    mz_release(theirs);
    bool works = true;
    for (s->asker = 0; works && s->asker < askers; s->asker++)
        works = receive(s, &a, error);
    s->asker = 0;
    if (!works) {
        mz_specification_end(s);
        return NULL;
    }
    return s;
}

void mz_specification_ask_as(mz_specification *s, uint32_t asker)
{
    s->asker = asker;
}

void mz_specification_end(mz_specification *s)
{
    close_all(s->sockets, s->askers);
    waitpid(s->process, NULL, 0);
    mz_release(s->sockets);
    mz_release(s);
}

bool mz_specification_ask(void *context, const uint8_t *word, uint32_t length, mz_history *history,
                          mz_sequential_end *end, mz_error *error)
{
    mz_specification *s = context;
    question q = {.length = length};
    answer a;
    if (length > 0)
        memcpy(q.word, word, length);
    if (!mz_socket_send(s->sockets[s->asker], &q, sizeof q) || !receive(s, &a, error)) {
        if (!error->set)
            mz_error_set(error, (mz_position){.file = s->file}, "its process has ended");
        return false;
    }
    *history = a.history;
    *end = a.end;
    return true;
}
