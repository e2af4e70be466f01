// Loaded into pushetl by LD_PRELOAD; crash-states.py compiles it. It has the calls that the program and SQLite use; of another
// one the recording would not lead to what is there. It does one of two things, or both:
//
// Recording (CRASH_LOG and CRASH_ROOT are set): appends a record to the log for each call that changes or syncs
// something below the root. A record has what the call has changed, and the file's stamp after it.
//
// Stamps (CRASH_STAMPS is set): stat calls show files as the list says. So a file that was rebuilt has the inode of the
// file that it stands for, and, until it is changed, its times.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(name, ...) \
    static __typeof__(name) *real; \
    if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

enum { CREATE = 1, WRITE, TRUNCATE, SYNC, RENAME, UNLINK, MAKE_FOLDER, REMOVE_FOLDER, LINK, TOUCH };

struct record {
    uint32_t kind;
    // Of SYNC: whether times are synced too, as by fsync.
    uint32_t flag;
    uint64_t inode, offset, bytes;
    int64_t modified, changed;
    uint32_t path_length, other_length;
};

static int log_number = -1;
static char root[PATH_MAX], graves[PATH_MAX];
static size_t root_length;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

struct stamp {
    uint64_t device, inode;
    int64_t changed;
    // What is shown.
    uint64_t shown_inode;
    int64_t shown_modified, shown_changed;
};

static struct stamp *stamps;
static size_t stamp_count;
static int has_stamps;

static int64_t nanoseconds(struct timespec time) { return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec; }

static struct timespec timespec_of(int64_t nanoseconds) {
    return (struct timespec){nanoseconds / 1000000000, nanoseconds % 1000000000};
}

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("CRASH_LOG"), *folder = getenv("CRASH_ROOT"), *list = getenv("CRASH_STAMPS");
    if (path && folder && realpath(folder, root)) {
        root_length = strlen(root);
        snprintf(graves, sizeof graves, "%s.graves", path);
        mkdir(graves, 0777);
        int number = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
        // Out of the way of the program's own numbers.
        log_number = fcntl(number, F_DUPFD_CLOEXEC, 900);
        close(number);
    }
    FILE *file = list ? fopen(list, "r") : NULL;
    if (!file) return;
    has_stamps = 1;
    struct stamp next;
    while (fscanf(file, "%lu %lu %ld %lu %ld %ld", &next.device, &next.inode, &next.changed, &next.shown_inode,
                  &next.shown_modified, &next.shown_changed) == 6) {
        stamps = realloc(stamps, (stamp_count + 1) * sizeof next);
        stamps[stamp_count++] = next;
    }
    fclose(file);
}

// Recording

static int is_below_root(const char *path) {
    return !strncmp(path, root, root_length) && (path[root_length] == '/' || path[root_length] == 0);
}

// The path of an open file; of a removed one the former path.
static int path_of(int number, char *path) {
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", number);
    ssize_t count = readlink(name, path, PATH_MAX - 1);
    path[count < 0 ? 0 : count] = 0;
    return count > 0 && is_below_root(path);
}

// An absolute path with its folder's links resolved, but not a link of the name itself.
static int absolute(const char *given, char *path) {
    char parent[PATH_MAX], resolved[PATH_MAX];
    const char *slash = strrchr(given, '/');
    const char *name = slash ? slash + 1 : given;
    size_t length = slash == given ? 1 : slash ? (size_t)(slash - given) : 0;
    snprintf(parent, sizeof parent, "%.*s", (int)length, given);
    if (!realpath(length ? parent : ".", resolved) || strlen(resolved) + strlen(name) + 2 > PATH_MAX) return 0;
    strcat(strcat(strcpy(path, resolved), "/"), name);
    return is_below_root(path);
}

static void append(struct record *record, const struct stat *status, const char *path, const char *other, const void *data) {
    record->inode = status->st_ino;
    record->modified = nanoseconds(status->st_mtim);
    record->changed = nanoseconds(status->st_ctim);
    record->path_length = strlen(path);
    record->other_length = strlen(other);
    struct iovec parts[] = {
        {record, sizeof *record}, {(void *)path, record->path_length}, {(void *)other, record->other_length},
        {(void *)data, record->bytes}};
    static ssize_t (*real)(int, const struct iovec *, int);
    if (!real) real = dlsym(RTLD_NEXT, "writev");
    size_t whole = sizeof *record + record->path_length + record->other_length + record->bytes;
    if (real(log_number, parts, 4) != (ssize_t)whole) abort();
}

