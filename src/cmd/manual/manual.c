/* Man pages: options from their rows, all else from what --help says. */
#define _GNU_SOURCE /* memfd_create */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "cmd/command.h"
#include "cmd/manual/examples.h"
#include "cmd/request/request.h"

/* ---- what --help says -----------------------------------------------------------------------------------
 */

/* Commands print their help: standard output is a file meanwhile. */
static void take_help(const mz_command *command, mz_text *out)
{
    char name[32], help[] = "--help";
    char *arguments[] = {name, help, NULL};
    int file = memfd_create("help", MFD_CLOEXEC), kept = dup(STDOUT_FILENO);
    snprintf(name, sizeof name, "%s", command->name);
    fflush(stdout);
    if (file < 0 || kept < 0 || dup2(file, STDOUT_FILENO) < 0)
        return;
    command->run(2, arguments);
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    mz_file_read(path, MZ_FILE_ANY_SIZE - 1, out);
    close(file);
}

/* ---- roff -----------------------------------------------------------------------------------------------
 */

/* What roff would take for its own stays text. */
static void add_escaped(mz_text *out, const char *text, size_t length)
{
    if (length > 0 && (text[0] == '.' || text[0] == '\''))
        mz_text_add(out, "\\&");
    for (size_t i = 0; i < length; i++)
        if (text[i] == '\\')
            mz_text_add(out, "\\e");
        else if (text[i] == '-')
            mz_text_add(out, "\\-");
        else if (text[i] == '\'')
            mz_text_add(out, "\\(aq");
        else if (text[i] == '~' || text[i] == '^' || text[i] == '`')
            mz_text_add(out, text[i] == '~' ? "\\(ti" : text[i] == '^' ? "\\(ha" : "\\(ga");
        else
            mz_text_add_bytes(out, &text[i], 1);
}

static void add_line(mz_text *out, const char *text, size_t length)
{
    add_escaped(out, text, length);
    mz_text_add(out, "\n");
}

static void add_words(mz_text *out, const char *text)
{
    add_line(out, text, strlen(text));
}

/* Where option names stand their value follows in italics. */
static void add_option(const mz_option *o, mz_text *out)
{
    mz_text help = {0};
    bool optional = o->argument && o->argument[0] == '[' && o->argument[strlen(o->argument) - 1] == ']';
    mz_text_add(out, ".TP\n");
    if (o->letter)
        mz_text_add(out, "\\fB\\-%c\\fR%s", o->letter, o->name[0] ? ", " : " ");
    if (o->name[0]) {
        mz_text_add(out, "\\fB");
        mz_text name = {0};
        mz_text_add(&name, "--%s", o->name);
        add_escaped(out, mz_text_string(&name), name.length);
        mz_text_add(out, "\\fR%s", !o->argument ? "" : optional ? "[=" : "=");
        mz_text_release(&name);
    }
    if (o->argument) {
        mz_text_add(out, "\\fI");
        add_escaped(out, o->argument + optional, strlen(o->argument) - optional);
        mz_text_add(out, "\\fR");
    }
    mz_text_add(out, "\n");
    mz_request_option_help(o, &help);
    add_words(out, mz_text_string(&help));
    mz_text_release(&help);
}

static void add_options(const mz_command *command, mz_text *out)
{
    mz_command_line line = {0};
    command->offer(&line, NULL);
    mz_text_add(out, ".SH OPTIONS\n");
    for (size_t i = 0; i < line.count; i++)
        if (line.offers[i].option->type != MZ_OPTION_GONE)
            add_option(line.offers[i].option, out);
    mz_options_release(&line);
}

/* ---- sections -------------------------------------------------------------------------------------------
 */

static size_t line_length(const char *text)
{
    return strcspn(text, "\n");
}

