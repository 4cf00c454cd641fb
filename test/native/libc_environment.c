// A program may change its environment; the next execution begins with the first one again. Two threads that change it
// take turns; one that reads it while another changes it races.
// expect: safe
// args: --cc=clang
// expect: safe
// args: -DRACE
// expect: unsafe data-race *
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *sets(void *name) {
  assert(setenv(name, "1", 1) == 0);
  return NULL;
}

static void alone(void) {
  assert(!getenv("MZ_TEST_NAME"));
  assert(setenv("MZ_TEST_NAME", "one", 0) == 0);
  char *kept = getenv("MZ_TEST_NAME");
  assert(strcmp(kept, "one") == 0);
  assert(setenv("MZ_TEST_NAME", "two", 0) == 0 && strcmp(getenv("MZ_TEST_NAME"), "one") == 0);
  assert(setenv("MZ_TEST_NAME", "two", 1) == 0 && strcmp(secure_getenv("MZ_TEST_NAME"), "two") == 0);
  assert(strcmp(kept, "one") == 0);
  assert(setenv("", "x", 1) == -1 && errno == EINVAL);
  assert(setenv("a=b", "x", 1) == -1 && errno == EINVAL);
  assert(unsetenv("a=b") == -1 && errno == EINVAL);
  static char entry[] = "MZ_TEST_OTHER=x";
  assert(putenv(entry) == 0 && getenv("MZ_TEST_OTHER") == entry + 14);
  entry[14] = 'y'; // the string itself is the environment
  assert(strcmp(getenv("MZ_TEST_OTHER"), "y") == 0);
  assert(putenv("MZ_TEST_OTHER") == 0 && !getenv("MZ_TEST_OTHER"));
  assert(unsetenv("MZ_TEST_NAME") == 0 && !getenv("MZ_TEST_NAME") && unsetenv("MZ_TEST_NAME") == 0);
  assert(getenv("PATH"));
}

static int count(void) {
  int found = 0;
  for (char **at = environ; at && *at; at++)
    found += strncmp(*at, "MZ_TEST_", 8) == 0;
  return found;
}

int main(void) {
  pthread_t t[2];
  alone();
  assert(count() == 0);
  if (mz_choose(0, 1) == 1)
    setenv("MZ_TEST_C", "1", 1); // the second execution must not find what the first one has left, nor the other way
  pthread_create(&t[0], NULL, sets, "MZ_TEST_A");
  pthread_create(&t[1], NULL, sets, "MZ_TEST_B");
#ifdef RACE
  getenv("MZ_TEST_A");
#endif
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  assert(count() == 2 + !!getenv("MZ_TEST_C"));
  assert(clearenv() == 0 && !getenv("PATH") && count() == 0);
  assert(setenv("MZ_TEST_A", "again", 1) == 0 && count() == 1);
  return 0;
}
