// Atomic operations on 16 bytes, on structs of odd sizes, on floating-point numbers and pointers: through the
// compiler's hooks, and through the calls of libatomic.
// expect: safe traces=96 refined=48
// args: --cc=clang
// expect: safe
// args: -DBROKEN
// expect: unsafe assertion *
// args: --cc=clang -DBROKEN
// expect: unsafe assertion *
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

typedef unsigned __int128 wide;
typedef struct { long a, b; } pair;
typedef struct { char bytes[3]; } three;
typedef struct { char bytes[24]; } large;

static wide counter;
static _Atomic wide counter2;
static _Atomic pair head;
static _Atomic three small;
static _Atomic large big;
static _Atomic double number;
static _Atomic float single;
static int array[4];
static _Atomic(int *) place = array;
static _Atomic unsigned char byte;
static _Atomic short half;
static _Atomic _Bool flag;

static void *worker(void *arg) {
  wide seen = __atomic_load_n(&counter, __ATOMIC_SEQ_CST);
  while (!__atomic_compare_exchange_n(&counter, &seen, seen + ((wide)1 << 64) + 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
    ;
  counter2 += ((wide)1 << 64) + 1;
  __sync_fetch_and_add(&counter, 0);
#ifdef BROKEN // loads and stores of the whole: an update can be lost
  large both = big;
  both.bytes[23]++;
  big = both;
#endif
  pair old = head, new;
  do {
    new.a = old.a + 1;
    new.b = old.b - 1;
  } while (!atomic_compare_exchange_weak(&head, &old, new));
  return arg;
}

int main(void) {
  pthread_t t;
  three three_now = {{1, 2, 3}}, three_was;
  large large_now = {{7}}, large_was;
  atomic_store(&small, three_now);
  three_was = atomic_load(&small);
  assert(three_was.bytes[2] == 3);
  three_now.bytes[0] = 9;
  assert(atomic_compare_exchange_strong(&small, &three_was, three_now));
#ifndef __clang__ // which compares the padding, too
  assert(!atomic_compare_exchange_strong(&small, &three_was, three_now) && three_was.bytes[0] == 9);
#endif
  atomic_store(&big, large_now);
  large_was = atomic_exchange(&big, (large){{8}});
  assert(large_was.bytes[0] == 7);
  number = 1.5;
  number += 2;
  single *= 2;
  assert(number == 3.5);
  place++;
  assert(atomic_load(&place) == array + 1);
  atomic_fetch_add(&place, 2);
  byte--;
  assert(byte == 255);
  half |= 0x10;
  assert(atomic_fetch_xor(&half, 0x11) == 0x10 && half == 1);
  assert(!atomic_exchange(&flag, 1) && flag);
  assert(__sync_bool_compare_and_swap(&array[0], 0, 5) && __sync_val_compare_and_swap(&array[0], 4, 6) == 5);
  assert(__sync_lock_test_and_set(&array[1], 1) == 0);
  __sync_lock_release(&array[1]);
  __sync_synchronize();
  assert(__sync_add_and_fetch(&array[2], 3) == 3 && __sync_nand_and_fetch(&array[2], 1) == ~1);
  assert(__atomic_test_and_set(&byte, __ATOMIC_ACQUIRE));
  __atomic_clear(&byte, __ATOMIC_RELEASE);
  atomic_thread_fence(memory_order_acq_rel);
  atomic_signal_fence(memory_order_seq_cst);
  pthread_create(&t, 0, worker, 0);
  worker(0);
  pthread_join(t, 0);
  assert(counter == ((wide)2 << 64) + 2);
  assert(counter2 == counter);
#ifdef BROKEN
  large sum = big;
  assert(sum.bytes[23] == 2);
#endif
  pair last = head;
  assert(last.a == 2 && last.b == -2);
}
