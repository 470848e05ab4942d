"""Deliberate mistakes in the machine, one per quirk, and the programs (programs.py) that tell."""

from __future__ import annotations

from machine_mutants import MACHINE_MUTANTS
from picture_mutants import PICTURE_MUTANTS
from translator_mutants import TRANSLATOR_MUTANTS

MUTANTS = [*PICTURE_MUTANTS, *MACHINE_MUTANTS, *TRANSLATOR_MUTANTS]
