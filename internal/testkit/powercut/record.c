//go:build linux && cgo

// A file layer for SQLite that hands everything on to the one below it and notes
// what changes a file, in the order in which it happened.
#include "record.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sqlite_vfs.h"

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static sqlite3_vfs *below;
static sqlite3_vfs above;
static sqlite3_io_methods methods;
static char *watched; // the folder, with a slash behind it
static int out = -1;

// file is one open file; that of the layer below lies behind it.
typedef struct {
  sqlite3_file base;
  char *name; // in the folder; NULL: not watched
} file;

static sqlite3_file *inner(sqlite3_file *f) { return (sqlite3_file *)((file *)f + 1); }

#define CALL(f, method, ...) inner(f)->pMethods->method(inner(f), ##__VA_ARGS__)

// note appends one record: kind, lengths, place, name and data.
static void note(char kind, const char *name, int64_t at, const void *data, int32_t length) {
  int32_t named = name ? (int32_t)strlen(name) : 0;
  char head[17];
  head[0] = kind;
  memcpy(head + 1, &named, 4);
  memcpy(head + 5, &length, 4);
  memcpy(head + 9, &at, 8);
  if (out < 0) return;
  if (write(out, head, sizeof head) != sizeof head || write(out, name, named) != named ||
      (data && write(out, data, length) != length))
    abort(); // a log with a gap would prove something else
}

static const char *inside(const char *path) {
  size_t n = watched ? strlen(watched) : 0;
  return path && n && strncmp(path, watched, n) == 0 ? path + n : NULL;
}

static int x_close(sqlite3_file *f) {
  int rc = CALL(f, xClose);
  free(((file *)f)->name);
  ((file *)f)->name = NULL;
  return rc;
}
static int x_read(sqlite3_file *f, void *to, int n, int64_t at) { return CALL(f, xRead, to, n, at); }
static int x_write(sqlite3_file *f, const void *from, int n, int64_t at) {
  pthread_mutex_lock(&turn);
  int rc = CALL(f, xWrite, from, n, at);
  if (rc == SQLITE_OK && ((file *)f)->name) note('w', ((file *)f)->name, at, from, n);
  pthread_mutex_unlock(&turn);
  return rc;
}
static int x_truncate(sqlite3_file *f, int64_t size) {
  pthread_mutex_lock(&turn);
  int rc = CALL(f, xTruncate, size);
  if (rc == SQLITE_OK && ((file *)f)->name) note('t', ((file *)f)->name, size, NULL, 0);
  pthread_mutex_unlock(&turn);
  return rc;
}
static int x_sync(sqlite3_file *f, int flags) {
  pthread_mutex_lock(&turn);
  int rc = CALL(f, xSync, flags);
  if (rc == SQLITE_OK && ((file *)f)->name) note('s', ((file *)f)->name, 0, NULL, 0);
  pthread_mutex_unlock(&turn);
  return rc;
}
static int x_file_size(sqlite3_file *f, int64_t *size) { return CALL(f, xFileSize, size); }
static int x_lock(sqlite3_file *f, int to) { return CALL(f, xLock, to); }
static int x_unlock(sqlite3_file *f, int to) { return CALL(f, xUnlock, to); }
static int x_check_reserved(sqlite3_file *f, int *held) { return CALL(f, xCheckReservedLock, held); }
static int x_file_control(sqlite3_file *f, int op, void *arg) { return CALL(f, xFileControl, op, arg); }
static int x_sector_size(sqlite3_file *f) { return CALL(f, xSectorSize); }
static int x_characteristics(sqlite3_file *f) { return CALL(f, xDeviceCharacteristics); }
static int x_shm_map(sqlite3_file *f, int page, int size, int extend, void volatile **to) {
  return CALL(f, xShmMap, page, size, extend, to);
}
static int x_shm_lock(sqlite3_file *f, int at, int n, int flags) { return CALL(f, xShmLock, at, n, flags); }
static void x_shm_barrier(sqlite3_file *f) { CALL(f, xShmBarrier); }
static int x_shm_unmap(sqlite3_file *f, int remove) { return CALL(f, xShmUnmap, remove); }
static int x_fetch(sqlite3_file *f, int64_t at, int n, void **to) { return CALL(f, xFetch, at, n, to); }
static int x_unfetch(sqlite3_file *f, int64_t at, void *p) { return CALL(f, xUnfetch, at, p); }

static int x_open(sqlite3_vfs *v, const char *path, sqlite3_file *f, int flags, int *got) {
  (void)v;
  const char *name = inside(path);
  int there = 1;
  pthread_mutex_lock(&turn);
  if (name && (flags & SQLITE_OPEN_CREATE)) there = access(path, F_OK) == 0;
  ((file *)f)->name = NULL;
  f->pMethods = NULL;
  int rc = below->xOpen(below, path, inner(f), flags, got);
  if (inner(f)->pMethods) f->pMethods = &methods;
  if (rc == SQLITE_OK && name) {
    ((file *)f)->name = strdup(name);
    if (!there) note('c', name, 0, NULL, 0);
  }
  pthread_mutex_unlock(&turn);
  return rc;
}
static int x_delete(sqlite3_vfs *v, const char *path, int sync) {
  (void)v;
  pthread_mutex_lock(&turn);
  int rc = below->xDelete(below, path, sync);
  if (rc == SQLITE_OK && inside(path)) note('d', inside(path), sync, NULL, 0);
  pthread_mutex_unlock(&turn);
  return rc;
}

static int install(void) {
  if (below) return 0;
  sqlite3_vfs *found = sqlite3_vfs_find(NULL);
  if (!found) return 1;
  below = found;
  above = *below;
  above.pNext = NULL;
  above.zName = "powercut";
  above.szOsFile = (int)sizeof(file) + below->szOsFile;
  above.xOpen = x_open;
  above.xDelete = x_delete;
  methods = (sqlite3_io_methods){
      3, x_close, x_read, x_write, x_truncate, x_sync, x_file_size, x_lock, x_unlock, x_check_reserved, x_file_control,
      x_sector_size, x_characteristics, x_shm_map, x_shm_lock, x_shm_barrier, x_shm_unmap, x_fetch, x_unfetch};
  return sqlite3_vfs_register(&above, 1);
}

int record_begin(const char *folder, int log) {
  pthread_mutex_lock(&turn);
  int rc = install();
  if (rc == 0) {
    watched = strdup(folder);
    out = log;
  }
  pthread_mutex_unlock(&turn);
  return rc;
}

void record_mark(const void *text, int length) {
  pthread_mutex_lock(&turn);
  note('m', "", 0, text, length);
  pthread_mutex_unlock(&turn);
}

void record_end(void) {
  pthread_mutex_lock(&turn);
  free(watched);
  watched = NULL;
  out = -1;
  if (below) sqlite3_vfs_register(below, 1);
  below = NULL;
  pthread_mutex_unlock(&turn);
}
