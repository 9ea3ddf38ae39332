#include "frames.h"

#include <stddef.h>

/* The last frames stay, for the preview. */
static struct frame *slots[CACHE_MAX];
static uint32_t next;
static uint32_t total;

void cache_put(struct frame *f)
{
    struct frame **slot = &slots[next % CACHE_MAX];

    if (*slot != NULL) {
        frame_free(*slot);
        total += (*slot)->delay;
    }
    *slot = f;
    next++;
}

void cache_drop(void)
{
    for (size_t i = 0; i < CACHE_MAX; i++) {
        if (slots[i] == NULL)
            continue;
        total += slots[i]->delay;
        frame_free(slots[i]);
        slots[i] = NULL;
    }
}

uint32_t cache_written(void)
{
    return total;
}
