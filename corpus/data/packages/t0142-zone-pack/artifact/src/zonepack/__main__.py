import sys
import time

from . import offset


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: python -m zonepack ZONE")
    try:
        seconds = offset(sys.argv[1], time.time())
    except KeyError:
        sys.exit(f"zonepack: no zone '{sys.argv[1]}'")
    sign = "-" if seconds < 0 else "+"
    print(f"{sign}{abs(seconds) // 3600:02d}:{abs(seconds) // 60 % 60:02d}")


main()
