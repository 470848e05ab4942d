"""A source of each kind, and its mistakes."""

from sdk.bad_sources.batch import BAD_BATCH, BATCH
from sdk.bad_sources.players import BAD_PLAYERS, PLAYERS
from sdk.bad_sources.scalar import BAD_SCALAR, SCALAR
from sdk.bad_sources.typed_options import BAD_TYPED, BAD_TYPED_BATCH, TYPED, TYPED_BATCH

KINDS = {
    "scalar": (SCALAR, BAD_SCALAR),
    "batch": (BATCH, BAD_BATCH),
    "typed": (TYPED, BAD_TYPED),
    "typed_batch": (TYPED_BATCH, BAD_TYPED_BATCH),
    "players": (PLAYERS, BAD_PLAYERS),
}
