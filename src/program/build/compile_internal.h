/* The parts of the compile step. */
#ifndef MZ_PROGRAM_BUILD_COMPILE_INTERNAL_H
#define MZ_PROGRAM_BUILD_COMPILE_INTERNAL_H

#include <spawn.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/words.h"
#include "program/build/compile.h"

/* An object remembers how it was compiled in a section that the linker passes on, joined, to the program:
 * lines of fields separated by tabs.
 *   mazurka  VERSION
 *   compiler IDENTIFICATION
 *   asm      FILE LINE COLUMN FUNCTION INSTRUCTION   it cannot be checked
 *   call     FILE LINE COLUMN NAME         first reference to a function that is none of ours
 *   level    OPTION                        -O1, -O2, …: accesses may have been merged
 *   foreign  FILE MEMBER                   what was linked without having been compiled for checking */
#define MZ_NOTE_SECTION ".mazurka"
#define MZ_NOTE_VERSION "3"

/* A program that can be run holds the shared object that is checked, and says which code it has itself. */
#define MZ_CHECKED_SECTION ".mazurka.checked"
#define MZ_RUN_SECTION     ".mazurka.run"
/* What a shared library was made of, and which other libraries it needs. */
#define MZ_OBJECTS_SECTION ".mazurka.objects"
#define MZ_NEEDS_SECTION   ".mazurka.needs"
/* And the same program of code that counts plain accesses, if its own does not. */
#define MZ_COUNTING_SECTION ".mazurka.counting"

/* A program to run: its messages go to a file first, so that two that run at once do not mix them. */
typedef struct mz_job {
    mz_words words;
    const char *subject; /* for messages: the source */
    mz_text *messages;   /* where a copy of them goes; NULL: nowhere */
} mz_job;

/* So many run at once. */
enum { MZ_COMPILERS_AT_ONCE = 2 };

/* From now on compilers are to end by this time (CLOCK_MONOTONIC, seconds); 0: whenever they like. */
void mz__compile_until(double time);
bool mz__is_too_late(void);
/* Around the start of one; 0: there is none. */
void mz__before_start(posix_spawnattr_t *attributes);
void mz__after_start(pid_t process);
/* Has it succeeded? *late: it was ended, with all that it had started, because the time was over. */
bool mz__wait_for(pid_t process, bool *late);

/* Run all, two at a time. Their messages arrive on standard error in the order of the jobs. False: the one at
 * *failed failed; if it could not even be started, or there was no time for it, *error is set. */
bool mz__run_jobs(mz_job *jobs, size_t count, const char *directory, size_t *failed, mz_error *error);
/* Run one and take what it says. Without time for that it fails, and so does the next of mz__run_jobs. */
bool mz__run_quietly(const mz_job *job, const char *directory, mz_text *messages);

/* The job has compiled a source to assembly and said this: again, with declarations that it lacks. */
void mz__declare_implicit(const mz_job *job, const char *messages, const char *assembly,
                          const char *directory);

/* Run one; *error says what it could not do. */
bool mz__run_one(mz_words *words, const char *directory, const char *what, mz_error *error);

bool mz__write_file(const char *path, const char *bytes, size_t length, mz_error *error);
char *mz__make_directory(mz_error *error);
void mz__remove_directory(const char *directory);

/* The compiler for C or C++, to be released. */
char *mz__driver(const mz_compile_options *options, bool cxx);
bool mz__is_clang(const char *compiler, const char *directory);
bool mz__is_cxx_source(const char *file);
/* Words of command lines. */
bool mz__is_source_word(const char *word);
bool mz__is_unwanted_link_flag(const char *word);
void mz__add_file(mz_words *words, const char *file);
void mz__add_colour(mz_words *words);
/* Option and value as one word. */
void mz__add_option(mz_words *words, const char *option, const char *value);

/* For clang: the program does not see that it is instrumented. */
void mz__add_clang_features(mz_words *words);
/* Those that mz__write_cxx_headers has written come before the installed ones. */
void mz__add_cxx_headers(mz_words *words, const char *directory);
/* A source to assembly, every access visible. */
void mz__add_compile_words(mz_words *words, const mz_compile_options *options, const char *source,
                           const char *assembly, const char *directory);
/* Labels that are threads to another checker are refused (compile_labels.c): by the compiler, and in what is
 * preprocessed already before it is started. */
void mz__add_label_macros(mz_words *words, const char *source);
bool mz__has_no_async_labels(const char *file, mz_error *error);
/* The option by which the compiler may merge, move and drop plain accesses; NULL: it may not. */
const char *mz__optimisation(const mz_compile_options *options);
/* Calls of the library's functions come to us, but for those that are the program's own. */
void mz__add_link_flags(mz_words *words, const mz_words *own);
/* Run the linker's command `base` for the shared object, as often as it takes to know which functions of the
 * library the program defines itself: *own. The words are those of the command line. */
bool mz__link_own(const mz_words *base, const char *const *words, size_t count, const char *directory,
                  const char *library, mz_words *own, mz_error *error);

/* The shared object that is checked, and, unless that is NULL, the program that is run, which holds it. Of
 * what cannot be run (C++; a library) there is the shared object alone: *runnable. */
bool mz__link_in(const mz_compile_options *options, const char *const *words, size_t count,
                 const char *directory, const char *library, const char *program, bool *runnable,
                 mz_error *error);
/* The program that is run, from what the shared object `library` was made of; `assemblies` are those of its
 * sources, in their order. It holds the shared object. Functions called `own` are not caught. */
bool mz__link_program(const mz_compile_options *options, const char *const *words, size_t count,
                      const mz_words *assemblies, const mz_words *own, bool cxx, const char *directory,
                      const char *library, const char *program, mz_error *error);
