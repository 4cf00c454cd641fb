/* Loading the program and keeping the checker alive while it runs. */

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "program/build/constructors.h"
#include "program/describe/failures.h"
#include "program/describe/names.h"
#include "program/describe/stuck.h"
#include "program/libc/libc.h"
#include "program/loops/overdue.h"
#include "program/machine/load.h"
#include "program/machine/schedule.h"
#include "program/memory/heap.h"
#include "program/memory/variables.h"
#include "program/program.h"
#include "program/pthread/lifecycle.h"
#include "program/runtime/accesses.h"
#include "program/symbols/symbols.h"
#include "program/world/world.h"

/* ---- segments ---------------------------------------------------------------------------------------------
 */

static void note_program(const struct dl_phdr_info *info)
{
    mz__memory *m = &mz__w.memory;
    m->code = UINTPTR_MAX;
    m->image = UINTPTR_MAX;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        uintptr_t begin = (info->dlpi_addr + h->p_vaddr) & ~(uintptr_t)63,
                  end = info->dlpi_addr + h->p_vaddr + h->p_memsz;
        if (h->p_type == PT_LOAD) {
            m->code = begin < m->code ? begin : m->code;
            m->code_end = end > m->code_end ? end : m->code_end;
        }
        if (h->p_type == PT_LOAD && (h->p_flags & PF_W)) {
            m->image = begin < m->image ? begin : m->image;
            m->image_end = end > m->image_end ? end : m->image_end;
        }
        if (h->p_type == PT_TLS) {
            m->tls_image = (const void *)(info->dlpi_addr + h->p_vaddr);
            m->tls_image_bytes = h->p_filesz;
            m->tls_bytes = (h->p_memsz + 63) & ~(size_t)63;
            m->tls_align = h->p_align;
        }
    }
    m->image_end = (m->image_end + 63) & ~(uintptr_t)63;
}

/* What is loaded beside the program: the program may look at it, but writing there is the library's business,
 * which the checker itself relies on. */
static void note_library(const struct dl_phdr_info *info)
{
    mz__memory *m = &mz__w.memory;
    enum { OTHERS = 16 }; /* room for single variables, which come later */
    size_t most = sizeof m->libraries / sizeof *m->libraries - OTHERS;
    for (int i = 0; i < info->dlpi_phnum && m->library_count < most; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        if (h->p_type != PT_LOAD)
            continue;
        m->libraries[m->library_count].begin = info->dlpi_addr + h->p_vaddr;
        m->libraries[m->library_count++].end = info->dlpi_addr + h->p_vaddr + h->p_memsz;
    }
}

static void note_variable(const void *address, size_t size)
{
    mz__memory *m = &mz__w.memory;
    if (m->library_count == sizeof m->libraries / sizeof *m->libraries)
        return;
    m->libraries[m->library_count].begin = (uintptr_t)address;
    m->libraries[m->library_count].writable = true;
    m->libraries[m->library_count++].end = (uintptr_t)address + size;
}

static int note_object(struct dl_phdr_info *info, size_t size, void *name)
{
    (void)size;
    if (info->dlpi_name && strcmp(info->dlpi_name, name) == 0)
        note_program(info);
    else if (info->dlpi_name && info->dlpi_name[0]) /* not the checker itself */
        note_library(info);
    return 0;
}

/* PT_GNU_RELRO is read-only after loading, but lies within the segment that we copy. */
static void make_writable(void)
{
    mz__memory *m = &mz__w.memory;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t begin = m->image & ~(page - 1), end = (m->image_end + page - 1) & ~(page - 1);
    mprotect((void *)begin, end - begin, PROT_READ | PROT_WRITE);
}

void mz__restore_image(void)
{
    const mz__memory *m = &mz__w.memory;
    if (m->image < m->image_end)
        memcpy((void *)m->image, m->image_copy, m->image_end - m->image);
}

/* ---- functions called __VERIFIER_atomic_…
 * ------------------------------------------------------------------- */

static void note_atomic_function(uintptr_t begin, uintptr_t end)
{
    size_t n = mz__w.atomic_function_count;
    if ((n & (n - 1)) == 0)
        mz__w.atomic_functions =
            mz_reallocate(mz__w.atomic_functions, (n ? 2 * n : 1) * sizeof *mz__w.atomic_functions);
    mz__w.atomic_functions[n].begin = begin;
    mz__w.atomic_functions[n].end = end;
    mz__w.atomic_function_count++;
}

