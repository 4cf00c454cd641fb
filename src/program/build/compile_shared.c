/* Shared libraries made by `mazurka cc -shared`. The checker knows one object, whose code and variables are
 * the program's. So such a library holds, in a section, what it was linked from as one relocatable object,
 * and whoever links with the library gets that instead.
 *
 * It means the same. Of a name that several of them define, the program's own definition wins, then that of
 * the first library, for all of them: --allow-multiple-definition does what the loader would have done. Names
 * that the library does not export (hidden ones, those of a version script) are made local before. What else
 * the library was linked with (-lm) stands in another section, and is asked for, too. */
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "program/build/compile_internal.h"

/* ---- making one -----------------------------------------------------------------------------------------
 */

static void add_name(void *names, const char *name)
{
    mz_text_add(names, "%s\n", name);
}

static bool write_lines(const char *directory, const char *name, const mz_text *lines, mz_text *path,
                        mz_error *error)
{
    mz_text_add(path, "%s/%s", directory, name);
    return mz__write_file(mz_text_string(path), mz_text_string(lines), lines->length, error);
}

static bool run_words(const char *const *list, size_t count, const char *directory, mz_error *error)
{
    mz_words command = {0};
    mz_words_add_list(&command, list, count);
    bool good = mz__run_one(&command, directory, "make a library of what was compiled", error);
    mz_words_release(&command);
    return good;
}

#define RUN(directory, error, ...)                                                                           \
    run_words((const char *const[]){__VA_ARGS__}, MZ_LENGTH(((const char *const[]){__VA_ARGS__})),           \
              directory, error)

