#include "session/settings/environment.h"

#include <string.h>

#include "base/file.h"
#include "base/lines.h"
#include "program/program.h"

typedef struct reader {
    mz_lines lines;
    mz_words *world;
    bool begun, is_recording;
} reader;

static void begin(reader *r, char *line)
{
    static const char recording[] = "mazurka-record";
    r->is_recording = strncmp(line, recording, sizeof recording - 1) == 0;
    mz_lines_check_version(&r->lines, line, r->is_recording ? "a recording" : "an environment",
                           r->is_recording ? recording : "mazurka-environment", 1);
    r->begun = true;
}

static void read_line(void *context, char *line)
{
    static const char word[] = "world ";
    reader *r = context;
    bool is_named = strncmp(line, word, sizeof word - 1) == 0;
    if (!r->begun) {
        begin(r, line);
        return;
    }
    if (r->is_recording && !is_named)
        return;
    const char *answer = r->is_recording ? line + sizeof word - 1 : line, *problem = mz_world_problem(answer);
    if (problem)
        mz_lines_wrong(&r->lines, "%s", problem);
    else if (!mz_words_have(r->world, answer))
        mz_words_add(r->world, answer);
}

bool mz_environment_read(mz_words *world, const char *file, mz_error *error)
{
    mz_text text = {0};
    mz_arena arena = {0};
    reader r = {.lines = {.name = file, .error = error}, .world = world};
    if (mz_file_read_text(file, MZ_FILE_ANY_SIZE, "an environment", &text, error)) {
        mz_lines_read(&r.lines, &arena, mz_text_string(&text), text.length, read_line, &r);
        if (!error->set && !r.begun)
            mz_lines_wrong(&r.lines, "it is empty");
        if (!error->set && world->count == 0)
            mz_error_set(error, (mz_position){.file = file}, "it says nothing of what the world answers");
    }
    mz_arena_release(&arena);
    mz_text_release(&text);
    return !error->set;
}
