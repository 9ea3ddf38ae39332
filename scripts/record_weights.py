"""The vector of a round from its scores, in exact fractions: sections W and X of `mechanism-spec/SPEC.md`, written a second time."""

import math
import struct
from fractions import Fraction

from record_crypto import blake3

TRACKS = ("skills", "mcp_servers", "packages", "repositories")


def fields(*parts):
    """X-1: texts with their u32 length; bytes (32-byte values, tags, packed integers) raw; integers as u32."""
    out = b""
    for part in parts:
        if isinstance(part, str):
            part = part.encode()
            out += struct.pack("<I", len(part))
        out += part if isinstance(part, bytes) else struct.pack("<I", part)
    return out


def half_up(value):
    """Rounded half up."""
    return math.floor(value + Fraction(1, 2))


def rank(seed, track, entrants):
    """W-1 and W-3: the hotkeys that rank, best first, and the copies with their originals.

    An entrant has hotkey, score, eligible (threshold met), commit_block, pin and digest (or None).
    """
    order = {one["hotkey"]: (one["commit_block"], blake3(fields("assay/v1/tie", seed, track, one["hotkey"]))) for one in entrants}
    group = {hotkey: {hotkey} for hotkey in order}
    for one in entrants:
        for other in entrants:
            same_digest = one.get("digest") is not None and one["digest"] == other.get("digest")
            if one["pin"] == other["pin"] or same_digest:
                both = group[one["hotkey"]] | group[other["hotkey"]]
                group.update(dict.fromkeys(both, both))
    first = {hotkey: min(members, key=order.get) for hotkey, members in group.items()}
    can = [one for one in entrants if first[one["hotkey"]] == one["hotkey"] and one["eligible"] and one["score"] > 0]
    can.sort(key=lambda one: (-one["score"], order[one["hotkey"]]))
    copies = {hotkey: original for hotkey, original in first.items() if original != hotkey}
    return [one["hotkey"] for one in can], copies


def new_weights(spec, ranking, shares, active):
    """W-4 to W-6: units of this round before smoothing."""
    rules = spec["weights"]
    pool = Fraction(rules["contribution_share"]) if active else Fraction(0)
    exact = {hotkey: pool / len(active) for hotkey in active}
    splits = [Fraction(split) for split in rules["splits"]]
    for track, share in shares.items():
        present = list(zip(ranking[track], splits))
        total = sum(split for _, split in present)
        for hotkey, split in present:
            exact[hotkey] = exact.get(hotkey, 0) + (1 - pool) * share * split / total
    units = {hotkey: half_up(part * rules["unit"]) for hotkey, part in exact.items()}
    return {hotkey: part for hotkey, part in units.items() if part}


def smooth(rules, new, previous, allowed):
    """W-7 and W-8: the state after the round, empty when nothing is left."""
    own = rules["ema_new"] + (rules["ema_previous"] if previous is None else 0)
    past = previous or {}
    ema = {hotkey: own * new.get(hotkey, 0) + rules["ema_previous"] * past.get(hotkey, 0) for hotkey in new | past}
    kept = {hotkey: part for hotkey, part in ema.items() if hotkey in allowed and part >= max(1, rules["dust"])}
    total = sum(kept.values())
    return {hotkey: half_up(Fraction(part * rules["unit"], total)) for hotkey, part in kept.items()}


def wire(weights, limit, top):
    """W-9 and W-10: [uid, value] by uid, of exact weights by uid."""
    weights, cut = {uid: Fraction(part) for uid, part in weights.items() if part}, set()
    if limit < top and len(weights) * limit <= top:
        weights = dict.fromkeys(weights, Fraction(1))
    elif limit < top:
        total = sum(weights.values())
        cap = total * Fraction(limit, top)
        while above := {uid for uid, part in weights.items() if part > cap}:
            cut |= above
            grow = (total - cap * len(cut)) / sum(part for uid, part in weights.items() if uid not in cut)
            weights = {uid: cap if uid in cut else part * grow for uid, part in weights.items()}
    most = max(weights.values(), default=None)
    return [[uid, value] for uid in sorted(weights) if (value := round(weights[uid] * top / most))]


def compute(spec, seed, entrants, previous, chain):
    """The whole section W. `entrants` by track, `chain` as the record has it. The keys are those of the record's `weights`."""
    ranked = {track: rank(seed, track, entrants.get(track, [])) for track in TRACKS}
    ranking = {track: part[0] for track, part in ranked.items()}
    out = {"abstain": None, "ranking": ranking, "copies": {track: part[1] for track, part in ranked.items()},
           "track_shares": {}, "active_contributors": [], "new": {}, "state": None, "u16": None}
    share = {track: Fraction(spec["tracks"][track]["share"]) for track in TRACKS}
    busy = [track for track in TRACKS if ranking[track]]
    if not busy:
        return out | {"abstain": "all_tracks_idle"}
    idle = sum((share[track] for track in TRACKS if track not in busy), Fraction(0))
    out["track_shares"] = {track: share[track] + idle / len(busy) for track in busy}
    anywhere = {hotkey for hotkeys in ranking.values() for hotkey in hotkeys}
    out["active_contributors"] = sorted(set(chain["contributors"]) & anywhere)
    out["new"] = new_weights(spec, ranking, out["track_shares"], out["active_contributors"])
    uids = chain["registered"]
    state = smooth(spec["weights"], out["new"], previous, uids.keys() - set(chain["reregistered"]))
    if not state:
        return out | {"abstain": "no_weights_left"}
    by_uid = {uids[hotkey]: units for hotkey, units in state.items()}
    if len(by_uid) != len(state):
        raise ValueError("two hotkeys have one uid")
    vector = wire(by_uid, chain["max_weights_limit"], spec["weights"]["wire_max"])
    if len(vector) < chain["min_allowed_weights"]:
        return out | {"abstain": "too_few_weights"}
    return out | {"state": state, "u16": vector}
