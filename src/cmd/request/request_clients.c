/* The options of `mazurka clients`, and descriptions in files. */
#include "cmd/request/request_clients.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/lines.h"
#include "base/memory.h"

/* ---- options --------------------------------------------------------------------------------------------
 */

#define SETTER(name) static void name(void *target, const char *value, mz_error *error)

SETTER(add_operation)
{
    mz_description_add(&((mz_client_request *)target)->description, value, error);
}

/* "2", "2..3" */
static void set_range(const char *option, const char *value, uint32_t most, uint32_t *low, uint32_t *high,
                      mz_error *error)
{
    unsigned a, b;
    char rest;
    int read = sscanf(value, "%u..%u%c", &a, &b, &rest);
    if (read == 1 && !strstr(value, ".."))
        b = a;
    if ((read != 2 && !(read == 1 && !strstr(value, ".."))) || a < 1 || a > b || b > most) {
        mz_error_set(error, (mz_position){0}, "option --%s: '%s' is not a range of numbers from 1 to %u",
                     option, value, most);
        mz_error_set_hint(error, "for example --%s=1..2, or --%s=2", option, option);
        return;
    }
    *low = a;
    *high = b;
}

SETTER(set_threads)
{
    mz_description *d = &((mz_client_request *)target)->description;
    set_range("threads", value, MZ_CLIENT_THREADS, &d->least_threads, &d->most_threads, error);
}

SETTER(set_length)
{
    mz_description *d = &((mz_client_request *)target)->description;
    set_range("length", value, MZ_CLIENT_CALLS, &d->least_length, &d->most_length, error);
}

SETTER(set_criterion)
{
    ((mz_client_request *)target)->criterion = value;
    mz_parse_word("criterion", value, "linearizable|sequential|quiescent|none", error);
}

SETTER(add_relaxed)
{
    (void)error;
    mz_words_add(&((mz_client_request *)target)->relaxed, value);
}

SETTER(add_blocking)
{
    (void)error;
    mz_words_add(&((mz_client_request *)target)->blocking, value);
}

/* A line is KEY: TEXT. */
static void take_line(mz_client_request *r, const char *file, uint32_t number, char *line, mz_error *error)
{
    char *colon = strchr(line, ':'), *end = line + strlen(line);
    line += strspn(line, " \t");
    while (end > line && strchr(" \t\r", end[-1]))
        *--end = '\0';
    if (!*line || *line == '#')
        return;
    size_t length = colon ? (size_t)(colon - line) : 0;
    const char *text = colon ? colon + 1 + strspn(colon + 1, " \t") : "";
    if (mz_is_word(line, length, "op"))
        add_operation(r, text, error);
    else if (mz_is_word(line, length, "setup"))
        mz_text_add(&r->setups, "%s%s", r->setups.length ? "; " : "", text);
    else if (mz_is_word(line, length, "finally"))
        mz_text_add(&r->finals, "%s%s", r->finals.length ? "; " : "", text);
    else if (mz_is_word(line, length, "threads"))
        set_threads(r, text, error);
    else if (mz_is_word(line, length, "length"))
        set_length(r, text, error);
    else if (mz_is_word(line, length, "relaxed"))
        add_relaxed(r, text, error);
    else if (mz_is_word(line, length, "blocking"))
        add_blocking(r, text, error);
    else if (mz_is_word(line, length, "spec"))
        r->specification = mz_copy_string(text); /* lives as long as the command */
    else if (mz_is_word(line, length, "calls"))
        mz_parse_count("calls", text, &r->most_calls, error);
    else
        mz_error_set(error, (mz_position){0}, "'%.40s' is no line of a description", line);
    if (!error->set)
        return;
    mz_text message = {0};
    mz_text_add(&message, "%s", mz_text_string(&error->message));
    mz_error_release(error);
    mz_error_set(error, (mz_position){.file = file, .line = number, .column = 1}, "%s",
                 mz_text_string(&message));
    mz_error_set_hint(error,
                      "there are: setup, op, finally, threads, length, calls, relaxed, blocking, spec; each "
                      "with a colon, as in 'op: push(q, {1,2})'");
    mz_text_release(&message);
}

