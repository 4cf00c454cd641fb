// Numbers and words out of a text and out of a file. (The file is this one.)
// expect: safe traces=1
// args: -DWRONG
// expect: unsafe assertion 25
// args: -DRACE
// expect: unsafe data-race *
// args: --cflags=-std=c11 --cc=clang
// expect: safe traces=1
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char text[] = "12 0x1f word -3.5 [abc] rest";
static int a = -1, b = -1, position = -1, missing = 7;

static void *reader(void *arg) {
  char word[8], set[8];
  double d;
  short s = 5;
  assert(sscanf(text, "%d %i %7s %lf [%[a-c]] %n%hd", &a, &b, word, &d, set, &position, &s) == 5);
  assert(a == 12 && b == 31 && strcmp(word, "word") == 0 && d == -3.5 && strcmp(set, "abc") == 0);
  assert(position == 24 && s == 5 && sscanf("", "%d", &missing) == EOF && missing == 7);
#ifdef WRONG
  assert(sscanf("1 x 3", "%*d %c %d", word, &missing) == 1);
#endif
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, reader, NULL);
#ifdef RACE
  text[0] = '1';
#endif
  pthread_join(t, NULL);
  char word[16];
  FILE *file = fopen(__FILE__, "r");
  assert(fscanf(file, "// %15s and", word) == 1 && strcmp(word, "Numbers") == 0);
  assert(fscanf(file, "%d", &missing) == 0 && missing == 7);
  assert(fscanf(file, "%15s", word) == 1 && strcmp(word, "words") == 0);
  fclose(file);
  assert(scanf("%d", &missing) == EOF);
}
