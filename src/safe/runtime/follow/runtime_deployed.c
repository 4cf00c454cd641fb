/* Where the plan is (wire/deployment.h): in a descriptor, in a file, in the program, nowhere. */
#include "safe/runtime/follow/runtime_deployed.h"
#include "safe/runtime/follow/runtime_plan.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* What was decided when the program was linked. */
extern const uint8_t mz__without_plan;

bool mz__expects_plan(void)
{
    return mz__without_plan != MZ_WITHOUT_PLAN_FREE;
}

/* Rather not at all than without constraints. */
static _Noreturn void refuse(const char *why, const char *more)
{
    mz__message message = {.length = 0};
    mz__add_text(&message, "mazurka: ");
    mz__add_text(&message, why);
    mz__add_text(&message, more);
    mz__add_text(&message, "; stopped\n");
    mz__say(&message);
    _exit(MZ_PLAN_EXIT_DIVERGED);
}

static void say(const char *what, const char *more)
{
    mz__message message = {.length = 0};
    mz__add_text(&message, "mazurka: ");
    mz__add_text(&message, what);
    mz__add_text(&message, more);
    mz__add_text(&message, "\n");
    mz__say(&message);
}

static void set_name(char *name, const char *text)
{
    size_t length = strlen(text);
    length = length < MZ_MOST_PLAN_NAME ? length : MZ_MOST_PLAN_NAME;
    memcpy(name, text, length);
    name[length] = 0;
}

static const void *check(const mz_symbolic_image *image)
{
    if (image->magic != MZ_SYMBOLIC_IMAGE_MAGIC ||
        ((const mz_plan_image *)((const char *)image +
                                 *(const uint64_t *)((const char *)image + image->plans)))
                ->magic != MZ_PLAN_IMAGE_MAGIC)
        refuse("the plan is none, or of another version", "");
    return image;
}

/* ---- a descriptor ----------------------------------------------------------------------------------------
 */

static const mz_symbolic_image *plan_in_descriptor(const char *word, char *name)
{
    const char *colon = strchr(word, ':');
    int descriptor = atoi(word);
    struct stat status;
    if (descriptor < 0)
        return NULL;
    set_name(name, colon ? colon + 1 : "");
    void *memory = MAP_FAILED;
    if (fstat(descriptor, &status) == 0 && (size_t)status.st_size >= sizeof(mz_symbolic_image))
        memory = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, descriptor, 0);
    close(descriptor);
    if (memory == MAP_FAILED)
        refuse("the plan cannot be read", "");
    return check(memory);
}

/* ---- a file ----------------------------------------------------------------------------------------------
 */

enum { MOST_ARGUMENTS = 4096, MOST_PATH = 4096 };

/* mazurka run --exec --plan=FILE -- PROGRAM ARGUMENT …, by the name in MAZURKA, or in the search path. */
static _Noreturn void start_with_file(const char *file, char **arguments)
{
    static char plan[MOST_PATH + 16], program[MOST_PATH];
    static char *words[MOST_ARGUMENTS + 8];
    const char *checker = mz__variable("MAZURKA");
    size_t count = 0;
    checker = checker && *checker ? checker : "mazurka";
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0 || strlen(file) >= MOST_PATH)
        refuse("MAZURKA_PLAN: the program or the plan cannot be named: ", file);
    program[length] = 0;
    memcpy(plan, "--plan=", 7);
    memcpy(plan + 7, file, strlen(file) + 1);
    char *const first[] = {
        (char *)(uintptr_t)checker, (char *)(uintptr_t) "run", (char *)(uintptr_t) "--exec", plan, program,
        (char *)(uintptr_t) "--"};
    for (; count < sizeof first / sizeof *first; count++)
        words[count] = first[count];
    for (size_t i = 1; arguments[0] && arguments[i]; i++) {
        if (i >= MOST_ARGUMENTS)
            refuse("MAZURKA_PLAN: too many arguments", "");
        words[count++] = arguments[i];
    }
    say("MAZURKA_PLAN: keeps to the plan ", file);
    execvp(checker, words);
    mz__message message = {.length = 0};
    mz__add_text(&message, "mazurka: MAZURKA_PLAN: a plan in a file needs '");
    mz__add_text(&message, checker);
    mz__add_text(&message, "', which could not be started: ");
    mz__add_text(&message, strerror(errno));
    mz__add_text(&message, "; install it, name it in MAZURKA, or link the plan into the program "
                           "(mazurka cc --plan=FILE); stopped\n");
    mz__say(&message);
    _exit(MZ_PLAN_EXIT_DIVERGED);
}

