// Printing and formatting wide characters. What is read and written is memory of the program: a race is found.
// expect: safe
// args: --cc=clang
// expect: safe
// args: -DRACE
// expect: unsafe data-race *
// args: -DFORMAT_RACE
// expect: unsafe data-race *
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

static wchar_t shared[8] = L"abc";

static int formats(wchar_t *to, size_t room, const wchar_t *format, ...) {
  va_list list;
  va_start(list, format);
  int length = vswprintf(to, room, format, list);
  va_end(list);
  return length;
}

static int prints(FILE *file, const wchar_t *format, ...) {
  va_list list;
  va_start(list, format);
  int length = file ? vfwprintf(file, format, list) : vwprintf(format, list);
  va_end(list);
  return length;
}

static void alone(void) {
  wchar_t text[16];
  assert(swprintf(text, 16, L"%d-%ls-%s-%lc", 42, L"wide", "thin", L'x') == 14 && wcscmp(text, L"42-wide-thin-x") == 0);
  assert(swprintf(text, 4, L"12345") == -1);
  assert(formats(text, 16, L"%.2ls|", L"wide") == 3 && wcscmp(text, L"wi|") == 0);
  assert(wprintf(L"%ls %d\n", L"out", 1) == 6 && fwprintf(stdout, L"%c\n", 'c') == 2);
  assert(prints(stdout, L"%5d|", 3) == 6 && prints(NULL, L"\n") == 1);
  assert(putwchar(L'a') == L'a' && putwc(L'b', stdout) == L'b' && fputwc(L'\n', stdout) == L'\n');
  assert(fputws(L"text\n", stdout) >= 0);
  wchar_t *copy = wcsdup(L"copy");
  assert(wcscmp(copy, L"copy") == 0);
  free(copy);
}

static void *writes(void *arg) {
  shared[1] = L'B';
  return arg;
}

int main(void) {
  pthread_t t;
  alone();
  pthread_create(&t, NULL, writes, NULL);
#ifdef RACE
  wprintf(L"%ls\n", shared);
#endif
#ifdef FORMAT_RACE
  wprintf(shared);
#endif
  pthread_join(t, NULL);
  assert(wprintf(L"%ls\n", shared) == 4);
  return 0;
}