/* List the calls of hooks in this assembly text (wire/site.h); do two texts have the same ones? */
bool mz__list_sites(const char *path, mz_error *error);
bool mz__have_same_sites(const char *one, const char *other);
/* Let a shared library hold what it was linked from: these words, assembly for the sources. */
bool mz__hold_objects(const char *compiler, const mz_words *words, const char *library, const char *directory,
                      mz_error *error);
bool mz__holds_objects(const char *file);
/* Shared libraries among the words of a link are replaced by what they hold. */
bool mz__replace_shared(mz_words *words, mz_words *link_flags, const char *directory, mz_error *error);
/* Where -lNAME is looked for first, and what is found there; NULL: nothing. To be released. */
void mz__find_folders(const mz_words *words, mz_words *folders);
char *mz__find_library(const mz_words *folders, const char *name);
/* A program that was linked before: out->library is made of what it holds. */
bool mz__use_linked(const char *file, mz_compiled *out, mz_error *error);

/* Rewrite a compiler's assembly file in place: replaced functions renamed, notes appended. `by_checker`: it
 * is one of our own sources. */
bool mz__prepare_assembly(const char *path, bool by_checker, mz_error *error);
/* The first step of that: room behind its variables. */
void mz__pad_variables(mz_text *text);
/* Before that: hooks for what no hook announces. Where that can be found out, the first line of the text says
 * that it was, and a line stands before what cannot be checked. */
bool mz__announce_accesses(const char *compiler, const char *const *paths, size_t count,
                           const char *directory, mz_error *error);
#define MZ_SEEN_MARK    "#MAZURKA seen"
#define MZ_REFUSED_MARK "#MAZURKA refused "

/* Write the headers that C++ sources are to find in that directory. */
bool mz__write_cxx_headers(const char *directory, mz_error *error);
/* Write the sources that a C++ program needs beside its own; *sources: their paths. Inputs: its assembly
 * files, objects and archives. */
bool mz__write_cxx_parts(const char *const *inputs, size_t count, const char *directory, mz_words *sources,
                         mz_error *error);
/* The same for the parts of the C library. */
bool mz__write_c_parts(const char *const *inputs, size_t count, const char *directory, mz_words *sources,
                       mz_error *error);
/* Where a part that this command compiles is kept; NULL: nowhere. To be released. It need not be there. */
char *mz__cache_entry(const mz_words *command, const char *directory, const char *source);
void mz__cache_store(const char *compiler, const char *assembly, const char *entry, const char *directory);
/* Is some of it C++? By chance a C program may need one of the parts above; none of these names is in it. */
bool mz__mentions_cxx(const char *const *inputs, size_t count);
/* A mangled C++ name as it is written, any other as it is. */
void mz__add_readable_name(const char *name, mz_text *out);

/* Is the name one the program may leave undefined? */
bool mz__name_is_known(const char *name, size_t length);
bool mz__name_is_replaced(const char *name, size_t length);

/* Objects. */
typedef enum mz_object_kind {
    MZ_OBJECT_OTHER,   /* not ELF, not an archive */
    MZ_OBJECT_OBJECT,  /* .o */
    MZ_OBJECT_ARCHIVE, /* .a */
    MZ_OBJECT_PROGRAM, /* linked */
} mz_object_kind;

/* *foreign: it was not made by `mazurka cc`; of an archive, the first such member is named. */
mz_object_kind mz__object_kind(const char *path, mz_text *foreign_member, bool *foreign);
/* The contents of a section; false: there is none. */
bool mz__object_section(const mz_text *file, const char *name, mz_text *contents);
/* The loader is not to run the constructors of this shared object: we do. */
bool mz__defer_constructors(const char *path, mz_error *error);
/* The joined notes. */
void mz__object_notes(const mz_text *file, mz_text *notes);
/* The next undefined name of the dynamic symbol table that is not known, and, if it is weak, there; NULL when
 * there is none.
 * *has_main: the program defines main. */
const char *mz__object_unknown(const mz_text *file, size_t *cursor, bool *has_main);

/* The names that an object or archive defines for others, one after the other; of a linked program of ours
 * all that it defines. */
void mz__object_definitions(const char *path, void (*tell)(void *whom, const char *name), void *whom);
/* The names that a shared object offers to others. */
void mz__object_exports(const char *path, void (*tell)(void *whom, const char *name), void *whom);
/* The next function that it defines; NULL when there is none. */
const char *mz__object_function(const mz_text *file, size_t *cursor);

/* Which functions the options mean by their entries; into *out. */
bool mz__find_entries(const mz_text *library, const mz_compile_options *options, mz_compiled *out,
                      mz_error *error);
/* Does the source declare the name, outside of functions? */
bool mz__declares(const char *source, const char *name, size_t length);
/* The driver of clients, to follow the source of the library. */
void mz__add_driver(mz_text *out, const mz_compile_options *options, const char *source, bool cxx);
/* Those that are written as calls become functions behind a source, whose word is replaced. */
bool mz__entry_is_call(const char *entry);
bool mz__add_calls(const mz_compile_options *options, mz_words *words, mz_words *flags, const char *directory,
                   mz_error *error);
/* Write the source of what calls them. *source: its path. */
bool mz__write_entry_part(const char *directory, mz_text *source, mz_error *error);

/* Does the dynamic symbol table have prefix and name as one, defined or undefined? */
bool mz__object_has(const mz_text *file, const char *prefix, const char *name, bool defined);
/* A global operator new or delete that the program defines itself; NULL if there is none. Its calls would go
 * to ours. */
const char *mz__object_own_new(const mz_text *file);

/* Fill in the rest of *out from out->library; refuse a program that calls what is not known. */
bool mz__read_result(const mz_compile_options *options, mz_compiled *out, mz_error *error);

#endif
