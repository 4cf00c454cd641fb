#include "machine/relation.h"

#include <string.h>

typedef struct refinement {
    const char *name, *words, *help;
} refinement;

static const refinement refinements[] = {
#define MZ_X(constant, name, words, help) {name, words, help},
    MZ_REFINEMENTS(MZ_X)
#undef MZ_X
};

const char *mz_refinement_name(int number)
{
    return refinements[number].name;
}

const char *mz_refinement_help(int number)
{
    return refinements[number].help;
}

bool mz_relation_change(mz_relation *relation, const char *word)
{
    if (strcmp(word, "published") == 0) {
        *relation = MZ_RELATION_PUBLISHED;
        return true;
    }
    for (int i = 0; i < MZ_REFINEMENT_COUNT && (*word == '-' || *word == '+'); i++)
        if (strcmp(word + 1, refinements[i].name) == 0) {
            *relation = *word == '-' ? *relation & ~(1u << i) : *relation | 1u << i;
            return true;
        }
    return false;
}

void mz_relation_words(mz_relation relation, mz_text *out)
{
    for (int i = 0; i < MZ_REFINEMENT_COUNT; i++) {
        if (!(relation >> i & 1))
            continue;
        bool is_first = !(relation & ((1u << i) - 1)), is_last = !(relation >> i >> 1);
        mz_text_add(out, "%s%s", is_first ? "" : is_last ? " and " : ", ", refinements[i].words);
    }
}
