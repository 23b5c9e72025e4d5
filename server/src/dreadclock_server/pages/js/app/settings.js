// @ts-check
/** What a visitor chose for this browser, language and theme; and how a page is dressed. */

export const LANGUAGES = ["en", "de"];
export const THEMES = ["auto", "dark", "light"];
export const SOUNDS = ["auto", "off", "sound", "vibration", "both"];
/** Where assets are, with a slash at the end: bundled or not, a script is somewhere below js/. */
export const ASSETS = import.meta.url.slice(0, import.meta.url.lastIndexOf("/js/") + 1);

/** Return the language to speak: from the address, an earlier choice, or what the browser asks for. */
export function language() {
  const asked = [new URLSearchParams(location.search).get("lang"), kept("language"), ...navigator.languages];
  const known = asked.map((tag) => tag?.slice(0, 2).toLowerCase() ?? "").find((tag) => LANGUAGES.includes(tag));
  return known ?? "en";
}

/** Return the theme: `auto` follows the system. */
export function theme() {
  const chosen = new URLSearchParams(location.search).get("theme") ?? kept("theme") ?? "auto";
  return THEMES.includes(chosen) ? chosen : "auto";
}

/** Return whether moments are heard, felt, both or neither. `auto`: those that this device rolls are heard. */
export function sound() {
  return SOUNDS.find((each) => each === kept("sound")) ?? "auto";
}

/** Show the page in a theme. @param {string} chosen */
export function applyTheme(chosen) {
  if (chosen === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
}

/** Load one more style sheet; without it the page is plain, and works. @param {string} name @returns {Promise<void>} */
export function dress(name) {
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = `${ASSETS}css/${name}.css`;
  document.head.append(sheet);
  return new Promise((resolve) => {
    sheet.onload = sheet.onerror = () => resolve();
  });
}

/** Whether letters are shortcuts: some programs that read screens, or listen to speech, press them by accident. */
export function shortcutsAreOn() {
  return kept("shortcuts") !== "off";
}

/** Tell whether a choice is remembered. @param {string} name */
export function isChosen(name) {
  return kept(name) !== null;
}

/** What was chosen on this page alone, where the browser keeps nothing. @type {Map<string, string>} */
const unkept = new Map();

/** Remember a choice, if this browser remembers anything. @param {"language" | "theme" | "shortcuts" | "sound"} name @param {string} value */
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
