/* The differential oracle for real programs: random C programs, every algorithm against all interleavings.
 *
 *     oracle_native [--seeds=N] [--from=K] [--show] [--races | --assertions] [--leaks] [--spurious] [--reuse]
 * [--threads] oracle_native [--races …] FILE.c [ARGUMENT]
 *
 * `full` visits every interleaving; the set of their traces (in full, not hashed) is what every algorithm
 * must visit exactly, none twice, with the same errors. But it visits those of the events that the machine
 * makes: so its errors are compared with those of all interleavings of everything that anybody could notice,
 * and a referee looks at the order that is relied upon where something is no event. With --reuse,
 * malloc may return freed memory, and what can happen is compared with what a model of an allocator in the
 * program itself makes possible. A process can load one program: each is checked in its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "oracle/generate_c.h"
#include "oracle/generate_reuse.h"
#include "oracle/generate_sections.h"
#include "oracle/native_jobs.h"
#include "oracle/twins.h"
#include "program/build/compile.h"

enum { PER_FILE = 25 };

static bool with_reuse, of_sections, of_twins;

static void take_lines(const mz_text *text, string_set *lines)
{
    for (const char *line = mz_text_string(text); *line;) {
        size_t length = strcspn(line, "\n");
        string_set_add(lines, line, length);
        line += length + (line[length] != 0);
    }
}

/* All that is to be found out about one program. */
static int check_all(task the, mz_text *out)
{
    mz_text found = {0};
    string_set brute = {0};
    the.job = BRUTE;
    int result = run_job(&the, &found);
    if (result == AGREE)
        take_lines(&found, &brute);
    the.brute = result == AGREE ? &brute : NULL;
    the.job = COMPARE;
    the.relation = MZ_REFINES_ROUNDS | MZ_REFINES_LOCKS; /* without rounds nothing is left out: brute force */
    result = run_job(&the, out);
    the.job = ORDER;
    mz_text order = {0};
    if (result == AGREE && run_job(&the, &order) == DISAGREE) {
        result = DISAGREE;
        mz_text_add_bytes(out, mz_text_string(&order), order.length);
    }
    mz_text_release(&order);
    mz_text_release(&found);
    string_set_release(&brute);
    return result;
}

static bool build(const char *source, mz_compiled *compiled)
{
    mz_error error = {0};
    mz_compile_options options = {0};
    if (mz_compile_program(&options, &source, 1, compiled, &error))
        return true;
    printf("oracle: %s\n", mz_text_string(&error.message));
    return false;
}

static uint64_t number_after(const char *argument, const char *option, uint64_t otherwise)
{
    size_t length = strlen(option);
    return strncmp(argument, option, length) == 0 ? strtoull(argument + length, NULL, 10) : otherwise;
}

typedef struct tally {
    uint64_t agree, failed, too_large, unbounded;
} tally;

/* The program `other` has an allocator of its own. */
static int compare_allocators(task the, char *other, mz_text *out)
{
    mz_text real = {0}, model = {0};
    int result = check_all(the, out);
    the.job = OUTCOMES;
    if (result == AGREE)
        result = run_job(&the, &real);
    the.argument = other;
    the.reuses = 0;
    if (result == AGREE)
        result = run_job(&the, &model);
    if (result == AGREE && strcmp(mz_text_string(&real), mz_text_string(&model)) != 0) {
        mz_text_add(out, " outcomes:%s of the model of an allocator:%s", mz_text_string(&real),
                    mz_text_string(&model));
        result = DISAGREE;
    }
    mz_text_release(&real);
    mz_text_release(&model);
    return result;
}

static void generate(uint64_t seed, uint32_t index, mz_text *out)
{
    if (of_twins)
        generate_twin_program(seed, index, out);
    else if (with_reuse)
        generate_reuse_program(seed, index, false, out);
    else if (of_sections)
        generate_sections_program(seed, index, out);
    else
        generate_c_program(seed, index, out);
}

/* A whole file: its argument says which of the programs in it is to run. */
static void write_file(uint64_t from, uint32_t count, task the, mz_text *source)
{
    generate_c_head(source);
    if (of_twins)
        twin_write_head(source);
    if (with_reuse)
        generate_reuse_head(the.reuses, source);
    for (uint32_t i = 0; i < count; i++)
        generate(from + i, i, source);
    for (uint32_t i = 0; i < count && with_reuse; i++)
        generate_reuse_program(from + i, count + i, true, source);
    generate_c_main(with_reuse ? 2 * count : count, source);
}

