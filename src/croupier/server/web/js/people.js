// Who is in the room, and what may be done about each of them.

import { withoutMarks } from "./cards.js";
import { confirmFirst } from "./confirm.js";
import { h, icon, keyed, openDialog, setAttribute } from "./dom.js";
import { gameShape } from "./games/registry.js";
import { openRemoval } from "./removal.js";
import { hasText, plural, readable, t } from "./texts.js";

const HUES = 12;
/** After so many turns in a row that the clock played for somebody, it does not wait for them, or sits them out. */
export const MISSED_MAX = 2;

/** The name of a bot as people read it: its kind and a number. Others are called as they called themselves. */
export function memberName({ name, bot, id }, game) {
  const key = bot && botKey(game, bot, "name");
  return key ? `${t(key)} ${id.replace("bot-", "")}` : withoutMarks(name);
}

/** The key of a text about a bot: the game's own, or that of a bot that every game has; else empty. */
const botKey = (game, bot, what) =>
  [`bot.${game}.${bot}.${what}`, `bot.${bot}.${what}`].find((key) => hasText(key)) ?? "";

/** The round picture of somebody: the first letter of the name on a colour of its own; a machine for a bot. */
export function avatar(name = "", bot = null) {
  const element = h("span", { class: "avatar", "aria-hidden": "true" });
  showAvatar(element, name, bot);
  return element;
}

export function showAvatar(element, name, bot) {
  const letters = Array.from(name);
  const sign = bot ? "bot" : (letters[0]?.toUpperCase() ?? "");
  if (element.dataset.sign !== sign) element.replaceChildren(bot ? icon("bot") : sign);
  element.dataset.sign = sign;
  setAttribute(element, "data-hue", letters.reduce((sum, letter) => sum + letter.codePointAt(0), 0) % HUES);
}

/** What is special about somebody, as short words. */
export function memberNotes(member, room) {
  const { public: shown } = room.state;
  const connected = member.bot || room.connected.includes(member.id);
  return [
    member.id === shown.host && t("web.people.host"),
    member.bot && t("web.people.bot"),
    member.seat === null && t("web.people.watching"),
    shown.phase === "lobby" &&
      member.seat !== null &&
      (member.ready || member.id === shown.host) &&
      t("web.people.ready"),
    member.away && t("web.people.away"),
    member.stands && t("web.people.stands"),
    !connected && !member.away && t("web.people.offline"),
    member.missed > 0 && plural("web.people.missed", member.missed),
    waitText(member, shown),
  ].filter(Boolean);
}

/** How somebody is gone whose seat is still there; "" for who is here. */
export function goneText(member, room) {
  if (member.away) return t("web.people.away");
  if (member.stands) return t("web.people.stands");
  return member.bot || room.connected.includes(member.id) ? "" : t("web.people.offline");
}

/** What somebody's seat waits for before it is dealt in: a cut, one that is owed, a hand to come. "" for nothing. */
export function waitText({ seat, bot, owes, backAtHand, promised, away }, { phase, hand, waitsFor }) {
  if (seat === null || bot || away || phase !== "playing") return "";
  if (waitsFor.includes(seat)) return t("web.cut.cuts");
  if (owes !== null) return t("web.cut.owes");
  if (backAtHand > hand) return t("web.cut.back", { hand: backAtHand });
  return promised ? "" : t("web.cut.unpromised");
}

/** What the host may do about a member: pairs of a text key and a command. */
function hostChoices(member, room) {
  if (!room.isHost || member.id === room.me?.id) return [];
  // A bot that was removed while the rules keep its seat is out already.
  if (member.bot) return member.away ? [] : [["web.host.remove_bot", "HOST_REMOVE_BOT"]];
  const isHere = !member.away && room.connected.includes(member.id);
  return [...(isHere ? [["web.host.hand_over", "HOST_HAND_OVER"]] : []), ["web.host.kick", "HOST_KICK"]];
}

/** Shows what the host may do about a member, a button each. */
export function showHostChoices(place, member, room, page) {
  const { game } = room.state.public;
  keyed(
    place,
    hostChoices(member, room),
    ([key]) => key,
    ([key, type]) =>
      h(
        "button",
        {
          type: "button",
          class: "quiet-button small",
          "aria-label": `${t(key)}: ${memberName(member, game)}`,
          on: { click: () => decide(type, member, page) },
        },
        t(key),
      ),
  );
}

/** Does what the host chose about a member. */
function decide(type, member, page) {
  const { name } = member;
  const go = () => page.command(type, { member: member.id });
  if (type === "HOST_KICK") openRemoval(member, page);
  else if (type === "HOST_HAND_OVER")
    confirmFirst(t("web.ask.hand_over", { name }), t("web.ask.hand_over_about"), t("web.host.hand_over"), go);
  else go();
}

/** Tells of somebody in a dialog; `facts` are lines that the game knows. */
export function openMember(member, room, page, facts = []) {
  const { game } = room.state.public;
  const aboutBot = member.bot && botKey(game, member.bot, "about");
  const about = aboutBot ? h("p", {}, t(aboutBot)) : null;
  const notes = memberNotes(member, room);
  const buttons = hostChoices(member, room).map(([key, type]) =>
    h(
      "button",
      {
        type: "button",
        class: "quiet-button",
        on: {
          click: ({ target }) => {
            target.closest("dialog").close();
            decide(type, member, page);
          },
        },
      },
      t(key),
    ),
  );
  openDialog(
    memberName(member, game),
    t("web.close"),
    about,
    notes.length ? h("p", { class: "quiet" }, notes.join(" · ")) : null,
    facts.length
      ? h("dl", { class: "facts" }, ...facts.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]))
      : null,
    buttons.length ? h("div", { class: "button-row" }, ...buttons) : null,
  );
}

const botName = (game, bot) => {
  const key = botKey(game, bot, "name");
  return key ? t(key) : readable(bot);
};

const botAbout = (game, bot) => {
  const key = botKey(game, bot, "about");
  return key ? t(key) : "";
};

/** A choice of bots for the host. */
export function openBots(room, page) {
  const { game } = room.state.public;
  const rows = gameShape(game).bots.map((bot) =>
    h(
      "li",
      {},
      h("div", {}, h("b", {}, botName(game, bot)), h("p", { class: "quiet" }, botAbout(game, bot))),
      h(
        "button",
        {
          type: "button",
          class: "quiet-button",
          "data-bot": bot,
          "aria-label": `${t("web.host.add_bot")}: ${botName(game, bot)}`,
          on: {
            click: ({ target }) => {
              target.closest("dialog").close();
              page.command("HOST_ADD_BOT", { bot });
            },
          },
        },
        t("web.host.add"),
      ),
    ),
  );
  openDialog(t("web.host.add_bot"), t("web.close"), h("ul", { class: "bot-list" }, ...rows));
}
