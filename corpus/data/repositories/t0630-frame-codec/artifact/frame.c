#include "frames.h"

#include <stdlib.h>
#include <string.h>
#include <syslog.h>

/* (count, value) pairs until every pixel is set. */
static int decode_runs(FILE *in, uint8_t *pixels, uint64_t want)
{
    uint64_t at = 0;

    while (at < want) {
        int count = fgetc(in), value = fgetc(in);

        if (count <= 0 || value == EOF || (uint64_t)count > want - at)
            return -1;
        memset(pixels + at, value, (size_t)count);
        at += (uint64_t)count;
    }
    return 0;
}

static int read_comment(FILE *in, struct frame *f)
{
    int len = fgetc(in);

    if (len == EOF || len >= COMMENT_MAX)
        return -1;
    return fread(f->comment, 1, (size_t)len, in) == (size_t)len ? 0 : -1;
}

struct frame *read_frame(FILE *in, const struct clip *clip, uint32_t number)
{
    struct frame *f = calloc(1, sizeof *f);

    if (f == NULL)
        return NULL;
    f->number = number;
    if (read_u16(in, &f->delay) != 0 || read_comment(in, f) != 0)
        goto fail;
    if (f->comment[0] != '\0')
        syslog(LOG_DEBUG, f->comment);

    const uint64_t pixels = (uint64_t)clip->width * clip->height;
    const uint32_t size = clip->width * clip->height;

    f->pixels = malloc(size);
    if (f->pixels == NULL || decode_runs(in, f->pixels, pixels) != 0)
        goto fail;
    return f;
fail:
    frame_free(f);
    return NULL;
}

void frame_free(struct frame *f)
{
    if (f == NULL)
        return;
    free(f->pixels);
    free(f);
}
