// @ts-check
/** What can be done on a page, found on the page itself: its buttons, what it folds away, and the things on the table. */

/**
 * @typedef {object} Deed
 * @property {HTMLElement} element that does it, or that it leads to
 * @property {string} label
 * @property {string} about the name of the thing that it is about; empty if it is about none
 * @property {string} keys its shortcut; empty where it has none
 */

const PRESSED = "button[data-key], details[data-place] > summary";
const NUMBERS = "123456789abcdefghijklmnopqrstuvwxyz";
const OTHER = "x"; // begins the shortcuts of what is not done all the time

/** Letters for what is done all the time, by the name of the deed. @type {Record<string, string>} */
const LETTERS = {
  "countdown:start": "c",
  "clock:start": "k",
  "scene:open": "s",
  "check:propose": "h",
  check: "h",
  "total:propose": "l",
  total: "l",
  "roll:dice": "d",
  dice: "d",
  "character:add": "b",
  "add:character": "b",
  "seat:invite": "i",
  "turn:end": "e",
  narrate: "n",
  undo: "z",
  tick: "t",
  roll: "r",
  own: "f",
  faces: "f",
  approve: "a",
  adjust: "g",
  oppose: "o",
  offer: "p",
  push: "p",
  round: "u",
  reveal: "v",
  more: "m",
};

/** Return what can be done, in the order of the page. @param {ParentNode} root @returns {Deed[]} */
export function deedsOn(root) {
  const elements = /** @type {HTMLElement[]} */ ([...root.querySelectorAll(PRESSED)].filter(canBePressed));
  return withKeys(elements.map((element) => ({ element, keys: "", ...nameOf(element) })));
}

/** Return ways to the things on the table. @param {ParentNode} root @returns {Deed[]} */
export function thingsOn(root) {
  const cards = /** @type {HTMLElement[]} */ ([...root.querySelectorAll("article[data-thing]")].filter(canBePressed));
  return cards.map((element) => ({ element, label: headingOf(element), about: "", keys: "" }));
}

/** @param {Element} element */
function canBePressed(element) {
  return element.checkVisibility?.() !== false && !element.matches("[disabled], [aria-disabled=true]");
}

/** Name what an element does, and to what. @param {HTMLElement} element */
function nameOf(element) {
  const label = (element.textContent ?? "").trim().replace(/\s+/g, " ");
  const said = element.getAttribute("aria-label") ?? "";
  const about = said.startsWith(`${label}: `) ? said.slice(label.length + 2) : "";
  const card = element.closest("[data-thing]");
  return { label: label || said, about: about || (card ? headingOf(card) : "") };
}

/** @param {Element} card */
function headingOf(card) {
  return (card.querySelector("h3, h4") ?? card).textContent?.trim() ?? "";
}

/**
 * Give each deed its keys: those for what is done, and one more where it can be done to several things.
 * @param {Deed[]} deeds @returns {Deed[]}
 */
function withKeys(deeds) {
  /** @type {Map<string, Deed[]>} */ const kinds = new Map();
  for (const deed of deeds) {
    const kind = kindOf(deed.element);
    kinds.set(kind, [...(kinds.get(kind) ?? []), deed]);
  }
  const taken = new Set();
  for (const [kind, same] of kinds) {
    const first = LETTERS[kind] ?? OTHER + letterFor(kind, taken);
    same.forEach((deed, place) => (deed.keys = same.length === 1 ? first : first + (NUMBERS[place] ?? "")));
  }
  return deeds;
}

/** Name the kind of deed that an element does: what its key says, but for the id of a thing. @param {HTMLElement} element */
function kindOf(element) {
  const key = element.dataset.key ?? element.parentElement?.dataset.place ?? "";
  const parts = key.replace(/:(ask|form|send)$/, "").split(":");
  return parts.length > 2 ? /** @type {string} */ (parts.at(-1)) : parts.join(":");
}

/** Choose a letter that no other kind has taken, one of its own if one is free. @param {string} kind @param {Set<string>} taken */
function letterFor(kind, taken) {
  const letter = [...kind.replace(/[^a-z]/g, ""), ...NUMBERS].find((each) => !taken.has(each)) ?? "";
  taken.add(letter);
  return letter;
}
