// What comes from new goes to delete, what from new[] to delete[], what from malloc to free; once; and as what it is.
// expect: safe
// args: -DKIND=1
// expect: unsafe memory 34
// args: -DKIND=2
// expect: unsafe memory 36
// args: -DKIND=3
// expect: unsafe memory 38
// args: -DKIND=4
// expect: unsafe memory 20|41
// args: -DKIND=5 --cflags=-fsized-deallocation
// expect: unsafe memory 43
// args: -DKIND=5 --cc=clang --cflags=-fsized-deallocation
// expect: unsafe memory 43
// args: -DKIND=6
// expect: unsafe memory 45
#include <cstdlib>
struct Small {
  int x = 1;
  ~Small() { x = 0; }
};
struct Large : Small { // no virtual destructor
  int y[4];
};
struct alignas(64) Aligned {
  int x;
};

static void *volatile hidden; // so that no compiler removes both ends

int main() {
#if KIND == 1
  Small *a = new Small[3];
  delete a;
#elif KIND == 2
  hidden = new int, std::free(hidden);
#elif KIND == 3
  delete static_cast<int *>(std::malloc(sizeof(int)));
#elif KIND == 4
  Small *a = new Small;
  delete a, delete a;
#elif KIND == 5
  hidden = new Large, delete static_cast<Small *>(hidden);
#elif KIND == 6
  hidden = new char, delete[] static_cast<char *>(hidden);
#else
  delete new Small;
  delete[] new Small[3];
  delete new Large;
  delete new Aligned;
  delete[] new Aligned[2];
#endif
}
