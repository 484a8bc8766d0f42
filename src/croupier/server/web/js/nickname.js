// The longest name that people may have. The server refuses a longer one.

/** As `croupier.shown_text` has it. */
export const NICKNAME_CHARACTERS_MAX = 20;
