"""What matters of a room, a casino session and a round, read from what the server sends: to be compared with what an
earlier release sent for the same store. Where the messages change, this is what changes with them; the facts stay."""

from typing import Any

PRESETS_THEN = {("poker", "holdem"): "tournament"}
"""What a preset that has another name today was called in the first release."""


def of_room(public: dict[str, Any]) -> dict[str, Any]:
    """What everybody sees of a room, besides its cards."""
    return {
        "preset": PRESETS_THEN.get((public["game"], public["preset"]), public["preset"]),
        "phase": public["phase"],
        "paused": public["paused"],
        "hand": public["hand"],
        "turn": public["turn"],
        "payouts": public["payouts"],
        "seats": public["options"]["seats"],
        "host": public["host"],
        "members": [
            {
                "id": member["id"],
                "name": member["name"],
                "bot": member["bot"],
                "seat": member["seat"],
                "team": member["teamId"],
                "ready": member["ready"],
                "away": member["away"],
            }
            for member in public["members"]
        ],
    }


def of_view(game: str, own: dict[str, Any]) -> dict[str, Any]:
    """What one viewer sees of the game: the table, the own cards, and the names of the actions on offer."""
    view = own["view"]
    seen = {} if view is None else {"holdem": _holdem, "blackjack": _blackjack, "sequence": _sequence}[game](view)
    return {"seat": own["seat"], "may": sorted({offer["action"]["type"] for offer in own["menu"]}), **seen}


def _holdem(view: dict[str, Any]) -> dict[str, Any]:
    return {
        "board": view["board"],
        "button": view["button"],
        "blinds": [view["smallBlind"], view["bigBlind"], view["ante"]],
        "pot": view["total"],
        "toCall": view["toCall"],
        "stacks": [seat["chips"] for seat in view["seats"]],
        "bets": [seat["bet"] for seat in view["seats"]],
        "inHand": [seat["inHand"] for seat in view["seats"]],
        "cards": [[card for card in seat["cards"] if card is not None] for seat in view["seats"]],
        "places": [seat["place"] for seat in view["seats"]],
    }


def _blackjack(view: dict[str, Any]) -> dict[str, Any]:
    return {
        "dealer": view["dealer"]["cards"],
        "stacks": [seat["chips"] for seat in view["seats"]],
        "bets": [seat["bet"] for seat in view["seats"]],
        "cards": [[hand["cards"] for hand in seat["hands"]] for seat in view["seats"]],
        "active": [None if view["activeHand"] is None else view["toAct"][0], view["activeHand"]],
    }


def _sequence(view: dict[str, Any]) -> dict[str, Any]:
    return {
        "turnNumber": view["turnNumber"],
        "chips": view["chipsByCell"],
        "score": view["scoreByTeam"],
        "discards": view["discardTopBySeat"],
        "hands": view["handSizeBySeat"],
        "packLeft": view["packLeft"],
        "winner": view["winner"],
        "cards": None if view["private"] is None else view["private"]["hand"],
    }


def of_session(state: dict[str, Any]) -> dict[str, Any]:
    """A casino session as its player is told of it."""
    return {
        "balance": state["balance"],
        "round": state["roundId"],
        "status": state["status"],
        "bet": state["totalBet"],
        "cards": [hand["cards"] for hand in state["playerHands"]],
        "dealer": None if state["dealerHand"] is None else state["dealerHand"]["cards"],
        "hash": state["seeds"]["serverSeedHash"],
        "nextHash": state["seeds"]["nextServerSeedHash"],
        "nonce": state["seeds"]["nonce"],
    }


def of_record(entry: dict[str, Any]) -> dict[str, Any]:
    """What was dealt and done in a round, and what came of it."""
    moves = [{"seat": move["seat"], "action": move["action"]} for move in entry["moves"]]
    return {"cards": entry["cards"], "moves": moves, "payouts": entry["payouts"]}
