#include <stdint.h>
#include <stdio.h>

/* Prints the CRC-32 of one file as hexadecimal digits. */
int main(int argc, char **argv)
{
    uint32_t table[256], c = 0xffffffffu;
    int ch;
    FILE *in;

    if (argc != 2 || (in = fopen(argv[1], "rb")) == NULL)
        return 2;
    for (uint32_t n = 0; n < 256; n++) {
        uint32_t v = n;
        for (int k = 0; k < 8; k++)
            v = (v & 1) ? (v >> 1) ^ 0xedb88320u : v >> 1;
        table[n] = v;
    }
    while ((ch = getc(in)) != EOF)
        c = table[(c ^ (uint32_t)ch) & 0xff] ^ (c >> 8);
    fclose(in);
    printf("%08x\n", (unsigned)~c);
    return 0;
}
