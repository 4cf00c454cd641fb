#include "base/words.h"

#include <string.h>

#include "base/memory.h"

static void take(mz_words *words, char *word)
{
    words->items = mz_grow(words->items, &words->capacity, words->count + 2, sizeof *words->items);
    words->items[words->count++] = word;
    words->items[words->count] = NULL;
}

void mz_words_add(mz_words *words, const char *word)
{
    take(words, mz_copy_string(word));
}

void mz_words_add_prefixed(mz_words *words, const char *prefix, const char *word)
{
    size_t before = strlen(prefix), length = strlen(word);
    char *joined = mz_allocate(before + length + 1);
    memcpy(joined, prefix, before);
    memcpy(joined + before, word, length + 1);
    take(words, joined);
}

void mz_words_add_list(mz_words *words, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        mz_words_add(words, list[i]);
}

void mz_words_cut(mz_words *words, size_t count)
{
    while (words->count > count)
        mz_release(words->items[--words->count]);
    if (words->items)
        words->items[count] = NULL;
}

void mz_words_replace(mz_words *words, size_t index, const char *word)
{
    char *old = words->items[index];
    words->items[index] = mz_copy_string(word);
    mz_release(old);
}

void mz_words_remove(mz_words *words, size_t index)
{
    mz_release(words->items[index]);
    memmove(words->items + index, words->items + index + 1, (words->count - index) * sizeof *words->items);
    words->count--;
}

bool mz_words_have(const mz_words *words, const char *word)
{
    for (size_t i = 0; i < words->count; i++)
        if (strcmp(words->items[i], word) == 0)
            return true;
    return false;
}

void mz_words_release(mz_words *words)
{
    mz_words_cut(words, 0);
    mz_release(words->items);
    *words = (mz_words){0};
}
