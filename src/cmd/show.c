/* `mazurka show`: a plan for people, as text or as a picture. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/options.h"
#include "cmd/command.h"
#include "session/result.h"
#include "report/plan_picture.h"

#define OPTIONS(X)                                                                                           \
    X(dot, "dot", 0, NULL, "the plan as a graph in the language of Graphviz")                                \
    X(svg, "svg", 0, NULL, "the plan as a picture")                                                          \
    X(all, "all", 0, NULL, "in a picture: also events that nothing waits for and that wait for nothing")     \
    X(output, "output", 'o', "FILE", "where to write it (default: standard output)")                         \
    X(help, "help", 'h', NULL, "this text")

MZ_DEFINE_OPTIONS(OPTIONS);

typedef struct request {
    const char *file, *output;
    bool dot, svg, all, help;
} request;

static void parse(request *r, int argc, char **argv, mz_error *error)
{
    mz_option_parser parser = {
        .options = option_table, .count = OPTION_COUNT, .argc = argc, .argv = argv, .next = 1};
    for (int id; !error->set && (id = mz_options_next(&parser, error)) != MZ_OPTION_END;) {
        if (id == MZ_OPTION_WORD && r->file)
            mz_error_set(error, (mz_position){0}, "one plan at a time: '%s' is too much", parser.word);
        else if (id == MZ_OPTION_WORD)
            r->file = parser.word;
        r->dot |= id == OPTION_dot;
        r->svg |= id == OPTION_svg;
        r->all |= id == OPTION_all;
        r->help |= id == OPTION_help;
        if (id == OPTION_output)
            r->output = parser.value;
    }
    if (!error->set && r->dot && r->svg)
        mz_error_set(error, (mz_position){0}, "options --dot and --svg do not go together");
    if (!error->set && !r->help && !r->file) {
        mz_error_set(error, (mz_position){0}, "nothing to show: name a plan");
        mz_error_set_hint(error, "mazurka show PLAN.mzs; mazurka plan makes one");
    }
}

static void write_out(const request *r, const mz_text *text, mz_error *error)
{
    bool written = r->output ? mz_file_write(r->output, mz_text_string(text), text->length)
                             : fwrite(mz_text_string(text), 1, text->length, stdout) == text->length &&
                                   fflush(stdout) == 0;
    if (!written)
        mz_error_set(error, (mz_position){.file = r->output}, "the plan could not be written");
}

static bool show(const request *r, mz_error *error)
{
    mz_symbolic_plan plan;
    mz_text text = {0};
    if (mz_symbolic_load(&plan, r->file, error)) {
        if (r->dot)
            mz_show_dot(&plan, r->all, &text);
        else if (r->svg)
            mz_show_svg(&plan, r->all, &text);
        else
            mz_show_text(&plan, &text);
        write_out(r, &text, error);
    }
    mz_text_release(&text);
    bool good = !error->set;
    if (!good)
        mz_print_error("show", error);
    mz_symbolic_release(&plan);
    return good;
}

int mz_command_show(int argc, char **argv)
{
    request r = {0};
    mz_error error = {0};
    mz_text text = {0};
    parse(&r, argc, argv, &error);
    bool wrong = error.set;
    if (error.set) {
        mz_print_error("show", &error);
    } else if (r.help) {
        mz_text_add(
            &text,
            "usage: mazurka show [options] PLAN.mzs\n\n"
            "Prints a plan that 'mazurka plan' has made: its threads side by side, and which events wait\n"
            "for which; or draws it.\n\noptions:\n");
        mz_options_help(option_table, OPTION_COUNT, &text);
        fputs(mz_text_string(&text), stdout);
    } else {
        wrong = !show(&r, &error);
    }
    mz_text_release(&text);
    return wrong ? MZ_EXIT_USAGE : MZ_EXIT_SAFE;
}
