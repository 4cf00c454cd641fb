/* Before the program begins: is all as it was when the plan was made (wire/premise.h)? What differs is told
 * by name, and the program does not begin, or (--on-divergence=warn) is not constrained. */
#include "safe/runtime/runtime_premises.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

/* ---- what is told -----------------------------------------------------------------------------------------
 */

/* "file 'settings' cannot be opened, and could be when the plan was made" */
static void tell_value(const mz_premise *p, const char *what, bool is_there, const char *missing,
                       const char *unexpected, const char *different)
{
    mz__message message = mz__premise_begin_message();
    mz__add_text(&message, what);
    if (strcmp(mz__premise_name(p), "-") != 0)
        mz__premise_add_quoted(&message, mz__premise_name(p));
    mz__add_text(&message, !is_there ? missing : p->size == MZ_PREMISE_ABSENT ? unexpected : different);
    mz__add_text(&message, " when the plan was made");
    mz__premise_end_message(&message, p->kind);
}

/* ---- arguments --------------------------------------------------------------------------------------------
 */

/* NAME=VALUE or --NAME=VALUE, of an input that the plan knows. */
static bool gives_input(const char *word)
{
    const mz_symbolic_input *inputs = mz__in_symbolic(mz__symbolic->inputs);
    word += strncmp(word, "--", 2) == 0 ? 2 : 0;
    for (uint32_t i = 0; i < mz__symbolic->input_count; i++) {
        const char *name = mz__in_symbolic(inputs[i].name);
        size_t length = strlen(name);
        if (strncmp(word, name, length) == 0 && word[length] == '=')
            return true;
    }
    return false;
}

static void tell_argument(uint32_t number, const char *found, const char *expected)
{
    mz__message message = mz__premise_begin_message();
    mz__add_text(&message, "argument ");
    mz__add_number(&message, number);
    mz__add_text(&message, found ? " is " : " is missing");
    if (found)
        mz__premise_add_quoted(&message, found);
    mz__add_text(&message, expected ? ", and was " : ", and was not there");
    if (expected)
        mz__premise_add_quoted(&message, expected);
    mz__add_text(&message, " when the plan was made");
    mz__premise_end_message(&message, MZ_PREMISE_ARGUMENTS);
}

static const char *next_argument(int count, char **words, int *at)
{
    while (*at < count && gives_input(words[*at]))
        ++*at;
    return *at < count ? words[(*at)++] : NULL;
}

/* Of the plan: they stand first among the premises. */
static const char *next_expected(const mz_premise *premises, uint32_t *at)
{
    while (*at < mz__symbolic->premise_count && premises[*at].kind == MZ_PREMISE_ARGUMENTS) {
        const char *word = mz__premise_name(&premises[(*at)++]);
        if (!gives_input(word))
            return word;
    }
    return NULL;
}

static void compare_arguments(const mz_premise *premises, int count, char **words)
{
    const char *found, *expected;
    uint32_t next = 0, number = 0;
    int at = 1;
    do {
        found = next_argument(count, words, &at);
        expected = next_expected(premises, &next);
        number++;
    } while (found && expected && strcmp(found, expected) == 0);
    if (found || expected)
        tell_argument(number, found, expected);
}

/* ---- contents ---------------------------------------------------------------------------------------------
 */

typedef struct content {
    uint64_t size, hash; /* MZ_PREMISE_ABSENT: there is none */
} content;

static content content_of(int descriptor)
{
    static char part[1 << 16]; /* before there is a second thread */
    content c = {.hash = MZ_PREMISE_BASE};
    ssize_t got;
    while ((got = pread(descriptor, part, sizeof part, (off_t)c.size)) > 0) {
        c.hash = mz_premise_hash(c.hash, part, (size_t)got);
        c.size += (uint64_t)got;
    }
    return c;
}

static bool is_same(const mz_premise *p, content c)
{
    return c.size == p->size && (c.size == MZ_PREMISE_ABSENT || c.hash == p->hash);
}

static void compare_file(const mz_premise *p)
{
    content c = {.size = MZ_PREMISE_ABSENT};
    int descriptor = open(mz__premise_name(p), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor >= 0) {
        c = content_of(descriptor);
        close(descriptor);
    }
    if (!is_same(p, c))
        tell_value(p, "file ", c.size != MZ_PREMISE_ABSENT, " cannot be opened, and could be",
                   " can be opened, and could not be", " is not what it was");
}

