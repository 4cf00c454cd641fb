// Messages of <err.h> and <error.h>: what they print is read by the caller, and err() ends the program as exit() does. And strtold().
// RACE: the text is written meanwhile. STATUS: it ends with what err() says.
// expect: safe
// args: -DRACE
// expect: unsafe data-race *
// args: -DSTATUS --check=default,exits
// expect: unsafe exit *
#define _GNU_SOURCE
#include <assert.h>
#include <err.h>
#include <errno.h>
#include <error.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[16] = "first";
static atomic_int ended;

static void tell(const char *format, ...) {
  va_list list;
  va_start(list, format);
  vwarnx(format, list);
  va_end(list);
  va_start(list, format);
  vdprintf(2, format, list);
  va_end(list);
}

static void *worker(void *arg) {
  errno = ENOENT;
  warn("worker %d: %s", 1, text);
  warnx("nothing is wrong with %s", text);
  assert(errno == ENOENT);
  tell("%s of %d\n", text, 2);
  error(0, EINVAL, "%s", text);
  return arg;
}

static void at_the_end(void) {
  atomic_store(&ended, 1);
}

int main(void) {
  char *end;
  const char *number = "2.5e1 metres";
  assert(strtold(number, &end) == 25.0L && strcmp(end, " metres") == 0);
  assert(isnan(nan("")));
  atexit(at_the_end);
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
#ifdef RACE
  strcpy(text, "second");
#endif
  pthread_join(t, NULL);
#ifdef STATUS
  errno = EIO;
  err(3, "no %s", "way");
#else
  errx(0, "that is all of %s", text);
#endif
  abort();
}
