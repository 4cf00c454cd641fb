#include "report/estimate_text.h"

/* An estimate has no more than two digits worth telling. */
static double two_digits(double number)
{
    double unit = 1;
    while (number / unit >= 100)
        unit *= 10;
    return (double)(uint64_t)(number / unit + 0.5) * unit;
}

static void add_number(mz_text *out, double number, bool exact)
{
    if (!exact)
        mz_text_add(out, "~");
    if (number >= 1e15)
        mz_text_add(out, "%.1e", number);
    else
        mz_text_add_grouped(out, (uint64_t)(exact ? number : two_digits(number) + 0.5));
}

static void add_column(mz_text *out, int width, const mz_text *cell)
{
    const char *text = mz_text_string(cell);
    size_t have = mz_text_width(text);
    mz_text_add(out, "  ");
    mz_text_add_repeated(out, " ", have < (size_t)width ? (size_t)width - have : 0);
    mz_text_add(out, "%s", text);
}

static void add_row(const mz_size_row *row, mz_text *out)
{
    mz_text cell = {0};
    mz_text_add(out, "  %-12s", row->algorithm);
    if (!row->known) {
        mz_text_add(out, "  not known: %s\n", row->reason);
        return;
    }
    add_number(&cell, row->traces, row->exact_traces);
    add_column(out, 18, &cell);
    mz_text_clear(&cell);
    add_number(&cell, row->executions, row->exact);
    add_column(out, 18, &cell);
    mz_text_clear(&cell);
    mz_text_add(&cell, "%s", row->exact ? "" : "~");
    if (row->exact)
        mz_text_add_seconds(&cell, row->seconds);
    else
        mz_text_add_duration(&cell, row->seconds);
    add_column(out, 12, &cell);
    mz_text_add(out, "%s\n", row->exact ? "  exact: it came to its end" : "");
    mz_text_release(&cell);
}

void mz_size_text(const mz_size_report *r, mz_text *out)
{
    const char *model = r->memory == MZ_MEMORY_RC11  ? " under RC11"
                        : r->memory == MZ_MEMORY_TSO ? " under TSO"
                                                     : "";
    mz_text_add(out, "%s%s:\n  %-12s  %18s  %18s  %12s\n", r->program, model, "algorithm", "traces",
                "executions", "time");
    for (size_t i = 0; i < r->row_count; i++)
        add_row(&r->rows[i], out);
    if (r->recommended)
        mz_text_add(out, "  recommended: -a %s%s", r->recommended,
                    r->by_states ? " --stateful, finished in " : "");
    if (r->by_states)
        mz_text_add_seconds(out, r->state_seconds);
    mz_text_add(out, "%s", r->recommended ? "\n" : "");
    if (r->error_found)
        mz_text_add(out, "  an error was already found: run 'mazurka check'\n");
    mz_text_add(out, "  estimated in ");
    mz_text_add_seconds(out, r->seconds);
    mz_text_add(out, "\n");
}

static void add_json_row(const mz_size_row *row, mz_text *out)
{
    mz_text_add(out, "{\"algorithm\":");
    mz_json_add_string(out, row->algorithm);
    mz_text_add(out, ",\"known\":%s,\"exact\":%s,\"exact_traces\":%s", row->known ? "true" : "false",
                row->exact ? "true" : "false", row->exact_traces ? "true" : "false");
    if (row->known)
        mz_text_add(out, ",\"traces\":%.0f,\"executions\":%.0f,\"seconds\":%.6g", row->traces,
                    row->executions, row->seconds);
    mz_text_add(out, ",\"reason\":");
    mz_json_add_string(out, row->reason);
    mz_text_add(out, "}");
}

static void add_json(const mz_size_report *r, mz_text *out)
{
    mz_text_add(out, "{\"tool\":\"mazurka\",\"version\":");
    mz_json_add_string(out, MZ_VERSION);
    mz_text_add(out, ",\"program\":");
    mz_json_add_string(out, r->program);
    if (r->memory >= MZ_MEMORY_TSO) {
        mz_text_add(out, ",\"memory\":");
        mz_json_add_string(out, mz_memory_name(r->memory));
    }
    mz_text_add(out, ",\"estimates\":[");
    for (size_t i = 0; i < r->row_count; i++) {
        mz_text_add(out, "%s", i ? "," : "");
        add_json_row(&r->rows[i], out);
    }
    mz_text_add(out, "],\"recommended\":");
    mz_json_add_string(out, r->recommended ? r->recommended : "");
    if (r->by_states)
        mz_text_add(out, ",\"stateful_seconds\":%.6g", r->state_seconds);
    mz_text_add(out, ",\"error_found\":%s,\"seconds\":%.6f}", r->error_found ? "true" : "false", r->seconds);
}

void mz_sizes_json(const mz_size_report *reports, size_t count, mz_text *out)
{
    mz_text_add(out, "%s", count > 1 ? "[" : "");
    for (size_t i = 0; i < count; i++) {
        mz_text_add(out, "%s", i ? ",\n" : "");
        add_json(&reports[i], out);
    }
    mz_text_add(out, "%s\n", count > 1 ? "]" : "");
}
