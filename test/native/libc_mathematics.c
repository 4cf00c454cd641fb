// Mathematics with one result and with two, and what programs ask of their surroundings. The second result is written to memory
// as by the caller: two threads that have it written to the same place race (BROKEN).
// args: --ldflags=-lm
// expect: safe
// args: --ldflags=-lm -DBROKEN
// expect: unsafe data-race 34
#define _GNU_SOURCE
#include <assert.h>
#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include <wctype.h>

static double whole;
static int exponent;

static void *worker(void *arg) {
  volatile double number = 10.75;
  double own_whole, sine, cosine;
  int own_exponent;
#ifdef BROKEN
  double *to_whole = &whole;
  int *to_exponent = &exponent;
#else
  double *to_whole = &own_whole;
  int *to_exponent = &own_exponent;
#endif
  assert(modf(number, to_whole) == 0.75 && *to_whole == 10);
  assert(frexp(number, to_exponent) == 0.671875 && *to_exponent == 4);
  sincos(number, &sine, &cosine);
  assert(fabs(sine * sine + cosine * cosine - 1) < 1e-9);
  assert(trunc(number) == 10 && ldexp(number, 1) == 21.5 && llround(number) == 11 && ilogb(number) == 3);
  assert(acosh(cosh(number)) - number < 1e-9 && fmodf((float)number, 4) == 2.75f && asinf(0) == 0);
  return arg;
}

static void calendar(void) {
  time_t time = 86400;
  struct tm day;
  char text[26], other[26];
  assert(gmtime_r(&time, &day) && timegm(&day) == time);
  assert(ctime_r(&time, text) && asctime_r(&day, other) && strcmp(text, other) == 0);
  assert(strcmp(text, "Fri Jan  2 00:00:00 1970\n") == 0 && strcmp(asctime(&day), text) == 0);
}

int main(void) {
  pthread_t t[2];
  cpu_set_t set;
  struct rusage usage;
  CPU_ZERO(&set);
  CPU_SET(0, &set);
  assert(sched_setaffinity(0, sizeof set, &set) == 0 && sched_getaffinity(0, sizeof set, &set) == 0);
  assert(CPU_COUNT(&set) == 1 && getrusage(RUSAGE_SELF, &usage) == 0 && usage.ru_maxrss >= 0);
  assert(setlocale(LC_ALL, "") && strcmp(setlocale(LC_ALL, "C"), "C") == 0 && !setlocale(LC_ALL, "xx_YY"));
  assert(getuid() == geteuid() && getgid() == getegid());
  assert(isblank('\t') && towupper(L'a') == L'A');
  calendar();
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  (void)whole, (void)exponent;
}
