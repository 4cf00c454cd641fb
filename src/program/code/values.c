/* Which registers hold the same number: value numbering along straight code.
 *
 * A hook is told an address, the access that follows uses one: are they the same? Compilers compute it twice,
 * copy it, or keep it in the frame meanwhile. Every register has a value, a node and what is added to it;
 * what is computed from the same values by the same instruction is the same node. At a place that is jumped
 * to nothing is known. Not to recognise two that are equal costs a hook too many. To take two for equal that
 * are not would hide an access: so a node is new wherever there is a doubt.
 *
 * Where is the function's own frame? Wherever rsp points, and, if it never changes, rbp. Its addresses are
 * followed; if one gets where it is not followed (memory, a call, a place that is jumped to), others may know
 * what lies in the frame: it has escaped. */
#include "program/code/code.h"

#if defined __x86_64__ && defined MZ_HAVE_CAPSTONE
#include <string.h>

#include "base/map.h"

typedef enum node_kind {
    OPAQUE, /* one of its kind: it belongs to a statement */
    JOINED, /* what a register has at a place that is jumped to */
    NUMBER,
    SYMBOL,
    LOCAL_OF_THREAD,
    SUM,
    RESULT, /* of an instruction */
} node_kind;

typedef struct node {
    node_kind kind;
    mz__value a, b;
    uint64_t more;
    bool is_frame, is_constant;
    bool is_garbage; /* what a call has left behind in a register without a meaning */
} node;

typedef struct known_node { /* nodes are told apart by their hashes, as traces are */
    mz_hash content;
    uint32_t index;
} known_node;

typedef struct slot { /* of the frame */
    mz__value address, value;
    uint32_t size;
} slot;

struct mz__values {
    node *nodes; /* 0: not known */
    size_t count, capacity;
    mz_map known; /* of known_node */
    mz__value registers[MZ__GENERAL];
    uint32_t statement, opaque_count;
    struct join *joins; /* by numbers of statements; those of other functions are old */
    size_t join_capacity;
    uint32_t generation; /* of joins */
    bool has_changed;
    slot *slots;
    size_t slot_count, slot_capacity;
    mz__value entry; /* rsp when the function begins */
    mz__value frame; /* rbp, if it is always there */
    bool framed, escapes, escaped;
};

/* The registers at a place that is jumped to, from all places that have been looked at. */
typedef struct join {
    uint32_t generation;
    mz__value registers[MZ__GENERAL];
} join;

mz__values *mz__values_new(void)
{
    return mz_allocate_zeroed(1, sizeof(mz__values));
}

void mz__values_release(mz__values *v)
{
    mz_release(v->nodes);
    mz_map_release(&v->known);
    mz_release(v->slots);
    mz_release(v->joins);
    mz_release(v);
}

/* ---- nodes ----------------------------------------------------------------------------------------------
 */

static uint32_t add_node(mz__values *v, node n)
{
    if (v->count == 0)
        v->count = 1;
    v->nodes = mz_grow(v->nodes, &v->capacity, v->count + 1, sizeof *v->nodes);
    v->nodes[v->count] = n;
    return (uint32_t)v->count++;
}

static bool same(mz__value a, mz__value b)
{
    return a.node == b.node && a.offset == b.offset;
}

static mz_hash hash_of(const node *n)
{
    mz_hash h = mz_hash_start(n->kind);
    h = mz_hash_add(mz_hash_add(h, n->a.node), (uint64_t)n->a.offset);
    h = mz_hash_add(mz_hash_add(h, n->b.node), (uint64_t)n->b.offset);
    return mz_hash_add(h, n->more);
}

/* The one node like this. */
static mz__value shared_node(mz__values *v, node n)
{
    bool is_new;
    known_node *known = mz_map_at(&v->known, sizeof *known, hash_of(&n), &is_new);
    if (is_new)
        known->index = add_node(v, n);
    return (mz__value){known->index, 0};
}

/* The same one each time the statement is looked at. */
static mz__value opaque(mz__values *v, bool is_frame)
{
    uint64_t more = (uint64_t)v->statement << 16 | v->opaque_count++;
    return shared_node(v, (node){.kind = OPAQUE, .more = more, .is_frame = is_frame});
}

