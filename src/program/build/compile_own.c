/* Which names of the library the program defines itself. Those are its own: a call of mtx_lock() goes to the
 * mtx_lock() of another source, object or archive if there is one, and to our model only if there is none.
 *
 * Who defines a name is for the linker to say: members of archives count only if they are needed, the first
 * definition wins over a later one, a weak one yields, a static one is nobody else's. --wrap=NAME takes the
 * question away from it (what is undefined becomes __wrap_NAME, which no archive defines). So the program is
 * linked with all names wrapped first. If it, or an archive that took part, defines none of them, that is
 * all. Otherwise those names are left alone in a second link: what is then defined is the program's own, by
 * the linker's own rules. Names that nobody needed after all are ours again: a third link, in which the same
 * members take part, because leaving a name undefined and wrapping it ask for the same ones.
 *
 * The linker also says which files took part. One that was not compiled for checking is noted in what is
 * linked: its accesses would not be seen. */
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "program/build/compile_internal.h"
#include "program/build/functions.h"

static const char *const modelled[] = {
#define MZ_X(name) #name,
    MZ_MODELLED(MZ_X)
#undef MZ_X
};

static bool is_modelled(const char *name)
{
    for (size_t i = 0; i < MZ_LENGTH(modelled); i++)
        if (strcmp(modelled[i], name) == 0)
            return true;
    return false;
}

static void take_definition(void *names, const char *name)
{
    if (is_modelled(name) && !mz_words_have(names, name))
        mz_words_add(names, name);
}

/* ---- files that took part -------------------------------------------------------------------------------
 */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* What a compiler adds of its own accord. */
