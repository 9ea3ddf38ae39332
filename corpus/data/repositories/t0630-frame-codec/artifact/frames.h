#ifndef FRAMES_H
#define FRAMES_H

#include <stdint.h>
#include <stdio.h>

#define COLOURS_MAX 256
#define COMMENT_MAX 80
#define CACHE_MAX 8

struct clip {
    uint32_t width, height;
    uint32_t colours;
    uint8_t *palette; /* colours * 3 bytes */
};

struct frame {
    uint32_t number;
    uint16_t delay;
    char comment[COMMENT_MAX];
    uint8_t *pixels;
};

int read_u16(FILE *in, uint16_t *out);
int read_u32(FILE *in, uint32_t *out);
int read_clip(FILE *in, struct clip *clip);
struct frame *read_frame(FILE *in, const struct clip *clip, uint32_t number);
void frame_free(struct frame *f);
void cache_put(struct frame *f);
void cache_drop(void);
uint32_t cache_written(void);
int write_frame(const char *folder, const struct clip *clip, const struct frame *f);

#endif
