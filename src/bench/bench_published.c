/* From the TSV files of bench/published to rows. */
#include <assert.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "bench/bench.h"
#include "bench/embedded.h"

const mz_bench_table mz_bench_tables[] = {
    {"eager-table1", "Eager POR (ATVA 2016), table 1: four well-known benchmarks", "eager_appendix.tsv",
     false, false},
    {"eager-table2", "Eager POR (ATVA 2016), table 2: ring and branching", "eager_appendix.tsv", false,
     false},
    {"eager-table3", "Eager POR (ATVA 2016), table 3: ring extended, short sections", "eager_appendix.tsv",
     false, false},
    {"eager-appendix", "Eager POR (ATVA 2016), appendix A: every benchmark and parameter",
     "eager_appendix.tsv", true, false},
    {"lazy-appendix", "LazyPOR (thesis, 2014), appendix B, figures 6.1 to 6.4", "lazy_appendix.tsv", true,
     false},
    {"dc-tables", "Data-centric DPOR (talk, POPL 2018): C programs", "dc_tables.tsv", true, true},
};
const size_t mz_bench_table_count = sizeof mz_bench_tables / sizeof *mz_bench_tables;

/* ---- which of ours stands for which of the papers' (algorithms.tsv) -------------------------------------
 */

typedef struct pair {
    char *file, *published, *ours; /* published: "-" for what they do not have */
} pair;

/* The next line that says something. The text is cut into its fields. */
static bool next_pair(char **text, pair *p)
{
    char *line;
    while ((line = strsep(text, "\n"))) {
        char *fields[] = {strsep(&line, "\t"), strsep(&line, "\t"), strsep(&line, "\t")};
        *p = (pair){fields[0], fields[1], fields[2]};
        if (fields[0][0] != '#' && fields[2] && strcmp(fields[0], "file") != 0)
            return true;
    }
    return false;
}

/* A copy of all of them, to be released. */
static char *copy_pairs(void)
{
    return mz_copy_string(mz_embedded_find("algorithms.tsv")->text);
}

/* Into the bench's own copy, which is left whole: NULL if there is none. */
static const char *our_algorithm(const mz_bench *b, const char *published)
{
    char *text = copy_pairs(), *rest = text;
    const char *ours = NULL;
    for (pair p; !ours && next_pair(&rest, &p);)
        if (strcmp(p.file, b->table->file) == 0 && strcmp(p.published, published) == 0)
            ours = b->algorithms + (p.ours - text);
    mz_release(text);
    return ours;
}

/* A pair, or what is run as well, unless it was there before. */
static void add_once(mz_text *out, const pair *p, bool published)
{
    mz_text words = {0};
    if (published == (strcmp(p->published, "-") != 0)) {
        mz_text_add(&words, "  %s%s%s\n", p->ours, published ? " for " : " as well",
                    published ? p->published : "");
        if (!strstr(mz_text_string(out), mz_text_string(&words)))
            mz_text_add(out, "%s", mz_text_string(&words));
    }
    mz_text_release(&words);
}

void mz_bench_describe_algorithms(mz_text *out)
{
    for (int published = 1; published >= 0; published--) {
        char *text = copy_pairs(), *rest = text;
        for (pair p; next_pair(&rest, &p);)
            add_once(out, &p, published);
        mz_release(text);
    }
}

/* ---- the numbers ----------------------------------------------------------------------------------------
 */

static const char *const column_names[] = {
#define MZ_X(field, heading, ours, width) #field,
    MZ_BENCH_COLUMNS(MZ_X)
#undef MZ_X
};

/* The columns of a file, by what is in them. */
enum { MODEL = MZ_BENCH_COLUMN_COUNT, PARAMETER, ALGORITHM, TABLE, MOST_FIELDS = 16 };

static int meaning_of(const char *name)
{
    static const char *const others[] = {"model", "N", "algorithm", "table"};
    int meaning = -1;
    for (int i = 0; i < MZ_BENCH_COLUMN_COUNT; i++)
        if (strcmp(column_names[i], name) == 0)
            meaning = i;
    for (int i = 0; i < 4; i++)
        if (strcmp(others[i], name) == 0)
            meaning = MODEL + i;
    assert(meaning >= 0);
    return meaning;
}

/* Cut a line at its tabs. */
static size_t split(char *line, char **fields)
{
    size_t count = 0;
    for (char *field; (field = strsep(&line, "\t")) && count < MOST_FIELDS;)
        fields[count++] = field;
    return count;
}

