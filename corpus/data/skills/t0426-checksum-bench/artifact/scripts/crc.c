/* CRC-32 of standard input, printed as eight hex digits. */
#include <stdint.h>
#include <stdio.h>

static uint32_t table[256];

static void fill(void) {
  for (uint32_t n = 0; n < 256; n++) {
    uint32_t value = n;
    for (int bit = 0; bit < 8; bit++)
      value = value & 1 ? 0xEDB88320u ^ (value >> 1) : value >> 1;
    table[n] = value;
  }
}

int main(void) {
  static unsigned char block[1 << 16];
  uint32_t sum = 0xFFFFFFFFu;
  size_t count;
  fill();
  while ((count = fread(block, 1, sizeof block, stdin)) > 0)
    for (size_t i = 0; i < count; i++)
      sum = table[(sum ^ block[i]) & 0xFF] ^ (sum >> 8);
  printf("%08x\n", sum ^ 0xFFFFFFFFu);
  return ferror(stdin) != 0;
}
