/* What the verification competition calls __VERIFIER_nondet_NAME: type, name, has it negative values? */
#ifndef MZ_WIRE_NONDET_H
#define MZ_WIRE_NONDET_H

#define MZ_NONDET(X)                                                                                         \
    X(int, int, true)                                                                                        \
    X(unsigned, uint, false)                                                                                 \
    X(unsigned, unsigned, false)                                                                             \
    X(unsigned, unsigned_int, false)                                                                         \
    X(char, char, true)                                                                                      \
    X(signed char, schar, true)                                                                              \
    X(unsigned char, uchar, false)                                                                           \
    X(unsigned char, unsigned_char, false)                                                                   \
    X(short, short, true)                                                                                    \
    X(unsigned short, ushort, false)                                                                         \
    X(long, long, true)                                                                                      \
    X(unsigned long, ulong, false)                                                                           \
    X(long long, longlong, true)                                                                             \
    X(unsigned long long, ulonglong, false)                                                                  \
    X(float, float, true)                                                                                    \
    X(double, double, true)                                                                                  \
    X(long long, loff_t, true)                                                                               \
    X(size_t, size_t, false)                                                                                 \
    X(uint8_t, u8, false)                                                                                    \
    X(uint16_t, u16, false)                                                                                  \
    X(uint32_t, u32, false)                                                                                  \
    X(uint64_t, u64, false)                                                                                  \
    X(int8_t, s8, true)                                                                                      \
    X(int16_t, s16, true)                                                                                    \
    X(int32_t, s32, true)                                                                                    \
    X(int64_t, s64, true)

#define MZ_NONDET_BOOL(X) X(bool) X(_Bool)

#endif
