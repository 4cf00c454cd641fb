/* `mazurka init`: a first mazurka.toml, from what stands in the directory; a file for continuous integration.
 */
#define _GNU_SOURCE /* memrchr */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "cmd/command.h"
#include "cmd/print.h"
#include "cmd/project/project.h"

enum { DEEPEST = 4, LARGEST_SOURCE = 4 << 20, MOST_FILES = 10000 };

typedef struct init_request {
    bool help, force;
    const char *ci;
} init_request;

#define AT(field) offsetof(init_request, field)

static const mz_option rows[] = {
    {"ci", 0, "github|gitlab", "write a file for continuous integration, too", .type = MZ_OPTION_TEXT,
     .at = AT(ci)},
    {"force", 'f', NULL, "replace files that are there", .type = MZ_OPTION_SWITCH, .at = AT(force)},
    {"help", 'h', NULL, "this text", .type = MZ_OPTION_SWITCH, .at = AT(help)},
};

void mz_offer_init(mz_command_line *line, void *target)
{
    mz_options_offer(line, rows, sizeof rows / sizeof *rows, 0, target);
}

/* ---- sources --------------------------------------------------------------------------------------------
 */

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), size = strlen(end);
    return length > size && strcmp(text + length - size, end) == 0;
}

/* Sources and models, by name, without what is hidden or built. */
static void find_files(const char *directory, int depth, mz_words *files)
{
    struct dirent **entries;
    int count = scandir(directory, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        mz_text path = {0};
        struct stat status;
        bool here = strcmp(directory, ".") == 0;
        mz_text_add(&path, "%s%s%s", here ? "" : directory, here ? "" : "/", name);
        bool taken = name[0] != '.' && strncmp(name, "build", 5) != 0 && files->count < MOST_FILES &&
                     lstat(mz_text_string(&path), &status) == 0;
        if (taken && S_ISDIR(status.st_mode) && depth < DEEPEST)
            find_files(mz_text_string(&path), depth + 1, files);
        else if (taken && S_ISREG(status.st_mode) && (mz_is_source(name) || ends_with(name, ".dlang")))
            mz_words_add(files, mz_text_string(&path));
        mz_text_release(&path);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

/* A name and, behind blanks, this. */
static bool is_followed_by(const char *at, char what)
{
    return at[strspn(at, " \t\r\n")] == what;
}

/* "main(" that is no part of another word and no call: a type stands before it. Good enough for a guess. */
static bool has_main(const char *text)
{
    for (const char *at = text; (at = strstr(at, "main")); at += 4) {
        const char *before = at;
        while (before > text && strchr(" \t\r\n", before[-1]))
            before--;
        bool is_type = before < at && before > text && strchr("tdo", before[-1]); /* int, void, auto */
        if (is_type && is_followed_by(at + 4, '('))
            return true;
    }
    return false;
}

/* The source beside a header that is included in quotes: "queue.h" means queue.c, too. */
static void add_included(const char *file, const char *text, const mz_words *files, mz_words *sources)
{
    for (const char *at = text; (at = strstr(at, "#include")); at += 8) {
        const char *name = at + 8 + strspn(at + 8, " \t");
        size_t length = *name == '"' ? strcspn(name + 1, "\"\n.") : 0;
        if (length == 0)
            continue;
        for (size_t i = 0; i < files->count; i++) {
            const char *other = files->items[i], *base = strrchr(other, '/');
            base = base ? base + 1 : other;
            const char *included = memrchr(name + 1, '/', length);
            included = included ? included + 1 : name + 1;
            size_t stem = (size_t)(name + 1 + length - included);
            bool same = strncmp(base, included, stem) == 0 && base[stem] == '.' && mz_is_source(base);
            if (same && !mz_words_have(sources, other) && strcmp(other, file) != 0)
                mz_words_add(sources, other);
        }
    }
}

/* All that the sources include, and what that includes; but no other program's main. */
static void complete(const mz_words *files, mz_words *sources)
{
    for (size_t i = 0; i < sources->count; i++) {
        mz_text text = {0};
        if (mz_file_read(sources->items[i], LARGEST_SOURCE, &text)) {
            if (i > 0 && has_main(mz_text_string(&text)))
                mz_words_remove(sources, i--);
            else
                add_included(sources->items[i], mz_text_string(&text), files, sources);
        }
        mz_text_release(&text);
    }
}

/* ---- targets --------------------------------------------------------------------------------------------
 */

/* Named after the file, with what a key may have. */
static void name_target(const char *file, mz_words *names, mz_text *out)
{
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
    size_t stem = strcspn(base, ".");
    for (size_t i = 0; i < stem; i++) {
        char c = base[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                     c == '-';
        mz_text_add_bytes(out, plain ? &c : "_", 1);
    }
    if (out->length == 0)
        mz_text_add(out, "target");
    size_t length = out->length;
    for (unsigned n = 2; mz_words_have(names, mz_text_string(out)); n++) {
        out->length = length;
        mz_text_add(out, "-%u", n);
    }
    mz_words_add(names, mz_text_string(out));
}

static void add_string(mz_text *out, const char *text)
{
    mz_text_add(out, "\"");
    for (; *text; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7f)
            mz_text_add(out, "\\u%04x", (unsigned char)*text);
        else
            mz_text_add(out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    mz_text_add(out, "\"");
}

static void add_target(const char *file, const mz_words *files, mz_words *names, mz_text *out)
{
    mz_words sources = {0};
    mz_text name = {0};
    mz_words_add(&sources, file);
    if (!ends_with(file, ".dlang"))
        complete(files, &sources);
    name_target(file, names, &name);
    mz_text_add(out, "\n[target.%s]\nsources = [", mz_text_string(&name));
    for (size_t i = 0; i < sources.count; i++) {
        mz_text_add(out, "%s", i ? ", " : "");
        add_string(out, sources.items[i]);
    }
    mz_text_add(out, "]\n");
    mz_text_release(&name);
    mz_words_release(&sources);
}

static size_t add_targets(mz_text *out)
{
    mz_words files = {0}, names = {0};
    find_files(".", 0, &files);
    for (size_t i = 0; i < files.count; i++) {
        mz_text text = {0};
        bool is_model = ends_with(files.items[i], ".dlang");
        if (is_model ||
            (mz_file_read(files.items[i], LARGEST_SOURCE, &text) && has_main(mz_text_string(&text))))
            add_target(files.items[i], &files, &names, out);
        mz_text_release(&text);
    }
    size_t count = names.count;
    mz_words_release(&files);
    mz_words_release(&names);
    return count;
}

/* ---- files ----------------------------------------------------------------------------------------------
 */

static const char beginning[] =
    "# What 'mazurka check' checks here. 'mazurka check NAME' checks one of the targets.\n"
    "# Keys are the options of 'mazurka check' (mazurka check --help), by their long names.\n\n"
    "[defaults]                       # for every target\n"
    "timeout = \"60s\"                  # what takes longer is incomplete, exit code 3\n"
    "# cflags = \"-Iinclude -O1\"       # as your build has them\n"
    "# check = [\"default\", \"leaks\"]   # what counts as an error\n";

static const char example[] = "\n# No file with a main was found here. A target is, for example:\n"
                              "# [target.queue]\n"
                              "# sources = [\"queue.c\", \"queue_test.c\"]\n";

static const char end[] =
    "\n# Of a target, for example:\n"
    "# define = [\"CAPACITY=2\"]        # small is enough: what goes wrong with many goes wrong with few\n"
    "# entry = [\"push\", \"pop\"]        # a library: these run as threads, instead of main\n"
    "# arguments = [\"--quick\"]        # of the program\n"
    "# preemptions = 2                # too large? first what needs few preemptions …\n"
    "# accept = \"bounded\"             # … which is then good enough\n"
    "# suppressions = [               # what is known and not to be reported, with reasons\n"
    "#   \"race:stats_*  # the statistics may be approximate\",\n"
    "#   \"race:cache.c:31  # harmless\",\n"
    "# ]\n";

static const char github[] =
    "# Checks every interleaving of the targets in mazurka.toml.\n"
    "name: mazurka\n"
    "on: [push, pull_request]\n"
    "jobs:\n"
    "  check:\n"
    "    runs-on: ubuntu-latest\n"
    "    steps:\n"
    "      - uses: actions/checkout@v4\n"
    "      # Install Mazurka here: its Debian package (sudo apt-get install -y ./mazurka.deb),\n"
    "      # or 'sudo make install' in its sources.\n"
    "      - run: mazurka check --junit=mazurka.xml --sarif=mazurka.sarif --github\n"
    "      - uses: actions/upload-artifact@v4\n"
    "        if: always()\n"
    "        with:\n"
    "          name: mazurka\n"
    "          path: |\n"
    "            mazurka.xml\n"
    "            mazurka.sarif\n"
    "            *.mzt\n"
    "      # For the tab 'Security': permissions: {security-events: write}, and\n"
    "      # - uses: github/codeql-action/upload-sarif@v3\n"
    "      #   if: always()\n"
    "      #   with: {sarif_file: mazurka.sarif}\n";

static const char gitlab[] =
    "# Checks every interleaving of the targets in mazurka.toml.\n"
    "mazurka:\n"
    "  image: debian:stable\n"
    "  before_script:\n"
    "    # Install Mazurka here: its Debian package (apt-get install -y ./mazurka.deb),\n"
    "    # or 'make install' in its sources.\n"
    "    - apt-get update && apt-get install -y gcc\n"
    "  script:\n"
    "    - mazurka check --junit=mazurka.xml --sarif=mazurka.sarif\n"
    "  artifacts:\n"
    "    when: always\n"
    "    paths: [mazurka.sarif, '*.mzt']\n"
    "    reports:\n"
    "      junit: mazurka.xml\n";

static void write_file(const init_request *request, const char *path, const char *text, mz_error *error)
{
    if (error->set)
        return;
    if (!request->force && access(path, F_OK) == 0) {
        mz_error_set(error, (mz_position){.file = path}, "it is there already");
        mz_error_set_hint(error, "--force replaces it");
    } else if (!mz_file_write(path, text, strlen(text))) {
        mz_error_set(error, (mz_position){.file = path}, "cannot be written: %s", strerror(errno));
    }
}

static void say_targets(size_t count)
{
    if (count == 0)
        printf("%s: written, without a target: no file here has a main\n", MZ_PROJECT_FILE);
    else
        printf("%s: written, with %zu target%s; now: mazurka check\n", MZ_PROJECT_FILE, count,
               count == 1 ? "" : "s");
}

static void write_ci(const init_request *request, mz_error *error)
{
    bool is_github = strcmp(request->ci, "github") == 0;
    const char *path = is_github ? ".github/workflows/mazurka.yml" : ".gitlab-ci.yml";
    if (is_github) {
        mkdir(".github", 0777);
        mkdir(".github/workflows", 0777);
    }
    write_file(request, path, is_github ? github : gitlab, error);
    if (!error->set)
        printf("%s: written; say there how Mazurka is installed\n", path);
}

/* With --ci a mazurka.toml that is there stays. */
static void init(const init_request *request, mz_error *error)
{
    mz_text targets = {0}, text = {0};
    bool stays = request->ci && !request->force && access(MZ_PROJECT_FILE, F_OK) == 0;
    if (request->ci)
        mz_parse_word("ci", request->ci, "github|gitlab", error);
    size_t count = stays || error->set ? 0 : add_targets(&targets);
    mz_text_add(&text, "%s%s%s", beginning, count ? mz_text_string(&targets) : example, end);
    if (!stays)
        write_file(request, MZ_PROJECT_FILE, mz_text_string(&text), error);
    if (!stays && !error->set)
        say_targets(count);
    if (request->ci && !error->set)
        write_ci(request, error);
    mz_text_release(&targets);
    mz_text_release(&text);
}

static void take_word(void *context, const char *word, bool after_dashes, mz_error *error)
{
    (void)context;
    (void)after_dashes;
    mz_error_set(error, (mz_position){0}, "'%s' is too much: it is about this directory", word);
}

int mz_command_init(int argc, char **argv)
{
    init_request request = {0};
    mz_error error = {0};
    mz_command_line line = {.word = take_word};
    mz_offer_init(&line, &request);
    mz_options_parse(&line, argc, argv, &error);
    if (!error.set && request.help) {
        mz_text text = {0};
        mz_text_add(&text,
                    "usage: mazurka init [options]\n\nWrites a mazurka.toml, in which stands what 'mazurka "
                    "check' checks in this directory: every\nsource with a main, with the sources beside the "
                    "headers that it includes, and every model.\n\noptions:\n");
        mz_options_help(&line, &text);
        mz_text_add(&text, "\nexit codes: 0 written, 2 not\n");
        mz_print_help(stdout, mz_text_string(&text));
        mz_text_release(&text);
    } else if (!error.set) {
        init(&request, &error);
    }
    mz_options_release(&line);
    return mz_print_error("init", &error) ? MZ_EXIT_USAGE : MZ_EXIT_SAFE;
}
