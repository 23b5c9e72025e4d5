// @ts-check
/** A visitor's settings for this browser, such as language and theme; and loading of style sheets. */

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

/** Return whether moments have sound, vibration, both or neither. `auto`: sound for rolls of this device. */
export function sound() {
  return SOUNDS.find((option) => option === kept("sound")) ?? "auto";
}

/** Show the page in a theme. @param {string} chosen */
export function applyTheme(chosen) {
  if (chosen === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
}

/** Load another style sheet. If it cannot be loaded, the page still works. @param {string} name @returns {Promise<void>} */
export function dress(name) {
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = `${ASSETS}css/${name}.css`;
  document.head.append(sheet);
  return new Promise((resolve) => {
    sheet.onload = sheet.onerror = () => resolve();
  });
}

/** Whether a gm left her log open, where there is room beside the table. */
export function storyWasOpen() {
  return kept("story") === "open";
}

/** Tell whether letters are shortcuts. Screen readers and speech input may press letters by accident, so shortcuts can be switched off. */
export function shortcutsAreOn() {
  return kept("shortcuts") !== "off";
}

/** Tell whether a choice is remembered. @param {string} name */
export function isChosen(name) {
  return kept(name) !== null;
}

/** The choices of this page, if the browser has no storage. @type {Map<string, string>} */
const unkept = new Map();

/** Store a choice, if the browser has storage. @param {"language" | "theme" | "shortcuts" | "sound" | "story"} name @param {string} value */
export function keep(name, value) {
  try {
    localStorage.setItem(`dreadclock:${name}`, value);
    unkept.delete(name);
  } catch {
    unkept.set(name, value);
  }
}

/** @param {string} name */
function kept(name) {
  try {
    return unkept.get(name) ?? localStorage.getItem(`dreadclock:${name}`);
  } catch {
    return null;
  }
}
