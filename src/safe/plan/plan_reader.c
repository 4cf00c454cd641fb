#include "safe/plan/plan_reader.h"

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
