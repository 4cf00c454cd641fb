/* Words of memory about which something was learned: plain accesses to them are events, or they may be
 * objects that nobody has initialised. */
#include "program/order/special_words.h"
#include "base/memory.h"
#include "program/world/learning.h"
#include "program/world/world.h"

/* From the next beginning on the word has this flag. */
void mz__remember_word(uintptr_t word, uint32_t flag)
{
    for (size_t i = 0; i < mz__w.special_word_count; i++)
        if (mz__w.special_words[i].word == word && (mz__w.special_words[i].flags & flag))
            return;
    mz__w.special_words = mz_grow(mz__w.special_words, &mz__w.special_word_capacity,
                                  mz__w.special_word_count + 1, sizeof *mz__w.special_words);
    mz__w.special_words[mz__w.special_word_count++] = (struct mz__special_word){word, flag};
    mz__w.object_word_count += flag == MZ__WORD_IS_OBJECT;
    mz__learned();
}

void mz__mark_special_words(void)
{
    for (size_t i = 0; i < mz__w.cell_count && mz__w.special_word_count > mz__w.object_word_count; i++)
        mz__w.cells[i].settled = false;
    for (size_t i = 0; i < mz__w.special_word_count; i++) {
        mz__shadow *shadow = mz__shadow_of(mz__w.special_words[i].word);
        MZ__SAVE(*shadow);
        shadow->more |= mz__w.special_words[i].flags;
    }
}

void mz__object_is_set(uintptr_t address)
{
    mz__shadow *shadow = mz__shadow_of(address);
    if (shadow->more & MZ__WORD_IS_SET)
        return;
    mz__touch(shadow, sizeof *shadow);
    shadow->more |= MZ__WORD_IS_SET;
}