static void lock(void) {
    if (log_number >= 0) pthread_mutex_lock(&mutex);
}

static void unlock(void) {
    if (log_number >= 0) pthread_mutex_unlock(&mutex);
}

static void note_file(int number, uint32_t kind, uint32_t flag, uint64_t offset, const void *data, uint64_t bytes) {
    char path[PATH_MAX];
    struct stat status;
    int code = errno;
    if (log_number >= 0 && path_of(number, path) && syscall(SYS_fstat, number, &status) == 0) {
        struct record record = {.kind = kind, .flag = flag, .offset = offset, .bytes = bytes};
        append(&record, &status, path, "", data);
    }
    errno = code;
}

static void note_path(uint32_t kind, const char *path, const char *other) {
    struct stat status = {0};
    int code = errno;
    // By the system call itself: `lstat` is replaced below.
    syscall(SYS_newfstatat, AT_FDCWD, other[0] ? other : path, &status, AT_SYMLINK_NOFOLLOW);
    struct record record = {.kind = kind};
    append(&record, &status, path, other, NULL);
    errno = code;
}

// A file that is about to lose its name keeps its inode, so that no later file of the recording gets the same one.
static void bury(const char *path) {
    static int count;
    char grave[2 * PATH_MAX];
    int code = errno;
    snprintf(grave, sizeof grave, "%s/%d-%d", graves, getpid(), count++);
    if (syscall(SYS_linkat, AT_FDCWD, path, AT_FDCWD, grave, 0) != 0) count--;
    errno = code;
}

#define RECORDING(call, condition, note) \
    lock(); \
    __auto_type result = call; \
    if (log_number >= 0 && (condition)) { note; } \
    unlock(); \
    return result

static int opened(int folder, const char *path, int flags, mode_t mode) {
    static int (*real)(int, const char *, int, ...);
    if (!real) real = dlsym(RTLD_NEXT, "openat");
    if (log_number < 0 || !(flags & (O_CREAT | O_TRUNC))) return real(folder, path, flags, mode);
    lock();
    struct stat status;
    int was_there = syscall(SYS_newfstatat, folder, path, &status, 0) == 0;
    int number = real(folder, path, flags, mode);
    if (number >= 0 && !was_there) note_file(number, CREATE, 0, 0, NULL, 0);
    if (number >= 0 && was_there && flags & O_TRUNC) note_file(number, TRUNCATE, 0, 0, NULL, 0);
    unlock();
    return number;
}

#define OPEN(name, folder, ...) \
    int name(__VA_ARGS__ const char *path, int flags, ...) { \
        va_list list; \
        va_start(list, flags); \
        mode_t mode = flags & O_CREAT ? va_arg(list, mode_t) : 0; \
        va_end(list); \
        return opened(folder, path, flags, mode); \
    }
OPEN(open, AT_FDCWD)
OPEN(open64, AT_FDCWD)
OPEN(openat, folder, int folder,)

#define MAKE_TEMPORARY(name, parameters, ...) \
    int name parameters { \
        REAL(name); \
        RECORDING(real(__VA_ARGS__), result >= 0, note_file(result, CREATE, 0, 0, NULL, 0)); \
    }
MAKE_TEMPORARY(mkstemp, (char *template), template)
MAKE_TEMPORARY(mkstemps, (char *template, int suffix), template, suffix)

// Where the last bytes of a file were written that has a position of its own.
static uint64_t before_position(int number, ssize_t count) {
    off_t position = lseek(number, 0, SEEK_CUR);
    return position < count ? 0 : (uint64_t)(position - count);
}

ssize_t write(int number, const void *data, size_t count) {
    REAL(write);
    RECORDING(real(number, data, count), result > 0, note_file(number, WRITE, 0, before_position(number, result), data, result));
}

#define PWRITE(name) \
    ssize_t name(int number, const void *data, size_t count, off_t offset) { \
        REAL(name); \
        RECORDING(real(number, data, count, offset), result > 0, note_file(number, WRITE, 0, offset, data, result)); \
    }
