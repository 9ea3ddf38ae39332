"""BLAKE3, Ed25519 and SS58 in plain Python, written from their specifications.

Slow and not constant-time, and meant so: it only ever sees public data, and shares no line with the node that it checks.
"""

import hashlib
import struct

# --- BLAKE3: hash, keyed hash, derive_key, extendable output -----------------------------------------------------------

_IV = (0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19)
_PERMUTATION = (2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8)
_MIXES = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
          (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))
_CHUNK_START, _CHUNK_END, _PARENT, _ROOT, _KEYED, _CONTEXT, _MATERIAL = (1 << bit for bit in range(7))
_MASK = 0xFFFFFFFF


def _schedule():
    """The order of the message words of all seven rounds, with the four words that each mix works on."""
    order, steps = tuple(range(16)), []
    for _ in range(7):
        steps += [(*mix, order[2 * at], order[2 * at + 1]) for at, mix in enumerate(_MIXES)]
        order = tuple(order[at] for at in _PERMUTATION)
    return tuple(steps)


_STEPS = _schedule()


def _compress(chaining, block, counter, length, flags):
    v = [*chaining, *_IV[:4], counter & _MASK, counter >> 32, length, flags]
    for a, b, c, d, x, y in _STEPS:
        va = (v[a] + v[b] + block[x]) & _MASK
        vd = v[d] ^ va
        vd = (vd >> 16 | vd << 16) & _MASK
        vc = (v[c] + vd) & _MASK
        vb = v[b] ^ vc
        vb = (vb >> 12 | vb << 20) & _MASK
        v[a] = va = (va + vb + block[y]) & _MASK
        vd ^= va
        v[d] = vd = (vd >> 8 | vd << 24) & _MASK
        v[c] = vc = (vc + vd) & _MASK
        vb ^= vc
        v[b] = (vb >> 7 | vb << 25) & _MASK
    low = [v[at] ^ v[at + 8] for at in range(8)]
    return low + [v[at + 8] ^ chaining[at] for at in range(8)]


def _chunk(key, data, counter, flags):
    """The last compression of a chunk, still open: (chaining value, block, counter, length, flags)."""
    chaining, start = key, _CHUNK_START
    blocks = [data[at:at + 64] for at in range(0, len(data), 64)] or [b""]
    for block in blocks[:-1]:
        chaining = _compress(chaining, struct.unpack("<16I", block), counter, 64, flags | start)[:8]
        start = 0
    last = blocks[-1]
    words = struct.unpack("<16I", last.ljust(64, b"\0"))
    return chaining, words, counter, len(last), flags | start | _CHUNK_END


def _node(key, data, first_chunk, flags):
    """The open root of the tree over `data`: the left part is the largest power of two of chunks that leaves a right part."""
    if len(data) <= 1024:
        return _chunk(key, data, first_chunk, flags)
    chunks = 1 << (((len(data) - 1) // 1024).bit_length() - 1)
    split = chunks * 1024
    left = _compress(*_node(key, data[:split], first_chunk, flags))[:8]
    right = _compress(*_node(key, data[split:], first_chunk + chunks, flags))[:8]
    return key, (*left, *right), 0, 64, flags | _PARENT


def _output(root, length):
    chaining, block, _, size, flags = root
    blocks = (_compress(chaining, block, at, size, flags | _ROOT) for at in range(-(-length // 64)))
    return b"".join(struct.pack("<16I", *words) for words in blocks)[:length]


def blake3(data, length=32):
    """The hash of `data`."""
    return _output(_node(_IV, data, 0, 0), length)


def blake3_keyed(key, data, length=32):
    """The keyed hash of `data` under a key of 32 bytes."""
    return _output(_node(struct.unpack("<8I", key), data, 0, _KEYED), length)


def blake3_derive_key(context, material, length=32):
    """Key material for `context` (text) from `material`."""
    key = _output(_node(_IV, context.encode(), 0, _CONTEXT), 32)
    return _output(_node(struct.unpack("<8I", key), material, 0, _MATERIAL), length)


# --- Ed25519 (RFC 8032), cofactorless and strict -----------------------------------------------------------------------

_P = 2**255 - 19
_L = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, -1, _P) % _P
_SQRT_M1 = pow(2, (_P - 1) // 4, _P)
_NEUTRAL = (0, 1, 1, 0)


def _add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % _P, (p[1] + p[0]) * (q[1] + q[0]) % _P
    c, d = 2 * p[3] * q[3] * _D % _P, 2 * p[2] * q[2] % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def _times(scalar, point):
    result = _NEUTRAL
    while scalar:
        if scalar & 1:
            result = _add(result, point)
        point = _add(point, point)
        scalar >>= 1
    return result


def _same(p, q):
    return (p[0] * q[2] - q[0] * p[2]) % _P == 0 and (p[1] * q[2] - q[1] * p[2]) % _P == 0


def _point(data):
    """The point of 32 bytes, or None when they are no canonical encoding of one."""
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & ((1 << 255) - 1)
    if y >= _P:
        return None
    square = (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P:
        x = x * _SQRT_M1 % _P
    if (x * x - square) % _P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = _P - x
    return x, y, 1, x * y % _P


_BASE = _point((4 * pow(5, -1, _P) % _P).to_bytes(32, "little"))


def ed25519_verify(public, message, signature):
    """Whether `signature` is valid: canonical points of large order, s below the order, and sB = R + kA without the cofactor."""
    if len(public) != 32 or len(signature) != 64:
        return False
    a, r, s = _point(public), _point(signature[:32]), int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= _L or any(_same(_times(8, point), _NEUTRAL) for point in (a, r)):
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % _L
    return _same(_times(s, _BASE), _add(r, _times(k, a)))


# --- SS58 --------------------------------------------------------------------------------------------------------------

_ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def ss58_decode(text, prefix=42):
    """The 32-byte public key of an SS58 text; ValueError when it is none of this network prefix."""
    number = 0
    for char in text:
        number = number * 58 + _ALPHABET.index(char)
    data = number.to_bytes(35, "big") if number < 1 << 280 else b""
    checksum = hashlib.blake2b(b"SS58PRE" + data[:33]).digest()[:2]
    if not data or data[0] != prefix or data[33:] != checksum:
        raise ValueError(f"{text} is no SS58 text with prefix {prefix}")
    return data[1:33]
