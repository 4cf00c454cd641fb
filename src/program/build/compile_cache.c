/* Parts of the C++ library that were compiled for an earlier program, kept in the user's cache directory. An
 * entry is named after everything that went into it: what is there is right, and nothing is ever changed.
 * Whatever goes wrong here costs time and nothing else. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/memory.h"
#include "program/build/compile_internal.h"
#include "program/build/embedded_files.h"

/* Another version of the compiler is another file. */
static bool add_compiler(const char *name, mz_hash *hash)
{
    const char *path = getenv("PATH");
    struct stat file;
    bool found = strchr(name, '/') && stat(name, &file) == 0;
    while (!found && path && *path) {
        size_t length = strcspn(path, ":");
        mz_text candidate = {0};
        mz_text_add(&candidate, "%.*s/%s", (int)length, path, name);
        found = stat(mz_text_string(&candidate), &file) == 0;
        mz_text_release(&candidate);
        path += length + (path[length] == ':');
    }
    if (!found)
        return false;
    *hash = mz_hash_add(mz_hash_add(*hash, (uint64_t)file.st_ino), (uint64_t)file.st_size);
    *hash = mz_hash_add(mz_hash_add(*hash, (uint64_t)file.st_mtim.tv_sec), (uint64_t)file.st_mtim.tv_nsec);
    return true;
}

/* The command but for the temporary directory, and all sources: some of them are headers. */
static mz_hash hash_of(const mz_words *command, const char *directory)
{
    mz_hash hash = mz_hash_start(3);
    for (size_t i = 0; i < command->count; i++)
        if (strncmp(command->items[i], directory, strlen(directory)) != 0 &&
            strncmp(command->items[i], "-fdiagnostics", 13) != 0)
            hash = mz_hash_add_bytes(hash, command->items[i], strlen(command->items[i]));
    for (size_t i = 0; i < mz__cxx_source_count; i++)
        hash = mz_hash_add_bytes(hash, mz__cxx_source_files[i].text, mz__cxx_source_files[i].length);
    return hash;
}

/* Nobody else may write there: what is in it becomes part of a program that we run. */
static bool is_ours_alone(const char *directory)
{
    struct stat what;
    return stat(directory, &what) == 0 && S_ISDIR(what.st_mode) && what.st_uid == geteuid() &&
           !(what.st_mode & (S_IWGRP | S_IWOTH));
}

static bool find_directory(mz_text *path)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && *cache == '/')
        mz_text_add(path, "%s", cache);
    else if (home && *home == '/')
        mz_text_add(path, "%s/.cache", home);
    else
        return false;
    mkdir(mz_text_string(path), 0700);
    mz_text_add(path, "/mazurka");
    mkdir(mz_text_string(path), 0700);
    return is_ours_alone(mz_text_string(path));
}

char *mz__cache_entry(const mz_words *command, const char *directory, const char *source)
{
    mz_text path = {0};
    mz_hash hash = hash_of(command, directory);
    const char *slash = strrchr(source, '/');
    if (!add_compiler(command->items[0], &hash) || !find_directory(&path)) {
        mz_text_release(&path);
        return NULL;
    }
    mz_text_add(&path, "/%s-%016llx%016llx.o", slash ? slash + 1 : source, (unsigned long long)hash.high,
                (unsigned long long)hash.low);
    return path.bytes;
}

/* Written elsewhere and renamed: another process finds all of it or nothing. */
void mz__cache_store(const char *compiler, const char *assembly, const char *entry, const char *directory)
{
    mz_text temporary = {0}, ignored = {0};
    mz_text_add(&temporary, "%s.%ld", entry, (long)getpid());
    const char *const words[] = {compiler, "-c", "-o", mz_text_string(&temporary), assembly};
    mz_job job = {0};
    mz_words_add_list(&job.words, words, sizeof words / sizeof *words);
    if (!mz__run_quietly(&job, directory, &ignored) || rename(mz_text_string(&temporary), entry) != 0)
        unlink(mz_text_string(&temporary));
    mz_words_release(&job.words);
    mz_text_release(&temporary);
    mz_text_release(&ignored);
}
