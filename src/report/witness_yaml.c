/* Witnesses of SV-COMP in YAML, of C programs. A violation is a violation_sequence of format 2.2: a segment
 * per step with thread_id, and the target; of a data race the last segment has both accesses. A program that
 * is safe has an empty invariant_set: that there is no bug was found by exploring, not by invariants. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "base/file.h"
#include "base/sha256.h"
#include "report/formats.h"

/* NULL: there is no such property. */
static const char *property_of(mz_failure_kind kind)
{
    switch (kind) {
    case MZ_FAIL_ASSERTION:
        return "G ! call(reach_error())";
    case MZ_FAIL_RACE:
        return "G ! data-race";
    case MZ_FAIL_MEMORY:
        return "G valid-deref";
    case MZ_FAIL_LEAK:
        return "G valid-memtrack";
    default:
        return NULL;
    }
}

/* JSON's strings are YAML's, too. */
static void add_string(mz_text *out, const char *key, const char *value)
{
    mz_text_add(out, "%s: ", key);
    mz_json_add_string(out, value);
    mz_text_add(out, "\n");
}

static void add_identity(mz_text *out)
{
    unsigned char b[16] = {0};
    char created[40] = "";
    time_t now = time(NULL);
    struct tm when;
    if (getrandom(b, sizeof b, 0) != sizeof b)
        memcpy(b, &now, sizeof now);
    b[6] = (b[6] & 0x0f) | 0x40; /* version 4: random */
    b[8] = (b[8] & 0x3f) | 0x80;
    mz_text_add(out, "    uuid: \"");
    for (int i = 0; i < 16; i++)
        mz_text_add(out, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", b[i]);
    if (gmtime_r(&now, &when))
        strftime(created, sizeof created, "%Y-%m-%dT%H:%M:%SZ", &when);
    mz_text_add(out, "\"\n    creation_time: \"%s\"\n", created);
}

static void add_hash(mz_text *out, const char *file)
{
    char digits[MZ_SHA256_DIGITS + 1];
    mz_text bytes = {0};
    mz_file_read(file, MZ_FILE_ANY_SIZE - 1, &bytes);
    mz_sha256(mz_text_string(&bytes), bytes.length, digits);
    mz_text_add(out, "        ");
    mz_json_add_string(out, file);
    mz_text_add(out, ": \"%s\"\n", digits);
    mz_text_release(&bytes);
}

static void add_metadata(mz_text *out, const mz_report *r, const char *property)
{
    const char *const *files = r->files ? r->files : &r->program;
    size_t count = r->files ? r->file_count : 1;
    mz_text specification = {0};
    mz_text_add(&specification, "CHECK( init(main()), LTL(%s) )", property);
    mz_text_add(out, "  metadata:\n    format_version: \"2.2\"\n");
    add_identity(out);
    mz_text_add(out, "    producer:\n      name: \"mazurka\"\n");
    add_string(out, "      version", r->version);
    mz_text_add(out, "    task:\n      input_files:\n");
    for (size_t i = 0; i < count; i++) {
        mz_text_add(out, "        - ");
        mz_json_add_string(out, files[i]);
        mz_text_add(out, "\n");
    }
    mz_text_add(out, "      input_file_hashes:\n");
    for (size_t i = 0; i < count; i++)
        add_hash(out, files[i]);
    add_string(out, "      specification", mz_text_string(&specification));
    mz_text_add(out, "      data_model: \"%s\"\n      language: \"C\"\n",
                sizeof(void *) == 8 ? "LP64" : "ILP32");
    mz_text_release(&specification);
}

static void add_waypoint(mz_text *out, const char *type, uint32_t thread, const mz_position *position)
{
    mz_text_add(out,
                "      - waypoint:\n          type: \"%s\"\n          action: \"follow\"\n"
                "          thread_id: %" PRIu32 "\n",
                type, thread);
    mz_text_add(out, "          location:\n");
    add_string(out, "            file_name", position->file);
    mz_text_add(out, "            line: %" PRIu32 "\n", position->line);
    if (position->column > 0)
        mz_text_add(out, "            column: %" PRIu32 "\n", position->column);
    if (strcmp(type, "assumption") == 0)
        mz_text_add(
            out, "          constraint:\n            value: \"1\"\n            format: \"c_expression\"\n");
}

static void add_segments(mz_text *out, const mz_report_error *e)
{
    mz_text_add(out, "  content:\n");
    for (size_t i = 0; i < e->step_count; i++)
        if (e->steps[i].position.file) {
            mz_text_add(out, "    - segment:\n");
            add_waypoint(out, "assumption", e->steps[i].thread, &e->steps[i].position);
        }
    mz_text_add(out, "    - segment:\n");
    for (size_t i = 0; e->kind == MZ_FAIL_RACE && i < e->moment_count; i++)
        if (!e->moments[i].is_end && e->moments[i].row.position.file)
            add_waypoint(out, "target", e->moments[i].row.thread, &e->moments[i].row.position);
    add_waypoint(out, "target", e->thread, &e->position);
}

static void add_violation(mz_text *out, const mz_report *r, const mz_report_error *e)
{
    const char *property = property_of(e->kind);
    if (!property || !e->position.file) {
        mz_text_add(out, "# %s: no property of SV-COMP is about that\n", mz_failure_name(e->kind));
        return;
    }
    mz_text_add(out, "- entry_type: \"violation_sequence\"\n");
    add_metadata(out, r, property);
    add_segments(out, e);
}

static void add_correctness(mz_text *out, const mz_report *r)
{
    static const mz_failure_kind kinds[] = {MZ_FAIL_ASSERTION, MZ_FAIL_RACE, MZ_FAIL_MEMORY};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (r->checks & (1u << kinds[i])) {
            mz_text_add(out, "- entry_type: \"invariant_set\"\n");
            add_metadata(out, r, property_of(kinds[i]));
            mz_text_add(out, "  content: []\n");
        }
}

void mz_reports_witness(const mz_report *reports, size_t count, mz_text *out)
{
    for (size_t i = 0; i < count; i++) {
        const mz_report *r = &reports[i];
        if (strcmp(r->thread_word, "thread") != 0)
            mz_text_add(out, "# %s is a model; there are witnesses of C programs only\n", r->program);
        else if (r->verdict == MZ_SAFE)
            add_correctness(out, r);
        for (size_t k = 0; strcmp(r->thread_word, "thread") == 0 && k < r->error_count; k++)
            add_violation(out, r, &r->errors[k]);
    }
}
