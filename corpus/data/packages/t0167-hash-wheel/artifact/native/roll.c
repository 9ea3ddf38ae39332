#include <stddef.h>
#include <stdint.h>

/* out must hold len - size + 1 values; the caller checks size <= len. */
void roll(const uint8_t *data, size_t len, size_t size, uint32_t *out)
{
    const uint32_t base = 16777619u;
    uint32_t top = 1, value = 0;

    for (size_t i = 1; i < size; i++)
        top *= base;
    for (size_t i = 0; i < size; i++)
        value = value * base + data[i];
    out[0] = value;
    for (size_t i = size; i < len; i++) {
        value = (value - data[i - size] * top) * base + data[i];
        out[i - size + 1] = value;
    }
}
