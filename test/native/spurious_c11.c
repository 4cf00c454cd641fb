// The same for <threads.h>: two wait, each may wake by itself once. BUG: no second look.
// args: --spurious
// expect: safe
// args: --spurious -DBUG
// expect: unsafe assertion 25
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t changed;
static int tokens;

#ifdef BUG
#define UNTIL(condition) if (!(condition))
#else
#define UNTIL(condition) while (!(condition))
#endif

static int take(void *arg) {
  (void)arg;
  mtx_lock(&mutex);
  UNTIL(tokens > 0)
    cnd_wait(&changed, &mutex);
  tokens--;
  assert(tokens >= 0);
  mtx_unlock(&mutex);
  return 0;
}

int main(void) {
  thrd_t t[2];
  mtx_init(&mutex, mtx_plain);
  cnd_init(&changed);
  for (int i = 0; i < 2; i++)
    thrd_create(&t[i], take, NULL);
  mtx_lock(&mutex);
  tokens = 2;
  cnd_broadcast(&changed);
  mtx_unlock(&mutex);
  for (int i = 0; i < 2; i++)
    thrd_join(t[i], NULL);
}
