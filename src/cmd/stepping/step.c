#include "cmd/stepping/step.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "report/frame.h"

static const char help[] =
    "  n forward, p back, a number: to that step, f first, l last, q end (or arrow keys)\n";

static void show(const mz_report *r, size_t at, mz_style style, bool terminal)
{
    mz_text text = {0};
    mz_text_add(&text, "%s", terminal ? "\033[H\033[J" : "\n");
    mz_report_frame(r, &r->errors[0], at, style, &text);
    if (terminal)
        mz_text_add(&text, "\n%s", help);
    fputs(mz_text_string(&text), stdout);
    fflush(stdout);
    mz_text_release(&text);
}

/* Where a command leads; false: to the end. */
static bool obey(char command, size_t last, size_t *at)
{
    switch (command) {
    case 'n':
        *at += *at < last;
        return true;
    case 'p':
        *at -= *at > 0;
        return true;
    case 'f':
        *at = 0;
        return true;
    case 'l':
        *at = last;
        return true;
    case 'q':
        return false;
    default:
        fputs(help, stdout);
        return true;
    }
}

static void read_lines(const mz_report *r, mz_style style)
{
    size_t last = r->errors[0].step_count + 1, at = 0;
    char line[80];
    show(r, at, style, false);
    while (fgets(line, sizeof line, stdin)) {
        char *end;
        unsigned long number = strtoul(line, &end, 10);
        if (end > line)
            at = number < last ? number : last;
        else if (!obey(line[0] == '\n' ? 'n' : line[0], last, &at))
            return;
        show(r, at, style, false);
    }
}

/* A key as one of the commands; arrows are ESC [ A … D. */
static char read_key(void)
{
    int c = getchar();
    if (c == 27 && getchar() == '[') {
        c = getchar();
        return c == 'C' || c == 'B'   ? 'n'
               : c == 'D' || c == 'A' ? 'p'
               : c == 'H'             ? 'f'
               : c == 'F'             ? 'l'
                                      : '?';
    }
    return c == EOF ? 'q' : c == ' ' || c == '\n' || c == '\r' ? 'n' : (char)c;
}

static void read_keys(const mz_report *r, mz_style style)
{
    struct termios before, now;
    size_t last = r->errors[0].step_count + 1, at = 0, number = 0;
    bool goes_on = true;
    if (tcgetattr(STDIN_FILENO, &before) != 0)
        return;
    now = before;
    now.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    tcsetattr(STDIN_FILENO, TCSANOW, &now);
    while (goes_on) {
        show(r, at, style, true);
        char key = read_key();
        if (key >= '0' && key <= '9') {
            number = number * 10 + (size_t)(key - '0');
            at = number <= last ? number : last;
            continue;
        }
        number = 0;
        goes_on = obey(key, last, &at);
    }
    tcsetattr(STDIN_FILENO, TCSANOW, &before);
}

void mz_step_through(const mz_report *r, mz_style style)
{
    if (r->error_count == 0)
        return;
    if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO))
        read_keys(r, style);
    else
        read_lines(r, style);
}
