/* The floor of any program that reads gzip files by zlib: inflates files on as many threads as there are cores, a thread
   one file at a time, and does nothing else. Prints the bytes unpacked and zlib's version. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

enum { BLOCK = 1 << 17, MOST_THREADS = 256 };

static char **files;
static int file_count;
static atomic_int next_file;
static atomic_ullong unpacked;

static void inflate_file(const char *path, unsigned char *in, unsigned char *out) {
    FILE *file = fopen(path, "rb");
    z_stream stream = {0};
    unsigned long long bytes = 0;
    if (!file || inflateInit2(&stream, 15 + 16) != Z_OK) exit(1);
    while ((stream.avail_in = fread(in, 1, BLOCK, file)) > 0) {
        stream.next_in = in;
        do {
            stream.next_out = out;
            stream.avail_out = BLOCK;
            int code = inflate(&stream, Z_NO_FLUSH);
            bytes += BLOCK - stream.avail_out;
            if (code == Z_STREAM_END) inflateReset(&stream);
            else if (code != Z_OK && code != Z_BUF_ERROR) exit(2);
        } while (stream.avail_in > 0 || stream.avail_out == 0);
    }
    inflateEnd(&stream);
    fclose(file);
    unpacked += bytes;
}

static void *inflate_files(void *unused) {
    unsigned char *in = malloc(BLOCK), *out = malloc(BLOCK);
    if (!in || !out) exit(1);
    for (int i; (i = next_file++) < file_count;) inflate_file(files[i], in, out);
    free(in);
    free(out);
    return NULL;
}

int main(int count, char **arguments) {
    pthread_t threads[MOST_THREADS];
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    files = arguments + 1;
    file_count = count - 1;
    if (file_count < 1) return 64;
    if (cores > file_count) cores = file_count;
    if (cores > MOST_THREADS) cores = MOST_THREADS;
    for (int i = 0; i < cores; i++) pthread_create(&threads[i], NULL, inflate_files, NULL);
    for (int i = 0; i < cores; i++) pthread_join(threads[i], NULL);
    printf("%llu %s\n", unpacked, zlibVersion());
    return 0;
}
