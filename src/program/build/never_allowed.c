/* Functions that --allow does not let through, whatever the user says.
 *
 * A program under test lives in the checker's process, with numbers, handles and descriptors that the checker
 * made up: its process has another number, its threads are fibers, its descriptors are positions in a table.
 * Given to the system they mean something else, such as a stranger's process. What a function does to
 * signals, threads or the address space it does to the checker. And what it does to files, in each of
 * thousands of executions, nobody takes back. */
#include <string.h>

#include "program/build/compile.h"

/* A name; one that ends with '*' stands for all that begin so. */
typedef struct family {
    const char *names, *why;
} family;

static const family families[] = {
    {"fork vfork _Fork clone clone3 unshare setns exec* fexecve posix_spawn* system popen pclose "
     "wait waitpid waitid wait3 wait4 daemon ptrace prctl arch_prctl personality process_* pidfd_* "
     "getpgid getpgrp setpgid setpgrp setsid getsid tcgetpgrp tcsetpgrp getpriority setpriority nice "
     "setuid setgid seteuid setegid setreuid setregid setresuid setresgid setgroups initgroups "
     "getrlimit setrlimit prlimit getrlimit64 setrlimit64 prlimit64 sched_getparam sched_setparam "
     "sched_getscheduler sched_rr_get_interval sched_setattr sched_getattr capset acct umask "
     "login_tty forkpty openpty wordexp __libc_fork __fork __vfork",
     "it acts on processes, and the numbers that the program has are not the system's"},
    {"kill killpg tkill tgkill raise gsignal sigaction __sigaction signal __sysv_signal sysv_signal "
     "bsd_signal ssignal sigset sigvec sigprocmask sigpending sigsuspend sigwait sigwaitinfo sigtimedwait "
     "sigqueue sigaltstack sigstack siginterrupt sigblock sigsetmask siggetmask sighold sigrelse sigignore "
     "sigpause __sigpause __xpg_sigpause sigreturn pause alarm ualarm setitimer getitimer "
     "timer_* timerfd_* signalfd eventfd",
     "it acts on signals, which the checker needs itself"},
    {"mmap mmap64 munmap mprotect pkey_mprotect mremap msync madvise posix_madvise mlock mlock2 mlockall "
     "munlock munlockall mincore brk sbrk remap_file_pages shmat shmdt shmget shmctl memfd_create "
     "userfaultfd membarrier mallopt malloc_trim mtrace muntrace dlopen dlmopen dlclose",
     "it acts on the address space, which the checker keeps and takes back"},
    {"pthread_* sem_* thrd_* mtx_* cnd_* tss_* call_once getcontext setcontext makecontext swapcontext "
     "__pthread_* __cxa_thread_atexit* aio_* lio_listio mq_*",
     "it acts on threads and their objects, which are the checker's own"},
    {"dup dup2 dup3 fcntl fcntl64 ioctl flock lockf lockf64 readv writev preadv* pwritev* pwrite pwrite64 "
     "ftruncate ftruncate64 fsync fdatasync sync_file_range fallocate* posix_fallocate* posix_fadvise* "
     "fchmod fchown fchdir openat openat64 __openat* fstatat fstatat64 fdopen fdopendir sendfile "
     "sendfile64 splice tee vmsplice copy_file_range select pselect poll ppoll __poll_chk __ppoll_chk "
     "epoll_* "
     "inotify_* fanotify_* pipe pipe2 tcgetattr tcsetattr tcflush tcdrain tcflow tcsendbreak ttyname "
     "ttyname_r close_range closefrom creat creat64 futimens futimes freopen freopen64 fgetwc getwc "
     "ungetwc fgetws fwide fputwc_unlocked flockfile funlockfile ftrylockfile setbuffer fgetpos fsetpos "
     "fgetpos64 fsetpos64 getw putw __fpurge __fpending __fbufsize __freadable __fwritable __flbf "
     "open_memstream open_wmemstream fmemopen fopencookie tmpfile tmpfile64 fcloseall fpathconf fgetxattr "
     "fsetxattr fremovexattr flistxattr syncfs socket socketpair connect bind listen accept accept4 send "
     "sendto sendmsg sendmmsg recv __recv_chk recvfrom __recvfrom_chk recvmsg recvmmsg shutdown getsockopt "
     "setsockopt getsockname getpeername",
     "it acts on descriptors or streams, and those of the program are not the system's"},
    {"truncate truncate64 chmod lchmod fchmodat fchmodat2 chown lchown fchownat link linkat symlink "
     "symlinkat "
     "rename renameat renameat2 remove unlink unlinkat rmdir mkdir mkdirat mkfifo mkfifoat mknod mknodat "
     "__xmknod __xmknodat mkdtemp mkstemp* mkostemp* utime utimes lutimes utimensat futimesat nftw nftw64 "
     "ftw "
     "ftw64 fts_* setxattr lsetxattr removexattr lremovexattr name_to_handle_at open_by_handle_at "
     /* std::filesystem */
     "_ZNSt10filesystem6remove* _ZNSt10filesystem10remove_all* _ZNSt10filesystem6rename* "
     "_ZNSt10filesystem4copy* _ZNSt10filesystem9copy_file* _ZNSt10filesystem12copy_symlink* "
     "_ZNSt10filesystem16create_directory* _ZNSt10filesystem18create_directories* "
     "_ZNSt10filesystem24create_directory_symlink* _ZNSt10filesystem14create_symlink* "
     "_ZNSt10filesystem16create_hard_link* _ZNSt10filesystem11permissions* "
     "_ZNSt10filesystem11resize_file* _ZNSt10filesystem15last_write_time*",
     "it changes the system's files, and those of the program are copies in memory"},
    {"mount umount umount2 move_mount open_tree fsopen fsmount fspick fsconfig swapon swapoff quotactl sync "
     "chdir chroot pivot_root _ZNSt10filesystem12current_path* sethostname setdomainname sethostid "
     "settimeofday clock_settime clock_adjtime adjtime adjtimex ntp_adjtime stime reboot kexec_load bpf "
     "init_module finit_module delete_module klogctl vhangup iopl ioperm putpwent putspent putgrent "
     "pututline pututxline updwtmp updwtmpx logwtmp login logout openlog syslog vsyslog __syslog_chk "
     "__vsyslog_chk closelog",
     "it changes the system, which nobody takes back"},
};

static bool is_among(const char *name, const char *names)
{
    size_t length = strlen(name);
    for (const char *at = names; *at;) {
        size_t word = strcspn(at, " ");
        bool begins = at[word - 1] == '*' && strncmp(name, at, word - 1) == 0;
        if (begins || (word == length && strncmp(name, at, word) == 0))
            return true;
        at += word + strspn(at + word, " ");
    }
    return false;
}

const char *mz_never_allowed(const char *name)
{
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (is_among(name, families[i].names))
            return families[i].why;
    return NULL;
}