static void run_file(uint64_t from, uint32_t count, task the, bool show, tally *t)
{
    char directory[] = "/tmp/mazurka-oracle-XXXXXX";
    mz_text source = {0};
    char path[64], number[16], other[16];
    the.reuses = with_reuse ? 1 + (uint32_t)(from / PER_FILE % 4 == 3) : 0;
    mz_compiled compiled = {0};
    if (!mkdtemp(directory))
        return;
    snprintf(path, sizeof path, "%s/p.c", directory);
    write_file(from, count, the, &source);
    FILE *file = fopen(path, "w");
    if (file) {
        fputs(mz_text_string(&source), file);
        fclose(file);
    }
    if (!build(path, &compiled)) {
        t->failed += count;
    } else {
        for (uint32_t i = 0; i < count; i++) {
            mz_text out = {0};
            snprintf(number, sizeof number, "%u", i);
            the.library = compiled.library;
            the.argument = number;
            snprintf(other, sizeof other, "%u", count + i);
            int result = of_twins     ? check_twin(the, from + i, &out)
                         : with_reuse ? compare_allocators(the, other, &out)
                                      : check_all(the, &out);
            t->agree += result == AGREE;
            t->too_large += result == TOO_LARGE;
            t->unbounded += result == TOO_LARGE + 1;
            t->failed += result != AGREE && result != TOO_LARGE && result != TOO_LARGE + 1;
            bool wrong = result != AGREE && result != TOO_LARGE && result != TOO_LARGE + 1;
            if (wrong || show) {
                mz_text program = {0};
                generate(from + i, 0, &program);
                printf("seed %llu (result %d):\n%s%s\n", (unsigned long long)(from + i), result,
                       mz_text_string(&out), mz_text_string(&program));
                mz_text_release(&program);
            }
            mz_text_release(&out);
        }
    }
    mz_compiled_release(&compiled);
    unlink(path);
    rmdir(directory);
    mz_text_release(&source);
}

/* To see which shapes there are. */
/* The same as a file, for whoever wants to check it otherwise (test/suites/workers.py). */
static void print_file(uint64_t from, uint32_t count, task the)
{
    mz_text source = {0};
    write_file(from, count, the, &source);
    fputs(mz_text_string(&source), stdout);
    mz_text_release(&source);
}

static void print_programs(uint64_t from, uint64_t count)
{
    for (uint64_t seed = from; seed < from + count; seed++) {
        mz_text program = {0};
        generate(seed, 0, &program);
        printf("seed %llu:\n%s\n", (unsigned long long)seed, mz_text_string(&program));
        mz_text_release(&program);
    }
}

int main(int argc, char **argv)
{
    uint64_t from = 1, seeds = 100;
    task the = {.checks = MZ_FAILURES_DEFAULT & ~(1u << MZ_FAIL_RACE)};
    bool show = false, only_print = false, as_file = false;
    oracle_shared =
        mmap(NULL, sizeof *oracle_shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] != '-') {
            mz_compiled compiled = {0};
            mz_text out = {0};
            if (!build(argv[i], &compiled))
                return 2;
            the.library = compiled.library;
            the.argument = i + 1 < argc ? argv[i + 1] : NULL;
            the.reuses = with_reuse;
            int result = check_all(the, &out);
            printf("%s%s\n", mz_text_string(&out),
                   result == AGREE      ? "agree"
                   : result == DISAGREE ? "disagree"
                                        : "too large");
            mz_compiled_release(&compiled);
            return result;
        }
        seeds = number_after(argv[i], "--seeds=", seeds);
        from = number_after(argv[i], "--from=", from);
        show |= strcmp(argv[i], "--show") == 0;
        only_print |= strcmp(argv[i], "--print") == 0;
        as_file |= strcmp(argv[i], "--file") == 0;
        with_reuse |= strcmp(argv[i], "--reuse") == 0;
        of_sections |= strcmp(argv[i], "--sections") == 0;
        of_twins |= strcmp(argv[i], "--twins") == 0;
        generate_c_many_threads |= strcmp(argv[i], "--threads") == 0;
        if (of_twins)
            the.checks = MZ_FAILURES_DEFAULT;
        if (strcmp(argv[i], "--races") == 0) {
            the.checks = MZ_FAILURES_DEFAULT;
            generate_c_without_ends = true;
        }
        if (strcmp(argv[i], "--assertions") == 0)
            the.checks = 1u << MZ_FAIL_ASSERTION;
        if (strcmp(argv[i], "--leaks") == 0)
            the.checks |= 1u << MZ_FAIL_LEAK;
        the.spurious |= strcmp(argv[i], "--spurious") == 0;
    }
    if (as_file) {
        print_file(from, (uint32_t)seeds, the);
        return 0;
    }
    if (only_print) {
        print_programs(from, seeds);
        return 0;
    }
    tally t = {0};
    for (uint64_t done = 0; done < seeds; done += PER_FILE)
        run_file(from + done, (uint32_t)(seeds - done < PER_FILE ? seeds - done : PER_FILE), the, show, &t);
    printf("oracle: %llu programs agree, %llu too large, %llu endless, %llu failed\n",
           (unsigned long long)t.agree, (unsigned long long)t.too_large, (unsigned long long)t.unbounded,
           (unsigned long long)t.failed);
    strategies_print(&oracle_shared->strategies);
    sets_print(&oracle_shared->sets);
    parts_print(&oracle_shared->parts);
    if (of_sections)
        printf("sections: %llu programs with some that have no order, in %llu of them one trace for each "
               "class\n",
               (unsigned long long)oracle_shared->refined, (unsigned long long)oracle_shared->exact);
    if (of_twins)
        twins_print();
    return t.failed > 0 || t.agree == 0; /* what was compared with nothing is not right */
}
