// What a library function reads and writes is read and written by the thread that calls it, and no more than that:
// strchr ends where it finds the character, and printf reads the strings that it prints.
// args: -DREADER='strchr(text,55)'
// expect: unsafe data-race *
// args: -DREADER='strchr(text,97)'
// expect: safe
// args: -DREADER='strstr(text,"ab")'
// expect: safe
// args: -DREADER='strstr(text,"ad")'
// expect: unsafe data-race *
// args: -DREADER='atoi(text)'
// expect: safe
// args: -DREADER='strdup(text)'
// expect: unsafe data-race *
// args: -DREADER='printf("%d%s",1,text)'
// expect: unsafe data-race *
// args: -DREADER='printf("%d%.*s",1,2,text)'
// expect: safe
// args: -DREADER='strtok(other,text)'
// expect: unsafe data-race *
// args: -DREADER='memccpy(other,text,98,8)'
// expect: safe
// args: -DREADER='memccpy(other,text,99,8)'
// expect: unsafe data-race *
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile long sink;
static char text[16] = "abcd", other[16] = "ef";

static void *reader(void *arg) {
  sink = (long)READER;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, reader, NULL);
  text[2] = 'C';
  pthread_join(t, NULL);
}