PWRITE(pwrite)
PWRITE(pwrite64)

#define FTRUNCATE(name) \
    int name(int number, off_t size) { \
        REAL(name); \
        RECORDING(real(number, size), result == 0, note_file(number, TRUNCATE, 0, size, NULL, 0)); \
    }
FTRUNCATE(ftruncate)
FTRUNCATE(ftruncate64)

// Where files are shown with other stamps, a power loss is over: no sync has to wait for a disk.
int fsync(int number) {
    REAL(fsync);
    RECORDING(has_stamps ? 0 : real(number), result == 0, note_file(number, SYNC, 1, 0, NULL, 0));
}

int fdatasync(int number) {
    REAL(fdatasync);
    RECORDING(has_stamps ? 0 : real(number), result == 0, note_file(number, SYNC, 0, 0, NULL, 0));
}

int fchmod(int number, mode_t mode) {
    REAL(fchmod);
    RECORDING(real(number, mode), result == 0, note_file(number, TOUCH, 0, 0, NULL, 0));
}

int fchown(int number, uid_t owner, gid_t group) {
    REAL(fchown);
    RECORDING(real(number, owner, group), result == 0, note_file(number, TOUCH, 0, 0, NULL, 0));
}

#define ONE_PATH(name, kind, parameters, ...) \
    int name parameters { \
        REAL(name); \
        char whole[PATH_MAX]; \
        int is_ours = log_number >= 0 && absolute(path, whole); \
        lock(); \
        if (is_ours && kind == UNLINK) bury(whole); \
        int result = real(__VA_ARGS__); \
        if (is_ours && result == 0) note_path(kind, whole, ""); \
        unlock(); \
        return result; \
    }
ONE_PATH(unlink, UNLINK, (const char *path), path)
ONE_PATH(mkdir, MAKE_FOLDER, (const char *path, mode_t mode), path, mode)
ONE_PATH(rmdir, REMOVE_FOLDER, (const char *path), path)

#define TWO_PATHS(name, kind) \
    int name(const char *path, const char *other) { \
        REAL(name); \
        char whole[PATH_MAX], other_whole[PATH_MAX]; \
        int is_ours = log_number >= 0 && (absolute(path, whole) | absolute(other, other_whole)); \
        lock(); \
        if (is_ours && kind == RENAME) bury(other_whole); \
        int result = real(path, other); \
        if (is_ours && result == 0) note_path(kind, whole, other_whole); \
        unlock(); \
        return result; \
    }
TWO_PATHS(rename, RENAME)
TWO_PATHS(link, LINK)

// Stamps

static const struct stamp *stamp_of(uint64_t device, uint64_t inode) {
    for (size_t index = 0; index < stamp_count; index++) {
        if (stamps[index].inode == inode && stamps[index].device == device) return &stamps[index];
    }
    return NULL;
}

static int shown(int result, struct stat *status) {
    if (!has_stamps || result != 0 || !S_ISREG(status->st_mode)) return result;
    const struct stamp *stamp = stamp_of(status->st_dev, status->st_ino);
    if (!stamp) {
        // A new file. Its inode must not be one that a rebuilt file shows.
        status->st_ino += (uint64_t)1 << 40;
        return result;
    }
    if (nanoseconds(status->st_ctim) == stamp->changed) {
        status->st_mtim = timespec_of(stamp->shown_modified);
        status->st_ctim = timespec_of(stamp->shown_changed);
    }
    status->st_ino = stamp->shown_inode;
    return result;
}

#define STAT(name, status_type, parameters, ...) \
    int name parameters { \
        REAL(name); \
        return shown(real(__VA_ARGS__), (struct stat *)status); \
    }
STAT(stat, stat, (const char *path, struct stat *status), path, status)
STAT(stat64, stat64, (const char *path, struct stat64 *status), path, status)
STAT(lstat, stat, (const char *path, struct stat *status), path, status)
STAT(lstat64, stat64, (const char *path, struct stat64 *status), path, status)
STAT(fstat, stat, (int number, struct stat *status), number, status)
STAT(fstat64, stat64, (int number, struct stat64 *status), number, status)
