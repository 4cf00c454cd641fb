// String functions do what they do elsewhere, on private memory.
// expect: safe traces=1
// args: -DWRONG
// expect: unsafe assertion 40
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void tokens(void) {
  char text[] = ",one,,two;three", *rest, *p = text;
  assert(strcmp(strtok_r(text, ",;", &rest), "one") == 0);
  assert(strcmp(strtok_r(NULL, ",;", &rest), "two") == 0);
  assert(strcmp(strtok_r(NULL, ",;", &rest), "three") == 0);
  assert(strtok_r(NULL, ",;", &rest) == NULL);
  char again[] = "a b";
  assert(strcmp(strtok(again, " "), "a") == 0 && strcmp(strtok(NULL, " "), "b") == 0 && !strtok(NULL, " "));
  char fields[] = "x::y";
  p = fields;
  assert(strcmp(strsep(&p, ":"), "x") == 0 && strcmp(strsep(&p, ":"), "") == 0 && strcmp(strsep(&p, ":"), "y") == 0);
  assert(p == NULL && strsep(&p, ":") == NULL);
}

static void searching(void) {
  const char *text = "the cat sat";
  assert(strchr(text, 'c') == text + 4 && strrchr(text, 'a') == text + 9 && strchr(text, 'z') == NULL);
  assert(strstr(text, "sat") == text + 8 && strcasestr(text, "CAT") == text + 4 && !strstr(text, "dog"));
  assert(strpbrk(text, "xyzc") == text + 4 && strspn(text, "eht") == 3 && strcspn(text, " ") == 3);
  assert(memchr(text, 'c', 11) == text + 4 && memrchr(text, 't', 11) == text + 10);
  assert(memmem(text, 11, "at", 2) == text + 5 && *strchrnul(text, 'z') == 0 && index(text, 'h') == text + 1);
  assert(strcasecmp("Ab", "aB") == 0 && strncasecmp("Abc", "aBd", 2) == 0 && strcoll("a", "b") < 0);
}

static void copying(void) {
  char b[16] = "";
  strcat(strcpy(b, "ab"), "cd");
#ifdef WRONG
  assert(strlen(strncat(b, "efg", 2)) == 7);
#endif
  assert(strcmp(strncat(b, "efg", 2), "abcdef") == 0 && stpcpy(b, "xyz") == b + 3);
  assert(memccpy(b, "12;34", ';', 5) == b + 3 && memcmp(b, "12;", 3) == 0);
  assert(mempcpy(b, "qq", 3) == b + 3 && strcmp(b, "qq") == 0);
  memset(b, 'x', sizeof b);
  strncpy(b, "a", 3);
  assert(b[1] == 0 && b[2] == 0 && b[3] == 'x');
  bzero(b, 4);
  assert(b[0] == 0 && b[3] == 0 && b[4] == 'x');
}

static void making(void) {
  char *a = strdup("hello"), *b = strndup("hello", 3), *c = NULL;
  assert(strcmp(a, "hello") == 0 && strcmp(b, "hel") == 0);
  assert(asprintf(&c, "%s-%d-%.2s", a, 7, "xyz") == 10 && strcmp(c, "hello-7-xy") == 0);
  char d[8];
  assert(snprintf(d, sizeof d, "%*d|%s", 4, 12, "long words") == 15 && strcmp(d, "  12|lo") == 0);
  free(a);
  free(b);
  free(c);
}

static void numbers(void) {
  char *end;
  assert(atoi(" 42x") == 42 && atol("-7") == -7 && atof("0.5") == 0.5);
  assert(strtol("0x1fz", &end, 0) == 31 && *end == 'z' && strtoul("077", NULL, 8) == 63);
  assert(strtod("1.25e2,", &end) == 125 && *end == ',' && strtoll("none", &end, 10) == 0);
  assert(abs(-3) == 3 && div(7, 2).quot == 3 && ldiv(7, 2).rem == 1);
}

int main(void) {
  tokens();
  searching();
  copying();
  making();
  numbers();
}
