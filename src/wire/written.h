/* What the hooks for accesses that no compiler announces are told in one number: the compile step writes it,
 * the checker reads it. */
#ifndef MZ_WIRE_WRITTEN_H
#define MZ_WIRE_WRITTEN_H

/* An atomic operation of the program's own assembly: bytes | role << 8 | operation << 16. */
enum { MZ__WRITTEN_LOAD, MZ__WRITTEN_STORE, MZ__WRITTEN_UPDATE };
/* Its operations, by the processor's names; xadd is add. */
#define MZ__WRITTEN_OPERATIONS(X)                                                                            \
    X(cmpxchg)                                                                                               \
    X(cmpxchg8b) X(xchg) X(add) X(sub) X(inc) X(dec) X(and) X(or) X(xor) X(bts) X(btr) X(btc) X(neg) X(not )
typedef enum mz__written_operation {
    MZ__WRITTEN_other,
#define MZ_X(name) MZ__WRITTEN_##name,
    MZ__WRITTEN_OPERATIONS(MZ_X)
#undef MZ_X
} mz__written_operation;

/* Elements that a mask selects: bytes of one | writes << 8. */
/* Elements at places: bytes of one | bytes of a place << 8 | scale << 16. */
/* Repeated cmps and scas: bytes of one | bits << 8. */
enum { MZ__REPEAT_UNTIL_EQUAL = 1, MZ__REPEAT_SCAN = 2 };

#endif
