"""Push or fold before the flop: two to nine players, in chips or in prize money."""