static void read_symbols(const char *bytes, size_t length, uintptr_t bias)
{
    static const char prefix[] = "__VERIFIER_atomic_";
    const ElfW(Ehdr) *header = (const void *)bytes;
    if (length < sizeof *header || header->e_shoff + header->e_shnum * sizeof(ElfW(Shdr)) > length)
        return;
    const ElfW(Shdr) *sections = (const void *)(bytes + header->e_shoff);
    for (size_t i = 0; i < header->e_shnum; i++) {
        if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= header->e_shnum ||
            sections[i].sh_offset + sections[i].sh_size > length)
            continue;
        const ElfW(Sym) *symbols = (const void *)(bytes + sections[i].sh_offset);
        const ElfW(Shdr) *strings = &sections[sections[i].sh_link];
        if (strings->sh_offset + strings->sh_size > length)
            continue;
        for (size_t k = 0; k < sections[i].sh_size / sizeof *symbols; k++)
            if ((symbols[k].st_info & 15) == STT_FUNC && symbols[k].st_size > 0 &&
                symbols[k].st_name < strings->sh_size &&
                strncmp(bytes + strings->sh_offset + symbols[k].st_name, prefix, sizeof prefix - 1) == 0)
                note_atomic_function(bias + symbols[k].st_value,
                                     bias + symbols[k].st_value + symbols[k].st_size);
    }
}

static void find_atomic_functions(const char *path, uintptr_t bias)
{
    mz_text file = {0};
    if (mz_file_read(path, MZ_FILE_ANY_SIZE, &file) && file.length > 0)
        read_symbols(file.bytes, file.length, bias);
    mz_text_release(&file);
}

/* ---- main -------------------------------------------------------------------------------------------------
 */

/* When main has returned, the others run on in the checker, for what they do then they could have done before
 * (promise 3 of machine.h). So what they can see of main's frame stays as it was: what main does at its end
 * happens below. */
enum { ROOM_FOR_MAIN = 1 << 20 };

static __attribute__((noinline, noreturn)) void end_below_main(int status)
{
    volatile char *room = __builtin_alloca(ROOM_FOR_MAIN);
    room[0] = 0;
    mz__exit(status, mz__w.main_pc, NULL);
}

static void *run_main(void *ignored)
{
    (void)ignored;
    for (size_t i = 0; i < mz__w.constructor_count; i++)
        mz__w.constructors[i](mz__w.argument_count, mz__w.arguments, environ);
    end_below_main(mz__w.main(mz__w.argument_count, mz__w.arguments, environ));
}

static void find_constructors(const struct link_map *map)
{
    for (const ElfW(Dyn) *d = map ? map->l_ld : NULL; d && d->d_tag != DT_NULL; d++) {
        if (d->d_tag == MZ__DEFERRED_ARRAY)
            mz__w.constructors = (void *)(map->l_addr + d->d_un.d_ptr);
        else if (d->d_tag == MZ__DEFERRED_BYTES)
            mz__w.constructor_count = d->d_un.d_val / sizeof *mz__w.constructors;
    }
}

void mz__create_main(void)
{
    mz__create_thread(run_main, NULL, false, 0);
    mz__cold_of(&mz__w.threads[0])->heap_used = mz__w.initial_heap;
}

/* argv belongs to the program: it may write there. */
static void copy_arguments(int count, char **arguments)
{
    mz__w.argument_count = count;
    mz__w.arguments = mz__heap_allocate(((size_t)count + 1) * sizeof(char *), 16, 0);
    for (int i = 0; i < count; i++) {
        size_t bytes = strlen(arguments[i]) + 1;
        mz__w.arguments[i] = mz__heap_allocate(bytes, 16, 0);
        memcpy(mz__w.arguments[i], arguments[i], bytes);
    }
    mz__w.arguments[count] = NULL;
}

/* ---- signals
 * ------------------------------------------------------------------------------------------------
 *
 * A fiber that crashes is left for good, from the handler: its stack and everything it did come back from the
 * trail. A fiber that does not come back to the scheduler for long is left likewise, but only from the
 * program's own code, where no record of ours is half written. */

static uintptr_t interrupted_pc(const void *context)
{
#if defined(__x86_64__)
    return (uintptr_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#else
    return (uintptr_t)((const ucontext_t *)context)->uc_mcontext.pc;
#endif
}

static uintptr_t interrupted_caller(const void *context)
{
#if defined(__x86_64__)
    return *(const uintptr_t *)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RSP];
#else
    return (uintptr_t)((const ucontext_t *)context)->uc_mcontext.regs[30];
#endif
}

static bool in_program(uintptr_t pc)
{
    return pc >= mz__w.memory.code && pc < mz__w.memory.code_end;
}

static const char *signal_words(int number)
{
    switch (number) {
    case SIGSEGV:
        return "segmentation fault (SIGSEGV)";
    case SIGBUS:
        return "bus error (SIGBUS)";
    case SIGFPE:
        return "division by zero or overflow (SIGFPE)";
    case SIGILL:
        return "illegal instruction (SIGILL)";
    default:
        return "trap (SIGTRAP)";
    }
}