static mz__value number(mz__values *v, int64_t n)
{
    mz__value value = shared_node(v, (node){.kind = NUMBER});
    value.offset = n;
    return value;
}

static bool is_frame(const mz__values *v, mz__value value)
{
    return value.node && v->nodes[value.node].is_frame;
}

bool mz__value_is_frame(const mz__values *v, mz__value value)
{
    return is_frame(v, value);
}

bool mz__value_is_constant(const mz__values *v, mz__value value)
{
    return value.node && v->nodes[value.node].is_constant;
}

bool mz__value_is_number(const mz__values *v, mz__value value)
{
    return value.node && v->nodes[value.node].kind == NUMBER;
}

static mz__value scaled(mz__values *v, mz__value a, uint8_t scale)
{
    if (scale == 1 || mz__value_is_number(v, a))
        return (mz__value){a.node, a.offset * scale};
    mz__value result =
        shared_node(v, (node){.kind = SUM, .b = {a.node, 0}, .more = scale, .is_frame = is_frame(v, a)});
    result.offset = a.offset * scale;
    return result;
}

/* In one order: they can change places. */
static mz__value sum(mz__values *v, mz__value a, mz__value b)
{
    int64_t offset = a.offset + b.offset;
    if (mz__value_is_number(v, b))
        return (mz__value){a.node, offset};
    if (mz__value_is_number(v, a))
        return (mz__value){b.node, offset};
    uint32_t first = a.node < b.node ? a.node : b.node, second = a.node < b.node ? b.node : a.node;
    mz__value result =
        shared_node(v, (node){.kind = SUM,
                              .a = {first, 0},
                              .b = {second, 0},
                              .more = 1,
                              .is_frame = is_frame(v, a) || is_frame(v, b),
                              .is_constant = mz__value_is_constant(v, a) || mz__value_is_constant(v, b)});
    result.offset = offset;
    return result;
}

/* ---- registers and slots --------------------------------------------------------------------------------
 */

mz__value mz__values_register(mz__values *v, uint8_t n)
{
    return n < MZ__GENERAL ? v->registers[n] : (mz__value){0};
}

static void set(mz__values *v, uint8_t n, mz__value value)
{
    if (n >= MZ__GENERAL)
        return;
    if (n == MZ__RSP && !is_frame(v, value))
        value = opaque(v, true);
    v->registers[n] = value;
}

void mz__values_set(mz__values *v, uint8_t n, mz__value value)
{
    set(v, n, value);
}

enum { ALL_REGISTERS = 0xffff };

/* Frame addresses that are not followed from here on. */
static void note_escapes(mz__values *v, uint32_t registers)
{
    for (uint8_t n = 0; n < MZ__GENERAL; n++)
        if ((registers >> n & 1) && n != MZ__RSP && !(n == MZ__RBP && v->framed) &&
            is_frame(v, v->registers[n]))
            v->escaped = true;
}

/* ---- places that are jumped to --------------------------------------------------------------------------
 */

/* What it has if it comes with either. One that is not followed any more has escaped. */
static mz__value joined(mz__values *v, uint32_t statement, uint8_t n, mz__value a, mz__value b)
{
    if (same(a, b))
        return a;
    bool frame = is_frame(v, a) && is_frame(v, b);
    mz__value own = shared_node(
        v, (node){.kind = JOINED, .more = (uint64_t)statement << 8 | n, .is_frame = n == MZ__RSP || frame});
    if (!frame && n != MZ__RSP) {
        v->escaped |= is_frame(v, a) || is_frame(v, b);
        v->nodes[own.node].is_frame = false;
    }
    return own;
}

/* What nobody reads there does not matter, and gets nowhere. */
static mz__value dead_at(mz__values *v, uint32_t statement, uint8_t n)
{
    return shared_node(v, (node){.kind = JOINED, .more = (uint64_t)statement << 8 | n});
}

