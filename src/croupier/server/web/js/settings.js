// What the reader chose: kept in this browser only.

import { preferredLanguage } from "./texts.js";

const KEY = "croupier.settings";
const DEFAULTS = { language: "", theme: "auto", sound: true, fourColours: false, pace: "normal", vibration: true, notification: false, coach: false };
const listeners = new Set();
let chosen = { ...DEFAULTS, ...read(KEY, {}) };

export const settings = () => ({ ...chosen, language: chosen.language || preferredLanguage() });

export function changeSettings(changes) {
  chosen = { ...chosen, ...changes };
  write(KEY, chosen);
  applySettings();
  for (const listener of listeners) listener(changes);
}

export function onSettings(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Shows the choices that are matters of style. */
export function applySettings() {
  const root = document.documentElement;
  root.dataset.theme = chosen.theme;
  root.dataset.deck = chosen.fourColours ? "four" : "two";
}

const PACES = { calm: 1.5, normal: 1, fast: 0.25, instant: 0 };

/** The paces that can be chosen. */
export const PACE_NAMES = Object.keys(PACES);

/** By how much the pauses of a table are stretched. */
export const paceFactor = () => PACES[chosen.pace] ?? 1;

export const reducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A value kept in this browser; the fallback where nothing, or nothing readable, is kept. */
export function read(key, fallback, storage = localStorage) {
  try {
    return JSON.parse(storage.getItem(key)) ?? fallback;
  } catch {
    return fallback;
  }
}

/** Keeps a value. A browser that keeps nothing (private windows, full disks) is no reason to stop. */
export function write(key, value, storage = localStorage) {
  try {
    if (value === null) storage.removeItem(key);
    else storage.setItem(key, JSON.stringify(value));
  } catch {
    return;
  }
}
