// What a program writes goes to a copy in memory that is taken back with the execution; the files of the system stay as they are.
// expect: safe full=yes
// args: -DCASE=1
// expect: safe full=yes
// args: -DCASE=2
// expect: unsafe assertion *
// args: -DCASE=3
// expect: safe full=yes
// args: -DCASE=4
// expect: unsafe data-race *
// args: -DCASE=5
// expect: unsafe memory *
// args: -DCASE=6
// expect: safe full=yes
// args: -DCASE=7
// expect: safe full=yes
// args: -DCASE=7 -DWRONG
// expect: unsafe assertion *
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef CASE
#define CASE 0
#endif
#define NAME "mazurka-result.txt"
static char text[32] = "one";
static atomic_int turns;

static void *worker(void *arg) {
  int descriptor;
  FILE *file;
  (void)descriptor, (void)file;
  switch (CASE) {
  case 1:
    descriptor = open(NAME, O_WRONLY | O_APPEND);
    assert(write(descriptor, "x", 1) == 1);
    close(descriptor);
    break;
  case 2:
  case 3:
    file = fopen(NAME, "w");
    fputs("thread", file);
    fclose(file);
    break;
  case 4:
    text[0] = 'O';
    break;
  case 6:
    turns++;
    rename(NAME, NAME ".new");
    break;
  case 7:
    file = fopen(NAME, "w");
    fprintf(file, "%d-%s", 12, "ab");
    fclose(file);
    break;
  }
  return arg;
}

static long size_of(const char *path) {
  struct stat what;
  return stat(path, &what) == 0 ? (long)what.st_size : -1;
}

int main(void) {
  pthread_t t;
  char got[32] = {0};
  FILE *file;
  assert(access(NAME, F_OK) == -1 && errno == ENOENT && size_of(NAME) == -1);
#if CASE == 0
  file = fopen(NAME, "w+");
  assert(file && fprintf(file, "%s %d\n", "line", 1) == 7 && fputs("two\n", file) >= 0 && fputc('3', file) == '3');
  assert(fwrite("45", 1, 2, file) == 2 && ftell(file) == 14 && fflush(file) == 0 && size_of(NAME) == 14);
  rewind(file);
  assert(fgets(got, sizeof got, file) && strcmp(got, "line 1\n") == 0);
  fseek(file, -1, SEEK_END);
  assert(fgetc(file) == '5' && fgetc(file) == EOF && feof(file));
  fseek(file, 20, SEEK_SET);
  fputc('!', file);
  fclose(file);
  assert(size_of(NAME) == 21);
  file = fopen(NAME, "a");
  fputs("end", file);
  assert(fgetc(file) == EOF);
  fclose(file);
  int d = open(NAME, O_RDWR);
  assert(pread(d, got, 4, 20) == 4 && memcmp(got, "!end", 4) == 0 && pread(d, got, 1, 16) == 1 && got[0] == 0);
  assert(pwrite(d, "L", 1, 0) == 1 && ftruncate(d, 4) == 0 && read(d, got, 31) == 4 && memcmp(got, "Line", 4) == 0);
  assert(write(d, "s", 1) == 1 && fsync(d) == 0 && dprintf(d, "%d", 7) == 1 && size_of(NAME) == 6 && close(d) == 0);
  assert(open(NAME, O_WRONLY | O_CREAT | O_EXCL, 0600) == -1 && errno == EEXIST);
  assert(mkdir("mazurka-folder", 0700) == 0 && mkdir("mazurka-folder", 0700) == -1 && errno == EEXIST);
  assert(rename(NAME, "mazurka-folder/../mazurka-folder/./x") == 0 && size_of(NAME) == -1);
  assert(size_of("mazurka-folder/x") == 6 && rmdir("mazurka-folder") == -1 && errno == ENOTEMPTY);
  assert(unlink("mazurka-folder/x") == 0 && unlink("mazurka-folder/x") == -1 && rmdir("mazurka-folder") == 0);
  assert(!fopen("mazurka-folder/y", "w") && errno == ENOENT);
  char name[] = "/tmp/mazurka-XXXXXX";
  d = mkstemp(name);
  assert(d > 2 && strcmp(name, "/tmp/mazurka-XXXXXX") && access(name, W_OK) == 0 && access(name, X_OK) == -1 && unlink(name) == 0);
  assert(write(d, "kept", 4) == 4 && lseek(d, 0, SEEK_SET) == 0 && read(d, got, 9) == 4 && close(d) == 0);
  file = tmpfile();
  assert(fputs("t", file) >= 0 && fclose(file) == 0);
  file = fopen("/dev/null", "w");
  assert(fputs("gone", file) >= 0 && fclose(file) == 0);
  d = open("/dev/urandom", O_RDONLY);
  assert(read(d, got, 16) == 16 && close(d) == 0);
#elif CASE == 1
  int d = open(NAME, O_WRONLY | O_CREAT | O_APPEND, 0600);
  pthread_create(&t, 0, worker, 0);
  assert(write(d, "y", 1) == 1);
  pthread_join(t, 0);
  close(d);
  file = fopen(NAME, "r");
  assert(fgets(got, sizeof got, file) && (strcmp(got, "xy") == 0 || strcmp(got, "yx") == 0));
  fclose(file);
#elif CASE == 2 || CASE == 3
  pthread_create(&t, 0, worker, 0);
  file = fopen(NAME, "w");
  fputs("m", file);
  fclose(file);
  pthread_join(t, 0);
  long size = size_of(NAME);
  assert(CASE == 2 ? size != 6 : size == 1 || size == 6);
#elif CASE == 4
  pthread_create(&t, 0, worker, 0);
  file = fopen(NAME, "w");
  fputs(text, file);
  fclose(file);
  pthread_join(t, 0);
#elif CASE == 5
  file = fopen(NAME, "w");
  fclose(file);
  fputs("late", file);
#elif CASE == 6
  fclose(fopen(NAME, "w"));
  pthread_create(&t, 0, worker, 0);
  long here = size_of(NAME), there = size_of(NAME ".new");
  assert(here == 0 || there == 0);
  pthread_join(t, 0);
  assert(size_of(NAME) == -1 && size_of(NAME ".new") == 0);
#elif CASE == 7
  pthread_create(&t, 0, worker, 0);
  file = fopen(NAME, "r");
  if (file) {
    size_t length = fread(got, 1, sizeof got, file);
    assert(length == 0 || (length == 5 && strcmp(got, "12-ab") == 0));
#ifdef WRONG
    assert(length == 0);
#endif
    fclose(file);
  }
  pthread_join(t, 0);
#endif
}
