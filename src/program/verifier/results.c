#include "program/verifier/results.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "program/runtime/for_the_program.h"
#include "program/symbols/symbols.h"
#include "program/world/world.h"

/* ---- types ----------------------------------------------------------------------------------------------
 */

typedef struct result_type {
    uintptr_t typed; /* where the pointer to it is */
    mz_value_form form;
} result_type;

static result_type *types;
static size_t type_count, type_capacity;
static bool are_known;

static void keep_type(void *context, const mz_pointer *pointer)
{
    mz_text name = {0};
    mz_value_type kind;
    mz_value_form form;
    (void)context;
    if (mz_symbols_data(mz__w.symbols, pointer->at, sizeof(void *), &name, &kind) &&
        strstr(mz_text_string(&name), "mz_typed") &&
        mz_symbols_value_form(mz__w.symbols, pointer->type, &form)) {
        types = mz_grow(types, &type_capacity, type_count + 1, sizeof *types);
        types[type_count++] = (result_type){pointer->at, form};
    }
    mz_text_release(&name);
}

void mz__learn_result_types(void)
{
    if (!are_known && mz__w.symbols)
        mz_symbols_global_pointers(mz__w.symbols, keep_type, NULL);
    are_known = true;
}

static const mz_value_form *form_of(const void *typed)
{
    for (size_t i = 0; typed && i < type_count; i++)
        if (types[i].typed == (uintptr_t)typed)
            return &types[i].form;
    return NULL;
}

/* ---- values ---------------------------------------------------------------------------------------------
 */

static uint64_t fingerprint(const void *bytes, size_t count)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* Where it lies is not the same alone as beside others; what is compared is whether there is something. */
static void add_pointer(uintptr_t address, mz_text *out)
{
    const mz__memory *m = &mz__w.memory;
    if (address == 0)
        mz_text_add(out, "NULL");
    else if (address - m->image < m->image_end - m->image)
        mz_text_add(out, "&static+%#zx", (size_t)(address - m->image));
    else
        mz_text_add(out, "a pointer");
}

/* As a literal of C. */
static void add_characters(const char *text, size_t length, mz_text *out)
{
    mz_text_add(out, "\"");
    for (size_t i = 0; i < length && text[i]; i++) {
        if (text[i] == '"' || text[i] == '\\')
            mz_text_add(out, "\\%c", text[i]);
        else if ((unsigned char)text[i] < ' ')
            mz_text_add(out, "\\%03o", (unsigned)text[i]);
        else
            mz_text_add_bytes(out, &text[i], 1);
    }
    mz_text_add(out, "\"");
}

static void add_string(const char *text, mz_text *out)
{
    if (text)
        add_characters(text, mz__string_length(text), out);
    else
        mz_text_add(out, "NULL");
}

static void add_bytes(const unsigned char *bytes, size_t count, mz_text *out)
{
    if (count > 12) {
        mz_text_add(out, "%zu bytes (%016llx)", count, (unsigned long long)fingerprint(bytes, count));
        return;
    }
    for (size_t i = 0; i < count; i++)
        mz_text_add(out, "%02x", bytes[i]);
}

static int64_t as_signed(uint64_t number, unsigned bits)
{
    unsigned unused = 64 - bits;
    return bits == 0 ? 0 : (int64_t)(number << unused) >> unused;
}

static void add_floating(const void *value, size_t size, mz_text *out)
{
    if (size == sizeof(float))
        mz_text_add(out, "%.9g", (double)*(const float *)value);
    else if (size == sizeof(double))
        mz_text_add(out, "%.17g", *(const double *)value);
    else
        mz_text_add(out, "%.21Lg", *(const long double *)value);
}

static void add_number(mz__result_kind kind, uint64_t number, unsigned bits, mz_text *out)
{
    switch (kind) {
    case MZ__RESULT_BOOLEAN:
        mz_text_add(out, "%s", number ? "true" : "false");
        break;
    case MZ__RESULT_CHARACTER:
        mz_text_add(out, number >= ' ' && number < 127 ? "'%c'" : "'\\%o'", (int)number);
        break;
    case MZ__RESULT_SIGNED:
        mz_text_add(out, "%lld", (long long)as_signed(number, bits));
        break;
    case MZ__RESULT_POINTER:
        add_pointer((uintptr_t)number, out);
        break;
    case MZ__RESULT_STRING:
        add_string((const char *)(uintptr_t)number, out);
        break;
    default:
        mz_text_add(out, "%llu", (unsigned long long)number);
    }
}

