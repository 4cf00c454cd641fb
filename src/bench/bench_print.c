/* The rows for people: a table of 120 columns. For programs: CSV and JSON, with every digit. */
#include <string.h>

#include "bench/bench.h"
#include "report/report.h"

static const struct {
    const char *name, *heading, *ours;
    size_t width;
} columns[] = {
#define MZ_X(field, heading, ours, width) {#field, heading, ours, width},
    MZ_BENCH_COLUMNS(MZ_X)
#undef MZ_X
};

const char *mz_bench_status_word(mz_bench_status status)
{
    static const char *const words[] = {"complete", "limit", "interrupted", "not built", "internal error"};
    return words[status];
}

mz_cell mz_bench_times_faster(const mz_bench_row *row)
{
    const mz_cell *published = &row->published[MZ_BENCH_seconds], *ours = &row->ours[MZ_BENCH_seconds];
    if (row->status != MZ_BENCH_COMPLETE || published->missing || ours->missing || !(ours->value > 0))
        return (mz_cell){.missing = ' '};
    return (mz_cell){.value = published->value / ours->value};
}

static bool cell_differs(const mz_bench_row *row, mz_bench_column c)
{
    return row->status == MZ_BENCH_COMPLETE && !row->published[c].missing && !row->ours[c].missing &&
           row->published[c].value != row->ours[c].value;
}

bool mz_bench_differs(const mz_bench_row *row)
{
    return cell_differs(row, MZ_BENCH_traces) || cell_differs(row, MZ_BENCH_executions);
}

/* ---- the table ------------------------------------------------------------------------------------- */

enum { RATIO = 6 };

static void add_right(mz_text *out, const char *text, size_t width)
{
    size_t have = mz_text_width(text);
    mz_text_add_repeated(out, " ", width > have ? width - have : 0);
    mz_text_add(out, "%s", text);
}

static void add_left(mz_text *out, const char *text, size_t width)
{
    size_t have = mz_text_width(text);
    mz_text_add(out, "%s", text);
    mz_text_add_repeated(out, " ", width > have ? width - have : 0);
}

/* In six columns: 123456, 1.235M, 12.35M, 123.5M, 1235M, 1.8e+19. */
static void add_short(mz_text *out, double value)
{
    if (value < 1e6)
        mz_text_add(out, "%.0f", value);
    else if (value < 1e12)
        mz_text_add(out, "%.*fM", value < 1e7 ? 3 : value < 1e8 ? 2 : value < 1e9 ? 1 : 0, value / 1e6);
    else
        mz_text_add(out, "%.1e", value);
}

static void add_seconds(mz_text *out, double value)
{
    mz_text_add(out, "%.*f", value < 0.001 ? 6 : value < 1 ? 4 : value < 1000 ? 3 : 1, value);
}

static void add_number(mz_text *out, mz_bench_column column, double value)
{
    if (column == MZ_BENCH_seconds)
        add_seconds(out, value);
    else if (column == MZ_BENCH_traces || column == MZ_BENCH_executions)
        mz_text_add(out, "%.0f", value);
    else if (column == MZ_BENCH_speedup)
        mz_text_add(out, "%.1f", value);
    else
        add_short(out, value);
}

/* As printed: times with three digits behind the point. */
static void add_published(mz_text *out, mz_bench_column column, const mz_cell *cell)
{
    if (cell->missing)
        mz_text_add(out, "%c", cell->missing);
    else if (column == MZ_BENCH_seconds)
        mz_text_add(out, "%.*f", cell->value < 1000 ? 3 : 1, cell->value);
    else
        add_number(out, column, cell->value);
}

static void add_ours(mz_text *out, mz_bench_column column, const mz_bench_row *row)
{
    const mz_cell *cell = &row->ours[column];
    bool reached = row->status == MZ_BENCH_LIMIT || row->status == MZ_BENCH_INTERRUPTED;
    bool bounded = column == MZ_BENCH_seconds || column == MZ_BENCH_traces || column == MZ_BENCH_executions;
    if (column == MZ_BENCH_seconds && row->status == MZ_BENCH_NOT_BUILT) {
        mz_text_add(out, "%s", mz_bench_status_word(row->status));
    } else if (!cell->missing) {
        mz_text_add(out, "%s", reached && bounded ? ">" : "");
        if (column == MZ_BENCH_speedup)
            mz_text_add(out, "%.0f", cell->value);
        else
            add_number(out, column, cell->value);
    }
}

static void add_ratio(mz_text *out, const mz_bench_row *row)
{
    mz_cell cell = mz_bench_times_faster(row);
    if (cell.missing)
        return;
    double value = cell.value;
    if (value < 1e4)
        mz_text_add(out, "%.*f×", value < 10 ? 1 : 0, value);
    else if (value < 1e6)
        mz_text_add(out, "%.0fk×", value / 1e3);
    else
        mz_text_add(out, "%.1fM×", value / 1e6);
}

