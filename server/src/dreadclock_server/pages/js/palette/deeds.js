// @ts-check
/** What can be done on a page: its buttons, what it folds away, and the ways to things; each with its shortcut. */

/**
 * @typedef {object} Deed
 * @property {string} id of the control that does it, its `data-key` or `data-place`; of a way to a thing, its `data-thing`
 * @property {string} label
 * @property {string} about the name of the thing that it is about; empty if it is about none
 * @property {string} thing that thing's kind and id; empty if it is about none
 * @property {string} keys its shortcut; empty where it has none
 * @property {readonly string[]} behind what it is folded away behind, from the outside in; empty where it is in sight
 * @property {string} [also] other words for it, with commas between them
 */

const PRESSED = "button[data-key], details[data-place] > summary";
const NUMBERS = "123456789abcdefghijklmnopqrstuvwxyz";

const LASTING = /^(?:countdown|clock|scene|situation|challenge|character):/;

/** Which number each deed of a kind has, so that it is the same as long as its thing is on the table. @type {Map<string, Map<string, { number: string, thing: string }>>} */
const numbered = new Map();

/** The letters that begin the shortcuts of what is not done all the time. */
export const OTHERS = "xy";

/** Those of each kind of deed: they stay the same whatever else can be done. @type {Record<string, string>} */
const SELDOM = {
  settings: "xs", seat: "xk", overcome: "xo", challenge: "xc", complication: "xm", travel: "xt", rest: "xr", end: "xe",
  situation: "xi", attach: "xf", detach: "xd", withdraw: "xw", lasting: "xl", effects: "xx", update: "xu",
  sheet: "xu", link: "xn", rename: "xa", remove: "xv", tokens: "xy", rules: "xh", evening: "xg", closing: "xz", room: "xj",
  chronicle: "xb", cancel: "xq", move: "x1", turn: "x2", aside: "x3", resolve: "x4", fail: "x5", effort: "x6",
  stop: "x8", leaves: "x9", amend: "ya", dies: "yd", retires: "yr", odds: "yo", fold: "yf", give: "yg",
  set: "ys", rare: "yb", stabilize: "yz", resume: "yu", start: "yn", add: "yi",
};

/** Keys for what is done all the time, by the kind of the deed; what only a gm does and what only a player does may share one. @type {Record<string, string>} */
const LETTERS = {
  "countdown:start": "c",
  "start:countdown": "c",
  "clock:start": "k",
  "start:clock": "k",
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
  faces: "f",
  own: "f",
  approve: "a",
  adjust: "g",
  oppose: "o",
  replenish: "+",
  attempt: "a",
  help: "u",
  offer: "p",
  push: "p",
  round: "u",
  reveal: "v",
  more: "m",
  untick: "j",
  strip: "q",
  void: "w",
};

/** The shortcut that leads to what waits for the viewer, one thing after another. */
export const NEXT = ".";
const WAITING = "[data-place=desk] [data-thing], .knocks, .call:not(.quiet)";
const ENTERED = "input:not([type=hidden]), select, textarea, button:not(.word > *)";

/** Kinds of deeds that nobody can take back: a single key only leads to them. */
const FINAL = new Set(["turn:end", "round", "reveal"]);

/** Tell whether a slip of a finger must not do it. @param {Deed} deed */
export function isFinal({ id }) {
  return FINAL.has(kindOf(id));
}

/** Ids of controls whose last part is the id of a thing. */
const ENDING_IN_IDS = /^(?:strip:(?:clock|countdown|scene|situation|check|total|roll):[^:]*|seat:lend:[^:]*|challenge:[^:]*:check:[^:]*|void:.*)$/;

/**
 * Return what can be done with what is in an element, in its order; what a form needs is sent from within the form.
 * @param {ParentNode} root @param {string} [about] the name of the thing that all of it is about @param {string} [thing]
 * @returns {Deed[]}
 */
