// The little that the page needs to build elements and to change them in place, so that focus and selection stay.

const SVG = "http://www.w3.org/2000/svg";

/** An element. `on` holds listeners; a property that is null or false is left out; children may be text. */
export function h(tag, properties = {}, ...children) {
  return filled(document.createElement(tag), properties, children);
}

/** The same for SVG. */
export function s(tag, properties = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), properties, children);
}

function filled(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (name === "on") for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    else setAttribute(element, name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export function setAttribute(element, name, value) {
  if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value === true ? "" : value);
}

export function setText(element, text) {
  const written = String(text);
  if (element.textContent !== written) element.textContent = written;
}

/** A name. Where there is no room for all of it, its end is left out, but not a number there: that tells apart who is
 * called the same. */
export function setName(element, name) {
  if (element.textContent === name) return;
  const [end] = /\s(\d+|\(\d+\))$/.exec(name) ?? [""];
  element.replaceChildren(h("span", {}, name.slice(0, name.length - end.length)), end ? h("span", {}, end) : "");
}

export function setShown(element, shown) {
  if (element.hidden === shown) element.hidden = !shown;
}

/** A CSS custom property of one element: the way to place things under a policy that forbids inline styles. */
export function setVariable(element, name, value) {
  const written = String(value);
  if (element.style.getPropertyValue(name) !== written) element.style.setProperty(name, written);
}

/** Makes the children of `parent` those of `items`, in order, keeping the element of every key that stays. */
export function keyed(parent, items, keyOf, make, update) {
  const present = new Map(Array.from(parent.children, (child) => [child.dataset.key, child]));
  let place = parent.firstElementChild;
  for (const item of items) {
    const key = String(keyOf(item));
    let element = present.get(key);
    if (element) present.delete(key);
    else {
      element = make(item);
      element.dataset.key = key;
    }
    update?.(element, item);
    if (element === place) place = place.nextElementSibling;
    else parent.insertBefore(element, place);
  }
  for (const element of present.values()) element.remove();
}

/** A modal dialog with a title and a way out. It is removed when it is closed. */
export function openDialog(title, closeLabel, ...content) {
  const opener = document.activeElement;
  const close = h(
    "button",
    { class: "icon", type: "button", "aria-label": closeLabel, title: closeLabel },
    icon("close"),
  );
  const heading = h("h2", { id: `title-${(openDialog.count = (openDialog.count ?? 0) + 1)}` }, title);
  const dialog = h("dialog", { "aria-labelledby": heading.id }, h("header", {}, heading, close), ...content);
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (opener?.isConnected) opener.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

const ICONS = {
  close: "M5 5l14 14M19 5L5 19",
  settings: "M4 7h10M18 7h2M4 17h2M10 17h10M16 4v6M8 14v6",
  chat: "M4 5h16v11H9l-5 4z",
  people:
    "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c.6-4 3-6 6.5-6s5.9 2 6.5 6M16 4.5a3.2 3.2 0 0 1 0 6.2M17.5 14.4c2.3.9 3.6 2.8 4 5.6",
  history: "M4 12a8 8 0 1 0 2.6-5.9M4 4v4.5h4.5M12 8v4.5l3 2",
  leave: "M14 4H5v16h9M10 12h11M17 8l4 4-4 4",
  shield: "M12 3l7.5 2.8v5.700c0 4.6-3 7.8-7.5 9.5-4.5-1.700-7.5-4.9-7.5-9.5V5.8zM8.5 12l2.5 2.5 4.5-5",
  alarm: "M12 3l9.5 17h-19zM12 10v4.5M12 17.200v.3",
  share:
    "M18 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM6 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM18 22a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8.600 13.500l6.800 4M15.400 6.500l-6.800 4",
  download: "M12 4v11M7.5 11l4.500 4.500 4.500-4.500M4 20h16",
  upload: "M12 16V5M7.5 9L12 4.5 16.500 9M4 20h16",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  bot: "M7 9h10a2 2 0 0 1 2 2v6a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2v-6a2 2 0 0 1 2-2zM12 9V5M9.500 13.200v1.600M14.500 13.200v1.600M3 13v2M21 13v2",
  help: "M9 9a3 3 0 1 1 4.600 2.500c-1 .7-1.600 1.300-1.600 2.500M12 17.500v.3M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z",
  pause: "M8 5v14M16 5v14",
  play: "M7 4.5l12 7.5-12 7.5z",
  sound: "M4 9.5v5h4l5 4v-13l-5 4zM16.5 9a4 4 0 0 1 0 6M19 6.5a8 8 0 0 1 0 11",
  mute: "M4 9.5v5h4l5 4v-13l-5 4zM16.5 9.5l5 5M21.5 9.5l-5 5",
  eye: "M2 12c3-5 6-7 10-7s7 2 10 7c-3 5-6 7-10 7s-7-2-10-7zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  first: "M6 5v14M19 5l-10 7 10 7z",
  back: "M16 5l-10 7 10 7z",
  next: "M8 5l10 7-10 7z",
  last: "M18 5v14M5 5l10 7-10 7z",
};

/** A line drawing of the project's own. */
export function icon(name) {
  return s(
    "svg",
    { class: "icon-drawing", viewBox: "0 0 24 24", "aria-hidden": "true" },
    s("path", { d: ICONS[name] }),
  );
}
