/* What is in the bytes of the program's pthread_attr_t, pthread_mutexattr_t and the like. */
#ifndef MZ_PROGRAM_PTHREAD_ATTRIBUTES_H
#define MZ_PROGRAM_PTHREAD_ATTRIBUTES_H

#include <stdint.h>

typedef struct mz__thread_attributes {
    int32_t detach_state, scope, inherits, policy, priority;
    uint64_t stack_size, guard_size;
} mz__thread_attributes;

/* Of objects: four bits for each. */
enum {
    MZ__TYPE_BITS = 0,
    MZ__ROBUST_BITS = 4,
    MZ__PROTOCOL_BITS = 8,
    MZ__SHARED_BITS = 12,
    MZ__ATTRIBUTE = 15
};

#endif