/* What is no file, and not /dev/null, may bring anything; in the check nothing came from there. */
static void compare_input(const mz_premise *p)
{
    struct stat what, nothing;
    bool is_open = fstat(STDIN_FILENO, &what) == 0, is_file = is_open && S_ISREG(what.st_mode);
    bool is_nothing = !is_open || (S_ISCHR(what.st_mode) && stat("/dev/null", &nothing) == 0 &&
                                   what.st_rdev == nothing.st_rdev);
    content empty = {.hash = MZ_PREMISE_BASE}, c = is_file ? content_of(STDIN_FILENO) : empty;
    bool was_empty = p->size == MZ_PREMISE_ABSENT || p->size == 0;
    bool same = is_file || is_nothing ? (was_empty ? c.size == 0 : is_same(p, c)) : false;
    if (!same)
        tell_value(p, "standard input", is_file || is_nothing, " is no file, and may bring what did not come",
                   " has something to read, and had not", " is not what it was");
}

/* ---- the rest ---------------------------------------------------------------------------------------------
 */

static bool is_ours(const char *entry)
{
    return strncmp(entry, "MAZURKA_", 8) == 0;
}

static void compare_environment(const mz_premise *p, char **environment)
{
    uint64_t sum = 0, count = 0;
    for (char **at = environment; *at; at++)
        if (!is_ours(*at)) {
            sum += mz_premise_hash(MZ_PREMISE_BASE, *at, strlen(*at));
            count++;
        }
    if (count != p->size || sum != p->hash)
        tell_value(p, "the environment, which the program looks through,", true, "", "",
                   " is not what it was");
}

static void compare_variable(const mz_premise *p, char **environment)
{
    content c = {.size = MZ_PREMISE_ABSENT};
    const char *name = mz__premise_name(p);
    size_t length = strlen(name);
    for (char **at = environment; *at; at++)
        if (strncmp(*at, name, length) == 0 && (*at)[length] == '=') {
            const char *value = *at + length + 1;
            c = (content){strlen(value), mz_premise_hash(MZ_PREMISE_BASE, value, strlen(value))};
            break;
        }
    if (!is_same(p, c))
        tell_value(p, "environment variable ", c.size != MZ_PREMISE_ABSENT, " is not set, and was",
                   " is set, and was not", " has another value than");
}

static void compare_processors(const mz_premise *p)
{
    cpu_set_t set;
    bool affinity = strcmp(mz__premise_name(p), "affinity") == 0;
    long online = sysconf(_SC_NPROCESSORS_ONLN), configured = sysconf(_SC_NPROCESSORS_CONF);
    uint64_t number = (uint64_t)(online != (long)p->size ? online : configured);
    if (affinity)
        number = sched_getaffinity(0, sizeof set, &set) == 0 ? (uint64_t)CPU_COUNT(&set) : 0;
    if (number != p->size)
        mz__premise_tell_number(p, affinity ? "the program may use " : "there are ", number,
                                number == 1 ? " processor" : " processors",
                                affinity ? ", and could use " : ", and were ");
}

static void compare_user(const mz_premise *p)
{
    const uint64_t numbers[] = {getuid(), geteuid(), getgid(), getegid()};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i] != p->size) {
            mz__premise_tell_number(p, "user or group have number ", numbers[i], "", ", and had ");
            return;
        }
}

/* Its name; or the rest of what uname() says. */
static void compare_host(const mz_premise *p)
{
    char host[512] = "";
    struct utsname what;
    gethostname(host, sizeof host - 1);
    if (strcmp(mz__premise_name(p), "-") != 0 && uname(&what) == 0)
        snprintf(host, sizeof host, "%s %s %s %s", what.sysname, what.release, what.version, what.machine);
    content c = {strlen(host), mz_premise_hash(MZ_PREMISE_BASE, host, strlen(host))};
    if (!is_same(p, c))
        tell_value(p, "the host has another name or system than", true, "", "", "");
}

static void compare(const mz_premise *p, char **environment)
{
    switch ((mz_premise_kind)p->kind) {
    case MZ_PREMISE_ENVIRONMENT:
        (strcmp(mz__premise_name(p), "-") == 0 ? compare_environment : compare_variable)(p, environment);
        break;
    case MZ_PREMISE_FILE:
        compare_file(p);
        break;
    case MZ_PREMISE_INPUT:
        compare_input(p);
        break;
    case MZ_PREMISE_PROCESSORS:
        compare_processors(p);
        break;
    case MZ_PREMISE_PROCESS:
        if ((uint64_t)getpid() != p->size)
            mz__premise_tell_number(p, "the program asks for its process number, which is ",
                                    (uint64_t)getpid(), "", ", and was ");
        break;
    case MZ_PREMISE_USER:
        compare_user(p);
        break;
    case MZ_PREMISE_HOST:
        compare_host(p);
        break;
    default:
        mz__compare_surroundings(p, environment);
        break;
    }
}

void mz__compare_premises(int count, char **arguments, char **environment)
{
    const mz_premise *premises = mz__in_symbolic(mz__symbolic->premises);
    if (mz__symbolic->compares_arguments)
        compare_arguments(premises, count, arguments);
    for (uint32_t i = 0; i < mz__symbolic->premise_count; i++)
        compare(&premises[i], environment);
}
