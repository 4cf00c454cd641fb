/* From the sources of a program to one shared object that the checker can load.
 *
 * The user's own compiler works with -fsanitize=thread, which puts a call (__tsan_read4, …) before every
 * access to memory that another thread might see. The object is linked without the sanitizer's runtime: those
 * calls, and the calls to modelled library functions (__wrap_NAME), stay undefined until it is loaded, and
 * the checker's own executable answers them. compile_flags.c says which flags make that complete, and what it
 * misses. */
#ifndef MZ_PROGRAM_BUILD_COMPILE_H
#define MZ_PROGRAM_BUILD_COMPILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "wire/deployment.h"

/* What a program may call without declaring more than a prototype; the checker's executable defines all of
 * them. A program that brings its own version of a replaced one (programs of the verification competition do)
 * gets ours nevertheless: `if (!condition) abort();` has to mean an assumption, not an error. */
#define MZ_RUNTIME_REPLACED(X)                                                                               \
    X(reach_error)                                                                                           \
    X(assume_abort_if_not)                                                                                   \
    X(__VERIFIER_assume)                                                                                     \
    X(__VERIFIER_error)                                                                                      \
    X(__VERIFIER_atomic_begin)                                                                               \
    X(__VERIFIER_atomic_end)                                                                                 \
    X(__VERIFIER_nondet_int)                                                                                 \
    X(__VERIFIER_nondet_uint)                                                                                \
    X(__VERIFIER_nondet_unsigned)                                                                            \
    X(__VERIFIER_nondet_unsigned_int)                                                                        \
    X(__VERIFIER_nondet_bool)                                                                                \
    X(__VERIFIER_nondet__Bool)                                                                               \
    X(__VERIFIER_nondet_char)                                                                                \
    X(__VERIFIER_nondet_schar)                                                                               \
    X(__VERIFIER_nondet_uchar)                                                                               \
    X(__VERIFIER_nondet_unsigned_char)                                                                       \
    X(__VERIFIER_nondet_short)                                                                               \
    X(__VERIFIER_nondet_ushort)                                                                              \
    X(__VERIFIER_nondet_long)                                                                                \
    X(__VERIFIER_nondet_ulong)                                                                               \
    X(__VERIFIER_nondet_longlong)                                                                            \
    X(__VERIFIER_nondet_ulonglong)                                                                           \
    X(__VERIFIER_nondet_pointer)                                                                             \
    X(__VERIFIER_nondet_float)                                                                               \
    X(__VERIFIER_nondet_double)                                                                              \
    X(__VERIFIER_nondet_loff_t)                                                                              \
    X(__VERIFIER_nondet_size_t)                                                                              \
    X(__VERIFIER_nondet_u8)                                                                                  \
    X(__VERIFIER_nondet_u16)                                                                                 \
    X(__VERIFIER_nondet_u32)                                                                                 \
    X(__VERIFIER_nondet_u64)                                                                                 \
    X(__VERIFIER_nondet_s8)                                                                                  \
    X(__VERIFIER_nondet_s16)                                                                                 \
    X(__VERIFIER_nondet_s32)                                                                                 \
    X(__VERIFIER_nondet_s64)

/* The program's own version is kept: it is written in terms of the ones above. */
#define MZ_RUNTIME_KEPT(X)                                                                                   \
    X(__VERIFIER_assert)                                                                                     \
    X(abort_prog)                                                                                            \
    X(mz_assert_failed)                                                                                      \
    X(mz_assume)                                                                                             \
    X(mz_choose)                                                                                             \
    X(mz_input_int)                                                                                          \
    X(mz_client_next)                                                                                        \
    X(mz_client_result)                                                                                      \
    X(mz_client_made)                                                                                        \
    X(mz_atomic_begin)                                                                                       \
    X(mz_atomic_end)                                                                                         \
    X(mz_lock_together_begin)                                                                                \
    X(mz_lock_together_end)                                                                                  \
    X(mz_deadline_now)                                                                                       \
    X(mz_loop_boundary)                                                                                      \
    X(mz_outside_begin)                                                                                      \
    X(mz_outside_end)                                                                                        \
    X(mz_world_await)                                                                                        \
    X(mz_world_answer)                                                                                       \
    X(mz_boundary_ignore)                                                                                    \
    X(mz_note_variable)                                                                                      \
    X(mz_yield)

#define MZ_RUNTIME_NAMES(X) MZ_RUNTIME_REPLACED(X) MZ_RUNTIME_KEPT(X)

/* Which code a program consists of that is not only checked but run (compile_program.c). */
typedef enum mz_run_code {
    MZ_RUN_NOT,      /* only checked */
    MZ_RUN_PLAIN,    /* what the compiler makes of it: plain accesses cannot be counted */
    MZ_RUN_ACCESSES, /* the same code that is checked: slower, and all accesses can be counted */
} mz_run_code;

