"""Why Sequence refuses something. The facts that go with a code are beside it."""

from enum import StrEnum


class Code(StrEnum):
    # Setup.
    WRONG_TEAM_COUNT = "WRONG_TEAM_COUNT"
    """teams, allowed"""
    TEAMS_NOT_EQUAL = "TEAMS_NOT_EQUAL"
    """seats, teams, allowed: the numbers of seats that make teams of equal size"""

    # A turn.
    CARD_NOT_IN_HAND = "CARD_NOT_IN_HAND"
    """card"""
    JACK_NEEDS_OWN_ACTION = "JACK_NEEDS_OWN_ACTION"
    """card, action: a jack was played as if it were a normal card"""
    NOT_A_WILD_JACK = "NOT_A_WILD_JACK"
    """card"""
    NOT_A_REMOVE_JACK = "NOT_A_REMOVE_JACK"
    """card"""
    NO_SUCH_CELL = "NO_SUCH_CELL"
    """cell, low, high"""
    DEAD_CARD = "DEAD_CARD"
    """card, cells"""
    WRONG_CELL = "WRONG_CELL"
    """card, cell, cells: those that carry the card"""
    CELL_TAKEN = "CELL_TAKEN"
    """cell"""
    CORNER_IS_FREE = "CORNER_IS_FREE"
    """cell"""
    CELL_JUST_CLEARED = "CELL_JUST_CLEARED"
    """cell"""
    NOT_OPPONENT_CHIP = "NOT_OPPONENT_CHIP"
    """cell"""
    CHIP_PROTECTED = "CHIP_PROTECTED"
    """cell"""
    NO_EXCHANGE = "NO_EXCHANGE"
    """card"""
    CARD_NOT_DEAD = "CARD_NOT_DEAD"
    """card"""
    ALREADY_EXCHANGED = "ALREADY_EXCHANGED"
    """card"""

    # Leaving.
    SEAT_WAITS = "SEAT_WAITS"
    """seat"""
