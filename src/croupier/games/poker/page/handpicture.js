// A hand as one picture, to be shared: the table as it was at the end, drawn on a canvas.

import { t } from "/js/texts.js";

const WIDTH = 1200;
const HEIGHT = 630;
const CARD = { width: 62, height: 86 };
const SUITS = { c: "♣", d: "♦", h: "♥", s: "♠" };
const SERIF = '"Iowan Old Style", Palatino, Georgia, serif';
const SANS = "system-ui, sans-serif";

function drawCard(pen, card, x, y, scale = 1) {
  const [width, height] = [CARD.width * scale, CARD.height * scale];
  pen.fillStyle = card ? "#fdfbf4" : "#7c1f2b";
  pen.strokeStyle = "#00000040";
  pen.beginPath();
  pen.roundRect(x, y, width, height, 8 * scale);
  pen.fill();
  pen.stroke();
  if (!card) return;
  pen.fillStyle = "dh".includes(card[1]) ? "#c1121f" : "#1b1b1b";
  pen.textAlign = "center";
  pen.font = `700 ${36 * scale}px ${SANS}`;
  pen.fillText(card[0] === "T" ? "10" : card[0], x + width / 2, y + height * 0.45);
  pen.fillText(SUITS[card[1]], x + width / 2, y + height * 0.88);
}

function drawRow(pen, cards, x, y, scale) {
  const step = CARD.width * scale + 6;
  cards.forEach((card, place) => drawCard(pen, card, x - (cards.length * step) / 2 + place * step, y, scale));
}

function drawTable(pen) {
  pen.fillStyle = "#f4efe4";
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  pen.fillStyle = "#4a2c1a";
  pen.beginPath();
  pen.ellipse(WIDTH / 2, 320, 505, 205, 0, 0, 2 * Math.PI);
  pen.fill();
  pen.fillStyle = "#12704f";
  pen.beginPath();
  pen.ellipse(WIDTH / 2, 320, 485, 187, 0, 0, 2 * Math.PI);
  pen.fill();
}

/** A person's plate, with the cards that are known above it. */
function drawSeat(pen, { cards, chips }, name, angle) {
  const [x, y] = [WIDTH / 2 + 500 * Math.cos(angle), 322 + 200 * Math.sin(angle)];
  const inside = Math.min(Math.max(x, 130), WIDTH - 130);
  drawRow(pen, cards, inside, y - 84, 0.78);
  pen.fillStyle = "#191f25";
  pen.beginPath();
  pen.roundRect(inside - 105, y - 18, 210, 52, 26);
  pen.fill();
  pen.textAlign = "center";
  pen.fillStyle = "#f6f1e4";
  pen.font = `600 20px ${SANS}`;
  pen.fillText(name, inside, y + 4, 180);
  pen.fillStyle = "#f5d88a";
  pen.font = `700 18px ${SANS}`;
  pen.fillText(String(chips), inside, y + 26, 180);
}

/** The picture as a PNG. `said` is its caption. */
export function handPicture({ view, names, own, said, code, hand }) {
  const canvas = Object.assign(document.createElement("canvas"), { width: WIDTH, height: HEIGHT });
  const pen = canvas.getContext("2d");
  drawTable(pen);
  drawRow(pen, view.board, WIDTH / 2, 260, 1.1);
  const seats = view.seats.filter(({ seat }) => names[seat]);
  const first = Math.max(seats.findIndex(({ seat }) => seat === own), 0);
  seats.forEach((seat, place) => {
    const turn = ((place - first) / seats.length) * 2 * Math.PI;
    drawSeat(pen, seat, names[seat.seat], Math.PI / 2 + turn);
  });
  pen.textAlign = "center";
  pen.fillStyle = "#221d16";
  pen.font = `700 30px ${SERIF}`;
  pen.fillText(said, WIDTH / 2, 612, WIDTH - 80);
  pen.textAlign = "left";
  pen.font = `700 26px ${SERIF}`;
  pen.fillText(`♠ Croupier · ${code} · ${t("web.poker.hand_number", { hand })}`, 30, 42, WIDTH - 60);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}
