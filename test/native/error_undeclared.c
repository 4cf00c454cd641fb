// expect: error 7 undeclared
// args: -DVALUE=1
// expect: safe
int main(void) {
  int sum = 0;
  for (int i = 0; i < 2; i++)
    sum += VALUE;
  return sum - 2;
}
