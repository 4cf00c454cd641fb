/* `mazurka show`: a plan for people, as text or as a picture. */
#include <stdio.h>

#include "base/file.h"
#include "base/options.h"
#include "cmd/command.h"
#include "cmd/print.h"
#include "report/plan_picture.h"

typedef struct request {
    const char *file, *output;
    bool dot, svg, all, file_again, help;
} request;

#define IN(type_, field) .type = MZ_OPTION_##type_, .at = offsetof(request, field)

static const mz_option options[] = {
    {"dot", 0, NULL, "the plan as a graph in the language of Graphviz", IN(SWITCH, dot), .excludes = "svg"},
    {"svg", 0, NULL, "the plan as a picture", IN(SWITCH, svg), .excludes = "file"},
    {"all", 0, NULL, "in a picture: also events that nothing waits for and that wait for nothing",
     IN(SWITCH, all)},
    {"file", 0, NULL, "the plan as a file, with all that was read", IN(SWITCH, file_again),
     .excludes = "dot"},
    {"output", 'o', "FILE", "where to write it (default: standard output)", IN(TEXT, output)},
    {"help", 'h', NULL, "this text", IN(SWITCH, help)},
};

void mz_offer_show(mz_command_line *line, void *target)
{
    mz_options_offer(line, options, sizeof options / sizeof *options, 0, target);
}

static void take_word(void *context, const char *word, bool after_dashes, mz_error *error)
{
    request *r = context;
    (void)after_dashes;
    if (r->file)
        mz_error_set(error, (mz_position){0}, "one plan at a time: '%s' is too much", word);
    r->file = word;
}

static void write_out(const request *r, const mz_text *text, mz_error *error)
{
    bool written = r->output ? mz_file_write(r->output, mz_text_string(text), text->length)
                             : fwrite(mz_text_string(text), 1, text->length, stdout) == text->length &&
                                   fflush(stdout) == 0;
    if (!written)
        mz_error_set(error, (mz_position){.file = r->output}, "the plan could not be written");
}

static void show(const request *r, mz_error *error)
{
    mz_symbolic_plan plan;
    mz_text text = {0};
    if (mz_symbolic_load(&plan, r->file, error)) {
        if (r->dot)
            mz_show_dot(&plan, r->all, &text);
        else if (r->svg)
            mz_show_svg(&plan, r->all, &text);
        else if (r->file_again)
            mz_symbolic_text(&plan, &text);
        else
            mz_show_text(&plan, &text);
        write_out(r, &text, error);
    }
    mz_text_release(&text);
    mz_symbolic_release(&plan);
}

static void print_help(const mz_command_line *line)
{
    mz_text text = {0};
    mz_text_add(
        &text, "usage: mazurka show [options] PLAN.mzs\n\n"
               "Prints a plan that 'mazurka plan' has made: its threads side by side, and which events wait\n"
               "for which; or draws it.\n\noptions:\n");
    mz_options_help(line, &text);
    mz_print_help(stdout, mz_text_string(&text));
    mz_text_release(&text);
}

int mz_command_show(int argc, char **argv)
{
    request r = {0};
    mz_error error = {0};
    mz_command_line line = {.context = &r, .word = take_word};
    mz_offer_show(&line, &r);
    mz_options_parse(&line, argc, argv, &error);
    if (!error.set && !r.help && !r.file) {
        mz_error_set(&error, (mz_position){0}, "nothing to show: name a plan");
        mz_error_set_hint(&error, "mazurka show PLAN.mzs; mazurka plan makes one");
    }
    if (!error.set && r.help)
        print_help(&line);
    else if (!error.set)
        show(&r, &error);
    mz_options_release(&line);
    return mz_print_error("show", &error) ? MZ_EXIT_USAGE : MZ_EXIT_SAFE;
}
