#include "frames.h"

#include <stdlib.h>
#include <string.h>

static int get(FILE *in, uint8_t *out, size_t n)
{
    return fread(out, 1, n, in) == n ? 0 : -1;
}

int read_u16(FILE *in, uint16_t *out)
{
    uint8_t b[2];

    if (get(in, b, sizeof b) != 0)
        return -1;
    *out = (uint16_t)(b[0] << 8 | b[1]);
    return 0;
}

int read_u32(FILE *in, uint32_t *out)
{
    uint16_t high, low;

    if (read_u16(in, &high) != 0 || read_u16(in, &low) != 0)
        return -1;
    *out = (uint32_t)high << 16 | low;
    return 0;
}

int read_clip(FILE *in, struct clip *clip)
{
    uint8_t magic[4];

    memset(clip, 0, sizeof *clip);
    if (get(in, magic, sizeof magic) != 0 || memcmp(magic, "IDX1", 4) != 0)
        return -1;
    if (read_u32(in, &clip->width) != 0 || read_u32(in, &clip->height) != 0 || read_u32(in, &clip->colours) != 0)
        return -1;
    if (clip->width == 0 || clip->height == 0 || clip->colours == 0 || clip->colours > COLOURS_MAX)
        return -1;
    clip->palette = malloc((size_t)clip->colours * 3);
    if (clip->palette == NULL)
        return -1;
    return get(in, clip->palette, (size_t)clip->colours * 3);
}
