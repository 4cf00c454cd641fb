// A program may refuse options itself.
// expect: safe
// args: -DN=0
// expect: error 6 at least one
#if defined(N) && N < 1
#error at least one thread
#endif
int main(void) {
  return 0;
}
