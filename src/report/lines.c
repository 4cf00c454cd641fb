#include "report/lines.h"

#include <string.h>

void mz__add_coloured(mz_text *out, mz_style style, const char *colour, const char *text)
{
    if (style.colour && colour && text[0])
        mz_text_add(out, "\033[%sm%s\033[0m", colour, text);
    else
        mz_text_add(out, "%s", text);
}

void mz__add_cell(mz_text *out, const char *text, size_t width)
{
    size_t have = mz_text_width(text);
    if (width == 0 || have <= width) {
        mz_text_add(out, "%s", text);
        mz_text_add_repeated(out, " ", width > have ? width - have : 0);
        return;
    }
    mz_text cut = {0};
    size_t bytes = mz_text_break(text, width - 1);
    bool inside = bytes > 0 && text[bytes - 1] != ' ' && text[bytes] != ' ';
    mz_text_add_bytes(&cut, text, bytes);
    mz_text_add(&cut, !inside && mz_text_width(mz_text_string(&cut)) + 2 <= width ? " …" : "…");
    mz_text_add(out, "%s", mz_text_string(&cut));
    have = mz_text_width(mz_text_string(&cut));
    mz_text_add_repeated(out, " ", width > have ? width - have : 0);
    mz_text_release(&cut);
}

/* How much of the text goes into a line. A word that has room in the next one is not cut, and neither is the
 * first one: then that is nothing. */
static size_t first_line(const char *text, size_t room, size_t next_room, bool may_be_empty)
{
    size_t bytes = mz_text_break(text, room), begin = bytes;
    if (!text[bytes] || text[bytes] == ' ' || (bytes > 0 && text[bytes - 1] == ' '))
        return bytes;
    while (begin > 0 && text[begin - 1] != ' ')
        begin--;
    if (strcspn(text + begin, " ") > next_room || (begin == 0 && !may_be_empty))
        return bytes;
    while (begin > 0 && text[begin - 1] == ' ')
        begin--;
    return begin;
}

size_t mz__add_wrapped(mz_text *out, const char *text, size_t column, size_t indent, mz_style style,
                       const char *colour)
{
    for (;;) {
        size_t room = style.width > column + 10 ? style.width - column : 10;
        size_t next_room = style.width > indent + 10 ? style.width - indent : 10;
        size_t bytes = first_line(text, room, next_room, column != indent);
        mz_text line = {0};
        mz_text_add_bytes(&line, text, bytes);
        mz__add_coloured(out, style, colour, mz_text_string(&line));
        column += mz_text_width(mz_text_string(&line));
        mz_text_release(&line);
        text += bytes + strspn(text + bytes, " ");
        if (!*text)
            return column;
        mz_text_add(out, "\n");
        mz_text_add_repeated(out, " ", indent);
        column = indent;
    }
}

void mz__add_labelled(mz_text *out, const char *label, const char *text, mz_style style)
{
    size_t column = mz_text_width(label) + 4;
    mz_text_add(out, "  %s: ", label);
    mz__add_wrapped(out, text, column, 4, style, NULL);
    mz_text_add(out, "\n");
}
