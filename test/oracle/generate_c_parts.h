/* What the parts of the generator of C programs have in common. */
#ifndef TEST_ORACLE_GENERATE_C_PARTS_H
#define TEST_ORACLE_GENERATE_C_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

typedef struct generator {
    uint64_t seed, state;
    uint32_t index;
    uint32_t threads;
    uint32_t flavour;  /* which features: bits of FEATURES */
    uint32_t depth;    /* of nested statements */
    uint32_t budget;   /* statements left in the thread */
    uint32_t children; /* threads that create others */
    uint32_t focus;    /* 0 … 5: how far it is about its features alone */
    bool inputs;       /* main reads inputs, before it creates threads */
    bool late_inputs;  /* threads read them */
    bool has_lent;     /* the thread has shown others a variable of its own */
    mz_text *out;
} generator;

enum {
    LOCKS = 1,
    CONDITIONS = 2,
    SEMAPHORES = 4,
    RW_LOCKS = 8,
    SPINS = 16,
    SECTIONS = 32,
    PLAIN = 64,
    BARRIER = 128,
    CHOICES = 256,
    FAILURES = 512,
    CHILDREN = 1024,
    ONCE = 2048,
    SIZES = 4096,
    BLOCKS = 8192,    /* memory that may be freed while others use it */
    POINTERS = 16384, /* to blocks that nobody else knows of */
    ORDERS = 32768,
    OBSERVED = 65536,     /* what is written atomically is read plainly */
    DESTRUCTION = 131072, /* objects that are destroyed, initialised again, and freed while others use them */
    ENDS = 262144,        /* frames that end while others know of them */
    FEATURES = 18         /* that are chosen at random; the last one comes only as a focus */
};

uint32_t below(generator *g, uint32_t bound);
/* A line with the program's number in the names: "@x" is x_7. */
void add(generator *g, const char *format, uint32_t a, uint32_t b);
/* The same, without being indented as a statement. */
void add_outside(generator *g, const char *format, uint32_t a, uint32_t b);

/* generate_c_order.c */
void order_statement(generator *g);
void observed_statement(generator *g);
void observed_by_main(generator *g);
void destruction_statement(generator *g);
void block_statement(generator *g);
void section_statement(generator *g);
void busy_statement(generator *g);
void declare_for_order(generator *g);
void initialise_for_order(generator *g);

/* generate_c_rounds.c */
void round_statement(generator *g);
void undone_statement(generator *g);

/* generate_c_ends.c */
void frame_statement(generator *g);
void own_mutex_statement(generator *g);
void declare_for_ends(generator *g);

#endif