static void add_simple(mz__result_kind kind, const void *value, size_t size, mz_text *out)
{
    uint64_t number = 0;
    if (kind == MZ__RESULT_FLOATING) {
        add_floating(value, size, out);
    } else if (kind == MZ__RESULT_BYTES || size > sizeof number) {
        add_bytes(value, size, out);
    } else {
        memcpy(&number, value, size);
        add_number(kind, number, 8 * (unsigned)size, out);
    }
}

/* ---- values of many parts -------------------------------------------------------------------------------
 */

static mz__result_kind kind_of(mz_value_kind kind)
{
    static const mz__result_kind kinds[] = {
        [MZ_VALUE_UNKNOWN] = MZ__RESULT_BYTES,     [MZ_VALUE_SIGNED] = MZ__RESULT_SIGNED,
        [MZ_VALUE_UNSIGNED] = MZ__RESULT_UNSIGNED, [MZ_VALUE_BOOL] = MZ__RESULT_BOOLEAN,
        [MZ_VALUE_CHAR] = MZ__RESULT_CHARACTER,    [MZ_VALUE_POINTER] = MZ__RESULT_POINTER,
        [MZ_VALUE_FLOAT] = MZ__RESULT_FLOATING};
    return kinds[kind];
}

static void add_bit_field(const mz_value_part *part, const unsigned char *at, mz_text *out)
{
    uint64_t number = 0;
    memcpy(&number, at, part->size < sizeof number ? part->size : sizeof number);
    number >>= part->first_bit;
    if (part->size > sizeof number) /* the ninth byte: a field of 64 bits may begin within one */
        number |= (uint64_t)at[8] << (64 - part->first_bit);
    if (part->bits < 64)
        number &= (UINT64_C(1) << part->bits) - 1;
    add_number(kind_of(part->kind), number, part->bits, out);
}

static void add_part(const mz_value_part *part, const unsigned char *value, mz_text *out)
{
    const unsigned char *at = value + part->offset;
    int64_t number = 0;
    mz_text_add(out, "%s", part->before);
    if (part->bits > 0) {
        add_bit_field(part, at, out);
    } else if (part->is_text) {
        add_characters((const char *)at, part->size, out);
    } else {
        if (part->size <= sizeof number && part->type) {
            memcpy(&number, at, part->size);
            if (part->kind == MZ_VALUE_SIGNED)
                number = as_signed((uint64_t)number, 8 * (unsigned)part->size);
            if (mz_symbols_enumerator(mz__w.symbols, part->type, number, out))
                return;
        }
        add_simple(kind_of(part->kind), at, part->size, out);
    }
}

static void add_value(mz__result_kind kind, const void *value, size_t size, const void *typed, mz_text *out)
{
    const mz_value_form *form = form_of(typed);
    bool may_have_name = kind == MZ__RESULT_SIGNED || kind == MZ__RESULT_UNSIGNED; /* of an enumeration */
    if (!form || (kind != MZ__RESULT_BYTES && !may_have_name)) {
        add_simple(kind, value, size, out);
        return;
    }
    for (size_t i = 0; i < form->count; i++)
        add_part(&form->parts[i], value, out);
    mz_text_add(out, "%s", form->after);
}

/* ---- what fits ------------------------------------------------------------------------------------------
 */

static void fit(const mz_text *text, char result[MZ_CALL_RESULT])
{
    static const char pointer[] = "a pointer"; /* of which the verdict tells that they are not compared */
    const char *all = mz_text_string(text);
    if (text->length < MZ_CALL_RESULT) {
        memcpy(result, all, text->length + 1);
        return;
    }
    enum { HASH = 28 }; /* and what stands around it */
    size_t kept = MZ_CALL_RESULT - HASH - (strstr(all, pointer) ? sizeof pointer + 1 : 0);
    while (kept > 0 && ((unsigned char)all[kept] & 0xc0) == 0x80)
        kept--;
    snprintf(result, MZ_CALL_RESULT, "%.*s… (%016llx%s)", (int)kept, all,
             (unsigned long long)fingerprint(all, text->length), strstr(all, pointer) ? ", a pointer" : "");
}

void mz__add_result(mz__result_kind kind, const void *value, size_t size, const void *typed,
                    char result[MZ_CALL_RESULT])
{
    static mz_text text; /* its room is used again */
    mz_text_clear(&text);
    mz_text_add(&text, "%s%s", result, *result ? ", " : "");
    add_value(kind, value, size, typed, &text);
    fit(&text, result);
}
