/*
 * A disk with a volatile cache, for the program that preloads it. Files below POWER_CUT_ROOT are
 * copied to POWER_CUT_DISK when they are flushed, as they are then; what was never flushed never
 * gets there. After a crash, POWER_CUT_DISK holds what a disk would hold after a power cut.
 *
 * cc -shared -fPIC -O2 -o power-cut.so power-cut.c -ldl -lpthread
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t copying = PTHREAD_MUTEX_INITIALIZER;

/* Finds where the file behind fd belongs on the disk. Returns 0 when it is not one of ours. */
static int place_of(int fd, char *place, size_t size) {
  const char *root = getenv("POWER_CUT_ROOT");
  const char *disk = getenv("POWER_CUT_DISK");
  char link[64], path[PATH_MAX];
  if (!root || !disk) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  size_t prefix = strlen(root);
  if (strncmp(path, root, prefix) != 0 || path[prefix] != '/') return 0;
  if (strchr(path + prefix + 1, '/')) return 0;
  snprintf(place, size, "%s/%s", disk, path + prefix + 1);
  return 1;
}

/* Copies under another name first, so that the kill of the process cannot leave half a copy. */
static int copy_to_disk(int fd, const char *place) {
  char link[64], unfinished[PATH_MAX + 16];
  static char buffer[1 << 16];
  struct stat status;
  if (fstat(fd, &status) != 0) return -1;
  if (!S_ISREG(status.st_mode)) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  int from = open(link, O_RDONLY | O_CLOEXEC);
  if (from < 0) return -1;
  snprintf(unfinished, sizeof unfinished, "%s.unfinished", place);
  int to = open(unfinished, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (to < 0) {
    close(from);
    return -1;
  }
  ssize_t got = 0;
  while ((got = read(from, buffer, sizeof buffer)) > 0) {
    if (write(to, buffer, got) != got) {
      got = -1;
      break;
    }
  }
  close(from);
  close(to);
  if (got < 0) return -1;
  return rename(unfinished, place);
}

static int flush(int fd, const char *name) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  char place[PATH_MAX];
  int result = real(fd);
  if (result != 0 || !place_of(fd, place, sizeof place)) return result;
  pthread_mutex_lock(&copying);
  result = copy_to_disk(fd, place);
  pthread_mutex_unlock(&copying);
  if (result != 0) errno = EIO;
  return result;
}

int fsync(int fd) { return flush(fd, "fsync"); }

int fdatasync(int fd) { return flush(fd, "fdatasync"); }
