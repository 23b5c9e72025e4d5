// @ts-check
/** A visitor's settings for this browser, such as language and theme; the browser's storage; and loading of style sheets. */

export const LANGUAGES = ["en", "de"];
export const THEMES = ["auto", "dark", "light"];
export const SOUNDS = ["auto", "off", "sound", "vibration", "both"];
/** The address of the assets, with a slash at the end. Bundled or not, every script is below js/. */
export const ASSETS = import.meta.url.slice(0, import.meta.url.lastIndexOf("/js/") + 1);

/** Return the language of the page: from the address, an earlier choice, or the browser's settings. */
export function language() {
  const asked = [new URLSearchParams(location.search).get("lang"), kept("language"), ...navigator.languages];
  const supported = asked.map((tag) => tag?.slice(0, 2).toLowerCase() ?? "").find((tag) => LANGUAGES.includes(tag));
  return supported ?? "en";
}

/** Return the theme: `auto` follows the system. */
export function theme() {
  const chosen = new URLSearchParams(location.search).get("theme") ?? kept("theme") ?? "auto";
  return THEMES.includes(chosen) ? chosen : "auto";
}

/** Return whether rolls have `sound`, `vibration`, `both` or neither (`off`). `auto`: sound for rolls of this device, and on a big screen. */
export function sound() {
  return SOUNDS.find((option) => option === kept("sound")) ?? "auto";
}

/** Show the page in a theme. @param {string} chosen */
export function applyTheme(chosen) {
  if (chosen === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
}

/** Load another style sheet. Resolves also if that fails: the page works without it. @param {string} name @returns {Promise<void>} */
export function dress(name) {
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = `${ASSETS}css/${name}.css`;
  document.head.append(sheet);
  return new Promise((resolve) => {
    sheet.onload = sheet.onerror = () => resolve();
  });
}

/** Tell whether the gm left the log open on the last visit. */
export function storyWasOpen() {
  return kept("story") === "open";
}

/** Tell whether letters are shortcuts. Screen readers and speech input may press letters by accident, so shortcuts can be switched off. */
export function shortcutsAreOn() {
  return kept("shortcuts") !== "off";
}

/** Tell whether the visitor has chosen a value for a setting. @param {string} name */
export function isChosen(name) {
  return kept(name) !== null;
}

/** The choices that the browser could not store. @type {Map<string, string>} */
const unkept = new Map();

/** Store a choice, or remember it in this page if the browser cannot store it. @param {"language" | "theme" | "shortcuts" | "sound" | "story"} name @param {string} value */
export function keep(name, value) {
  const isStored = withStorage((storage) => (storage.setItem(`dreadclock:${name}`, value), true), "localStorage");
  if (isStored) unkept.delete(name);
  else unkept.set(name, value);
}

/** Return a stored choice; null without one. @param {string} name */
function kept(name) {
  return unkept.get(name) ?? withStorage((storage) => storage.getItem(`dreadclock:${name}`), "localStorage");
}

/**
 * Call `use` with the storage of this tab, or with the storage of the whole browser.
 * @template Value
 * @param {(storage: Storage) => Value} use @param {"sessionStorage" | "localStorage"} [where]
 * @returns {Value | null} the result of `use`; null if it throws, for example because there is no storage, or no space
 */
export function withStorage(use, where = "sessionStorage") {
  try {
    return use(globalThis[where]);
  } catch {
    return null;
  }
}

/** Return the value that the browser has stored under a name; null if there is no value, or the value is no JSON. @param {string} name @returns {any} */
export function stored(name) {
  return withStorage((storage) => JSON.parse(storage.getItem(name) ?? "null"), "localStorage");
}

/** Store a value in the browser under a name; null removes it. Return whether this was possible. @param {string} name @param {unknown} value */
export function store(name, value) {
  const write = (/** @type {Storage} */ storage) => (value === null ? storage.removeItem(name) : storage.setItem(name, JSON.stringify(value)));
  return withStorage((storage) => (write(storage), true), "localStorage") ?? false;
}