/* Most steps take less than a millionth of a second. A tick is as short as the system makes it. */
enum { TICKS_PER_SECOND = 250, WATCHED_AFTER = TICKS_PER_SECOND / 5, SHORT = 300 };

static bool is_late(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return mz__w.deadline > 0 && (double)now.tv_sec + (double)now.tv_nsec * 1e-9 > mz__w.deadline;
}

/* Of the processor time that local work may take. Where it has taken too long before, there is little left,
 * and when the time of the search is over none. Stages (session/stages.c) are for what is found soon. */
#define PATIENCE_OF_STAGE (2.0 * WATCHED_AFTER / TICKS_PER_SECOND)

static double patience_left(int silent)
{
    double patience = mz__w.patience;
    if (is_late())
        return 0;
    if (mz__w.most_events > 0 && patience > PATIENCE_OF_STAGE)
        patience = PATIENCE_OF_STAGE;
    if (mz__takes_long_here())
        patience = patience / SHORT > 2.0 / TICKS_PER_SECOND ? patience / SHORT : 2.0 / TICKS_PER_SECOND;
    return patience - (double)silent / TICKS_PER_SECOND;
}

/* The running thread has taken too long, and is in the program's own code. */
static void leave_at(uintptr_t pc)
{
    mz_position position = {0};
    mz__position_of(pc + 1, &position);
    if (position.file) /* otherwise it is on its way to a hook, and where it was last is good enough */
        mz__caller.pc = pc + 1;
    mz__give_up_if_overdue();
}

/* A thread that calls a function of a library again and again may be there at every tick, and come to no hook
 * that would give up. So it is followed by single instructions, up to where it is in the program again. */
#if defined(__x86_64__)
enum { SINGLE_STEPS = 0x100 }; /* a flag of the processor: a trap behind each instruction */
static uint64_t followed_in;   /* the pulse that it had */

static void follow_out(void *context)
{
    followed_in = mz__w.pulse;
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] |= SINGLE_STEPS;
}

/* Is it a trap of ours? */
static bool on_instruction(const siginfo_t *info, void *context)
{
    if (info->si_code != TRAP_TRACE)
        return false;
    bool has_come_back = mz__w.pulse != followed_in || !mz__w.current;
    uintptr_t pc = interrupted_pc(context);
    if (!has_come_back && !in_program(pc))
        return true;
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)SINGLE_STEPS;
    if (!has_come_back)
        leave_at(pc);
    return true;
}
#else
static void follow_out(void *context)
{
    (void)context;
}

static bool on_instruction(const siginfo_t *info, void *context)
{
    (void)info;
    (void)context;
    return false;
}
#endif

/* Of the checker, which has the program in it as a library. */
static bool is_our_code(uintptr_t pc)
{
    extern const char __executable_start, etext;
    return pc >= (uintptr_t)&__executable_start && pc < (uintptr_t)&etext;
}

static void on_tick(int number, siginfo_t *info, void *context)
{
    static uint64_t last_pulse;
    static int silent;
    (void)number;
    (void)info;
    if (mz__w.pulse != last_pulse || !mz__w.current) {
        last_pulse = mz__w.pulse;
        silent = 0;
        return;
    }
    if (++silent >= WATCHED_AFTER)
        mz__look_closer();
    if (silent * 3.0 > mz__w.patience * TICKS_PER_SECOND)
        mz__expose();
    if (patience_left(silent) > 0)
        return;
    uintptr_t pc = interrupted_pc(context);
    mz__w.overdue = is_late() ? MZ__TIMED_OUT : MZ__OVERDUE;
    if (!in_program(pc)) { /* some record of ours may be half written: a hook looks at it itself */
        if (!is_our_code(pc))
            follow_out(context);
        return;
    }
    silent = 0;
    leave_at(pc);
}

