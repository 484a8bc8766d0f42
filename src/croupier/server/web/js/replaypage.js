// Rounds of a room to be watched again, by a link: #/replay/CODE, or #/replay/CODE/HAND for one of them. Whoever opens it
// sees what they saw then; who was not there, what everybody could see.

import { h } from "./dom.js";
import { loadReplay } from "./games/registry.js";
import { ROOMS } from "./origin.js";
import { memberName } from "./people.js";
import { gameName, refusalText, t } from "./texts.js";
import { topBar } from "./topbar.js";

const ADDRESS = /^#\/replay\/([A-Za-z0-9]{1,16})(?:\/(\d{1,9}))?$/;

/** The link to a round, or to all of a room. */
export const replayLink = (code, hand = null) =>
  new URL(`/#/replay/${code}${hand === null ? "" : `/${hand}`}`, ROOMS).href;

async function fetchRounds({ connection }, code, hand) {
  const headers = connection.token ? { authorization: `Bearer ${connection.token}` } : {};
  const asked = hand === undefined ? "" : `?hand=${hand}`;
  const answer = await fetch(`/api/rooms/${code}/replay.json${asked}`, { headers });
  const told = await answer.json();
  if (!answer.ok) throw Object.assign(new Error(told.message), told);
  return told;
}

const namesOf = ({ seats }, game) =>
  Object.fromEntries(seats.flatMap((person, seat) => (person ? [[seat, memberName(person, game)]] : [])));

async function replayOf(app, code, hand) {
  const { game, hands } = await fetchRounds(app, code, hand);
  const replay = await loadReplay(game);
  const title = h("h1", {}, `${gameName(game)} · ${t("web.door.title", { code })}`);
  if (!replay) return [title, h("p", {}, t("web.replay.no_table"))];
  if (!hands.length) return [title, h("p", {}, t("web.replay.none"))];
  const rounds = hands.map((each) => ({ ...each, names: namesOf(each, game) }));
  return [title, replay.makeReplay({ code, all: rounds, last: rounds.at(-1) })];
}

export async function makeReplayPage(app) {
  const [, code, hand] = ADDRESS.exec(location.hash) ?? [];
  let content;
  try {
    content = await replayOf(app, code?.toUpperCase(), hand);
  } catch (refused) {
    content = [h("h1", {}, t("web.replay.title")), h("p", { class: "fault", role: "alert" }, refused.code ? refusalText(refused) : t("web.lost"))];
  }
  const verify = code ? h("a", { class: "quiet-button small", href: `#/verify/${code.toUpperCase()}` }, t("web.records.verify")) : null;
  const element = h(
    "div",
    { class: "replay-page" },
    topBar(app, h("span", { class: "gap" })),
    h("main", { class: "replay-main" }, ...content, verify),
  );
  return { element, title: `${t("web.replay.title")} · ${t("web.title")}`, close: () => {} };
}
