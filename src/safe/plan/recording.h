/* Reading a recording (wire/record.h). */
#ifndef MZ_SAFE_PLAN_RECORDING_H
#define MZ_SAFE_PLAN_RECORDING_H

#include <stdbool.h>

#include "wire/operation.h"
#include "wire/record.h"

static inline const mz_record *mz_record_slots(const mz_record_header *record)
{
    return (const mz_record *)(record + 1);
}

static inline uint64_t mz_record_used(const mz_record_header *record)
{
    return record->taken < record->capacity ? record->taken : record->capacity;
}

/* What waits has happened when it ends; what does not wait, and may let another one go on, when it begins.
 * Between a release and its end the next one may have got the object, and said so. */
static inline bool mz_record_happens(const mz_record *slot)
{
    bool waits = slot->kind == MZ_OP_LOCK || slot->kind == MZ_OP_ACQUIRE || slot->kind == MZ_OP_AWAIT;
    return slot->phase == (waits ? MZ_RECORD_END : MZ_RECORD_BEGIN);
}

#endif
