#line 2 "<containers>"
// The parts of map, set, list and the hash tables that are no templates.
#include <bits/stl_tree.h>
#include <list>
#include <unordered_map>

namespace std {

// ---- red-black trees --------------------------------------------------------------------------------------
//
// The header's parent is the root, its left and right are the first and the last node; it is red, so that it
// can be told from the root.

using node = _Rb_tree_node_base;

static node *next(node *x)
{
    if (x->_M_right) {
        x = x->_M_right;
        while (x->_M_left)
            x = x->_M_left;
        return x;
    }
    node *up = x->_M_parent;
    while (x == up->_M_right) {
        x = up;
        up = up->_M_parent;
    }
    return x->_M_right != up ? up : x; // the last node of a tree whose root has nothing on its right
}

static node *previous(node *x)
{
    if (x->_M_color == _S_red && x->_M_parent && x->_M_parent->_M_parent == x)
        return x->_M_right; // the header
    if (x->_M_left) {
        x = x->_M_left;
        while (x->_M_right)
            x = x->_M_right;
        return x;
    }
    node *up = x->_M_parent;
    while (x == up->_M_left) {
        x = up;
        up = up->_M_parent;
    }
    return up;
}

node *_Rb_tree_increment(node *x) throw()
{
    return next(x);
}

const node *_Rb_tree_increment(const node *x) throw()
{
    return next(const_cast<node *>(x));
}

node *_Rb_tree_decrement(node *x) throw()
{
    return previous(x);
}

const node *_Rb_tree_decrement(const node *x) throw()
{
    return previous(const_cast<node *>(x));
}

// The link that leads to x.
static node *&link_to(node *x, node *&root)
{
    if (x == root)
        return root;
    return x == x->_M_parent->_M_left ? x->_M_parent->_M_left : x->_M_parent->_M_right;
}

static node *&child(node *x, bool right)
{
    return right ? x->_M_right : x->_M_left;
}

// x goes down on that side, its child on the other side comes up.
static void rotate(node *x, bool to_right, node *&root)
{
    node *up = child(x, !to_right);
    node *moved = child(up, to_right);
    link_to(x, root) = up;
    up->_M_parent = x->_M_parent;
    child(x, !to_right) = moved;
    if (moved)
        moved->_M_parent = x;
    child(up, to_right) = x;
    x->_M_parent = up;
}

static bool is_red(const node *x)
{
    return x && x->_M_color == _S_red;
}

void _Rb_tree_insert_and_rebalance(const bool left, node *x, node *parent, node &header) throw()
{
    node *&root = header._M_parent;
    x->_M_parent = parent;
    x->_M_left = x->_M_right = nullptr;
    x->_M_color = _S_red;
    if (left) {
        parent->_M_left = x; // of the header: the first
        if (parent == &header) {
            root = x;
            header._M_right = x;
        } else if (parent == header._M_left) {
            header._M_left = x;
        }
    } else {
        parent->_M_right = x;
        if (parent == header._M_right)
            header._M_right = x;
    }
    while (x != root && is_red(x->_M_parent)) {
        node *up = x->_M_parent, *grand = up->_M_parent;
        bool on_left = up == grand->_M_left;
        node *uncle = child(grand, on_left);
        if (is_red(uncle)) {
            up->_M_color = uncle->_M_color = _S_black;
            grand->_M_color = _S_red;
            x = grand;
            continue;
        }
        if (x == child(up, on_left)) { // inside: make it the outer one
            rotate(up, !on_left, root);
            x = up;
            up = x->_M_parent;
        }
        up->_M_color = _S_black;
        grand->_M_color = _S_red;
        rotate(grand, on_left, root);
    }
    root->_M_color = _S_black;
}

// y, the next of z in order and without a left child, takes the place of z, its colour, too.
static void put_in_place(node *y, node *z, node *&root)
{
    link_to(z, root) = y;
    y->_M_parent = z->_M_parent;
    y->_M_left = z->_M_left;
    y->_M_left->_M_parent = y;
    y->_M_right = z->_M_right;
    if (y->_M_right)
        y->_M_right->_M_parent = y;
    swap(y->_M_color, z->_M_color);
}

// One black node is missing on the way to x, a child of parent.
static void repair(node *x, node *parent, node *&root)
{
    while (x != root && !is_red(x)) {
        bool on_left = x == parent->_M_left;
        node *sibling = child(parent, on_left);
        if (is_red(sibling)) {
            sibling->_M_color = _S_black;
            parent->_M_color = _S_red;
            rotate(parent, !on_left, root);
            sibling = child(parent, on_left);
        }
        if (!is_red(sibling->_M_left) && !is_red(sibling->_M_right)) {
            sibling->_M_color = _S_red;
            x = parent;
            parent = parent->_M_parent;
            continue;
        }
        if (!is_red(child(sibling, on_left))) {
            child(sibling, !on_left)->_M_color = _S_black;
            sibling->_M_color = _S_red;
            rotate(sibling, on_left, root);
            sibling = child(parent, on_left);
        }
        sibling->_M_color = parent->_M_color;
        parent->_M_color = _S_black;
        child(sibling, on_left)->_M_color = _S_black;
        rotate(parent, !on_left, root);
        return;
    }
    if (x)
        x->_M_color = _S_black;
}

node *_Rb_tree_rebalance_for_erase(node *const z, node &header) throw()
{
    node *&root = header._M_parent;
    if (header._M_left == z)
        header._M_left = next(z);
    if (header._M_right == z)
        header._M_right = previous(z);
    node *y = z; // has at most one child: it is y's place that disappears
    if (z->_M_left && z->_M_right)
        y = next(z);
    node *x = y->_M_left ? y->_M_left : y->_M_right;
    node *parent = y->_M_parent;
    link_to(y, root) = x;
    if (x)
        x->_M_parent = parent;
    if (y != z) {
        if (parent == z)
            parent = y;
        put_in_place(y, z, root);
    }
    if (z->_M_color == _S_black) // after the exchange: the colour that is gone
        repair(x, parent, root);
    return z;
}

// ---- lists ------------------------------------------------------------------------------------------------

namespace __detail {
void _List_node_base::_M_hook(_List_node_base *position) noexcept
{
    _M_next = position;
    _M_prev = position->_M_prev;
    _M_prev->_M_next = this;
    position->_M_prev = this;
}

void _List_node_base::_M_unhook() noexcept
{
    _M_prev->_M_next = _M_next;
    _M_next->_M_prev = _M_prev;
}

// [first, last) comes before this one.
void _List_node_base::_M_transfer(_List_node_base *first, _List_node_base *last) noexcept
{
    if (this == last)
        return;
    _List_node_base *end = last->_M_prev, *before = first->_M_prev;
    before->_M_next = last;
    last->_M_prev = before;
    first->_M_prev = _M_prev;
    _M_prev->_M_next = first;
    end->_M_next = this;
    _M_prev = end;
}

void _List_node_base::_M_reverse() noexcept
{
    _List_node_base *x = this;
    do {
        _List_node_base *after = x->_M_next;
        x->_M_next = x->_M_prev;
        x->_M_prev = after;
        x = after;
    } while (x != this);
}

// Both are heads of lists; an empty one refers to itself.
void _List_node_base::swap(_List_node_base &a, _List_node_base &b) noexcept
{
    std::swap(a._M_next, b._M_next);
    std::swap(a._M_prev, b._M_prev);
    for (_List_node_base *x : {&a, &b}) {
        _List_node_base *other = x == &a ? &b : &a;
        if (x->_M_next == other)
            x->_M_next = x->_M_prev = x;
        x->_M_next->_M_prev = x->_M_prev->_M_next = x;
    }
}

// ---- hash tables ------------------------------------------------------------------------------------------

static bool is_prime(size_t n)
{
    for (size_t i = 2; i * i <= n; i++)
        if (n % i == 0)
            return false;
    return true;
}

size_t _Prime_rehash_policy::_M_next_bkt(size_t wanted) const
{
    size_t count = wanted < 2 ? 2 : wanted;
    while (count > 2 && !is_prime(count))
        count++;
    if (wanted <= 1)
        count = wanted ? 2 : 1;
    _M_next_resize = static_cast<size_t>(static_cast<double>(count) * _M_max_load_factor);
    return count;
}

pair<bool, size_t> _Prime_rehash_policy::_M_need_rehash(size_t buckets, size_t elements, size_t added) const
{
    if (elements + added <= _M_next_resize)
        return {false, 0};
    size_t least = elements + added;
    if (_M_next_resize == 0 && least < 11)
        least = 11;
    size_t needed = static_cast<size_t>(static_cast<double>(least) / _M_max_load_factor) + 1;
    if (needed <= buckets) {
        _M_next_resize = static_cast<size_t>(static_cast<double>(buckets) * _M_max_load_factor);
        return {false, 0};
    }
    return {true, _M_next_bkt(needed > 2 * buckets ? needed : 2 * buckets)};
}
} // namespace __detail

// FNV-1a: any function of the bytes will do.
size_t _Hash_bytes(const void *bytes, size_t length, size_t seed)
{
    size_t hash = seed ^ 14695981039346656037u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ static_cast<const unsigned char *>(bytes)[i]) * 1099511628211u;
    return hash;
}

} // namespace std
