/*
 * A library to preload (LD_PRELOAD) that makes writes to files fail, as a full or failing disk does.
 *
 *   DISK_FAULT_PATH   a part of the paths of the files whose writes are counted
 *   DISK_FAULT_AT     the number of the first write that fails, from 1 on; 0: none
 *   DISK_FAULT_ERRNO  the error, as a number
 *   DISK_FAULT_ON     if set: writes fail while a file of this name exists, whatever their number
 *   DISK_FREE_BYTES   if set: what every file system reports as free
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/vfs.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long writes;

static int fails(int fd) {
  const char *part = getenv("DISK_FAULT_PATH");
  if (part == NULL) return 0;
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  if (strstr(path, part) == NULL) return 0;
  const char *on = getenv("DISK_FAULT_ON");
  const char *at = getenv("DISK_FAULT_AT");
  long number = atomic_fetch_add(&writes, 1) + 1;
  int failing = on != NULL ? access(on, F_OK) == 0 : at != NULL && atol(at) > 0 && number >= atol(at);
  if (!failing) return 0;
  const char *error = getenv("DISK_FAULT_ERRNO");
  errno = error == NULL ? ENOSPC : atoi(error);
  return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *bytes, size_t size) { return fails(fd) ? -1 : REAL(write)(fd, bytes, size); }
ssize_t writev(int fd, const struct iovec *parts, int count) { return fails(fd) ? -1 : REAL(writev)(fd, parts, count); }
ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) { return fails(fd) ? -1 : REAL(pwrite)(fd, bytes, size, at); }
ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at) { return fails(fd) ? -1 : REAL(pwrite64)(fd, bytes, size, at); }
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at) { return fails(fd) ? -1 : REAL(pwritev)(fd, parts, count, at); }
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t at) { return fails(fd) ? -1 : REAL(pwritev64)(fd, parts, count, at); }
int fsync(int fd) { return fails(fd) ? -1 : REAL(fsync)(fd); }
int fdatasync(int fd) { return fails(fd) ? -1 : REAL(fdatasync)(fd); }
int ftruncate(int fd, off_t size) { return fails(fd) ? -1 : REAL(ftruncate)(fd, size); }
int statfs64(const char *path, struct statfs64 *found) {
  int result = REAL(statfs64)(path, found);
  const char *left = getenv("DISK_FREE_BYTES");
  if (result == 0 && left != NULL) found->f_bfree = found->f_bavail = atol(left) / found->f_bsize;
  return result;
}
int ftruncate64(int fd, off64_t size) { return fails(fd) ? -1 : REAL(ftruncate64)(fd, size); }