/* Traces always, of the rest what the paper has. */
static bool is_shown(const mz_bench *b, mz_bench_column c)
{
    return b->published[c] || c == MZ_BENCH_traces;
}

/* Published numbers are there from the start: as wide as the widest. 0: the paper has no such column. */
static size_t published_width(const mz_bench *b, mz_bench_column c)
{
    size_t widest = b->published[c] ? strlen("paper") : 0;
    mz_text text = {0};
    for (size_t i = 0; b->published[c] && i < b->count; i++) {
        mz_text_clear(&text);
        add_published(&text, c, &b->rows[i].published[c]);
        widest = text.length > widest ? text.length : widest;
    }
    mz_text_release(&text);
    return widest;
}

static size_t algorithm_width(const mz_bench *b)
{
    size_t widest = 0;
    for (size_t i = 0; i < b->count; i++) {
        size_t width = strlen(b->rows[i].algorithm);
        widest = width > widest ? width : widest;
    }
    return widest;
}

static void begin_table(const mz_bench *b, mz_text *out)
{
    mz_text first = {0}, second = {0};
    mz_text_add(&second, "  N ");
    add_left(&second, "algorithm", algorithm_width(b));
    add_left(&first, "", mz_text_width(mz_text_string(&second)));
    for (mz_bench_column c = 0; c < MZ_BENCH_COLUMN_COUNT; c++) {
        if (!is_shown(b, c))
            continue;
        size_t published = published_width(b, c), width = columns[c].width + (published ? published + 1 : 0);
        mz_text_add(&second, "  ");
        add_right(&second, columns[c].ours, columns[c].width);
        if (published) {
            mz_text_add(&second, " ");
            add_right(&second, "paper", published);
        }
        if (c == MZ_BENCH_seconds) {
            mz_text_add(&second, " ");
            add_right(&second, "ratio", RATIO);
            width += 1 + RATIO;
        }
        mz_text_add(&first, "  ");
        add_right(&first, columns[c].heading, width);
    }
    mz_text_add(out, "%s\n\n%s\n%s\n", b->table->title, mz_text_string(&first), mz_text_string(&second));
    mz_text_release(&first);
    mz_text_release(&second);
}

static void add_group(const mz_bench *b, const mz_bench_row *row, mz_bench_column c, mz_text *out)
{
    mz_text cell = {0};
    mz_text_add(out, "  ");
    add_ours(&cell, c, row);
    add_right(out, mz_text_string(&cell), columns[c].width);
    size_t published = published_width(b, c);
    if (published) {
        bool counts = c == MZ_BENCH_traces || c == MZ_BENCH_executions;
        mz_text_add(out, "%s", counts && cell_differs(row, c) ? "≠" : " ");
        mz_text_clear(&cell);
        add_published(&cell, c, &row->published[c]);
        add_right(out, mz_text_string(&cell), published);
    }
    if (c == MZ_BENCH_seconds) {
        mz_text_clear(&cell);
        mz_text_add(out, " ");
        add_ratio(&cell, row);
        add_right(out, mz_text_string(&cell), RATIO);
    }
    mz_text_release(&cell);
}

static void add_row(const mz_bench *b, size_t index, mz_text *out)
{
    const mz_bench_row *row = &b->rows[index];
    if (index == 0 || strcmp(row->model, b->rows[index - 1].model) != 0)
        mz_text_add(out, "%s\n", row->model);
    mz_text_add(out, "%3u ", row->parameter);
    add_left(out, row->algorithm, algorithm_width(b));
    for (mz_bench_column c = 0; c < MZ_BENCH_COLUMN_COUNT; c++)
        if (is_shown(b, c))
            add_group(b, row, c, out);
    while (out->length > 0 && out->bytes[out->length - 1] == ' ')
        out->bytes[--out->length] = '\0';
    mz_text_add(out, "\n");
}

static void end_table(const mz_bench *b, size_t rows, mz_text *out)
{
    bool limit = false, differs = false, not_built = false, unreadable = false, open = false;
    for (size_t i = 0; i < rows; i++) {
        const mz_bench_row *row = &b->rows[i];
        limit |= row->status == MZ_BENCH_LIMIT || row->status == MZ_BENCH_INTERRUPTED;
        differs |= mz_bench_differs(row);
        not_built |= row->status == MZ_BENCH_NOT_BUILT;
        for (int c = 0; c < MZ_BENCH_COLUMN_COUNT; c++) {
            unreadable |= row->published[c].missing == '?';
            open |= row->published[c].missing == '-';
        }
    }
    mz_text_add(out, "\ntraces of the published relation (as check --relation=published)\n");
    if (limit)
        mz_text_add(out, ">  reached when the row was stopped (--row-timeout)\n");
    if (differs)
        mz_text_add(out, "≠  not the published number: doc/reproduction.md says why\n");
    if (open)
        mz_text_add(out, "-  the paper has none: a run did not end\n");
    if (unreadable)
        mz_text_add(out, "?  cannot be read in the scanned text of the paper\n");
    if (not_built)
        mz_text_add(out, "not built: this mazurka has no such algorithm (mazurka algorithms)\n");
}

