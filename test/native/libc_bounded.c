// The bounds-checking functions of Annex K. IGNORED: by a handler, as without one. WRONG: by one that aborts. OWN: the program's own versions are kept. RACE: what they read is seen.
// expect: safe
// args: -DIGNORED
// expect: safe
// args: -DOWN
// expect: safe
// args: -DRACE
// expect: unsafe data-race *
// args: -DWRONG
// expect: unsafe assertion *
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

int memcpy_s(void *, size_t, const void *, size_t), memset_s(void *, size_t, int, size_t), strcpy_s(char *, size_t, const char *);
int strcat_s(char *, size_t, const char *), strncpy_s(char *, size_t, const char *, size_t), sprintf_s(char *, size_t, const char *, ...);
size_t strnlen_s(const char *, size_t);
char *strtok_s(char *, size_t *, const char *, char **);
typedef void (*handler)(const char *, void *, int);
handler set_constraint_handler_s(handler);
void ignore_handler_s(const char *, void *, int), abort_handler_s(const char *, void *, int);

static char from[16] = "source", to[16];

#ifdef OWN
int memcpy_s(void *a, size_t n, const void *b, size_t m) { return 77 + !a + !b + (n < m); }
#endif

static void *writer(void *arg) {
#ifdef RACE
  from[0] = 'S';
#endif
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
#ifdef OWN
  assert(memcpy_s(to, 16, from, 16) == 77);
#else
#ifdef WRONG
  set_constraint_handler_s(abort_handler_s);
#elif defined IGNORED
  set_constraint_handler_s(ignore_handler_s);
#endif
  assert(memcpy_s(to, sizeof to, from, 7) == 0 && strcmp(to, "source") == 0);
  assert(memcpy_s(to, 4, from, 7) == ERANGE && to[0] == 0 && to[3] == 0 && to[4] == 'c');
  assert(memcpy_s(NULL, 4, from, 7) == EINVAL);
  assert(strcpy_s(to, sizeof to, "abc") == 0 && strcat_s(to, sizeof to, "def") == 0 && strcmp(to, "abcdef") == 0);
  assert(strcpy_s(to, 3, "abc") == ERANGE && to[0] == 0);
  assert(strncpy_s(to, 3, "abcdef", 2) == 0 && strcmp(to, "ab") == 0);
  assert(strcat_s(to, 2, "x") == EINVAL);
  assert(memset_s(to, 4, 'z', 9) == ERANGE && to[3] == 'z' && to[4] != 'z');
  assert(strnlen_s(NULL, 3) == 0 && strnlen_s("abc", 2) == 2);
  assert(sprintf_s(to, sizeof to, "%d-%s", 7, "x") == 3 && strcmp(to, "7-x") == 0);
  char line[] = "a,b;c", *state, *token;
  size_t left = sizeof line;
  token = strtok_s(line, &left, ",;", &state);
  assert(strcmp(token, "a") == 0);
  token = strtok_s(NULL, &left, ",;", &state);
  assert(strcmp(token, "b") == 0);
  token = strtok_s(NULL, &left, ",;", &state);
  assert(strcmp(token, "c") == 0 && !strtok_s(NULL, &left, ",;", &state));
#endif
  pthread_join(t, 0);
}
