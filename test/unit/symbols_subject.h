/* Compiling programs of the tests and loading them. */
#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "program/symbols/symbols.h"
#include "support.h"
#include "symbols_programs.h"

static char directory[4096];

/* The command runs in the directory; its errors are the test's output. */
static bool shell(const char *command)
{
    mz_text line = {0};
    mz_text_add(&line, "cd '%s' && %s", directory, command);
    fflush(NULL);
    int status = system(mz_text_string(&line));
    mz_text_release(&line);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static const char *path_of(const char *name)
{
    static char path[sizeof directory + 64];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

static void write_file(const char *name, const char *first, const char *second)
{
    FILE *file = fopen(path_of(name), "w");
    assert_non_null(file);
    fprintf(file, "%s%s", first, second);
    assert_int_equal(fclose(file), 0);
}

static int make_directory(void **state)
{
    (void)state;
    const char *parent = getenv("TMPDIR");
    snprintf(directory, sizeof directory, "%s/mazurka-symbols-XXXXXX", parent ? parent : P_tmpdir);
    if (!mkdtemp(directory))
        return -1;
    write_file("bank.c", prelude, c_program);
    write_file("stubs.c", "", thread_sanitizer_stubs);
    write_file("bank.cpp", prelude, cpp_program);
    return 0;
}

static int remove_directory(void **state)
{
    (void)state;
    return shell("rm -f bank.c stubs.c bank.cpp *.so *.o junk && rmdir \"$PWD\"") ? 0 : -1;
}

/* A shared object that is loaded, and its symbols. */
typedef struct subject {
    void *handle;
    struct link_map *map;
    mz_symbols *symbols;
} subject;

/* Under a name of its own, because the loader would give us one that it knows. Deleted at once: the symbols
 * need the file no longer. */
static subject load(void)
{
    static int number;
    char name[32];
    subject s;
    snprintf(name, sizeof name, "test-%d.so", number++);
    char *path = mz_copy_string(path_of(name));
    assert_int_equal(rename(path_of("test.so"), path), 0);
    s.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!s.handle)
        fail_msg("%s", dlerror());
    assert_int_equal(dlinfo(s.handle, RTLD_DI_LINKMAP, &s.map), 0);
    s.symbols = mz_symbols_open(path, s.map->l_addr);
    assert_int_equal(unlink(path), 0);
    mz_release(path);
    return s;
}

static void unload(subject *s)
{
    mz_symbols_close(s->symbols);
    assert_int_equal(dlclose(s->handle), 0);
}

static void *address_in(const subject *s, const char *name)
{
    void *address = dlsym(s->handle, name);
    if (!address)
        fail_msg("no %s", name);
    return address;
}
