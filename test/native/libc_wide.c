// Wide characters: what the functions give, and that what they read and write is seen.
// expect: safe traces=1
// args: --cc=clang --cflags=-O2
// expect: safe traces=1
// args: -DSHARED
// expect: unsafe data-race *
// args: -DBEYOND
// expect: unsafe memory *
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <wchar.h>

static wchar_t text[16];

static void *worker(void *arg) {
#ifdef SHARED
  wcscpy(text, L"other");
#endif
  return arg;
}

int main(void) {
  pthread_t t;
  wmemset(text, L'x', 3);
  assert(wcslen(text) == 3 && wcsnlen(text, 2) == 2 && wcscmp(text, L"xxx") == 0);
  wcscpy(text, L"abc");
  wcscat(text, L"def");
  assert(wcscmp(text, L"abcdef") == 0 && wcscmp(text, L"abd") < 0 && wcsncmp(text, L"abx", 2) == 0);
  assert(wcschr(text, L'd') == text + 3 && !wcschr(text, L'z') && wcschr(text, 0) == text + 6);
  wchar_t copy[8];
  wmemcpy(copy, text, 7);
  wmemmove(copy + 1, copy, 3);
  assert(copy[0] == L'a' && copy[1] == L'a' && copy[3] == L'c');
  assert(syscall(SYS_gettid) == gettid() && syscall(SYS_getpid) == getpid() && sched_getcpu() == 0);
#ifdef BEYOND
  wchar_t *block = malloc(3 * sizeof *block);
  wcscpy(block, L"abc");
#endif
  pthread_create(&t, NULL, worker, NULL);
  size_t length = wcslen(text);
  pthread_join(t, NULL);
  return length == 0;
}