static bool is_of_the_compiler(const char *path)
{
    static const char *const beginnings[] = {"crt", "Scrt", "gcrt", "libgcc", "libclang_rt."};
    static const char *const names[] = {"libc_nonshared.a",   "libpthread_nonshared.a",
                                        "libssp_nonshared.a", "libatomic.a",
                                        "libstdc++.a",        "libsupc++.a"};
    const char *base = base_name(path);
    if (strncmp(path, "/usr/", 5) != 0 && strncmp(path, "/lib", 4) != 0 && !strstr(path, "/gcc/") &&
        !strstr(path, "/clang/"))
        return false;
    for (size_t i = 0; i < MZ_LENGTH(beginnings); i++)
        if (strncmp(base, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    for (size_t i = 0; i < MZ_LENGTH(names); i++)
        if (strcmp(base, names[i]) == 0)
            return true;
    return false;
}

/* A line of the linker's list: blanks, the name, perhaps a backslash. Some linkers mark blanks in names. */
static char *name_in_line(const char *line, size_t length)
{
    mz_text name = {0};
    const char *end = line + length;
    while (line < end && *line == ' ')
        line++;
    if (end - line >= 2 && end[-1] == '\\' && end[-2] == ' ')
        end -= 2;
    for (; line < end; line++)
        if (!(*line == '\\' && line + 1 < end && line[1] == ' '))
            mz_text_add_bytes(&name, line, 1);
    return name.bytes;
}

/* The first rule of the list has all files, one in each line; the rules behind it are empty. */
static void read_files(const char *list, mz_words *files)
{
    mz_text text = {0};
    mz_file_read(list, MZ_FILE_ANY_SIZE, &text);
    const char *line = strchr(mz_text_string(&text), '\n');
    while (line && line[1] == ' ') {
        const char *start = line + 1;
        line = strchr(start, '\n');
        char *name = name_in_line(start, line ? (size_t)(line - start) : strlen(start));
        if (name && !is_of_the_compiler(name) && !mz_words_have(files, name))
            mz_words_add(files, name);
        mz_release(name);
    }
    mz_text_release(&text);
}

/* Assembly is gone by now, what the command made of it, too: it was ours, or its name tells. */
static bool is_foreign(const char *file, mz_text *member)
{
    bool foreign = false;
    mz_object_kind kind = mz__object_kind(file, member, &foreign);
    return foreign && (kind == MZ_OBJECT_OBJECT || kind == MZ_OBJECT_ARCHIVE);
}

static bool is_assembly(const char *word)
{
    const char *dot = *word == '-' ? NULL : strrchr(base_name(word), '.');
    return dot && (strcmp(dot, ".s") == 0 || strcmp(dot, ".S") == 0 || strcmp(dot, ".sx") == 0);
}

static void add_foreign(mz_text *notes, const char *file, const char *member)
{
    mz_text_add(notes, "\t.ascii \"foreign\\t%s\\t%s\\n\"\n", base_name(file), member);
}

/* A file of notes about what is foreign; false: there is none. */
static bool note_foreign(const char *const *words, size_t count, const mz_words *files, const char *path,
                         mz_error *error)
{
    mz_text notes = {0};
    for (size_t i = 0; i < count; i++)
        if (is_assembly(words[i]))
            add_foreign(&notes, words[i], "");
    for (size_t i = 0; i < files->count; i++) {
        mz_text member = {0};
        if (is_foreign(files->items[i], &member))
            add_foreign(&notes, files->items[i], mz_text_string(&member));
        mz_text_release(&member);
    }
    bool any = notes.length > 0;
    mz_text file = {0};
    mz_text_add(&file,
                "\t.section %s,\"\",@progbits\n%s"
                "\t.section .note.GNU-stack,\"\",@progbits\n",
                MZ_NOTE_SECTION, mz_text_string(&notes));
    any = any && mz__write_file(path, mz_text_string(&file), file.length, error);
    mz_text_release(&file);
    mz_text_release(&notes);
    return any;
}

/* ---- linking --------------------------------------------------------------------------------------------
 */

static bool link_once(const mz_words *base, const mz_words *own, const char *notes, const char *list,
                      const char *directory, mz_error *error)
{
    mz_words command = {0};
    mz_words_add_list(&command, (const char *const *)base->items, base->count);
    if (notes)
        mz_words_add(&command, notes);
    if (mz_words_have(own, "pthread_create")) /* of which objects have weak references only */
        mz_words_add(&command, "-Wl,-u,pthread_create");
    mz__add_option(&command, "-Wl,--dependency-file=", list);
    mz__add_link_flags(&command, own); /* last: a Makefile's -Wl,-z,defs must not win */
    bool good = mz__run_one(&command, directory, "link the program", error);
    mz_words_release(&command);
    return good;
}

/* A name that is still undefined is not the program's. (One that nobody mentions may count as its own.) */
static void drop_undefined(mz_words *names, const char *library)
{
    mz_text text = {0};
    mz_file_read(library, MZ_FILE_ANY_SIZE, &text);
    for (size_t i = 0; i < names->count;)
        if (mz__object_has(&text, "", names->items[i], false))
            mz_words_remove(names, i);
        else
            i++;
    mz_text_release(&text);
}

/* The names that have to be looked at: those that the program defines, or an archive that might. */
static void find_candidates(const mz_words *files, const char *library, mz_words *names)
{
    for (size_t i = 0; i < files->count; i++)
        mz__object_definitions(files->items[i], take_definition, names);
    mz__object_definitions(library, take_definition, names);
}

bool mz__link_own(const mz_words *base, const char *const *words, size_t count, const char *directory,
                  const char *library, mz_words *own, mz_error *error)
{
    mz_words files = {0};
    mz_text list = {0}, path = {0};
    mz_text_add(&list, "%s/linked", directory);
    mz_text_add(&path, "%s/foreign.s", directory);
    bool good = link_once(base, own, NULL, list.bytes, directory, error);
    if (good) {
        read_files(list.bytes, &files);
        find_candidates(&files, library, own);
    }
    size_t candidates = own->count;
    const char *notes = good && note_foreign(words, count, &files, path.bytes, error) ? path.bytes : NULL;
    if (good && (candidates > 0 || notes))
        good = link_once(base, own, notes, list.bytes, directory, error);
    if (good && candidates > 0)
        drop_undefined(own, library);
    if (good && own->count < candidates)
        good = link_once(base, own, notes, list.bytes, directory, error);
    mz_words_release(&files);
    mz_text_release(&list);
    mz_text_release(&path);
    return good;
}