static void join_at(mz__values *v, uint32_t statement, uint32_t live)
{
    size_t before = v->join_capacity;
    v->joins = mz_grow(v->joins, &v->join_capacity, (size_t)statement + 1, sizeof *v->joins);
    memset(v->joins + before, 0, (v->join_capacity - before) * sizeof *v->joins);
    join *j = &v->joins[statement];
    bool is_first = j->generation != v->generation;
    for (uint8_t n = 0; n < MZ__GENERAL; n++) {
        bool dead = !(live >> n & 1) && n != MZ__RSP && !(n == MZ__RBP && v->framed);
        mz__value now = dead       ? dead_at(v, statement, n)
                        : is_first ? v->registers[n]
                                   : joined(v, statement, n, j->registers[n], v->registers[n]);
        v->has_changed |= is_first || !same(now, j->registers[n]);
        j->registers[n] = now;
    }
    j->generation = v->generation;
}

static void forget(mz__values *v)
{
    for (uint8_t n = 0; n < MZ__GENERAL; n++)
        v->registers[n] = n == MZ__RBP && v->framed ? v->frame : opaque(v, n == MZ__RSP);
    v->slot_count = 0;
}

void mz__values_leave_to(mz__values *v, uint32_t statement, uint32_t live)
{
    join_at(v, statement, live);
}

void mz__values_leave(mz__values *v)
{
    note_escapes(v, ALL_REGISTERS);
}

void mz__values_next(mz__values *v, uint32_t statement)
{
    v->statement = statement;
    v->opaque_count = 0;
}

bool mz__values_enter(mz__values *v, bool falls, bool is_unknown, uint32_t live)
{
    if (falls && !is_unknown)
        join_at(v, v->statement, live);
    else if (falls)
        note_escapes(v, ALL_REGISTERS);
    bool known =
        !is_unknown && v->statement < v->join_capacity && v->joins[v->statement].generation == v->generation;
    forget(v);
    if (known)
        memcpy(v->registers, v->joins[v->statement].registers, sizeof v->registers);
    return known || is_unknown;
}

bool mz__values_is_reached(const mz__values *v, uint32_t statement)
{
    return statement < v->join_capacity && v->joins[statement].generation == v->generation;
}

void mz__value_set_constant(mz__values *v, uint8_t n)
{
    mz__value value = opaque(v, false);
    v->nodes[value.node].is_constant = true;
    set(v, n, value);
}

void mz__values_begin(mz__values *v, bool framed)
{
    v->count = 0;
    mz_map_clear(&v->known, sizeof(known_node));
    v->generation++;
    v->framed = framed;
    mz__values_next(v, UINT32_MAX);
    v->entry = opaque(v, true);
    v->frame = framed ? opaque(v, true) : (mz__value){0};
    v->has_changed = true;
    mz__values_again(v, true);
}

bool mz__values_again(mz__values *v, bool escapes)
{
    bool had_changed = v->has_changed;
    mz__values_next(v, UINT32_MAX - 1);
    forget(v);
    v->registers[MZ__RSP] = v->entry;
    v->escapes = escapes;
    v->escaped = v->has_changed = false;
    return had_changed;
}

bool mz__value_is_return(const mz__values *v, mz__value value)
{
    return same(value, v->entry);
}

uint32_t mz__values_garbage(const mz__values *v)
{
    uint32_t set = 0;
    for (uint8_t n = 0; n < MZ__GENERAL; n++)
        set |= v->nodes[v->registers[n].node].is_garbage ? 1U << n : 0;
    return set & ~(1U << MZ__RAX | 1U << MZ__RDX); /* in which functions return what they do */
}

bool mz__values_escaped(const mz__values *v)
{
    return v->escaped;
}

static bool overlap(const slot *s, mz__value address, uint32_t size)
{
    return s->address.node != address.node || (s->address.offset < address.offset + (int64_t)size &&
                                               address.offset < s->address.offset + (int64_t)s->size);
}

/* Something is written there. Slots by another node may be the same ones. */
static void forget_slots(mz__values *v, mz__value address, uint32_t size)
{
    size_t kept = 0;
    for (size_t i = 0; i < v->slot_count; i++)
        if (!overlap(&v->slots[i], address, size))
            v->slots[kept++] = v->slots[i];
    v->slot_count = kept;
}

static void set_slot(mz__values *v, mz__value address, uint32_t size, mz__value value)
{
    forget_slots(v, address, size);
    v->slots = mz_grow(v->slots, &v->slot_capacity, v->slot_count + 1, sizeof *v->slots);
    v->slots[v->slot_count++] = (slot){address, value, size};
}