typedef struct mz_compile_options {
    const char *compiler; /* NULL: gcc; for C++ sources the matching driver (g++, clang++) is used */
    const char **flags;   /* for compiling: -DN=3, -Iinc, -std=c11, … */
    size_t flag_count;
    const char **link_flags;
    size_t link_flag_count;
    const char *include_directory; /* where mazurka.h is; NULL: none */
    mz_run_code run;
    mz_without_plan without_plan; /* what the linked program does if it is started without one */
    const char **allowed;         /* calls that are not refused, and "asm" */
    size_t allowed_count;
    /* Functions to be called instead of main: one before the threads and one after them ("": none), then one
     * for each thread. None at all: main. */
    const char **entries;
    size_t entry_count;
    /* Operations of a library, as C. Then the entries are: the setup, what comes at the end, and the threads
     * of clients, whose words mean nothing (compile_driver.c). None: no clients. */
    const char **operations;
    size_t operation_count;
    bool coverage; /* the program remembers which of its code has run */
    double until;  /* compilers are ended then: CLOCK_MONOTONIC, seconds; 0: never */
} mz_compile_options;

typedef struct mz_compiled {
    char *directory;        /* temporary, ours */
    char *library;          /* the shared object: in the directory, or the file that was given */
    char *program;          /* that can be run; NULL: none */
    bool is_linked;         /* it was linked before, and given as it is */
    bool counts_accesses;   /* it can count plain accesses */
    char *counting;         /* another program, inside it, that can count them; NULL: there is none */
    char *warnings;         /* for standard error, lines; may be empty */
    char *compiler_version; /* of all compilers that took part; may be empty */
    bool inline_assembly;   /* some memory accesses cannot be seen */
    bool executable_stack;  /* it has code there */
    char *optimised;        /* with which options accesses may have been merged (-O1 -O2); may be empty */
    char *allowed;          /* names of functions that were let through: one per line */
    char **entries;         /* the symbols of the functions that are called instead of main; "": none */
    size_t entry_count;
    char *entries_with_null; /* "worker(NULL)": those that get an argument nobody has named; may be NULL */
    char *notes;             /* what the compile step recorded; errors point into it */
} mz_compiled;

/* Sources (see mz_is_source), objects and static archives made by `mazurka cc` become one shared object; a
 * single file that `mazurka cc` has linked already is used as it is. False and *error set: the message says
 * what failed (or error->out_of_time: options->until has come); the compiler's own messages have then been
 * copied to standard error. *out is to be released in both cases, after the error has been printed. */
bool mz_compile_program(const mz_compile_options *options, const char *const *files, size_t count,
                        mz_compiled *out, mz_error *error);
/* Which program it is, as a word: two are the same if what is checked has the same code and data, wherever
 * and under whatever names of files it was compiled. False and *error set if it cannot be read. */
bool mz_compiled_hash(const mz_compiled *compiled, mz_text *out, mz_error *error);
/* Does it hold strings of C++? How often these read their length depends on where they lie, which is
 * elsewhere when the program runs: plain accesses need not be counted alike. */
bool mz_compiled_compares_addresses(const mz_compiled *compiled);
/* Removes the temporary directory too. */
void mz_compiled_release(mz_compiled *compiled);

/* Words of a --cflags text, split at blanks; '…', "…" and \ as in a shell. The caller releases each word and
 * the array (both with mz_release). False: a quote is not closed. */
bool mz_split_words(const char *text, char ***words, size_t *count);

/* Where mazurka.h lies beside this executable (../include); NULL if it is not there. To be released. */
char *mz_include_directory(void);

/* For `mazurka cc`: one source to one object. */
bool mz_compile_object(const mz_compile_options *options, const char *source, const char *object,
                       mz_error *error);
/* Sources, objects, archives and link options, in the order of the command line, to one program, which can be
 * run and checked. A word that does not begin with '-' is a file. */
bool mz_compile_and_link(const mz_compile_options *options, const char *const *words, size_t count,
                         const char *output, mz_error *error);

/* The linked program gets one more section, which is not loaded. */
bool mz_compiled_add_section(const char *program, const char *name, const mz_text *contents, mz_error *error);

/* The program as it is without us, to compare with: one C source. */
bool mz_compile_alone(const mz_compile_options *options, const char *source, const char *output,
                      mz_error *error);

/* .c .i .cc .cpp .cxx .c++ .C .ii */
bool mz_is_source(const char *file);
bool mz_is_header(const char *file); /* which clients of a library include */

/* A function that is ours, or known to do no harm: there is nothing to allow. */
bool mz_is_modelled(const char *name);
/* Why --allow must not let the function through; NULL: it may. */
const char *mz_never_allowed(const char *name);

#endif
