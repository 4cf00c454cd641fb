// One look, or one change, as an atomic section of its own.
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int get(int *p)
{
    __VERIFIER_atomic_begin();
    int v = *p;
    __VERIFIER_atomic_end();
    return v;
}

static void set(int *p, int v)
{
    __VERIFIER_atomic_begin();
    *p = v;
    __VERIFIER_atomic_end();
}
