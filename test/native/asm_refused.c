// What cannot be modelled is refused, with its name and place: a transaction of the processor (K=0), random numbers (K=1), a
// call (K=2), the memory that a segment register tells (K=3), several instructions in one statement of which one touches memory (K=4),
// strings that go backwards (K=5), a jump by so many bytes (K=6, 7).
// args: -DK=0
// expect: error 31 contains the instruction 'xbegin
// args: -DK=1
// expect: error 34 contains the instruction 'rdrand
// args: -DK=2
// expect: error 37 contains the instruction 'call
// args: -DK=3
// expect: error 40 contains the instruction 'movq %fs
// args: -DK=4
// expect: error 43 contains the instruction '.rept
// args: -DK=0 --cc=clang
// expect: error 31 contains the instruction 'xbegin
// args: -DK=5
// expect: error 46 contains the instruction 'std
// args: -DK=6
// expect: error 49 contains the instruction 'jz .+4
// args: -DK=6 --cc=clang
// expect: error 49 contains the instruction 'je
// args: -DK=7
// expect: error 52 contains the instruction 'jmp 1f+3
// args: -DK=7 --cc=clang
// expect: error 52 contains the instruction 'jmp
static int x;
int main(void) {
  long n = 0;
  (void)x;
#if K == 0
  __asm__ volatile("xbegin 1f\n1:" : "+a"(n) : : "memory");
#endif
#if K == 1
  __asm__ volatile("rdrand %0" : "=r"(n) : : "cc");
#endif
#if K == 2
  __asm__ volatile("call abort@PLT" : : : "memory");
#endif
#if K == 3
  __asm__ volatile("movq %%fs:0, %0" : "=r"(n));
#endif
#if K == 4
  __asm__ volatile(".rept 2\n\tincl %0\n\t.endr" : "+m"(x) : : "cc");
#endif
#if K == 5
  __asm__ volatile("std; cld" : : : "cc");
#endif
#if K == 6
  __asm__ volatile("testq %1, %1; jz .+4; incl (%0)" : : "r"(&x), "r"(n) : "memory", "cc");
#endif
#if K == 7
  __asm__ volatile("jmp 1f+3; 1: incl (%0); decl (%0)" : : "r"(&x) : "memory", "cc");
#endif
  return (int)n;
}
