/* A program that is started by itself: where its plan is, and what it shows of itself (wire/deployment.h). */
#ifndef MZ_SAFE_RUNTIME_FOLLOW_RUNTIME_DEPLOYED_H
#define MZ_SAFE_RUNTIME_FOLLOW_RUNTIME_DEPLOYED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/deployment.h"
#include "wire/symbolic_format.h"

/* The plan's image, and its name for people; NULL: it is to run without one. Does not return if it may not,
 * or if it has to be started again. */
const mz_symbolic_image *mz__deployed_plan(char **arguments, char name[MZ_MOST_PLAN_NAME + 1]);
/* Is it of interest to anybody that there is none? */
bool mz__expects_plan(void);

/* ---- status (runtime_status.c) ---------------------------------------------------------------------------
 *
 * Without a page, which cannot be had or is of interest to nobody, these do nothing. */

/* From now on others can see how it goes. To be called when the plan is there, if there is one. */
void mz__show_status(const char *name);
/* The calling thread has to wait for the plan. */
void mz__show_wait(uint32_t thread);
void mz__show_divergence(const char *text, size_t length, bool serial);

#endif
