#include "frames.h"

#include <stdlib.h>
#include <syslog.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    const char *folder = ".";
    struct clip clip;
    uint32_t number = 0;
    int opt, rc = 0;

    while ((opt = getopt(argc, argv, "o:")) != -1) {
        if (opt != 'o')
            return 2;
        folder = optarg;
    }
    if (optind >= argc) {
        fprintf(stderr, "usage: %s [-o FOLDER] FILE\n", argv[0]);
        return 2;
    }
    FILE *in = fopen(argv[optind], "rb");
    if (in == NULL || read_clip(in, &clip) != 0) {
        fprintf(stderr, "%s: not a clip\n", argv[optind]);
        if (in != NULL)
            fclose(in);
        return 1;
    }
    openlog("frames", LOG_PID, LOG_USER);
    for (;;) {
        struct frame *f = read_frame(in, &clip, number);
        if (f == NULL)
            break;
        if (write_frame(folder, &clip, f) != 0) {
            syslog(LOG_ERR, "frame %u cannot be written", (unsigned)number);
            rc = 1;
        }
        cache_put(f);
        number++;
    }
    cache_drop();
    syslog(LOG_INFO, "%u frames, delay %u", (unsigned)number, (unsigned)cache_written());
    free(clip.palette);
    fclose(in);
    return rc;
}
