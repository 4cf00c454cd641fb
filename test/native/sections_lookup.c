// Six threads, one coarse lock, a data structure: a binary tree, a hash table with lists, a sorted list. Who only
// looks does not conflict with others who do: one execution.
// expect: safe traces=1 observations=720
// args: -DHASH
// expect: safe traces=1 observations=720
// args: -DLIST
// expect: safe traces=1 observations=720
//
// Three insert the keys 5, 15, 25, and three seek 5, 15, 35. What conflicts is who writes a link, and who reads it.
// Tree (40 with the children 20 and 60): all three new keys are below 20, at the left but for 25. So 25 writes a link
// that nobody else reads. 5 and 15 both go to the left of 20: whoever comes first writes that link, and the other one
// goes on from there; both seekers read it, and what they read below depends on which is there. The seeker of 35
// reads the right link of 20 that 25 writes: 2 orders. For 5 and 15 (inserted in 2 orders) and their seekers: say 5
// comes first, then 15 is its right child. The seeker of 5 comes before 5 or after it (it stops there): 2. The
// seeker of 15 comes before 5, between, or after 15: 3. The other way round likewise, 3 · 2. 2 · (6 + 6) = 24.
// args: -DINSERT
// expect: safe traces=24 observations=720
//
// Hash table with 4 buckets: 5, 15, 25 go to the buckets 1, 3, 1. An insertion writes its bucket's head. 15 and its
// seeker: 2 orders; with the seeker of 35, also in bucket 3, which reads on to 15 if it is there: both before or
// after 15: 4. 5 and 25: 2 orders, the new one in front. The seeker of 5 reads the head: it comes before, between or
// after both: 3. 4 · 2 · 3 = 24.
// args: -DINSERT -DHASH
// expect: safe traces=24 observations=720
//
// Sorted list 10, 20, 30, 40, 60: there 15, 25 and 35 are inserted, and 5, 15 and 10 sought. 15 writes the link of 10,
// 25 that of 20, 35 that of 30, and each of them reads the links before its own: 3! orders. The seeker of 15 reads the
// link that 15 writes, and none of the others; those of 5 and 10 come to an end before it. 6 · 2 = 12.
// args: -DINSERT -DLIST
// expect: safe traces=12 observations=720
#include <pthread.h>
#include <stdlib.h>

enum { N = 6, BUCKETS = 4 };

typedef struct node {
    int key;
    struct node *next, *left, *right;
} node;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static node *root, *heads[BUCKETS];
#ifdef LIST
static const int keys[N] = {15, 25, 35, 5, 15, 10};
#else
static const int keys[N] = {5, 15, 25, 5, 15, 35};
#endif
static int found[N];

static node *make(int key)
{
    node *n = malloc(sizeof *n);
    n->key = key;
    n->next = n->left = n->right = NULL;
    return n;
}

#if defined(HASH)
static void insert(int key)
{
    node *n = make(key);
    n->next = heads[key % BUCKETS];
    heads[key % BUCKETS] = n;
}

static int contains(int key)
{
    node *n = heads[key % BUCKETS];
    while (n && n->key != key)
        n = n->next;
    return n != NULL;
}
#elif defined(LIST)
static void insert(int key)
{
    node **at = &root;
    while (*at && (*at)->key < key)
        at = &(*at)->next;
    node *n = make(key);
    n->next = *at;
    *at = n;
}

static int contains(int key)
{
    node *n = root;
    while (n && n->key < key)
        n = n->next;
    return n && n->key == key;
}
#else
static void insert(int key)
{
    node **at = &root;
    while (*at)
        at = key < (*at)->key ? &(*at)->left : &(*at)->right;
    *at = make(key);
}

static int contains(int key)
{
    node *n = root;
    while (n && n->key != key)
        n = key < n->key ? n->left : n->right;
    return n != NULL;
}
#endif

static void *inserter(void *argument)
{
    pthread_mutex_lock(&mutex);
    insert(keys[(long)argument]);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *seeker(void *argument)
{
    pthread_mutex_lock(&mutex);
    int is_there = contains(keys[(long)argument]);
    pthread_mutex_unlock(&mutex);
    found[(long)argument] = is_there;
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    static const int first[] = {40, 20, 60, 30, 10};
#ifdef LIST
    for (int i = 0; i < 5; i++)
#else
    for (int i = 0; i < 3; i++)
#endif
        insert(first[i]);
    for (long i = 0; i < N; i++)
#ifdef INSERT
        pthread_create(&threads[i], NULL, i < 3 ? inserter : seeker, (void *)i);
#else
        pthread_create(&threads[i], NULL, seeker, (void *)i);
#endif
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
