// Calls of malloc and memcpy without a declaration: compilers know their types, and the results are not cut to an int.
// expect: safe
// args: -DBUG
// expect: unsafe memory 12
// args: --cc=clang
// expect: safe
int main(void)
{
    char *p = malloc(4), *q;
    q = memcpy(p, "abc", 4);
#ifdef BUG
    q[4] = 0;
#endif
    if (q[2] != 'c')
        abort();
    free(p);
    return 0;
}
// compilers: with -w, as the matrix asks for, the compiler does not say what was not declared