static const char *next_line(const char *text)
{
    size_t length = line_length(text);
    return text + length + (text[length] == '\n');
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* "options:", "kinds of errors for --check:": a word of its own on a line, above lines that are set in. */
static bool is_heading(const char *line)
{
    size_t length = line_length(line);
    return length > 1 && line[0] != ' ' && line[length - 1] == ':' && begins(next_line(line), "  ");
}

static void add_heading(mz_text *out, const char *line)
{
    mz_text_add(out, ".SH \"");
    for (size_t i = 0; i + 1 < line_length(line); i++) {
        char c = (char)toupper((unsigned char)line[i]);
        add_escaped(out, &c, 1);
    }
    mz_text_add(out, "\"\n");
}

/* Below a heading none is needed. */
static void begin_paragraph(mz_text *out)
{
    size_t begin = out->length > 0 ? out->length - 1 : 0;
    while (begin > 0 && out->bytes[begin - 1] != '\n')
        begin--;
    if (!begins(mz_text_string(out) + begin, ".SH"))
        mz_text_add(out, ".PP\n");
}

/* Lines as they are. */
static const char *add_lines(mz_text *out, const char *line)
{
    begin_paragraph(out);
    mz_text_add(out, ".nf\n");
    for (; *line && line_length(line) > 0 && *line == ' '; line = next_line(line))
        add_line(out, line, line_length(line));
    mz_text_add(out, ".fi\n");
    return line;
}

static const char *add_paragraph(mz_text *out, const char *line)
{
    if (begins(line, "exit code") || begins(line, "Exit code")) {
        mz_text_add(out, ".SH \"EXIT STATUS\"\n");
    } else {
        begin_paragraph(out);
    }
    for (; *line && line_length(line) > 0 && *line != ' ' && !is_heading(line); line = next_line(line))
        add_line(out, line, line_length(line));
    return line;
}

static const char *add_synopsis(mz_text *out, const char *line)
{
    mz_text_add(out, ".SH SYNOPSIS\n.nf\n");
    for (; *line && line_length(line) > 0; line = next_line(line)) {
        size_t skipped = begins(line, "usage: ") ? strlen("usage: ") : strspn(line, " ");
        add_line(out, line + skipped, line_length(line) - skipped);
    }
    mz_text_add(out, ".fi\n.SH DESCRIPTION\n");
    return line;
}

/* The options have been told from their rows: the lines about them in the help are left out. */
static void add_help(const mz_command *command, mz_text *out)
{
    mz_text help = {0};
    bool told = false;
    take_help(command, &help);
    const char *line = mz_text_string(&help);
    while (*line) {
        if (line_length(line) == 0) {
            line = next_line(line);
        } else if (begins(line, "usage: ")) {
            line = add_synopsis(out, line);
        } else if (begins(line, "options:")) {
            told = true;
            add_options(command, out);
            while (*line && line_length(line) > 0)
                line = next_line(line);
        } else if (is_heading(line)) {
            add_heading(out, line);
            line = add_lines(out, next_line(line));
        } else {
            line = *line == ' ' ? add_lines(out, line) : add_paragraph(out, line);
        }
    }
    if (!told)
        add_options(command, out);
    mz_text_release(&help);
}

static void add_title(const char *name, const char *description, mz_text *out)
{
    mz_text_add(out, ".TH \"");
    for (const char *c = name; *c; c++) {
        char upper = (char)toupper((unsigned char)*c);
        add_escaped(out, &upper, 1);
    }
    mz_text_add(out, "\" 1 \"\" \"Mazurka " MZ_VERSION "\" \"Mazurka\"\n.SH NAME\n");
    add_escaped(out, name, strlen(name));
    mz_text_add(out, " \\- ");
    add_words(out, description);
}

/* How all of them belong together. */
static void add_overview(mz_text *out)
{
    add_title("mazurka", "check every meaningful interleaving of a concurrent program", out);
    mz_text_add(
        out, ".SH SYNOPSIS\n.nf\nmazurka COMMAND [options] …\nmazurka help COMMAND\n"
             "mazurka \\-\\-version\n.fi\n.SH DESCRIPTION\n"
             "Mazurka checks programs in C and C++ with threads and atomics, and models in dlang. It either\n"
             "says \\fIsafe\\fR, and every interleaving is covered, or shows how the program fails.\n"
             ".SH COMMANDS\n");
    for (int i = 0; i < MZ_COMMAND_COUNT; i++) {
        mz_text_add(out, ".TP\n\\fBmazurka\\-%s\\fR(1)\n", mz_commands[i].name);
        add_words(out, mz_commands[i].description);
    }
    mz_text_add(
        out, ".SH FILES\n.TP\n.I PREFIX/share/doc/mazurka\nthe documents, and the examples that these pages "
             "name\n.TP\n.I mazurka.toml\nthe targets of a project: \\fBmazurka\\-init\\fR(1) writes one\n"
             ".TP\n.I *.mzt\na counterexample, for \\fBmazurka\\-replay\\fR(1)\n"
             ".TP\n.I *.mzc\na search that was saved, for \\fBmazurka\\-resume\\fR(1)\n"
             ".TP\n.I *.mzs\na plan, for \\fBmazurka\\-run\\fR(1) and \\fBmazurka\\-show\\fR(1)\n"
             ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nno colours on a terminal\n"
             ".TP\n.B MAZURKA_CC, MAZURKA_CXX\nthe compilers of \\fBmazurka\\-cc\\fR(1)\n"
             ".TP\n.B MAZURKA_PLAN\nthe plan of a program that \\fBmazurka\\-cc\\fR(1) has linked\n"
             ".SH \"EXIT STATUS\"\n0 safe, 1 a bug was found, 2 wrong usage or input, 3 incomplete (a limit\n"
             "was reached), 4 internal error\n");
}

void mz_add_man_page(const mz_command *command, mz_text *out)
{
    mz_text name = {0};
    mz_enter_examples();
    if (!command) {
        add_overview(out);
        return;
    }
    mz_text_add(&name, "mazurka-%s", command->name);
    add_title(mz_text_string(&name), command->description, out);
    add_help(command, out);
    mz_text_add(out, ".SH \"SEE ALSO\"\n\\fBmazurka\\fR(1)\n");
    mz_text_release(&name);
}
