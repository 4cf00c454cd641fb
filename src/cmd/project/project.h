/* mazurka.toml: what is checked in a project. [target.NAME] has sources and options of `mazurka check`, by
 * their long names; [defaults] has options for all of them. */
#ifndef MZ_CMD_PROJECT_H
#define MZ_CMD_PROJECT_H

#include "base/toml.h"
#include "cmd/request/request.h"

#define MZ_PROJECT_FILE "mazurka.toml"

typedef struct mz_project_target {
    const char *name;
    mz_position position;
    mz_words words;      /* a command line: "check", options, sources, "--", arguments */
    mz_position *places; /* [word]: where it stands in the file */
    size_t place_capacity;
} mz_project_target;

typedef struct mz_project {
    mz_toml toml;
    mz_project_target *targets; /* in the order of the file */
    size_t count, capacity;
} mz_project;

/* *error set, with the place, if the file cannot be read, or has what no project has. */
void mz_project_read(mz_project *project, const char *file, mz_error *error);
void mz_project_release(mz_project *project);
/* NULL: there is none of that name. */
const mz_project_target *mz_project_find(const mz_project *project, const char *name);
/* The request of a target. `words` gets its words and the options that are given besides, and has to live as
 * long as the request. *error set, at the place in the file, if something is wrong with it. */
void mz_project_request(const mz_project *project, const mz_project_target *target,
                        const mz_request_words *given, mz_words *words, mz_request *request, mz_error *error);

/* Do the words of a command line mean a project? */
bool mz_project_is_meant(int argc, char **argv);
/* Checks the targets that are named, or all of them, and prints it. The exit code. */
int mz_project_check(int argc, char **argv, mz_error *error);

#endif