/* ---- the program -----------------------------------------------------------------------------------------
 */

/* Of the own file; NULL: there is no such section. */
static const Elf64_Shdr *find_section(const char *bytes, size_t size, const char *name)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)bytes;
    if (size < sizeof *header || header->e_shoff > size || header->e_shstrndx >= header->e_shnum ||
        (size - header->e_shoff) / sizeof(Elf64_Shdr) < header->e_shnum)
        return NULL;
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(bytes + header->e_shoff);
    const Elf64_Shdr *names = &sections[header->e_shstrndx];
    if (names->sh_offset > size || names->sh_size > size - names->sh_offset || names->sh_size == 0 ||
        bytes[names->sh_offset + names->sh_size - 1] != 0)
        return NULL;
    for (uint32_t i = 0; i < header->e_shnum; i++) {
        const Elf64_Shdr *s = &sections[i];
        if (s->sh_name < names->sh_size && strcmp(bytes + names->sh_offset + s->sh_name, name) == 0)
            return s->sh_offset <= size && s->sh_size <= size - s->sh_offset ? s : NULL;
    }
    return NULL;
}

/* Copied to where it is aligned. */
static const mz_symbolic_image *copy_plan(const char *bytes, const Elf64_Shdr *section, char *name)
{
    mz_embedded_plan header;
    if (section->sh_size < sizeof header)
        return NULL;
    memcpy(&header, bytes + section->sh_offset, sizeof header);
    if (header.magic != MZ_EMBEDDED_MAGIC || header.bytes < sizeof(mz_symbolic_image) ||
        header.bytes > section->sh_size - sizeof header || header.name[MZ_MOST_PLAN_NAME] != 0)
        return NULL;
    void *memory = mmap(NULL, header.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    memcpy(memory, bytes + section->sh_offset + sizeof header, header.bytes);
    set_name(name, header.name);
    return memory;
}

static const mz_symbolic_image *plan_of_program(char *name)
{
    const mz_symbolic_image *image = NULL;
    struct stat status;
    void *bytes = MAP_FAILED;
    int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (file >= 0 && fstat(file, &status) == 0)
        bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (file >= 0)
        close(file);
    if (bytes != MAP_FAILED) {
        const Elf64_Shdr *section = find_section(bytes, (size_t)status.st_size, MZ_PLAN_SECTION);
        image = section ? copy_plan(bytes, section, name) : NULL;
        munmap(bytes, (size_t)status.st_size);
    }
    if (!image)
        refuse("the plan that the program was linked with cannot be read from its file (is /proc mounted?)",
               "");
    return check(image);
}

/* ---- which of them ---------------------------------------------------------------------------------------
 */

static void run_without(const char *why)
{
    if (mz__without_plan == MZ_WITHOUT_PLAN_REFUSE)
        refuse(why, ", and the program was linked to refuse that (MAZURKA_PLAN=FILE names one)");
    if (mz__without_plan == MZ_WITHOUT_PLAN_WARN)
        say(why, ": schedules are not constrained (MAZURKA_PLAN=FILE names one)");
}

const mz_symbolic_image *mz__deployed_plan(char **arguments, char name[MZ_MOST_PLAN_NAME + 1])
{
    static const char prefix[] = MZ_PLAN_DESCRIPTOR_PREFIX;
    const char *word = mz__variable(MZ_PLAN_ENVIRONMENT);
    name[0] = 0;
    if (word && strncmp(word, prefix, sizeof prefix - 1) == 0)
        return plan_in_descriptor(word + sizeof prefix - 1, name);
    if (word && strcmp(word, "none") == 0 && mz__without_plan == MZ_WITHOUT_PLAN_NEVER) {
        say("MAZURKA_PLAN=none: schedules are not constrained", "");
        return NULL;
    }
    if (word && *word && strcmp(word, "none") != 0)
        start_with_file(word, arguments);
    if (mz__without_plan == MZ_WITHOUT_PLAN_NEVER)
        return plan_of_program(name);
    run_without("there is no plan");
    return NULL;
}
