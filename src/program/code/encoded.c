/* Vector instructions that capstone 4 does not know: newer ones, and some that it has forgotten. Their
 * encoding (VEX, EVEX) has one form for all: which registers they name and where their memory is can be told
 * without knowing what they do. How many bytes they read can not, but for those listed here. The others pass
 * if they touch no memory, or constants; otherwise they are refused. */
#include "program/code/code.h"

#if defined __x86_64__ && defined MZ_HAVE_CAPSTONE
#include <stdio.h>
#include <string.h>

/* The fields of the prefix, and what follows it. */
typedef struct encoding {
    uint8_t map, prefix, opcode, modrm;
    bool wide, r, x, b, is_long, has_mask, broadcasts;
    uint8_t second; /* register */
    uint32_t vector;
    size_t at; /* of the operand byte */
} encoding;

static bool read_short(const uint8_t *bytes, encoding *e)
{
    *e = (encoding){.map = 1,
                    .prefix = bytes[1] & 3,
                    .r = !(bytes[1] & 0x80),
                    .second = (uint8_t)(~bytes[1] >> 3 & 15),
                    .vector = bytes[1] & 4 ? 32 : 16,
                    .opcode = bytes[2],
                    .modrm = bytes[3],
                    .at = 3};
    return true;
}

static bool read_long(const uint8_t *bytes, encoding *e)
{
    *e = (encoding){.map = bytes[1] & 31,
                    .prefix = bytes[2] & 3,
                    .r = !(bytes[1] & 0x80),
                    .x = !(bytes[1] & 0x40),
                    .b = !(bytes[1] & 0x20),
                    .wide = bytes[2] & 0x80,
                    .second = (uint8_t)(~bytes[2] >> 3 & 15),
                    .vector = bytes[2] & 4 ? 32 : 16,
                    .opcode = bytes[3],
                    .modrm = bytes[4],
                    .at = 4};
    return true;
}

static bool read_extended(const uint8_t *bytes, encoding *e)
{
    *e = (encoding){.map = bytes[1] & 7,
                    .prefix = bytes[2] & 3,
                    .r = !(bytes[1] & 0x80),
                    .x = !(bytes[1] & 0x40),
                    .b = !(bytes[1] & 0x20),
                    .wide = bytes[2] & 0x80,
                    .second = (uint8_t)(~bytes[2] >> 3 & 15),
                    .vector = 16U << (bytes[3] >> 5 & 3),
                    .has_mask = bytes[3] & 7,
                    .broadcasts = bytes[3] & 16,
                    .is_long = true,
                    .opcode = bytes[4],
                    .modrm = bytes[5],
                    .at = 5};
    return true;
}

static bool read_encoding(const uint8_t *bytes, size_t length, encoding *e)
{
    return length > 6 && (bytes[0] == 0xc5   ? read_short(bytes, e)
                          : bytes[0] == 0xc4 ? read_long(bytes, e)
                                             : bytes[0] == 0x62 && read_extended(bytes, e));
}

/* Bytes that those read which are known: vbroadcastf128, vbroadcasti128; kmov; vpternlog and the like. */
static uint32_t bytes_of(const encoding *e)
{
    if (e->has_mask)
        return 0;
    if (e->map == 2 && (e->opcode == 0x5a || e->opcode == 0x1a) && !e->is_long)
        return 16;
    if (e->map == 1 && e->opcode == 0x90 && !e->is_long)
        return e->prefix == 1 ? (e->wide ? 4 : 1) : e->wide ? 8 : 2;
    if (e->map == 3 && e->opcode == 0x25)
        return e->broadcasts ? (e->wide ? 8 : 4) : e->vector;
    return 0;
}

static bool is_store_of_mask(const encoding *e)
{
    return e->map == 1 && e->opcode == 0x91 && !e->is_long;
}

static bool has_number(const encoding *e)
{
    return e->map == 3 || (e->map == 1 && ((e->opcode >= 0x70 && e->opcode <= 0x73) || e->opcode == 0xc2 ||
                                           (e->opcode >= 0xc4 && e->opcode <= 0xc6)));
}

/* The operand in memory; returns the length of the instruction. */
static size_t read_memory(const uint8_t *bytes, const encoding *e, mz__use *u)
{
    size_t at = e->at + 1;
    uint8_t mode = e->modrm >> 6, base = e->modrm & 7;
    u->index = MZ__NO_REGISTER;
    u->base = (uint8_t)(base | e->b << 3);
    if (base == 4) {
        uint8_t sib = bytes[at++], index = (uint8_t)((sib >> 3 & 7) | e->x << 3);
        base = sib & 7;
        u->base = (uint8_t)(base | e->b << 3);
        u->index = index == 4 ? MZ__NO_REGISTER : index;
        u->scale = (uint8_t)(1 << (sib >> 6));
        if (base == 5 && mode == 0)
            u->base = MZ__NO_REGISTER, mode = 2;
    } else if (base == 5 && mode == 0) {
        u->base = MZ__RIP;
        mode = 2;
    }
    int32_t offset = 0;
    if (mode == 2)
        memcpy(&offset, bytes + at, sizeof offset);
    else if (mode == 1)
        offset = (int8_t)bytes[at];
    /* a short offset counts in elements: of what size depends on what it is */
    u->is_guessed |= e->is_long && mode == 1;
    u->offset = offset;
    return at + (mode == 2 ? 4 : mode == 1 ? 1 : 0);
}

bool mz__decode_encoded(const uint8_t *bytes, size_t length, mz__instruction *out)
{
    encoding e;
    uint8_t copy[16] = {0};
    memcpy(copy, bytes, length < sizeof copy ? length : sizeof copy);
    if (!read_encoding(copy, length < sizeof copy ? sizeof copy : length, &e) ||
        (bytes[0] != 0xc4 && bytes[0] != 0xc5 && bytes[0] != 0x62))
        return false;
    snprintf(out->name, sizeof out->name, "encoded");
    out->is_vector = true;
    out->size = e.at + 1;
    out->changed = 1U << ((e.modrm >> 3 & 7) | e.r << 3);
    if (e.modrm >> 6 == 3) {
        out->changed |= 1U << ((e.modrm & 7) | e.b << 3) | 1U << e.second;
    } else {
        mz__use *u = &out->uses[out->use_count++];
        uint32_t size = bytes_of(&e);
        *u = (mz__use){.reads = true, .size = size ? size : e.vector, .is_guessed = size == 0};
        if (is_store_of_mask(&e)) {
            *u = (mz__use){.writes = true, .size = e.prefix == 1 ? (e.wide ? 4 : 1) : e.wide ? 8 : 2};
        }
        out->size = read_memory(copy, &e, u);
    }
    out->size += has_number(&e);
    out->changed &= ~(1U << MZ__RSP);
    out->needed = MZ__ALL_REGISTERS;
    return true;
}
#endif
