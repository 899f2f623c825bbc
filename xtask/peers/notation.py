"""Specs, cells and random numbers as Tesuji has them."""

import importlib.metadata
import os

REPOSITORY = os.path.dirname(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

MASK = (1 << 64) - 1


class PeerError(Exception):
    """A spec that no peer offers, or a peer that behaves unexpectedly."""


def mix(seed, ply):
    """The splitmix64 output function of seed * golden ratio + ply."""
    z = (seed * 0x9E3779B97F4A7C15 + ply) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


FNV_START = 0xCBF29CE484222325


def fnv1a(data, fold=FNV_START):
    """64-bit FNV-1a of `data`, continuing from `fold`."""
    for byte in data:
        fold = ((fold ^ byte) * 0x100000001B3) & MASK
    return fold


def version(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        raise PeerError(f"the Python package {package} is missing: "
                        "pip install -r xtask/peers/requirements.txt")


def letters(column):
    return chr(ord("a") + column)


def parse_spec(spec):
    """'name:a,b=c' -> ('name', (columns, rows) or None, {option: value})."""
    name, _, rest = spec.partition(":")
    size, options = None, {}
    for word in filter(None, rest.split(",")):
        key, equals, value = word.partition("=")
        if equals:
            options[key] = value
        elif word[0].isdigit():
            columns, _, rows = word.partition("x")
            size = (int(columns), int(rows or columns))
        else:
            options[word] = True
    return name, size, options


def disc_scores(own, other, cells, winner):
    """Disc difference with the empty cells given to the winner."""
    difference = own - other
    if (difference > 0) - (difference < 0) != (winner > 0) - (winner < 0):
        raise PeerError("the peer's winner is not the side with more discs")
    if difference:
        empty = cells - own - other
        difference += empty if difference > 0 else -empty
    return (difference, -difference)
