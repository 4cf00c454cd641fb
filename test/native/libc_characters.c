// The classes of characters are macros that look up a table of the C library, in C; what it says is the same in every thread.
// BROKEN: words are counted without a lock.
// expect: safe
// args: --cflags=-O0
// expect: safe
// args: -DBROKEN
// expect: unsafe data-race *
#include <assert.h>
#include <ctype.h>
#include <pthread.h>

static const char text[] = "Mazurka 3/4, one_two: x2 ";
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int words, capitals;

static void *count(void *arg) {
  int in_word = 0;
  for (const char *c = text; *c; c++) {
    int belongs = isalnum((unsigned char)*c) || *c == '_';
    if (!belongs && in_word) {
#ifndef BROKEN
      pthread_mutex_lock(&m);
#endif
      words++;
#ifdef BROKEN
      capitals += toupper((unsigned char)c[-1]) == c[-1];
#else
      capitals += toupper((unsigned char)c[-1]) == c[-1] && !isdigit((unsigned char)c[-1]);
      pthread_mutex_unlock(&m);
#endif
    }
    in_word = belongs;
    assert(!isspace((unsigned char)*c) || *c == ' ');
    assert(isupper((unsigned char)*c) == 0 || tolower((unsigned char)*c) != *c);
  }
  return arg;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, count, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(words == 10 && capitals == 0);
}
