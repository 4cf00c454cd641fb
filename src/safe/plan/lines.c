/* The lines of the source at which plain accesses count (wire/site.h), in plans and recordings:
 *
 *   racing KEY …   eight hexadecimal digits each, going up; '-': there are none
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "safe/plan/symbolic.h"

void mz_symbolic_lines_text(const mz_symbolic_plan *s, mz_text *out)
{
    enum { IN_A_LINE = 12 };
    if (s->names_racing_lines && s->line_count == 0)
        mz_text_add(out, "racing -\n");
    for (size_t i = 0; i < s->line_count; i++)
        mz_text_add(out, "%s %08" PRIx32 "%s", i % IN_A_LINE ? "" : "racing", s->lines[i],
                    i % IN_A_LINE == IN_A_LINE - 1 || i + 1 == s->line_count ? "\n" : "");
}

void mz_symbolic_add_lines(mz_symbolic_plan *s, mz_lines *where, char *text)
{
    s->names_racing_lines = true;
    if (strcmp(text, "-") == 0)
        return;
    size_t more = strlen(text) / 9 + 1;
    uint32_t *lines = mz_arena_allocate(&s->strings, (s->line_count + more) * sizeof *lines);
    if (s->line_count > 0)
        memcpy(lines, s->lines, s->line_count * sizeof *lines);
    s->lines = lines;
    for (char *end; *text && !where->error->set; text = end + (*end == ' ')) {
        unsigned long line = strtoul(text, &end, 16);
        if (end != text + 8 || (*end && *end != ' '))
            mz_lines_wrong_at(where, text, "racing: '%.40s' is no number of a line", text);
        else if (s->line_count > 0 && lines[s->line_count - 1] >= line)
            mz_lines_wrong_at(where, text, "racing: the numbers go up");
        else
            lines[s->line_count++] = (uint32_t)line;
    }
}
