#define _GNU_SOURCE /* strcasestr */
#include "cmd/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool mz_print_error(const char *command, mz_error *error)
{
    mz_text text = {0};
    if (!error->set)
        return false;
    mz_error_print(error, &text);
    if (!error->position.file)
        fprintf(stderr, "mazurka %s: ", command);
    fputs(mz_text_string(&text), stderr);
    mz_text_release(&text);
    mz_error_release(error);
    return true;
}

/* Where further lines of it begin: in a table below its second column, elsewhere behind "usage: " or the same
 * blanks. */
static size_t indent_of(const char *line)
{
    static const char usage[] = "usage: ";
    size_t begin = strspn(line, " ");
    const char *gap = strstr(line + begin, "  ");
    if (begin > 0 && gap)
        return (size_t)(gap - line) + strspn(gap, " ");
    return begin > 0 ? begin + 2 : strncmp(line, usage, strlen(usage)) == 0 ? strlen(usage) + 2 : 0;
}

/* Does this line go on in the next one? Lines of a paragraph begin without blanks and follow each other. */
static bool goes_on(const char *line, const char *next)
{
    return line[0] != ' ' && next[0] && next[0] != ' ' && next[0] != '\n' && strncmp(line, "usage:", 6) != 0;
}

/* A command line is to be copied: it stays whole. */
static bool is_command(const char *line)
{
    return strncmp(line, "  mazurka ", 10) == 0;
}

/* As the C library decides it; where nothing is said, nearly every terminal is. */
static bool is_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value && value[0])
            return strcasestr(value, "utf-8") || strcasestr(value, "utf8");
    }
    return true;
}

void mz_print_help(FILE *out, const char *help)
{
    mz_text folded = {0}, line = {0};
    while (*help) {
        size_t length = strcspn(help, "\n");
        mz_text_add_bytes(&line, help, length);
        help += length + (help[length] == '\n');
        if (length > 0 && goes_on(mz_text_string(&line), help)) {
            mz_text_add(&line, " ");
            continue;
        }
        if (is_command(mz_text_string(&line)))
            mz_text_add(&folded, "%s", mz_text_string(&line));
        else
            mz_text_add_folded(&folded, mz_text_string(&line), 0, indent_of(mz_text_string(&line)));
        mz_text_add(&folded, "\n");
        mz_text_clear(&line);
    }
    if (isatty(fileno(out)) && !is_utf8())
        mz_text_to_ascii(&folded);
    fputs(mz_text_string(&folded), out);
    mz_text_release(&line);
    mz_text_release(&folded);
}

/* A table that is wider than this is hard to follow. */
enum { NARROWEST = 40, WIDEST = 120 };

mz_style mz_style_of(bool for_programs)
{
    int file = for_programs ? STDERR_FILENO : STDOUT_FILENO;
    mz_style style = MZ_PLAIN_STYLE;
    struct winsize size;
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if (!isatty(file))
        return style;
    style.ascii = !is_utf8();
    style.colour = !(no_colour && no_colour[0]) && !(terminal && strcmp(terminal, "dumb") == 0);
    if (ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        style.width = size.ws_col < NARROWEST ? NARROWEST : size.ws_col < WIDEST ? size.ws_col : WIDEST;
    return style;
}

/* Names of files and of what else is the program's may hold anything. What steers a terminal does not go
 * there, but for colours, if there are any. */
static void remove_controls(mz_text *text, bool has_colours)
{
    mz_text out = {0};
    const char *at = mz_text_string(text);
    for (; *at; at++) {
        size_t colour =
            has_colours && at[0] == '\033' && at[1] == '[' ? 2 + strspn(at + 2, "0123456789;") : 0;
        if (colour > 0 && at[colour] == 'm') {
            mz_text_add_bytes(&out, at, colour + 1);
            at += colour;
        } else {
            bool steers = ((unsigned char)*at < ' ' && *at != '\n' && *at != '\t') || *at == 0x7f;
            mz_text_add(&out, "%c", steers ? '?' : *at);
        }
    }
    mz_text_release(text);
    *text = out;
}

int mz_print(const char *command, mz_text *people, mz_text *programs, int code)
{
    mz_style style = mz_style_of(programs);
    if (style.ascii)
        mz_text_to_ascii(people);
    remove_controls(people, style.colour);
    fputs(mz_text_string(people), programs ? stderr : stdout);
    if (programs)
        fputs(mz_text_string(programs), stdout);
    mz_text_release(people);
    if (programs)
        mz_text_release(programs);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    fprintf(stderr, "mazurka %s: error: the result could not be written to standard output\n", command);
    return MZ_EXIT_INTERNAL;
}
