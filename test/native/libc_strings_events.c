// Where data races are no errors, string functions read byte by byte, and others may write in between. The byte that is
// written is read once: 2 traces; strcpy and strdup read it twice, to find the end and to copy: 3. What is read next
// depends on what was read before: if the end is written first, the bytes behind it are not read.
// args: --check=assertions -DREADER='strlen(text)' -DBYTE=67
// expect: safe traces=2
// args: --check=assertions -DREADER='strcmp(text,"abcd")' -DBYTE=67
// expect: safe traces=2
// args: --check=assertions -DREADER='strstr(text,"ad")' -DBYTE=67
// expect: safe traces=2
// args: --check=assertions -DREADER='memchr(text,99,5)' -DBYTE=67
// expect: safe traces=2
// args: --check=assertions -DREADER='strcpy(other,text)' -DBYTE=67
// expect: safe traces=3
// args: --check=assertions -DREADER='strdup(text)' -DBYTE=67
// expect: safe traces=3
// args: --check=assertions -DREADER='strlen(text)' -DBYTE=0
// expect: safe traces=2
// args: --check=assertions -DREADER='strlen(text)' -DBYTE=0 -DBUG
// expect: unsafe assertion 42
// args: --check=assertions -DREADER='memccpy(other,text,99,8)' -DBYTE=67
// expect: safe traces=3
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char text[16] = "abcd", other[16] = "ef";
static long result;

static void *reader(void *arg) {
  result = (long)READER;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, reader, NULL);
  text[2] = BYTE;
  pthread_join(t, NULL);
#ifdef BUG
  assert(result == 4);
#else
  assert(result != 3);
#endif
}