/* Options of the linker that say which members of archives are wanted. */
static bool is_about_members(const char *word)
{
    static const char *const beginnings[] = {
        "-Wl,--whole-archive", "-Wl,--no-whole-archive", "-Wl,--start-group", "-Wl,--end-group", "-Wl,-u,",
        "-Wl,--undefined="};
    for (size_t i = 0; i < MZ_LENGTH(beginnings); i++)
        if (strncmp(word, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}

static mz_object_kind kind_of(const char *file)
{
    bool foreign;
    mz_text member = {0};
    mz_object_kind kind = mz__object_kind(file, &member, &foreign);
    mz_text_release(&member);
    return kind;
}

/* Files and what concerns them become part of the object; what is in the system's libraries is needed later.
 */
static void sort_word(const char *word, const mz_words *folders, mz_words *command, mz_text *needs)
{
    char *archive = strncmp(word, "-l", 2) == 0 ? mz__find_library(folders, word + 2) : NULL;
    if (archive && kind_of(archive) == MZ_OBJECT_ARCHIVE)
        mz_words_add(command, archive);
    else if (strncmp(word, "-l", 2) == 0 || (*word != '-' && kind_of(word) == MZ_OBJECT_PROGRAM))
        mz_text_add(needs, "%s\n", word);
    else if (*word != '-' || is_about_members(word))
        mz_words_add(command, word);
    mz_release(archive);
}

/* One relocatable object of all. */
static bool join(const char *compiler, const mz_words *words, const char *object, const char *directory,
                 mz_text *needs, mz_error *error)
{
    mz_words command = {0}, folders = {0};
    mz__find_folders(words, &folders);
    mz_words_add(&command, compiler);
    mz_words_add(&command, "-r");
    mz_words_add(&command, "-nostdlib");
    mz_words_add(&command, "-o");
    mz_words_add(&command, object);
    for (size_t i = 0; i < words->count; i++)
        sort_word(words->items[i], &folders, &command, needs);
    bool good = mz__run_one(&command, directory, "join what was compiled to one object", error);
    mz_words_release(&command);
    mz_words_release(&folders);
    return good;
}

bool mz__hold_objects(const char *compiler, const mz_words *words, const char *library, const char *directory,
                      mz_error *error)
{
    mz_text object = {0}, names = {0}, needs = {0}, exported = {0}, needed = {0}, add = {0}, add_needed = {0};
    mz_text_add(&object, "%s/whole.o", directory);
    mz__object_exports(library, add_name, &names);
    bool good = join(compiler, words, object.bytes, directory, &needs, error) &&
                write_lines(directory, "exported", &names, &exported, error) &&
                write_lines(directory, "needed", &needs, &needed, error);
    mz_text_clear(&names);
    mz_text_add(&names, "--keep-global-symbols=%s", mz_text_string(&exported));
    mz_text_add(&add, "%s=%s", MZ_OBJECTS_SECTION, object.bytes);
    mz_text_add(&add_needed, "%s=%s", MZ_NEEDS_SECTION, mz_text_string(&needed));
    good = good && RUN(directory, error, "objcopy", mz_text_string(&names), object.bytes) &&
           RUN(directory, error, "objcopy", "--add-section", add.bytes, "--add-section", add_needed.bytes,
               library);
    mz_text *const all[] = {&object, &names, &needs, &exported, &needed, &add, &add_needed};
    for (size_t i = 0; i < MZ_LENGTH(all); i++)
        mz_text_release(all[i]);
    return good;
}

/* ---- linking with one -----------------------------------------------------------------------------------
 */

bool mz__holds_objects(const char *file)
{
    mz_text text = {0}, objects = {0};
    bool holds = mz_file_read(file, MZ_FILE_ANY_SIZE, &text) &&
                 mz__object_section(&text, MZ_OBJECTS_SECTION, &objects);
    mz_text_release(&text);
    mz_text_release(&objects);
    return holds;
}

void mz__find_folders(const mz_words *words, mz_words *folders)
{
    for (size_t i = 0; i < words->count; i++)
        if (strcmp(words->items[i], "-L") == 0 && i + 1 < words->count)
            mz_words_add(folders, words->items[i + 1]);
        else if (strncmp(words->items[i], "-L", 2) == 0)
            mz_words_add(folders, words->items[i] + 2);
}

char *mz__find_library(const mz_words *folders, const char *name)
{
    static const char *const endings[] = {"so", "a"};
    for (size_t i = 0; i < folders->count; i++)
        for (size_t k = 0; k < MZ_LENGTH(endings); k++) {
            mz_text path = {0};
            mz_text_add(&path, "%s/lib%s.%s", folders->items[i], name, endings[k]);
            if (access(path.bytes, R_OK) == 0)
                return path.bytes;
            mz_text_release(&path);
        }
    return NULL;
}

static void add_needs(const mz_text *library, mz_words *words)
{
    mz_text needs = {0};
    mz__object_section(library, MZ_NEEDS_SECTION, &needs);
    mz_text_add(&needs, "%s", "");
    for (char *line = needs.bytes, *end; line && (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = 0;
        mz_words_add(words, line);
    }
    mz_text_release(&needs);
}

/* Its objects in its place. */
static bool add_objects(const char *file, const char *directory, size_t number, mz_words *words,
                        mz_error *error)
{
    mz_text library = {0}, objects = {0}, path = {0};
    mz_file_read(file, MZ_FILE_ANY_SIZE, &library);
    mz__object_section(&library, MZ_OBJECTS_SECTION, &objects);
    mz_text_add(&path, "%s/shared%zu.o", directory, number);
    bool good = mz__write_file(path.bytes, mz_text_string(&objects), objects.length, error);
    mz_words_add(words, path.bytes);
    add_needs(&library, words);
    mz_text_release(&library);
    mz_text_release(&objects);
    mz_text_release(&path);
    return good;
}

/* Each library once: its objects are in the program, not beside it. */
static bool replace(const mz_words *from, const mz_words *folders, const char *directory, mz_words *used,
                    mz_words *to, mz_error *error)
{
    bool good = true;
    for (size_t i = 0; good && i < from->count; i++) {
        const char *word = from->items[i];
        bool named = strncmp(word, "-l", 2) == 0;
        char *file = named ? mz__find_library(folders, word + 2) : *word != '-' ? mz_copy_string(word) : NULL;
        if (!file || mz__is_source_word(file) || !mz__holds_objects(file)) {
            mz_words_add(to, word);
        } else if (!mz_words_have(used, file)) {
            mz_words_add(used, file);
            good = add_objects(file, directory, used->count, to, error);
        }
        mz_release(file);
    }
    return good;
}

bool mz__replace_shared(mz_words *words, mz_words *link_flags, const char *directory, mz_error *error)
{
    mz_words folders = {0}, used = {0}, new_words = {0}, new_flags = {0};
    mz__find_folders(words, &folders);
    mz__find_folders(link_flags, &folders);
    bool good = replace(words, &folders, directory, &used, &new_words, error) &&
                replace(link_flags, &folders, directory, &used, &new_flags, error);
    if (used.count > 0)
        mz_words_add(&new_flags, "-Wl,--allow-multiple-definition");
    mz_words_release(words);
    mz_words_release(link_flags);
    *words = new_words;
    *link_flags = new_flags;
    mz_words_release(&folders);
    mz_words_release(&used);
    return good;
}
