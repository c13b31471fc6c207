/* A server confined: a seccomp filter that answers EPERM to system calls that scrim never makes, and a Landlock domain over files. Neither
 * needs a privilege or a library; where the kernel has one of them not, the other holds alone. */
#include "confine.h"
#ifdef __linux__
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- system calls ---- */

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE
static const uint32_t refused[] = {
    SYS_execve,
    SYS_execveat, /* programs */
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kcmp,
    SYS_perf_event_open, /* other processes */
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_setns,
    SYS_unshare, /* other views of the file system */
    SYS_open_by_handle_at,
    SYS_quotactl,
    SYS_swapon,
    SYS_swapoff,
    SYS_acct, /* */
    SYS_setuid,
    SYS_setgid,
    SYS_setreuid,
    SYS_setregid,
    SYS_setresuid,
    SYS_setresgid, /* other users */
    SYS_setgroups,
    SYS_setfsuid,
    SYS_setfsgid,
    SYS_capset, /* */
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key, /* keys */
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_reboot, /* the kernel */
    SYS_bpf,
    SYS_userfaultfd,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_adjtimex, /* */
    SYS_clock_adjtime,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_personality,
    SYS_syslog, /* */
#ifdef SYS_io_uring_setup
    SYS_io_uring_setup,
    SYS_io_uring_enter,
    SYS_io_uring_register, /* would go past this filter */
#endif
#ifdef SYS_pidfd_getfd
    SYS_pidfd_getfd,
#endif
#ifndef __SANITIZE_ADDRESS__
    SYS_ptrace, /* by which LeakSanitizer looks for what was lost */
#endif
};
enum { REFUSED_CALLS = sizeof refused / sizeof *refused };

static void refuse_calls(void) {
    struct sock_filter code[REFUSED_CALLS + 8];
    unsigned short n = 0;
    code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
    code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
    code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM); /* the calls of another one have other numbers */
    code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, REFUSED_CALLS + 1, 0); /* x32: likewise */
    for (int i = 0; i < REFUSED_CALLS; i++)
        code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, refused[i], (uint8_t)(REFUSED_CALLS - i), 0);
    code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
    const struct sock_fprog filter = { n, code };
    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter);
}
#else
static void refuse_calls(void) {}
#endif

/* ---- files ---- */

/* The kernel's interface (linux/landlock.h, versions 1 to 4): older headers lack parts of it. */
enum { RULE_BENEATH = 1, NET_CONNECT = 2 };
#define FS_EXECUTE (UINT64_C(1) << 0)
#define FS_WRITE_FILE (UINT64_C(1) << 1)
#define FS_READ_FILE (UINT64_C(1) << 2)
#define FS_READ_DIR (UINT64_C(1) << 3)
#define FS_REMOVE_AND_MAKE (UINT64_C(0x1FF) << 4) /* REMOVE_DIR … MAKE_SYM */
#define FS_REFER (UINT64_C(1) << 13)              /* version 2 */
#define FS_TRUNCATE (UINT64_C(1) << 14)           /* version 3 */
typedef struct Ruleset {
    uint64_t files, net;
} Ruleset;
typedef struct __attribute__((packed)) Beneath {
    uint64_t allowed;
    int32_t parent;
} Beneath;

typedef struct Domain {
    int rules;
    uint64_t reads, writes; /* the rights that are handled of these kinds */
} Domain;

static void allow(const Domain *d, const char *path, uint64_t rights) {
    struct stat about;
    const int place = open(path, O_PATH | O_CLOEXEC);
    if (place < 0) return;
    if (!fstat(place, &about)) {
        if (!S_ISDIR(about.st_mode)) rights &= FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE;
        const Beneath rule = { rights, place };
        if (rights) syscall(SYS_landlock_add_rule, d->rules, RULE_BENEATH, &rule, 0);
    }
    close(place);
}

/* The system's own files, and what the program came with. */
static void allow_system(const Domain *d) {
    static const char *const system[] = { "/usr", "/lib", "/lib64", "/bin", "/etc", "/proc", "/sys", "/dev", "/opt", "/run/systemd/resolve",
                                          NULL };
    static const char *const temporary[] = { "/tmp", "/var/tmp", "/dev/shm", "/dev/null", NULL };
    char program[PATH_MAX];
    for (int i = 0; system[i]; i++) allow(d, system[i], d->reads);
    for (int i = 0; temporary[i]; i++) allow(d, temporary[i], d->reads | d->writes);
    if (getenv("TMPDIR")) allow(d, getenv("TMPDIR"), d->reads | d->writes);
    if (getenv("SCRIM_DUCKDB")) allow(d, getenv("SCRIM_DUCKDB"), d->reads);
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    for (int up = 0; length > 0 && up < 2; up++) { /* FOLDER/bin/scrim: FOLDER has its libraries */
        program[up ? strlen(program) : (size_t)length] = 0;
        char *slash = strrchr(program, '/');
        if (!slash || slash == program) return;
        *slash = 0;
        if (!up || !strcmp(slash + 1, "bin")) allow(d, program, d->reads);
    }
}

static void confine_files(const Keeps *keeps) {
    const long version = syscall(SYS_landlock_create_ruleset, NULL, 0, 1);
    if (version < 1) return;
    Domain d = { .reads = keeps->reads ? FS_READ_FILE | FS_READ_DIR : 0,
                 .writes = !keeps->writes
                               ? 0
                               : FS_WRITE_FILE | FS_REMOVE_AND_MAKE | (version > 1 ? FS_REFER : 0) | (version > 2 ? FS_TRUNCATE : 0) };
    const Ruleset ruleset = { FS_EXECUTE | d.reads | d.writes, version > 3 && !keeps->connects ? NET_CONNECT : 0 };
    d.rules = (int)syscall(SYS_landlock_create_ruleset, &ruleset, version > 3 ? sizeof ruleset : sizeof ruleset.files, 0);
    if (d.rules < 0) return;
    allow_system(&d);
    for (size_t i = 0; i < keeps->read_count && keeps->reads; i++) allow(&d, keeps->reads[i], d.reads);
    for (size_t i = 0; i < keeps->write_count && keeps->writes; i++) allow(&d, keeps->writes[i], d.reads | d.writes);
    syscall(SYS_landlock_restrict_self, d.rules, 0);
    close(d.rules);
}

void confine(const Keeps *keeps) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return;
    confine_files(keeps);
    refuse_calls();
}
#else
void confine(const Keeps *keeps) { (void)keeps; }
#endif
