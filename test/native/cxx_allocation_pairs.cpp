// The same for new and delete.
// args: -DKIND=1
// expect: unsafe memory 30
// args: --cc=clang -DKIND=1
// expect: unsafe memory 30
// args: --cflags=-O2 -DKIND=1
// expect: unsafe memory 30
// args: --cc=clang --cflags=-O2 -DKIND=1
// expect: unsafe memory 30
// args: -DKIND=2
// expect: unsafe memory 32
// args: --cc=clang -DKIND=2
// expect: unsafe memory 32
// args: --cflags=-O2 -DKIND=2
// expect: unsafe memory 32
// args: --cc=clang --cflags=-O2 -DKIND=2
// expect: unsafe memory 32
// args: -DKIND=3
// expect: unsafe memory 34
// args: --cc=clang -DKIND=3
// expect: unsafe memory 34
// args: --cflags=-O2 -DKIND=3
// expect: unsafe memory 34
// args: --cc=clang --cflags=-O2 -DKIND=3
// expect: unsafe memory 34
int main()
{
    int *p = new int[2];
#if KIND == 1
    delete[] p, delete[] p;
#elif KIND == 2
    p[5] = 1, delete[] p;
#else
    delete p;
#endif
}
