/* The operation kinds that front ends, algorithms and reports agree on: the table of events of
 * doc/events.md in code. Each line: constant, name in reports and plans (one word), may it block. */
#ifndef MZ_WIRE_OPERATION_H
#define MZ_WIRE_OPERATION_H

#define MZ_OPERATION_KINDS(X)                                                                                \
    X(MZ_OP_READ, "read", 0)     /* plain or atomic load, failed compare-and-swap, assume */                 \
    X(MZ_OP_WRITE, "write", 0)   /* plain or atomic store */                                                 \
    X(MZ_OP_UPDATE, "update", 0) /* read-modify-write, compare-and-swap, a statement that does both */       \
    X(MZ_OP_ATOMIC, "atomic", 0) /* several accesses, one event */                                           \
    X(MZ_OP_LOCK, "lock", 1)     /* waits until the object is free, then takes it */                         \
    X(MZ_OP_UNLOCK, "unlock", 0)                                                                             \
    X(MZ_OP_AWAIT, "await", 1)     /* waits until a condition on shared memory holds */                      \
    X(MZ_OP_ACQUIRE, "acquire", 1) /* semaphore, read-write lock, once: waits for its object */              \
    X(MZ_OP_RELEASE, "release", 0)                                                                           \
    X(MZ_OP_WAIT, "wait", 0)     /* gives up the mutex and begins to wait; what follows is a lock */         \
    X(MZ_OP_SIGNAL, "signal", 0) /* signal, broadcast */                                                     \
    X(MZ_OP_ARRIVE, "arrive", 0) /* at a barrier */                                                          \
    X(MZ_OP_JOIN, "join", 1)     /* waits for the end of a thread; never executed, it is program order */    \
    X(MZ_OP_BOUNDARY, "boundary", 1) /* of a loop: waits until nobody else can go on */                      \
    X(MZ_OP_CHOOSE, "choose", 0)     /* touches nothing; a choice follows */                                 \
    X(MZ_OP_FENCE, "fence", 0)       /* touches nothing; an event under weak memory only */

typedef enum mz_operation_kind {
#define MZ_X(constant, name, blocks) constant,
    MZ_OPERATION_KINDS(MZ_X)
#undef MZ_X
        MZ_OPERATION_KIND_COUNT
} mz_operation_kind;

static inline const char *mz_operation_name(mz_operation_kind kind)
{
    static const char *const names[] = {
#define MZ_X(constant, name, blocks) name,
        MZ_OPERATION_KINDS(MZ_X)
#undef MZ_X
    };
    return names[kind];
}

#endif
