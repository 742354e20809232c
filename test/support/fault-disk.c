/*
 * A disk that fails on demand, for the program that preloads it: files below FAULT_DISK_ROOT are
 * treated as the first letter of the file FAULT_DISK_MODE says, as long as that file exists.
 *
 *   f  the disk is full: what would make a file longer fails with ENOSPC
 *   r  the disk is read-only: every write fails with EROFS
 *   b  the disk is broken: every flush fails with EIO
 *   o  a file has one name: links fail with EPERM, as on a FAT file system
 *   d  a different disk: what comes from elsewhere by a new name fails with EXDEV
 *
 * cc -shared -fPIC -O2 -o fault-disk.so fault-disk.c -ldl
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_there(const char *path) {
  const char *root = getenv("FAULT_DISK_ROOT");
  size_t prefix = root ? strlen(root) : 0;
  return root && strncmp(path, root, prefix) == 0 && path[prefix] == '/';
}

static char mode_at(const char *path) {
  const char *mode_file = getenv("FAULT_DISK_MODE");
  char mode = 0;
  if (!mode_file || !is_there(path)) return 0;
  int file = open(mode_file, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  if (read(file, &mode, 1) != 1) mode = 0;
  close(file);
  return mode;
}

static char mode_of(int fd) {
  char name[64], path[PATH_MAX];
  snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(name, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return mode_at(path);
}

/* Returns whether the file may have bytes up to end; else errno says why not. */
static int may_reach(int fd, off_t end) {
  struct stat status;
  switch (mode_of(fd)) {
    case 'r':
      errno = EROFS;
      return 0;
    case 'f':
      if (fstat(fd, &status) == 0 && end <= status.st_size) return 1;
      errno = ENOSPC;
      return 0;
    default:
      return 1;
  }
}

static int may_flush(int fd) {
  if (mode_of(fd) != 'b') return 1;
  errno = EIO;
  return 0;
}

#define REAL(type, name) ((type)dlsym(RTLD_NEXT, #name))
typedef ssize_t (*pwrite_type)(int, const void *, size_t, off_t);
typedef int (*ftruncate_type)(int, off_t);
typedef int (*flush_type)(int);
typedef int (*link_type)(const char *, const char *);

ssize_t pwrite(int fd, const void *data, size_t size, off_t at) {
  return may_reach(fd, at + size) ? REAL(pwrite_type, pwrite)(fd, data, size, at) : -1;
}

ssize_t pwrite64(int fd, const void *data, size_t size, off_t at) {
  return may_reach(fd, at + size) ? REAL(pwrite_type, pwrite64)(fd, data, size, at) : -1;
}

int ftruncate(int fd, off_t size) {
  return may_reach(fd, size) ? REAL(ftruncate_type, ftruncate)(fd, size) : -1;
}

int ftruncate64(int fd, off_t size) {
  return may_reach(fd, size) ? REAL(ftruncate_type, ftruncate64)(fd, size) : -1;
}

int fsync(int fd) { return may_flush(fd) ? REAL(flush_type, fsync)(fd) : -1; }

int fdatasync(int fd) { return may_flush(fd) ? REAL(flush_type, fdatasync)(fd) : -1; }

int rename(const char *from, const char *to) {
  if (mode_at(to) != 'd' || is_there(from)) return REAL(link_type, rename)(from, to);
  errno = EXDEV;
  return -1;
}

int link(const char *from, const char *to) {
  if (mode_at(to) != 'o') return REAL(link_type, link)(from, to);
  errno = EPERM;
  return -1;
}
