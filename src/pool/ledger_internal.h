/* What the files of the ledger share. */
#ifndef MZ_POOL_LEDGER_INTERNAL_H
#define MZ_POOL_LEDGER_INTERNAL_H

#include "pool/ledger.h"

int mz__compare_places(const mz_place_in_tree *a, const mz_place_in_tree *b);
void mz__insert_entry(mz_entries *list, mz_entry *entry);
void mz__release_entries(mz_entries *list);
/* Messages whose time has come: everything before them is done. */
void mz__hear_what_is_due(mz_ledger *ledger);

#endif
