// Files can be read. Two threads that read from the same stream take turns: each order is a trace of its own, in which
// the lines come once each. (The file is this one.)
// expect: safe traces=2
// args: -DFIRST
// expect: unsafe assertion 36
// args: -DCLOSED
// expect: unsafe memory *
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *file;
static int kinds[2];

static void *reader(void *arg) {
  char line[200];
  assert(fgets(line, sizeof line, file) && line[strlen(line) - 1] == '\n');
  kinds[(long)arg] = strncmp(line, "// Files can", 12) == 0 ? 1 : strncmp(line, "// the lines", 12) == 0 ? 2 : 3;
  return NULL;
}

static void reads_from_two_threads(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, reader, (void *)i);
#ifdef CLOSED
  fclose(file);
#endif
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
#ifdef FIRST
  assert(kinds[0] == 1);
#endif
  assert(kinds[0] + kinds[1] == 3);
}

int main(void) {
  assert(fopen("/does/not/exist", "r") == NULL && errno == ENOENT);
  file = fopen(__FILE__, "r");
  assert(file && ftell(file) == 0);
  reads_from_two_threads();
  char *line = NULL, bytes[4];
  size_t room = 0;
  assert(getline(&line, &room, file) == 25 && strcmp(line, "// expect: safe traces=2\n") == 0);
  assert(fseeko(file, 3, SEEK_SET) == 0 && ftello(file) == 3);
  rewind(file);
  assert(fread(bytes, 1, 4, file) == 4 && memcmp(bytes, "// F", 4) == 0 && ungetc('F', file) == 'F');
  assert(fgetc(file) == 'F' && fseek(file, -2, SEEK_END) == 0 && fgetc(file) == '}' && getc(file) == '\n');
  assert(!feof(file) && fgetc(file) == EOF && feof(file) && getline(&line, &room, file) == -1);
  free(line);
  fclose(file);
  assert(getchar() == EOF && fgets(bytes, 4, stdin) == NULL && feof(stdin));
}
