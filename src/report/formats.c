#include "report/formats.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"

static const struct {
    const char *name;
    mz_format *write;
} formats[] = {
#define MZ_X(name, help, write) {#name, write},
    MZ_FORMATS(MZ_X)
#undef MZ_X
};

const char *mz_format_name(mz_format_number format)
{
    return formats[format].name;
}

static bool is_stdout(const char *path)
{
    return path && strcmp(path, MZ_TO_STDOUT) == 0;
}

bool mz_outputs_take_stdout(const mz_outputs *outputs)
{
    for (int i = 0; i < MZ_FORMAT_COUNT; i++)
        if (is_stdout(outputs->paths[i]))
            return true;
    return false;
}

void mz_outputs_ask(mz_outputs *outputs, mz_format_number format, const char *path, mz_error *error)
{
    const char *where = path && path[0] ? path : MZ_TO_STDOUT;
    outputs->paths[format] = NULL;
    if (is_stdout(where) && mz_outputs_take_stdout(outputs)) {
        mz_error_set(error, (mz_position){0}, "option --%s: something else goes to standard output already",
                     formats[format].name);
        mz_error_set_hint(error, "name a file: --%s=FILE", formats[format].name);
    }
    outputs->paths[format] = where;
}

static void complain(mz_format_number format, const char *path, mz_error *error)
{
    mz_error_set(error, (mz_position){0}, "option --%s: %s cannot be written: %s", formats[format].name, path,
                 strerror(errno));
}

void mz_outputs_try(const mz_outputs *outputs, mz_error *error)
{
    for (int i = 0; i < MZ_FORMAT_COUNT && !error->set; i++) {
        const char *path = outputs->paths[i];
        if (!path || is_stdout(path))
            continue;
        FILE *file = fopen(path, "ab");
        if (!file || fclose(file) != 0)
            complain((mz_format_number)i, path, error);
    }
}

void mz_outputs_write(const mz_outputs *outputs, const mz_report *reports, size_t count, mz_text *to_stdout,
                      mz_error *error)
{
    for (int i = 0; i < MZ_FORMAT_COUNT && !error->set; i++) {
        const char *path = outputs->paths[i];
        mz_text text = {0};
        if (!path)
            continue;
        formats[i].write(reports, count, is_stdout(path) ? to_stdout : &text);
        if (!is_stdout(path) && !mz_file_write(path, mz_text_string(&text), text.length))
            complain((mz_format_number)i, path, error);
        mz_text_release(&text);
    }
}
