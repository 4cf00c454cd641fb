/* Compiled into a program that uses <search.h>: arrays that are searched one by one, binary trees, the hash
 * table, and queues. What they touch is memory of the program, and its comparisons are called as by any
 * function. The trees are not balanced; the standard does not ask for it. All names are weak: the program's
 * own win. */
#line 1 "<searching>"
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#define WEAK __attribute__((weak))

typedef int comparison(const void *, const void *);

/* ---- arrays ---- */

WEAK void *lfind(const void *key, const void *array, size_t *count, size_t size, comparison *compare)
{
    const char *at = array;
    for (size_t i = 0; i < *count; i++, at += size)
        if (compare(key, at) == 0)
            return (void *)at;
    return NULL;
}

WEAK void *lsearch(const void *key, void *array, size_t *count, size_t size, comparison *compare)
{
    void *found = lfind(key, array, count, size, compare);
    return found ? found : memcpy((char *)array + (*count)++ * size, key, size);
}

/* ---- trees ---- */

typedef struct node {
    const void *key; /* first: what the program sees of a node */
    struct node *left, *right;
} node;

/* Where the node is, or would be. *parent: above it, NULL at the root. */
static node **find(const void *key, node **root, node **parent, comparison *compare)
{
    *parent = NULL;
    while (*root) {
        int order = compare(key, (*root)->key);
        if (order == 0)
            break;
        *parent = *root;
        root = order < 0 ? &(*root)->left : &(*root)->right;
    }
    return root;
}

WEAK void *tfind(const void *key, void *const *root, comparison *compare)
{
    node *parent;
    return root ? *find(key, (node **)root, &parent, compare) : NULL;
}

WEAK void *tsearch(const void *key, void **root, comparison *compare)
{
    node *parent;
    if (!root)
        return NULL;
    node **at = find(key, (node **)root, &parent, compare);
    if (!*at) {
        node *made = malloc(sizeof *made);
        if (!made)
            return NULL;
        *made = (node){.key = key};
        *at = made;
    }
    return *at;
}

/* The result is the parent, or anything but NULL for the root. */
WEAK void *tdelete(const void *key, void **root, comparison *compare)
{
    node *parent;
    if (!root)
        return NULL;
    node **at = find(key, (node **)root, &parent, compare), *gone = *at;
    if (!gone)
        return NULL;
    if (gone->left && gone->right) {
        node **next = &gone->right;
        while ((*next)->left)
            next = &(*next)->left;
        node *moved = *next;
        *next = moved->right;
        moved->left = gone->left;
        moved->right = gone->right;
        *at = moved;
    } else {
        *at = gone->left ? gone->left : gone->right;
    }
    free(gone);
    return parent ? (void *)parent : (void *)root;
}

static int is_leaf(const node *n)
{
    return !n->left && !n->right;
}

static void walk(const node *n, void (*action)(const void *, VISIT, int), int level)
{
    if (is_leaf(n)) {
        action(n, leaf, level);
        return;
    }
    action(n, preorder, level);
    if (n->left)
        walk(n->left, action, level + 1);
    action(n, postorder, level);
    if (n->right)
        walk(n->right, action, level + 1);
    action(n, endorder, level);
}

WEAK void twalk(const void *root, void (*action)(const void *, VISIT, int))
{
    if (root && action)
        walk(root, action, 0);
}

static void walk_with(const node *n, void (*action)(const void *, VISIT, void *), void *closure)
{
    if (is_leaf(n)) {
        action(n, leaf, closure);
        return;
    }
    action(n, preorder, closure);
    if (n->left)
        walk_with(n->left, action, closure);
    action(n, postorder, closure);
    if (n->right)
        walk_with(n->right, action, closure);
    action(n, endorder, closure);
}

WEAK void twalk_r(const void *root, void (*action)(const void *, VISIT, void *), void *closure)
{
    if (root && action)
        walk_with(root, action, closure);
}

WEAK void tdestroy(void *root, void (*release)(void *))
{
    node *n = root;
    if (!n)
        return;
    tdestroy(n->left, release);
    tdestroy(n->right, release);
    release((void *)n->key);
    free(n);
}

/* ---- the hash table ---- */

static ENTRY *table;
static size_t slots;

WEAK int hcreate(size_t count)
{
    if (table)
        return 0;
    slots = count + count / 2 + 3;
    table = calloc(slots, sizeof *table);
    return table != NULL;
}

WEAK void hdestroy(void)
{
    free(table);
    table = NULL;
}

static size_t slot_of(const char *key)
{
    size_t hash = 5381;
    while (*key)
        hash = hash * 33 + (unsigned char)*key++;
    return hash % slots;
}

WEAK ENTRY *hsearch(ENTRY wanted, ACTION action)
{
    size_t first = slot_of(wanted.key);
    for (size_t i = 0; i < slots; i++) {
        ENTRY *at = &table[(first + i) % slots];
        if (at->key && strcmp(at->key, wanted.key) == 0)
            return at;
        if (!at->key && action == ENTER) {
            *at = wanted;
            return at;
        }
        if (!at->key)
            break;
    }
    errno = action == ENTER ? ENOMEM : ESRCH;
    return NULL;
}

/* ---- queues ---- */

typedef struct link {
    struct link *next, *before;
} link;

WEAK void insque(void *element, void *before)
{
    link *made = element, *at = before;
    if (!at) {
        made->next = made->before = NULL;
        return;
    }
    made->next = at->next;
    made->before = at;
    at->next = made;
    if (made->next)
        made->next->before = made;
}

WEAK void remque(void *element)
{
    link *gone = element;
    if (gone->next)
        gone->next->before = gone->before;
    if (gone->before)
        gone->before->next = gone->next;
}
