/* The cache of compiled kernels: see binaries.h. */
#include "devices/binaries.h"

#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What a file begins with: what it is for, and what follows. */
struct header {
    uint64_t key, bytes, checksum;
};

/* FNV-1a, in 64 bits. */
static uint64_t hash(uint64_t h, const void *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; ++i)
        h = (h ^ ((const unsigned char *)data)[i]) * UINT64_C(0x100000001b3);
    return h;
}

static uint64_t key_of(cl_device_id device, const char *texts[2], const char *options)
{
    static const cl_device_info infos[] = {CL_DEVICE_NAME, CL_DEVICE_VENDOR, CL_DEVICE_VERSION,
                                           CL_DRIVER_VERSION, CL_DEVICE_EXTENSIONS};
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (int i = 0; i < 2; ++i)
        h = hash(h, texts[i], strlen(texts[i]));
    h = hash(h, options, strlen(options));
    for (size_t i = 0; i < sizeof infos / sizeof *infos; ++i) {
        char words[8192] = "";
        ranmar_cl.clGetDeviceInfo(device, infos[i], sizeof words - 1, words, NULL);
        h = hash(h, words, strlen(words) + 1);
    }
    return h;
}

/* Writes the name of the file, and makes its folder. Returns 0 if there is no place for it. */
static int name_file(char *name, size_t size, uint64_t key)
{
    const char *const cache = getenv("XDG_CACHE_HOME"), *const home = getenv("HOME");
    char folder[PATH_MAX];
    if (cache && *cache == '/')
        snprintf(folder, sizeof folder, "%s", cache);
    else if (home && *home == '/')
        snprintf(folder, sizeof folder, "%s/.cache", home);
    else
        return 0;
    mkdir(folder, 0700);
    strncat(folder, "/gpuranmar", sizeof folder - strlen(folder) - 1);
    mkdir(folder, 0700);
    return snprintf(name, size, "%s/%016llx.clbin", folder, (unsigned long long)key) < (int)size;
}

/* The bytes behind the header, or NULL if the file is not whole. */
static unsigned char *read_binary(const char *name, uint64_t key, struct header *h)
{
    FILE *const file = fopen(name, "rb");
    unsigned char *bytes = NULL;
    if (!file)
        return NULL;
    if (fread(h, sizeof *h, 1, file) == 1 && h->key == key && h->bytes < (1 << 28) &&
        (bytes = malloc(h->bytes)) != NULL &&
        (fread(bytes, 1, h->bytes, file) != h->bytes ||
         hash(key, bytes, h->bytes) != h->checksum)) {
        free(bytes);
        bytes = NULL;
    }
    fclose(file);
    return bytes;
}

cl_program ranmar_binary_find(cl_context context, cl_device_id device, const char *texts[2],
                              const char *options)
{
    char name[PATH_MAX];
    struct header h;
    const uint64_t key = key_of(device, texts, options);
    unsigned char *const bytes =
        name_file(name, sizeof name, key) ? read_binary(name, key, &h) : NULL;
    if (!bytes)
        return NULL;
    const size_t size = h.bytes;
    const unsigned char *binary = bytes;
    cl_int of_device, error;
    const cl_program program = ranmar_cl.clCreateProgramWithBinary(context, 1, &device, &size,
                                                                   &binary, &of_device, &error);
    free(bytes);
    return error == CL_SUCCESS ? program : NULL;
}

/* The file appears whole or not at all. A disk that is full is no error. */
static void write_binary(const char *name, const struct header *h, const unsigned char *bytes)
{
    char temporary[PATH_MAX + 32];
    snprintf(temporary, sizeof temporary, "%s.%ld", name, (long)getpid());
    const int file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0)
        return;
    const int written = write(file, h, sizeof *h) == (ssize_t)sizeof *h &&
                        write(file, bytes, h->bytes) == (ssize_t)h->bytes;
    if (close(file) != 0 || !written || rename(temporary, name) != 0)
        unlink(temporary);
}

void ranmar_binary_keep(cl_program program, cl_device_id device, const char *texts[2],
                        const char *options)
{
    char name[PATH_MAX];
    size_t size = 0;
    struct header h = {key_of(device, texts, options), 0, 0};
    /* The program is of a context that may have other devices, for which it has no binary. */
    cl_uint devices = 0;
    ranmar_cl.clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof devices, &devices, NULL);
    if (devices != 1 || !name_file(name, sizeof name, h.key) ||
        ranmar_cl.clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL) ||
        size == 0)
        return;
    unsigned char *bytes = malloc(size);
    if (bytes &&
        ranmar_cl.clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL) == 0) {
        h.bytes = size;
        h.checksum = hash(h.key, bytes, size);
        write_binary(name, &h, bytes);
    }
    free(bytes);
}