const mz_bench_format mz_bench_as_table = {begin_table, add_row, end_table};

/* ---- CSV --------------------------------------------------------------------------------------------- */

static void begin_csv(const mz_bench *b, mz_text *out)
{
    (void)b;
    mz_text_add(out, "table,model,N,algorithm,published_algorithm,status");
    for (int c = 0; c < MZ_BENCH_COLUMN_COUNT; c++)
        mz_text_add(out, ",%s,published_%s", columns[c].name, columns[c].name);
    mz_text_add(out, ",times_faster\n");
}

/* Every digit, and nothing where there is no number. */
static void add_exact(mz_text *out, const mz_cell *cell, const char *otherwise)
{
    if (cell->missing)
        mz_text_add(out, "%s", otherwise);
    else if (cell->value >= 1e15 || cell->value == (double)(int64_t)cell->value)
        mz_text_add(out, "%.0f", cell->value);
    else
        mz_text_add(out, "%.9g", cell->value);
}

static void add_csv(const mz_bench *b, size_t index, mz_text *out)
{
    const mz_bench_row *row = &b->rows[index];
    mz_cell faster = mz_bench_times_faster(row);
    mz_text_add(out, "%s,%s,%u,%s,%s,%s", b->table->name, row->model, row->parameter, row->algorithm,
                row->published_algorithm ? row->published_algorithm : "", mz_bench_status_word(row->status));
    for (int c = 0; c < MZ_BENCH_COLUMN_COUNT; c++) {
        mz_text_add(out, ",");
        add_exact(out, &row->ours[c], "");
        mz_text_add(out, ",");
        add_exact(out, &row->published[c], "");
    }
    mz_text_add(out, ",");
    add_exact(out, &faster, "");
    mz_text_add(out, "\n");
}

static void end_csv(const mz_bench *b, size_t rows, mz_text *out)
{
    (void)b, (void)rows, (void)out;
}

const mz_bench_format mz_bench_as_csv = {begin_csv, add_csv, end_csv};

/* ---- JSON -------------------------------------------------------------------------------------------- */

static void begin_json(const mz_bench *b, mz_text *out)
{
    (void)b;
    mz_text_add(out, "[");
}

static void add_member(mz_text *out, const char *key, const mz_cell *cell)
{
    mz_text_add(out, ",\"%s\":", key);
    add_exact(out, cell, "null");
}

/* "published" is null for a line that the paper does not have; its "ended" says whether a number that is null
 * does not exist or cannot be read. */
static void add_published_object(const mz_bench *b, const mz_bench_row *row, mz_text *out)
{
    mz_text_add(out, ",\"published\":");
    if (!row->published_algorithm) {
        mz_text_add(out, "null");
        return;
    }
    mz_text_add(out, "{\"algorithm\":\"%s\",\"ended\":%s", row->published_algorithm,
                row->published[MZ_BENCH_seconds].missing == '-' ? "false" : "true");
    for (int c = 0; c < MZ_BENCH_COLUMN_COUNT; c++)
        if (b->published[c])
            add_member(out, columns[c].name, &row->published[c]);
    mz_text_add(out, "}");
}

static void add_json(const mz_bench *b, size_t index, mz_text *out)
{
    const mz_bench_row *row = &b->rows[index];
    bool measured = row->status != MZ_BENCH_NOT_BUILT;
    mz_cell faster = mz_bench_times_faster(row);
    mz_text_add(out, "%s\n{\"table\":\"%s\",\"model\":\"%s\",\"N\":%u,\"algorithm\":\"%s\",\"status\":\"%s\"",
                index ? "," : "", b->table->name, row->model, row->parameter, row->algorithm,
                mz_bench_status_word(row->status));
    add_member(out, "seconds", &row->ours[MZ_BENCH_seconds]);
    add_member(out, "speedup", &row->ours[MZ_BENCH_speedup]);
    add_member(out, "times_faster", &faster);
#define MZ_X(field, key, label)                                                                              \
    if (measured)                                                                                            \
        mz_text_add(out, ",\"%s\":%llu", key, (unsigned long long)row->statistics.field);
    MZ_STATISTICS(MZ_X)
#undef MZ_X
    add_published_object(b, row, out);
    mz_text_add(out, "}");
}

static void end_json(const mz_bench *b, size_t rows, mz_text *out)
{
    (void)b, (void)rows;
    mz_text_add(out, "\n]\n");
}

const mz_bench_format mz_bench_as_json = {begin_json, add_json, end_json};