static void on_crash(int number, siginfo_t *info, void *context)
{
    if (number == SIGTRAP && on_instruction(info, context))
        return;
    if (!mz__w.current) { /* our own mistake: let it show */
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    uintptr_t pc = interrupted_pc(context), address = (uintptr_t)info->si_addr;
    uintptr_t slot = MZ__ARENA + MZ__HEAPS + mz__me() * MZ__STACK_BYTES;
    if (number == SIGSEGV && address - slot < 4096)
        mz__fail(MZ_FAIL_CRASH, in_program(pc) ? pc + 1 : mz__caller.pc,
                 "the stack of thread %u is used up: %llu MiB", mz__me(),
                 (unsigned long long)(MZ__STACK_BYTES >> 20));
    if (pc < 4096)
        mz__fail(MZ_FAIL_CRASH, interrupted_caller(context), "call of a null function pointer");
    if (pc == address && in_program(interrupted_caller(context)))
        mz__fail(MZ_FAIL_CRASH, interrupted_caller(context),
                 "call through a function pointer that leads to no function (address %#lx)",
                 (unsigned long)address);
    if (number == SIGSEGV || number == SIGBUS)
        mz__fail(MZ_FAIL_CRASH, in_program(pc) ? pc + 1 : mz__caller.pc, "%s at address %#lx",
                 signal_words(number), (unsigned long)address);
    mz__fail(MZ_FAIL_CRASH, in_program(pc) ? pc + 1 : mz__caller.pc, "%s", signal_words(number));
}

static void catch_signals(void)
{
    static char stack[1 << 20];
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    struct sigaction crash = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &crash, NULL);
    struct sigaction tick = {.sa_sigaction = on_tick,
                             .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART};
    sigaction(SIGVTALRM, &tick, NULL);
    struct itimerval every = {.it_interval = {.tv_usec = 1000000 / TICKS_PER_SECOND},
                              .it_value = {.tv_usec = 1000000 / TICKS_PER_SECOND}};
    setitimer(ITIMER_VIRTUAL, &every, NULL);
}

/* ---- loading
 * ------------------------------------------------------------------------------------------------ */

/* What is called instead of main (cxx/linked/entry.c) has the functions as its arguments. */
static void pass_entries(char **symbols, size_t count)
{
    mz__w.argument_count = (int)count;
    mz__w.arguments = mz__heap_allocate(count * sizeof(char *), 16, 0);
    for (size_t i = 0; i < count; i++)
        mz__w.arguments[i] = *symbols[i] ? dlsym(mz__w.library, symbols[i]) : NULL;
}

bool mz__load(const mz_native_options *options, mz_error *error)
{
    const char *library = options->library;
    char *path = realpath(library, NULL);
    if (!path && access(library, R_OK) == 0) /* it lies in memory, without a name (session/ranks/job.c) */
        path = strdup(library);
    mz__w.threads = mmap(NULL, MZ_MAX_THREADS * sizeof *mz__w.threads, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    mz__w.guarded = mmap(NULL, 2 * (size_t)MZ__MOST_CELLS * sizeof *mz__w.guarded, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    mz__w.published = mmap(NULL, 2 * (size_t)MZ__MOST_CELLS * sizeof *mz__w.published, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    mz__w.errno_now = &errno;
    mz__trail_create();
    mz__memory_create();
    mz__w.library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (!mz__w.library) {
        mz_error_set(error, (mz_position){.file = library}, "cannot load the program: %s",
                     path ? dlerror() : strerror(errno));
        free(path);
        return false;
    }
    *(void **)&mz__w.main = dlsym(mz__w.library, options->entry_count > 0 ? "mz_entry_main" : "main");
    mz__w.has_exceptions = dlsym(mz__w.library, "__gxx_personality_v0");
    dl_iterate_phdr(note_object, path);
    struct link_map *map = NULL;
    dlinfo(mz__w.library, RTLD_DI_LINKMAP, &map);
    find_constructors(map);
    mz__w.symbols = mz_symbols_open(path, map ? map->l_addr : 0);
    mz__cut_coverage();
    if (!mz__w.main) {
        mz_error_set(error, (mz_position){.file = library}, "the program has no function 'main'");
        free(path);
        return false;
    }
    mz__memory *m = &mz__w.memory;
    note_variable(&errno, sizeof errno); /* the library's own thread-local variable */
    note_variable(&stdin, sizeof stdin); /* these may stand in our own executable */
    note_variable(&stdout, sizeof stdout);
    note_variable(&stderr, sizeof stderr);
    note_variable(&environ, sizeof environ);
    if (m->image < m->image_end) {
        make_writable();
        size_t bytes = m->image_end - m->image;
        m->image_shadow = mmap(NULL, bytes / 8 * sizeof(mz__shadow), PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    }
    if (options->entry_count > 0)
        pass_entries(options->entries, options->entry_count);
    else
        copy_arguments(options->argument_count, options->arguments);
    mz__libc_create();
    mz__world_create(options->world);
    mz__name_volatile_hooks();
    mz__w.initial_heap = mz__w.threads[0].cold.heap_used;
    if (m->image < m->image_end) {
        m->image_copy = mz_allocate(m->image_end - m->image);
        memcpy(m->image_copy, (void *)m->image, m->image_end - m->image);
    }
    mz__trail_now.used = 0; /* the beginning of every execution */
    find_atomic_functions(path, map ? map->l_addr : 0);
    mz__find_gaps();
    mz__find_sites();
    mz__w.main_pc = (uintptr_t)mz__w.main + 1;
    catch_signals();
    free(path);
    return true;
}