static mz__value slot_value(mz__values *v, mz__value address, uint32_t size)
{
    for (size_t i = 0; i < v->slot_count; i++)
        if (same(v->slots[i].address, address) && v->slots[i].size == size)
            return v->slots[i].value;
    mz__value value = opaque(v, false);
    v->slots = mz_grow(v->slots, &v->slot_capacity, v->slot_count + 1, sizeof *v->slots);
    v->slots[v->slot_count++] = (slot){address, value, size};
    return value;
}

static void note_written(mz__values *v, mz__value address, uint32_t size, bool whole)
{
    if (is_frame(v, address) && whole)
        forget_slots(v, address, size);
    else if (is_frame(v, address) || v->escapes)
        v->slot_count = 0;
}

/* ---- addresses ------------------------------------------------------------------------------------------
 */

static mz__value place_of(mz__values *v, const mz__reference *r)
{
    mz__value place = shared_node(v, (node){.kind = r->kind == MZ__REFERS_TO_LOCAL ? LOCAL_OF_THREAD : SYMBOL,
                                            .more = r->symbol,
                                            .is_constant = r->is_constant});
    place.offset = r->kind == MZ__REFERS_DIRECTLY ? r->addend : 0;
    return place;
}

mz__value mz__values_address(mz__values *v, const mz__use *use, const mz__reference *r)
{
    if (use->base == MZ__RIP)
        return r->kind == MZ__REFERS_DIRECTLY || r->kind == MZ__REFERS_TO_LOCAL ? place_of(v, r)
                                                                                : opaque(v, false);
    if (use->kind == MZ__USES_GATHERED || use->has_segment || r->kind != MZ__REFERS_TO_NOTHING)
        return opaque(v, false);
    mz__value address = use->base < MZ__GENERAL ? mz__values_register(v, use->base) : number(v, 0);
    if (use->index < MZ__GENERAL)
        address = sum(v, address, scaled(v, mz__values_register(v, use->index), use->scale));
    address.offset += use->offset;
    return address;
}

/* ---- instructions ---------------------------------------------------------------------------------------
 */

static mz__value result_of(mz__values *v, const mz__instruction *i, mz__value a, mz__value b)
{
    uint64_t sizes =
        (uint64_t)i->target_size << 8 | (uint64_t)i->source_size << 16 | (uint64_t)i->source_is_high << 24;
    mz__value n = number(v, i->number);
    if (is_frame(v, a) || is_frame(v, b))
        v->escaped = true;
    mz__value second = shared_node(v, (node){.kind = SUM, .a = b, .b = n, .more = 255});
    return shared_node(v, (node){.kind = RESULT, .a = a, .b = second, .more = sizes << 32 | i->id});
}

static void compute(mz__values *v, const mz__instruction *i)
{
    bool moves = i->name[0] == 'm', whole = i->target_size == 8;
    mz__value a = moves ? (mz__value){0} : mz__values_register(v, i->target);
    mz__value b = mz__values_register(v, i->source);
    bool clears = strcmp(i->name, "xor") == 0 && i->target == i->source;
    if (clears || (moves && i->source == MZ__NO_REGISTER))
        set(v, i->target, number(v, clears ? 0 : i->number));
    else if (strcmp(i->name, "add") == 0 && whole && i->source != MZ__NO_REGISTER)
        set(v, i->target, sum(v, a, b));
    else if ((strcmp(i->name, "shl") == 0 || strcmp(i->name, "sal") == 0) && whole &&
             i->source == MZ__NO_REGISTER && i->number > 0 && i->number < 4)
        set(v, i->target, scaled(v, a, (uint8_t)(1 << i->number)));
    else
        set(v, i->target, result_of(v, i, a, b));
}