export function deedsIn(root, about = "", thing = "") {
  return deedsOf(/** @type {HTMLElement[]} */ ([...root.querySelectorAll(PRESSED)]), about, thing);
}

/** @param {HTMLElement[]} elements @param {string} [about] @param {string} [thing] @returns {Deed[]} */
function deedsOf(elements, about = "", thing = "") {
  return elements.filter(isPressed).map((element) => ({
    id: idOf(element),
    keys: "",
    behind: foldsAround(element),
    thing: thingAround(element) ?? thing,
    ...nameOf(element, about),
  }));
}

/** Return what can be done on a page right now, with the shortcuts of what is done all the time. @param {ParentNode} root */
export function deedsInSight(root) {
  const elements = /** @type {HTMLElement[]} */ ([...root.querySelectorAll(PRESSED)]);
  const deeds = deedsOf(elements.filter((element) => element.checkVisibility?.() !== false));
  return withKeys(deeds.map((deed) => ({ ...deed, behind: [] })), (kind) => (Object.hasOwn(LETTERS, kind) ? LETTERS[kind] : ""));
}

/**
 * Return where the shortcut for what waits leads to: of each thing that waits, the first field, or else the first button.
 * @param {ParentNode} root @returns {HTMLElement[]}
 */
export function waysToWaiting(root) {
  return [...root.querySelectorAll(WAITING)].flatMap((place) => {
    const all = /** @type {HTMLElement[]} */ ([...place.querySelectorAll(ENTERED)]).filter((each) => each.checkVisibility());
    return (all.find((each) => !each.matches("button")) ?? all[0]) ?? [];
  });
}

/** Return ways to the things on the table. @param {ParentNode} root @returns {Deed[]} */
export function waysTo(root) {
  const cards = /** @type {HTMLElement[]} */ ([...root.querySelectorAll("article[data-thing]")]);
  return cards.map((card) => ({ id: card.dataset.thing ?? "", label: headingOf(card), about: "", thing: "", keys: "", behind: [] }));
}

/** Give all that is not done all the time shortcuts, too. @param {Deed[]} deeds */
export function withOtherKeys(deeds) {
  const taken = new Set(Object.values(SELDOM));
  const letters = new Map();
  return withKeys(deeds, (kind) => {
    if (Object.hasOwn(LETTERS, kind)) return "";
    const keys = (Object.hasOwn(SELDOM, kind) ? SELDOM[kind] : undefined) ?? letters.get(kind) ?? freeKeys(kind, taken);
    letters.set(kind, keys);
    return keys;
  });
}

/** Find the control of a deed, or the thing that it leads to. @param {ParentNode} root @param {string} id @returns {HTMLElement | null} */
export function controlOf(root, id) {
  const name = CSS.escape(id);
  return root.querySelector(`button[data-key="${name}"], details[data-place="${name}"] > summary, article[data-thing="${name}"]`);
}

/** @param {HTMLElement} element */
function idOf(element) {
  return element.dataset.key ?? element.parentElement?.dataset.place ?? "";
}

/** Tell whether something is pressed by itself: not what only sends a form that is unfolded by a line of its own. @param {HTMLElement} element */
function isPressed(element) {
  const form = element.closest("form");
  return !form || !form.closest("details[data-place$=':form']") || element.matches("summary");
}

/** @param {HTMLElement} element */
function thingAround(element) {
  const { thing, chip } = /** @type {HTMLElement | null} */ (element.closest("[data-thing], [data-chip]"))?.dataset ?? {};
  return thing ?? chip;
}

/** @param {Element} element */
function foldsAround(element) {
  const folds = [];
  let fold = (element.matches("summary") ? element.parentElement : element)?.parentElement?.closest("details[data-place]");
  for (; fold; fold = fold.parentElement?.closest("details[data-place]")) folds.unshift(/** @type {HTMLElement} */ (fold).dataset.place ?? "");
  return folds;
}