static mz_cell cell_of(const char *text)
{
    bool missing = text[1] == '\0' && (text[0] == '-' || text[0] == '?');
    return missing ? (mz_cell){.missing = text[0]} : (mz_cell){.value = strtod(text, NULL)};
}

static mz_bench_row *add_row(mz_bench *b, const char *model, uint32_t parameter)
{
    b->rows = mz_grow(b->rows, &b->capacity, b->count + 1, sizeof *b->rows);
    mz_bench_row *row = &b->rows[b->count++];
    *row = (mz_bench_row){.model = model, .parameter = parameter};
    for (int c = 0; c < MZ_BENCH_COLUMN_COUNT; c++)
        row->published[c].missing = row->ours[c].missing = ' ';
    return row;
}

static bool same_benchmark(const mz_bench_row *a, const mz_bench_row *b)
{
    return a->parameter == b->parameter && strcmp(a->model, b->model) == 0;
}

static void close_benchmark(mz_bench *b)
{
    if (b->count == 0)
        return;
    mz_bench_row last = b->rows[b->count - 1];
    add_row(b, last.model, last.parameter)->algorithm = our_algorithm(b, "-");
}

static bool wanted(const char *model, uint32_t parameter, const char *pattern, uint64_t up_to)
{
    if (up_to > 0 && parameter > up_to)
        return false;
    if (!pattern)
        return true;
    mz_text name = {0};
    mz_text_add(&name, "%s(%u)", model, parameter);
    bool matches = fnmatch(pattern, mz_text_string(&name), 0) == 0 || fnmatch(pattern, model, 0) == 0;
    mz_text_release(&name);
    return matches;
}

static void read_row(mz_bench *b, char **fields, const int *meanings, size_t count, const char *pattern,
                     uint64_t up_to)
{
    mz_bench_row read = {0};
    bool in_table = b->table->whole;
    for (int c = 0; c < MZ_BENCH_COLUMN_COUNT; c++)
        read.published[c].missing = ' ';
    for (size_t i = 0; i < count; i++) {
        if (meanings[i] == MODEL)
            read.model = fields[i];
        else if (meanings[i] == PARAMETER)
            read.parameter = (uint32_t)strtoul(fields[i], NULL, 10);
        else if (meanings[i] == ALGORITHM)
            read.published_algorithm = fields[i];
        else if (meanings[i] == TABLE)
            in_table |= strcmp(fields[i], b->table->name) == 0;
        else
            read.published[meanings[i]] = cell_of(fields[i]);
    }
    if (!in_table || !wanted(read.model, read.parameter, pattern, up_to))
        return;
    if (b->count > 0 && !same_benchmark(&b->rows[b->count - 1], &read))
        close_benchmark(b);
    mz_bench_row *row = add_row(b, read.model, read.parameter);
    row->published_algorithm = read.published_algorithm;
    row->algorithm = our_algorithm(b, read.published_algorithm);
    assert(row->algorithm);
    memcpy(row->published, read.published, sizeof row->published);
}

void mz_bench_read(mz_bench *b, const mz_bench_table *table, const char *pattern, uint64_t up_to)
{
    *b = (mz_bench){.table = table,
                    .text = mz_copy_string(mz_embedded_find(table->file)->text),
                    .algorithms = copy_pairs()};
    for (char *at = b->algorithms; (at = strpbrk(at, "\t\n")); at++)
        *at = '\0'; /* each field is a string */
    int meanings[MOST_FIELDS];
    size_t columns = 0;
    char *fields[MOST_FIELDS], *rest = b->text;
    for (char *line; (line = strsep(&rest, "\n"));) {
        if (line[0] == '#' || line[0] == '\0')
            continue;
        size_t count = split(line, fields);
        if (columns > 0) {
            assert(count == columns);
            read_row(b, fields, meanings, columns, pattern, up_to);
            continue;
        }
        for (columns = 0; columns < count; columns++) {
            meanings[columns] = meaning_of(fields[columns]);
            if (meanings[columns] < MZ_BENCH_COLUMN_COUNT)
                b->published[meanings[columns]] = true;
        }
    }
    close_benchmark(b);
}

void mz_bench_release(mz_bench *b)
{
    mz_release(b->rows);
    mz_release(b->text);
    mz_release(b->algorithms);
}
