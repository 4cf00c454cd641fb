/* A list of words that grows. It ends in NULL, as programs are started with. All words are copies. */
#ifndef MZ_BASE_WORDS_H
#define MZ_BASE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct mz_words {
    char **items;
    size_t count, capacity;
} mz_words;

void mz_words_add(mz_words *words, const char *word);
void mz_words_add_prefixed(mz_words *words, const char *prefix, const char *word);
void mz_words_add_list(mz_words *words, const char *const *list, size_t count);
/* All but the first ones are gone. */
void mz_words_cut(mz_words *words, size_t count);
void mz_words_replace(mz_words *words, size_t index, const char *word);
void mz_words_remove(mz_words *words, size_t index);
bool mz_words_have(const mz_words *words, const char *word);
void mz_words_release(mz_words *words);

/* For those who only read them. */
static inline const char **mz_words_list(const mz_words *words)
{
    return (const char **)words->items;
}

#endif
