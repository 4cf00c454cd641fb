// Nothing happens.
// expect: safe traces=1 full=yes
int main(void) {
  return 0;
}
