/* The time that passes, whatever the clock on the wall says. */
#ifndef MZ_BASE_CLOCK_H
#define MZ_BASE_CLOCK_H

/* Since some fixed moment. */
double mz_seconds_now(void);

#endif