void mz_request_read_annotations(mz_client_request *r, const char *file, mz_error *error)
{
    static const char mark[] = "mazurka:";
    mz_text text = {0};
    if (!mz_file_read(file, 1 << 24, &text))
        return; /* the compile step says so */
    uint32_t number = 1;
    for (char *line = text.bytes, *next; line && *line && !error->set; line = next, number++) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        char *at = line + strspn(line, " \t*/");
        bool is_comment =
            at >= line + 2 && (strstr(line, "//") || strstr(line, "/*") || line[strspn(line, " \t")] == '*');
        if (!is_comment || strncmp(at, mark, strlen(mark)) != 0)
            continue;
        char *end = strstr(at, "*/");
        if (end)
            *end = '\0';
        take_line(r, file, number, at + strlen(mark), error);
    }
    mz_text_release(&text);
}

SETTER(read_description)
{
    mz_client_request *r = target;
    mz_text text = {0};
    if (!mz_file_read_text(value, 1 << 20, "a description of clients", &text, error))
        return;
    uint32_t number = 1;
    for (char *line = text.bytes, *next; line && !error->set; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        take_line(r, value, number++, line, error);
    }
    mz_text_release(&text);
}

#define IN(type_, field) .type = MZ_OPTION_##type_, .at = offsetof(mz_client_request, field)

static const mz_option options[] = {
    {"op", 0, "CALL",
     "an operation: 'push(q, {1,2})', with values that may be exchanged; {1|2}: that may not",
     .set = add_operation},
    {"setup", 0, "C", "what comes before: 'queue *q = queue_new(2)'; variables are for all", IN(TEXT, setup)},
    {"finally", 0, "C", "what comes when all threads have ended: 'queue_free(q)'; then leaks are errors",
     IN(TEXT, finally)},
    {"clients", 0, "FILE", "read these from a file: lines 'setup: …', 'op: …', 'finally: …', …",
     .set = read_description},
    {"header", 0, "FILE.h", "print operations that a header proposes, to be edited, and check nothing",
     IN(TEXT, header)},
    {"threads", 0, "LO..HI", "threads of a client (default: 2..3)", .set = set_threads},
    {"length", 0, "LO..HI", "calls of each thread (default: 1..3)", .set = set_length},
    {"calls", 0, "N", "calls of a client in all, at most (default: 5)", IN(COUNT, most_calls)},
    {"criterion", 0, "linearizable|sequential|quiescent|none",
     "by what results are judged (default: linearizable)", .set = set_criterion},
    {"spec", 0, "FILE",
     "what calls return, one after the other, is what they return with this source instead",
     IN(TEXT, specification)},
    {"out-of-order", 0, "K", "a call may be overtaken by K others that began after it had returned",
     IN(COUNT, out_of_order)},
    {"relaxed", 0, "F=RESULT", "the function may return this at any time, without having done anything",
     .set = add_relaxed},
    {"blocking", 0, "F", "the function may wait in a loop of its own for what others do",
     .set = add_blocking},
    {"progress", 0, NULL, "tell whether calls complete while other threads are stopped (lock-freedom)",
     IN(SWITCH, progress)},
    {"coverage", 0, NULL, "tell which lines, branches and orders of accesses the clients have exercised",
     IN(SWITCH, coverage)},
    {"lcov", 0, "FILE", "write that to a file that lcov and genhtml read", IN(TEXT, lcov)},
    {"from", 0, "N", "begin with the N-th client: to go on where a limit has ended the last run",
     IN(COUNT, first)},
    {"list", 0, NULL, "print the clients, and check nothing", IN(SWITCH, list)},
    {"output", 'o', "FILE", "write the client that fails to a file, as a C program", IN(TEXT, output)},
};

void mz_request_offer_clients(mz_client_request *r, mz_command_line *line)
{
    mz_options_offer(line, options, sizeof options / sizeof *options, 0, r);
}
