// Short sounds, made on the spot: no file to load.

import { settings } from "./settings.js";

let context = null;

/** A tone that fades: pitch in hertz, beginning and length in seconds. */
function tone(pitch, begin, length, loudness = 0.12, shape = "sine") {
  const oscillator = new OscillatorNode(context, { type: shape, frequency: pitch });
  const at = context.currentTime + begin;
  const fade = new GainNode(context, { gain: 0 });
  fade.gain.linearRampToValueAtTime(loudness, at + 0.01);
  fade.gain.exponentialRampToValueAtTime(0.0001, at + length);
  oscillator.connect(fade).connect(context.destination);
  oscillator.start(at);
  oscillator.stop(at + length);
}

/** A breath of noise through a filter: a card on felt, or the rattle of chips. */
function rustle(pitch, begin, length, loudness) {
  const samples = Math.ceil(length * context.sampleRate);
  const buffer = new AudioBuffer({ length: samples, sampleRate: context.sampleRate });
  const data = buffer.getChannelData(0);
  for (let i = 0; i < samples; i++) data[i] = (2 * Math.random() - 1) * (1 - i / samples) ** 2;
  const source = new AudioBufferSourceNode(context, { buffer });
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: pitch, Q: 1.2 });
  source
    .connect(filter)
    .connect(new GainNode(context, { gain: loudness }))
    .connect(context.destination);
  source.start(context.currentTime + begin);
}

const SOUNDS = {
  card: () => rustle(2600, 0, 0.09, 0.35),
  chips: () =>
    [0, 0.045, 0.08].forEach((begin, i) => {
      rustle(5200 + 600 * i, begin, 0.04, 0.4);
      tone(3100 + 240 * i, begin, 0.05, 0.03, "triangle");
    }),
  check: () => [0, 0.11].forEach((begin) => rustle(420, begin, 0.06, 0.9)),
  fold: () => rustle(1300, 0, 0.16, 0.25),
  turn: () =>
    [
      [587, 0],
      [880, 0.12],
    ].forEach(([pitch, begin]) => tone(pitch, begin, 0.35, 0.1)),
  hurry: () => tone(740, 0, 0.12, 0.07, "triangle"),
  win: () => [523, 659, 784, 1047].forEach((pitch, i) => tone(pitch, 0.09 * i, 0.5, 0.08)),
  said: () => tone(1175, 0, 0.12, 0.05),
};

/** Plays a sound by name if the reader wants sounds, and the browser allows them yet. */
export function play(name) {
  if (!settings().sound || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  SOUNDS[name]();
}
