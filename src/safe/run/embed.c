/* A plan becomes a part of the program that keeps to it: a section of its file, which is not loaded, so that
 * nothing of the program moves, and which the program reads when it starts
 * (safe/runtime/follow/runtime_deployed.c). objcopy, which every compiler brings along, adds it. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "safe/run/run.h"
#include "wire/deployment.h"

void mz_run_refuse_other_program(const mz_symbolic_plan *symbolic, const char *name,
                                 const mz_compiled *compiled, const char *program, mz_error *error)
{
    mz_text hash = {0};
    const mz_plan *plan = &symbolic->plans[0];
    bool known = plan->hash && plan->hash[0] && mz_compiled_hash(compiled, &hash, error);
    if (known && strcmp(plan->hash, mz_text_string(&hash)) != 0) {
        const char *planned = mz_plan_line_of(plan, "file");
        mz_error_set(error, (mz_position){.file = name},
                     "the plan is for another program: for code %s%s%s, not for %s, code %s", plan->hash,
                     planned ? " of " : "", planned ? planned : "", program, mz_text_string(&hash));
        mz_error_set_hint(error, "make one for the program as it is, with the same options of the compiler: "
                                 "mazurka plan");
    }
    mz_text_release(&hash);
}

static void add_image(const mz_symbolic_plan *plan, const char *name, mz_on_divergence on_divergence,
                      const mz_run_symbols *symbols, mz_text *out)
{
    size_t bytes = mz_symbolic_image_bytes(plan);
    mz_embedded_plan header = {.magic = MZ_EMBEDDED_MAGIC, .bytes = bytes};
    void *image = mz_allocate_lines(bytes);
    snprintf(header.name, sizeof header.name, "%s", name);
    mz_symbolic_image_fill(plan, mz_divergence_flags(on_divergence), mz_run_find_place, symbols, image);
    mz_text_add_bytes(out, (const char *)&header, sizeof header);
    mz_text_add_bytes(out, image, bytes);
    mz_release(image);
}

void mz_run_embed(const char *program, const mz_symbolic_plan *plan, const char *name,
                  mz_on_divergence on_divergence, mz_error *error)
{
    mz_compiled compiled = {0};
    mz_text section = {0};
    mz_run_symbols *symbols = NULL;
    if (mz_compile_program(&(mz_compile_options){0}, &program, 1, &compiled, error))
        mz_run_refuse_other_program(plan, name, &compiled, program, error);
    if (!error->set)
        symbols = mz_run_symbols_read(program, error);
    if (!error->set) {
        add_image(plan, name, on_divergence, symbols, &section);
        mz_compiled_add_section(program, MZ_PLAN_SECTION, &section, error);
    }
    if (symbols)
        mz_run_symbols_release(symbols);
    mz_text_release(&section);
    mz_compiled_release(&compiled);
}
