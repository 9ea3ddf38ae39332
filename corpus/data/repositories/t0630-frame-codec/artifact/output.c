#include "frames.h"

#include <unistd.h>

/* One pixel as three bytes of the palette. */
static const uint8_t *colour(const struct clip *clip, uint8_t index)
{
    return clip->palette + (size_t)index * 3;
}

static int put_pixels(FILE *out, const struct clip *clip, const struct frame *f)
{
    const uint64_t pixels = (uint64_t)clip->width * clip->height;

    for (uint64_t i = 0; i < pixels; i++)
        if (fwrite(colour(clip, f->pixels[i]), 1, 3, out) != 3)
            return -1;
    return 0;
}

int write_frame(const char *folder, const struct clip *clip, const struct frame *f)
{
    char name[4096];
    int n = snprintf(name, sizeof name, "%s/frame-%05u.ppm", folder, (unsigned)f->number);

    if (n < 0 || (size_t)n >= sizeof name)
        return -1;
    /* never replace what the user cannot write himself */
    if (access(name, F_OK) == 0 && access(name, W_OK) != 0)
        return -1;
    FILE *out = fopen(name, "wb");
    if (out == NULL)
        return -1;
    fprintf(out, "P6\n%u %u\n255\n", (unsigned)clip->width, (unsigned)clip->height);
    int rc = put_pixels(out, clip, f);
    return fclose(out) == 0 ? rc : -1;
}
