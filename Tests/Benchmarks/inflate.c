/* The floor of any program that reads gzip files by zlib: inflates each file on a thread of its own, nothing else. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

enum { BLOCK = 1 << 17 };

static void *inflate_file(void *path) {
    FILE *file = fopen(path, "rb");
    unsigned char *in = malloc(BLOCK), *out = malloc(BLOCK);
    z_stream stream = {0};
    if (!file || !in || !out || inflateInit2(&stream, 15 + 16) != Z_OK) exit(1);
    while ((stream.avail_in = fread(in, 1, BLOCK, file)) > 0) {
        stream.next_in = in;
        do {
            stream.next_out = out;
            stream.avail_out = BLOCK;
            int code = inflate(&stream, Z_NO_FLUSH);
            if (code == Z_STREAM_END) inflateReset(&stream);
            else if (code != Z_OK && code != Z_BUF_ERROR) exit(2);
        } while (stream.avail_in > 0 || stream.avail_out == 0);
    }
    return NULL;
}

int main(int count, char **paths) {
    pthread_t threads[64];
    if (count < 2 || count > 65) return 64;
    for (int i = 1; i < count; i++) pthread_create(&threads[i - 1], NULL, inflate_file, paths[i]);
    for (int i = 1; i < count; i++) pthread_join(threads[i - 1], NULL);
    return 0;
}
