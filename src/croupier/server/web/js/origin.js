// Where the rooms are: on the server that serves this page, or, when it is served on the player's own machine for a room
// elsewhere, where that server says.

const told = document.querySelector('meta[name="croupier-rooms"]')?.content;

/** Links for others lead here. */
export const ROOMS = told ?? location.origin;
/** Whether the page may go to another node by itself; its own machine is the only way to a room elsewhere. */
export const MAY_CHANGE_NODE = told === undefined;