/** Name what an element does, and to what. @param {HTMLElement} element @param {string} about */
function nameOf(element, about) {
  const label = (element.textContent ?? "").trim().replace(/\s+/g, " ");
  const said = element.getAttribute("aria-label") ?? "";
  const told = said.startsWith(`${label}: `) ? said.slice(label.length + 2) : "";
  const card = element.closest("[data-thing]");
  const isDrawn = !/\p{L}/u.test(label) || element.closest(".chip"); // with signs, which are read aloud otherwise
  return { label: isDrawn ? said || label : label, about: told || (card ? headingOf(card) : about) };
}

/** @param {Element} card */
function headingOf(card) {
  return (card.querySelector("h3, h4") ?? card).textContent?.trim() ?? "";
}

/**
 * Give deeds their keys: those of what is done, and one more where it can be done to several things.
 * @param {Deed[]} deeds @param {(kind: string) => string} keysOf what is done; empty where it gets none
 */
function withKeys(deeds, keysOf) {
  /** @type {Map<string, Deed[]>} */ const kinds = new Map();
  for (const deed of deeds) {
    const kind = kindOf(deed.id);
    const same = kinds.get(kind);
    if (same) same.push(deed);
    else kinds.set(kind, [deed]);
  }
  for (const [kind, same] of kinds) {
    const first = keysOf(kind);
    if (!first) continue;
    const numbers = numbersOf(kind, same);
    for (const deed of same) {
      const number = numbers.get(deed.id)?.number;
      if (number) deed.keys = numbers.size === 1 && number === NUMBERS[0] ? first : first + number;
    }
  }
  return deeds;
}

/** Number what can be done to several things: each keeps its number, and a new one takes the lowest that is free, if one is. @param {string} kind @param {readonly Deed[]} deeds */
function numbersOf(kind, deeds) {
  const numbers = numbered.get(kind) ?? new Map();
  numbered.set(kind, numbers);
  const now = new Set(deeds.map(({ id }) => id));
  for (const [id, { thing }] of numbers) if (!now.has(id) && !isOnTable(thing)) numbers.delete(id);
  for (const { id, thing } of deeds) {
    const taken = new Set([...numbers.values()].map((each) => each.number));
    const number = [...NUMBERS].find((each) => !taken.has(each));
    if (number && !numbers.has(id)) numbers.set(id, { number, thing });
  }
  return numbers;
}

/** Tell whether a thing is on the table on which the same is done again and again, unlike a check. @param {string} thing */
function isOnTable(thing) {
  const name = CSS.escape(thing);
  return LASTING.test(thing) && !!document.querySelector(`[data-thing="${name}"]:not(.ended *), [data-chip="${name}"]`);
}

/** Return the keys of the other words for a deed, the closest first. @param {string} id */
export function keysOfWords(id) {
  return [wholeOf(id), kindOf(id)].map((each) => `also.${each}`);
}

/** @param {string} id */
function wholeOf(id) {
  return id.replace(/:(ask|form|send)$/, "");
}

/** Name the kind of a deed: what its id says, but for the id of a thing. @param {string} id */
function kindOf(id) {
  const whole = wholeOf(id);
  const parts = whole.split(":");
  const last = parts.at(-1) ?? "";
  if (Object.hasOwn(LETTERS, whole)) return whole;
  if (ENDING_IN_IDS.test(id)) return parts[0]; // a thing may be called anything, `undo` or `constructor`
  if (parts[0] === "strip") return last === "less" ? "untick" : last;
  return parts.length > 2 || Object.hasOwn(LETTERS, last) || Object.hasOwn(SELDOM, last) ? last : parts[0];
}

/** Choose keys that no other kind has. @param {string} kind @param {Set<string>} taken */
function freeKeys(kind, taken) {
  const letters = [...kind.replace(/[^a-z]/g, ""), ...NUMBERS];
  const keys = letters.map((letter) => OTHERS[1] + letter).find((each) => !taken.has(each)) ?? "";
  taken.add(keys);
  return keys;
}
