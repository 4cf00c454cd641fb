// expect: error 4 expected
// The compiler's own message is shown.
int main(void) {
  return 0
}
