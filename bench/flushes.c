/* Counts fsync and fdatasync of a process in a file of eight bytes (BENCH_FLUSHES), for `acknowledgements per flush`.
   Loaded by LD_PRELOAD into the servers that the benchmark starts, ours and the peers' alike. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static uint64_t *count;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("BENCH_FLUSHES");
  int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *page = mmap(NULL, 8, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (page != MAP_FAILED) count = page;
  close(file);
}

static int flush(const char *name, int file) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  if (count) __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
  return real(file);
}

int fsync(int file) { return flush("fsync", file); }
int fdatasync(int file) { return flush("fdatasync", file); }
