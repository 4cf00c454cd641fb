#include "safe/plan/plan_reader.h"

#include <stdlib.h>
#include <string.h>

char *mz_plan_next_word(mz_plan_reader *r, char **text, const char *what)
{
    char *word = *text;
    size_t length = strcspn(word, " ");
    if (length == 0)
        mz_lines_wrong_at(&r->lines, word, "%s is missing", what);
    *text = word + length + strspn(word + length, " ");
    word[length] = '\0';
    return word;
}

int64_t mz_plan_next_number(mz_plan_reader *r, char **text, int64_t low, int64_t high, const char *what)
{
    char *word = mz_plan_next_word(r, text, what), *rest = word;
    if (r->lines.error->set)
        return low;
    int64_t value = mz_lines_number(&r->lines, &rest, low, high, what);
    if (*rest)
        mz_lines_wrong_at(&r->lines, word, "%s: '%.40s' is not a number", what, word);
    return value;
}

uint32_t mz_plan_take_line(char *place)
{
    char *colon = strrchr(place, ':');
    if (!colon)
        return 0;
    *colon = '\0';
    return (uint32_t)strtoul(colon + 1, NULL, 10);
}
