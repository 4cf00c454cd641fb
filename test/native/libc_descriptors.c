// Files to read by their descriptors; writing goes to the standard streams alone. Two threads that read from one
// descriptor take turns, and so do two that open one: the lowest number that is free is what they get. (The file is
// this one.)
// expect: safe
// args: --cc=clang
// expect: safe
// args: -DFIRST
// expect: unsafe assertion *
// args: -DORDER
// expect: unsafe assertion *
// args: -DWRITES
// expect: safe
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int descriptor, opened[2];
static char got[2];

static void *reads(void *arg) {
  assert(read(descriptor, &got[(long)arg], 1) == 1);
  return NULL;
}

static void *opens(void *arg) {
  opened[(long)arg] = open(__FILE__, O_RDONLY);
  return NULL;
}

static void run(void *(*function)(void *)) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, function, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
}

static void alone(void) {
  struct stat what;
  char text[16];
  int d = open(__FILE__, O_RDONLY | O_CLOEXEC), e = open(__FILE__, O_RDONLY);
  assert(d == 3 && e == 4);
  assert(read(d, text, 8) == 8 && memcmp(text, "// Files", 8) == 0);
  assert(read(e, text, 2) == 2 && memcmp(text, "//", 2) == 0); // a position of its own
  assert(lseek(d, 0, SEEK_CUR) == 8 && lseek(d, -5, SEEK_CUR) == 3 && lseek(d, -4, SEEK_CUR) == -1 && errno == EINVAL);
  assert(pread(d, text, 2, 0) == 2 && memcmp(text, "//", 2) == 0 && lseek(d, 0, SEEK_CUR) == 3);
  assert(fstat(d, &what) == 0 && S_ISREG(what.st_mode) && lseek(d, 0, SEEK_END) == what.st_size);
  assert(read(d, text, 8) == 0);
  assert(!isatty(d) && errno == ENOTTY && !isatty(STDOUT_FILENO));
  assert(write(d, "x", 1) == -1 && errno == EBADF);
  assert(close(d) == 0 && close(d) == -1 && errno == EBADF);
  assert(read(d, text, 1) == -1 && errno == EBADF && fstat(d, &what) == -1 && lseek(d, 0, SEEK_SET) == -1);
  assert(!isatty(d) && errno == EBADF);
  assert(open("/nowhere/at/all", O_RDONLY) == -1 && errno == ENOENT);
  assert(open(__FILE__, O_RDONLY) == d && close(d) == 0 && close(e) == 0); // the lowest one again
  assert(write(STDOUT_FILENO, "out\n", 4) == 4 && write(STDERR_FILENO, "error\n", 6) == 6);
  assert(read(STDIN_FILENO, text, 0) == 0);
  for (int i = 1000; i < 2000; i++)
    assert(close(i) == -1 && errno == EBADF && fstat(i, &what) == -1 && write(i, "x", 1) == -1);
  FILE *file = fopen(__FILE__, "r");
  assert(file && fstat(fileno(file), &what) == 0 && what.st_size > 1000 && fclose(file) == 0);
}

int main(void) {
  alone();
  descriptor = open(__FILE__, O_RDONLY);
  lseek(descriptor, 2, SEEK_SET);
  run(reads);
  assert((got[0] == ' ' && got[1] == 'F') || (got[0] == 'F' && got[1] == ' '));
#ifdef FIRST
  assert(got[0] == ' ');
#endif
  run(opens);
  assert(opened[0] + opened[1] == 4 + 5);
#ifdef ORDER
  assert(opened[0] == 4);
#endif
#ifdef WRITES
  open("never-made", O_WRONLY | O_CREAT, 0600);
#endif
  return 0;
}
