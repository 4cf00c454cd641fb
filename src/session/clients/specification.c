/* The process gets words, one after the other, and answers each with a history. */
#include "session/clients/specification.h"

#include <errno.h>
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
    int socket;
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

static void serve(const mz_settings *given, int socket)
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
    while (mz_socket_send(socket, &a, sizeof a) && mz_socket_receive(socket, &q, sizeof q)) {
        a = (answer){0};
        answer_one(&alone, &q, &a);
    }
}

/* ---- asking it ------------------------------------------------------------------------------------------
 */

static bool receive(const mz_specification *s, answer *a, mz_error *error)
{
    if (!mz_socket_receive(s->socket, a, sizeof *a))
        refuse(a, "its process has ended", "");
    if (a->refused) {
        mz_error_set(error, (mz_position){.file = s->file}, "%s", a->message);
        mz_error_set_hint(error, "%s", a->hint);
    }
    return !a->refused;
}

mz_specification *mz_specification_begin(const mz_settings *settings, mz_error *error)
{
    int ends[2];
    answer a;
    mz_specification *s = mz_allocate(sizeof *s);
    fflush(NULL);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0 || (s->process = fork()) < 0) {
        mz_error_set(error, (mz_position){0}, "there can be no process for the specification: %s",
                     strerror(errno));
        mz_release(s);
        return NULL;
    }
    if (s->process == 0) {
        close(ends[0]);
        serve(settings, ends[1]);
        _exit(0);
    }
    close(ends[1]);
    s->socket = ends[0];
    s->file = settings->specification;
    if (!receive(s, &a, error)) {
        mz_specification_end(s);
        return NULL;
    }
    return s;
}

void mz_specification_end(mz_specification *s)
{
    close(s->socket);
    waitpid(s->process, NULL, 0);
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
    if (!mz_socket_send(s->socket, &q, sizeof q) || !receive(s, &a, error)) {
        if (!error->set)
            mz_error_set(error, (mz_position){.file = s->file}, "its process has ended");
        return false;
    }
    *history = a.history;
    *end = a.end;
    return true;
}
