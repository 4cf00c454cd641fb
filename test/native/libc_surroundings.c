// What the program asks about its surroundings has the same answer everywhere; words for errors; output of all kinds.
// expect: safe traces=1
// args: -DWRONG
// expect: unsafe assertion 22
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

int main(void) {
  char text[64];
  const char *path = getenv("PATH");
  assert(!getenv("NO_SUCH_VARIABLE_ANYWHERE"));
  if (path)
    assert(strlen(path) < 100000);
  assert(getpid() > 1 && gettid() == getpid() && getpid() == getpid());
#ifdef WRONG
  assert(sysconf(_SC_NPROCESSORS_ONLN) != get_nprocs());
#endif
  assert(sysconf(_SC_NPROCESSORS_ONLN) == get_nprocs() && sysconf(_SC_PAGESIZE) >= 4096);
  assert(strcmp(strerror(ENOENT), strerror_r(ENOENT, text, sizeof text)) == 0);
  errno = EAGAIN;
  perror("perror");
  perror(NULL);
  assert(write(STDOUT_FILENO, "abc", 3) == 3 && write(7, "abc", 3) == -1 && errno == EBADF);
  assert(dprintf(STDERR_FILENO, "%s %ld %Lf %c%%\n", "x", 5L, 2.0L, 'c') == 16);
  assert(printf("%s%5.1f\n", (char *)NULL, 2.5) == 12);
}