static void load(mz__values *v, const mz__instruction *i, const mz__reference *r)
{
    mz__value address = mz__values_address(v, &i->uses[0], r), loaded;
    if (r->kind == MZ__REFERS_BY_TABLE && i->target_size == 8) {
        set(v, i->target, place_of(v, r));
        return;
    }
    if (!is_frame(v, address) || v->nodes[address.node].kind == SUM) {
        set(v, i->target, opaque(v, false));
        return;
    }
    loaded = slot_value(v, address, i->uses[0].size);
    bool plain = strcmp(i->name, "mov") == 0 && i->target_size == 8;
    set(v, i->target, plain ? loaded : result_of(v, i, loaded, (mz__value){0}));
}

static void store(mz__values *v, const mz__instruction *i, const mz__reference *r)
{
    mz__value address = mz__values_address(v, &i->uses[0], r);
    mz__value source =
        i->source == MZ__NO_REGISTER ? number(v, i->number) : mz__values_register(v, i->source);
    if (i->source != MZ__NO_REGISTER)
        note_escapes(v, 1U << i->source);
    if (is_frame(v, address) && v->nodes[address.node].kind != SUM && i->uses[0].size == 8)
        set_slot(v, address, 8, source);
    else
        note_written(v, address, i->uses[0].size, true);
}

static void push(mz__values *v, const mz__instruction *i)
{
    note_escapes(v, i->mentioned);
    v->registers[MZ__RSP].offset -= 8;
    forget_slots(v, v->registers[MZ__RSP], 8);
}

static void call(mz__values *v, bool quiet)
{
    static const uint8_t arguments[] = {MZ__RDI, MZ__RSI, MZ__RDX, MZ__RCX, 8, 9, 10};
    static const uint8_t lost[] = {MZ__RAX, MZ__RCX, MZ__RDX, MZ__RSI, MZ__RDI, 8, 9, 10, 11};
    for (size_t n = 0; n < MZ_LENGTH(arguments) && !quiet; n++)
        note_escapes(v, 1U << arguments[n]);
    for (size_t n = 0; n < MZ_LENGTH(lost); n++) {
        v->registers[lost[n]] = opaque(v, false);
        v->nodes[v->registers[lost[n]].node].is_garbage = lost[n] != MZ__RAX && lost[n] != MZ__RDX;
    }
    if (!quiet)
        v->slot_count = 0;
}

static void change(mz__values *v, const mz__instruction *i, const mz__reference *r)
{
    static const char looks[][5] = {"cmp", "test"};
    if (strcmp(i->name, looks[0]) != 0 && strcmp(i->name, looks[1]) != 0)
        note_escapes(v, i->mentioned);
    for (uint8_t n = 0; n < i->use_count; n++)
        if (i->uses[n].writes)
            note_written(v, mz__values_address(v, &i->uses[n], r), i->uses[n].size,
                         i->uses[n].kind == MZ__USES_BYTES);
    for (uint8_t n = 0; n < MZ__GENERAL; n++)
        if (i->changed >> n & 1)
            set(v, n, opaque(v, n == MZ__RSP));
}

void mz__values_step(mz__values *v, const mz__instruction *i, const mz__reference *r, bool quiet)
{
    switch (i->effect) {
    case MZ__COPIES:
        set(v, i->target, v->framed && i->target == MZ__RBP ? v->frame : mz__values_register(v, i->source));
        break;
    case MZ__ADDS: {
        mz__value value = mz__values_register(v, i->target);
        value.offset += i->number;
        set(v, i->target, value);
        break;
    }
    case MZ__ADDRESSES:
        set(v, i->target, mz__values_address(v, &i->uses[0], r));
        break;
    case MZ__COMPUTES:
        compute(v, i);
        break;
    case MZ__LOADS:
        load(v, i, r);
        break;
    case MZ__STORES:
        store(v, i, r);
        break;
    case MZ__PUSHES:
        push(v, i);
        break;
    case MZ__POPS:
        set(v, i->target, opaque(v, i->target == MZ__RSP));
        v->registers[MZ__RSP].offset += 8;
        v->slot_count = i->use_count ? 0 : v->slot_count;
        break;
    case MZ__CALLS:
        call(v, quiet);
        break;
    case MZ__JUMPS: /* where to is told by mz__values_leave_to() */
        break;
    case MZ__RETURNS:
        note_escapes(v, 1U << MZ__RAX);
        break;
    case MZ__CHANGES:
        change(v, i, r);
        break;
    }
}
#endif
