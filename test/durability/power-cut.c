/*
 * A disk with a volatile cache, for the program that preloads it. Files in POWER_CUT_ROOT are
 * copied to POWER_CUT_DISK when they are flushed, as they are then; what was never flushed never
 * gets there, and a deleted file goes when the folder is flushed. After a crash, POWER_CUT_DISK holds what a disk would hold after a power cut.
 *
 * cc -shared -fPIC -O2 -o power-cut.so power-cut.c -ldl -lpthread
 */
#define _GNU_SOURCE
#include <dirent.h>
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

/* The path behind fd. Returns 0 when it has none. */
static int path_of(int fd, char *path, size_t size) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, size - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return 1;
}

/* Where a file of ours belongs on the disk. Returns 0 for any other file. */
static int place_of(const char *path, const char *root, const char *disk, char *place, size_t size) {
  size_t prefix = strlen(root);
  if (strncmp(path, root, prefix) != 0 || path[prefix] != '/') return 0;
  if (strchr(path + prefix + 1, '/')) return 0;
  snprintf(place, size, "%s/%s", disk, path + prefix + 1);
  return 1;
}

/* Forgets the files that the folder does not have any more. */
static int delete_from_disk(const char *root, const char *disk) {
  DIR *list = opendir(disk);
  if (!list) return -1;
  struct dirent *entry;
  while ((entry = readdir(list))) {
    char kept[PATH_MAX], place[PATH_MAX];
    if (entry->d_name[0] == '.') continue;
    snprintf(kept, sizeof kept, "%s/%s", root, entry->d_name);
    snprintf(place, sizeof place, "%s/%s", disk, entry->d_name);
    if (access(kept, F_OK) != 0) unlink(place);
  }
  return closedir(list);
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
  const char *root = getenv("POWER_CUT_ROOT");
  const char *disk = getenv("POWER_CUT_DISK");
  char path[PATH_MAX], place[PATH_MAX];
  int result = real(fd);
  if (result != 0 || !root || !disk || !path_of(fd, path, sizeof path)) return result;
  pthread_mutex_lock(&copying);
  if (strcmp(path, root) == 0) {
    result = delete_from_disk(root, disk);
  } else if (place_of(path, root, disk, place, sizeof place)) {
    result = copy_to_disk(fd, place);
  }
  pthread_mutex_unlock(&copying);
  if (result != 0) errno = EIO;
  return result;
}

int fsync(int fd) { return flush(fd, "fsync"); }

int fdatasync(int fd) { return flush(fd, "fdatasync"); }
