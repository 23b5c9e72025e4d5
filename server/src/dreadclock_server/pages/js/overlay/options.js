// @ts-check
/** Reads the options in the address of an overlay, a page for video streams. Ignores unknown options. */

/**
 * @typedef {"countdowns" | "clocks" | "rolls" | "scenes" | "characters" | "crises" | "checks" | "totals" | "log"} Panel
 *
 * @typedef {object} OverlayOptions
 * @property {readonly Panel[]} show in drawing order
 * @property {"dark" | "light" | "auto"} theme
 * @property {number} scale from 0.5 to 3; 1 is for a width of 1920 pixels
 * @property {string | null} accent a colour as #rrggbb, for filled shapes
 */

/** @type {readonly Panel[]} */
export const PANELS = ["countdowns", "clocks", "rolls", "scenes", "characters", "crises", "checks", "totals", "log"];
/** The default panels. @type {readonly Panel[]} */
const AT_FIRST = ["scenes", "countdowns", "clocks", "rolls", "crises"];
const THEMES = /** @type {const} */ (["dark", "light", "auto"]);
const LEAST_SCALE = 0.5;
const MOST_SCALE = 3;

/**
 * Read the query of an address, such as `?show=rolls,clocks&scale=1.5`.
 * @param {string} query
 * @returns {OverlayOptions}
 */
export function optionsOf(query) {
  const asked = new URLSearchParams(query);
  return {
    show: panels(asked.getAll("show").join(",")),
    theme: THEMES.find((theme) => theme === asked.get("theme")) ?? "dark",
    scale: scaled(asked.get("scale")),
    accent: colour(asked.get("accent") ?? ""),
  };
}

/** Return the panels of a comma-separated list, or the default panels if no name is valid. @param {string} text */
function panels(text) {
  const words = text.split(",").map((word) => word.trim().toLowerCase());
  const names = words.flatMap((word) => PANELS.filter((panel) => panel === word));
  return names.length ? [...new Set(names)] : AT_FIRST;
}

/** Return a scale within its limits, or 1 if the text is no positive number. @param {string | null} text */
function scaled(text) {
  const scale = Number(text ?? 1);
  return scale > 0 ? Math.min(MOST_SCALE, Math.max(LEAST_SCALE, scale)) : 1;
}

/** Return a colour as #rrggbb, or null if the text is no colour. @param {string} text 3 or 6 hex digits, with or without # */
function colour(text) {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text.trim())?.[1];
  if (!digits) return null;
  return `#${digits.length === 3 ? [...digits].map((digit) => digit + digit).join("") : digits}`.toLowerCase();
}
