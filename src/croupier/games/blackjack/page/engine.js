// What the page's checks know of the game: how to replay a round, and what a viewer of it may see.

export * from "./replay.js";
export * from "./faces.js";
