/* Compiled into a program that changes its environment: what it changes is then memory of its own, seen and
 * taken back as any other. As in the C library, those that change it take a lock, and those that read it do
 * not: getenv() while another thread calls setenv() is a data race. Strings that were replaced are kept,
 * because somebody may have asked for them before. All names are weak: the program's own win. */
#line 1 "<environment>"
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define WEAK __attribute__((weak))

WEAK char **environ;

/* The checker is told what is asked for; when the program runs, nobody is. */
extern void mz_note_variable(const char *name) WEAK;

typedef struct kept {
    struct kept *before;
    char text[];
} kept;

static kept *all_kept;
static char **own; /* environ, once it is a block of ours */
static size_t room;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor(101))) static void begin(int count, char **arguments, char **given)
{
    (void)count;
    (void)arguments;
    environ = given;
    if (mz_note_variable)
        mz_note_variable(NULL);
}

static int is_called(const char *entry, const char *name, size_t length)
{
    return strncmp(entry, name, length) == 0 && entry[length] == '=';
}

static char **find(const char *name, size_t length)
{
    for (char **at = environ; at && *at; at++)
        if (is_called(*at, name, length))
            return at;
    return NULL;
}

WEAK char *getenv(const char *name)
{
    size_t length = strlen(name);
    if (mz_note_variable)
        mz_note_variable(name);
    char **found = length ? find(name, length) : NULL;
    return found ? *found + length + 1 : NULL;
}

WEAK char *secure_getenv(const char *name)
{
    return getenv(name);
}

/* Room for one more. */
static int grow(void)
{
    size_t count = 0;
    while (environ && environ[count])
        count++;
    if (environ == own && own && count + 2 <= room)
        return 0;
    size_t larger = 2 * count + 16;
    char **block = malloc(larger * sizeof *block);
    if (!block)
        return -1;
    for (size_t i = 0; i < count; i++)
        block[i] = environ[i];
    block[count] = NULL;
    free(own);
    environ = own = block;
    room = larger;
    return 0;
}

static int place(const char *name, size_t length, char *entry)
{
    char **at = find(name, length);
    if (!at) {
        if (grow() != 0)
            return -1;
        for (at = environ; *at; at++)
            ;
        at[1] = NULL;
    }
    *at = entry;
    return 0;
}

static char *compose(const char *name, size_t length, const char *value)
{
    size_t value_length = strlen(value);
    kept *made = malloc(sizeof *made + length + value_length + 2);
    if (!made)
        return NULL;
    made->before = all_kept;
    all_kept = made;
    memcpy(made->text, name, length);
    made->text[length] = '=';
    memcpy(made->text + length + 1, value, value_length + 1);
    return made->text;
}

static int is_wrong(const char *name)
{
    if (name && *name && !strchr(name, '='))
        return 0;
    errno = EINVAL;
    return 1;
}

WEAK int setenv(const char *name, const char *value, int replace)
{
    if (is_wrong(name))
        return -1;
    int result = 0;
    size_t length = strlen(name);
    pthread_mutex_lock(&lock);
    if (replace || !find(name, length)) {
        char *entry = compose(name, length, value);
        result = entry ? place(name, length, entry) : -1;
    }
    pthread_mutex_unlock(&lock);
    return result;
}

WEAK int unsetenv(const char *name)
{
    if (is_wrong(name))
        return -1;
    size_t length = strlen(name);
    pthread_mutex_lock(&lock);
    int result = 0;
    if (find(name, length)) {
        result = environ == own ? 0 : grow(); /* the first environment is not ours to write */
        char **to = environ;
        for (char **from = environ; result == 0 && *from; from++)
            if (!is_called(*from, name, length))
                *to++ = *from;
        if (result == 0)
            *to = NULL;
    }
    pthread_mutex_unlock(&lock);
    return result;
}

/* The string itself becomes a part of the environment; without a value, the name is removed. */
WEAK int putenv(char *entry)
{
    const char *value = strchr(entry, '=');
    if (!value)
        return unsetenv(entry);
    pthread_mutex_lock(&lock);
    int result = place(entry, (size_t)(value - entry), entry);
    pthread_mutex_unlock(&lock);
    return result;
}

WEAK int clearenv(void)
{
    pthread_mutex_lock(&lock);
    environ = NULL;
    pthread_mutex_unlock(&lock);
    return 0;
}
