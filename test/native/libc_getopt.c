// getopt and its kin, as the C library has them: the variables begin anew in every execution.
// expect: safe
// args: --cc=clang
// expect: safe
// args: -DRACE
// expect: unsafe data-race *
#define _GNU_SOURCE
#include <assert.h>
#include <getopt.h>
#include <mazurka.h>
#include <pthread.h>
#include <string.h>

#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)) - 1)

static void letters(void) {
  char *words[] = {"p", "first", "-ab", "-cvalue", "second", "-c", "other", "-x", "-d", "--", "-a", NULL};
  assert(optind == 1);
  opterr = 0;
  assert(getopt(COUNT(words), words, "abc:d::") == 'a');
  assert(getopt(COUNT(words), words, "abc:d::") == 'b' && optind == 3);
  assert(getopt(COUNT(words), words, "abc:d::") == 'c' && strcmp(optarg, "value") == 0);
  assert(getopt(COUNT(words), words, "abc:d::") == 'c' && strcmp(optarg, "other") == 0);
  assert(getopt(COUNT(words), words, "abc:d::") == '?' && optopt == 'x');
  assert(getopt(COUNT(words), words, "abc:d::") == 'd' && !optarg);
  assert(getopt(COUNT(words), words, "abc:d::") == -1 && optind == 8);
  assert(strcmp(words[8], "first") == 0 && strcmp(words[9], "second") == 0 && strcmp(words[10], "-a") == 0);
}

static void orders(void) {
  char *stop[] = {"p", "-a", "word", "-b", NULL}, *each[] = {"p", "word", "-a", NULL}, *lacks[] = {"p", "-c", NULL};
  optind = 0;
  assert(getopt(COUNT(stop), stop, "+ab") == 'a' && getopt(COUNT(stop), stop, "+ab") == -1 && optind == 2);
  optind = 0;
  assert(getopt(COUNT(each), each, "-a") == 1 && strcmp(optarg, "word") == 0);
  assert(getopt(COUNT(each), each, "-a") == 'a' && getopt(COUNT(each), each, "-a") == -1);
  optind = 0;
  assert(getopt(COUNT(lacks), lacks, ":c:") == ':' && optopt == 'c');
}

static void names(void) {
  static int flag;
  struct option known[] = {{"size", required_argument, NULL, 's'}, {"verbose", no_argument, &flag, 7},
                           {"version", no_argument, NULL, 'V'},    {"level", optional_argument, NULL, 'l'},
                           {NULL, 0, NULL, 0}};
  char *words[] = {"p",           "--size=3", "x",       "--size",     "4",        "--level", "--level=2", "--verb",
                   "--verbose=1", "--ver",    "--other", "--version", "-s",       "--size",  NULL};
  int index = -1;
  optind = 0;
  opterr = 1; // what it says is output
  assert(getopt_long(COUNT(words), words, "s", known, &index) == 's' && strcmp(optarg, "3") == 0 && index == 0);
  assert(getopt_long(COUNT(words), words, "s", known, &index) == 's' && strcmp(optarg, "4") == 0);
  assert(getopt_long(COUNT(words), words, "s", known, &index) == 'l' && !optarg && index == 3);
  assert(getopt_long(COUNT(words), words, "s", known, &index) == 'l' && strcmp(optarg, "2") == 0);
  assert(getopt_long(COUNT(words), words, "s", known, &index) == 0 && flag == 7);
  assert(getopt_long(COUNT(words), words, "s", known, &index) == '?' && optopt == 7);
  assert(getopt_long(COUNT(words), words, "s", known, &index) == '?' && optopt == 0);
  assert(getopt_long(COUNT(words), words, "s", known, &index) == '?');
  assert(getopt_long(COUNT(words), words, "s", known, &index) == 'V');
  assert(getopt_long(COUNT(words), words, "s", known, &index) == 's');
  assert(getopt_long(COUNT(words), words, "s", known, &index) == '?' && optopt == 's');
  assert(getopt_long(COUNT(words), words, "s", known, &index) == -1 && optind == 13 && strcmp(words[13], "x") == 0);
  char *only[] = {"p", "-size", "5", "-s", "-level=6", "-b", NULL};
  optind = 0;
  assert(getopt_long_only(COUNT(only), only, "sb", known, NULL) == 's' && strcmp(optarg, "5") == 0);
  assert(getopt_long_only(COUNT(only), only, "sb", known, NULL) == 's' && !optarg);
  assert(getopt_long_only(COUNT(only), only, "sb", known, NULL) == 'l' && strcmp(optarg, "6") == 0);
  assert(getopt_long_only(COUNT(only), only, "sb", known, NULL) == 'b');
  assert(getopt_long_only(COUNT(only), only, "sb", known, NULL) == -1 && optind == 6);
}

static void *thread(void *arg) {
  char *words[] = {"p", "-a", NULL};
  getopt(COUNT(words), words, "a");
  return arg;
}

int main(void) {
  pthread_t t;
  mz_choose(0, 1); // everything happens twice
  letters();
  orders();
  names();
  optind = 0;
  pthread_create(&t, NULL, thread, NULL);
#ifdef RACE
  thread(NULL);
#endif
  return pthread_join(t, NULL);
}
