// @ts-check
/** The menu of the visitor's settings: language, theme and sound. */

/** @import { Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { LANGUAGES, SOUNDS, THEMES, applyTheme, keep, language, sound, theme } from "../app/settings.js";

/** Draw the menu. @param {Table} table @param {unknown} [more] further content */
export function pickers(table, more = nothing) {
  return html`<details class="menu" data-place="settings" @focusout=${closeBehind} @keydown=${closeOnEscape}>
    <summary class="button" aria-label=${table.t("settings")} title=${table.t("settings")}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M4 7h9m5 0h2M4 17h2m5 0h9" />
        <circle cx="15.5" cy="7" r="2.5" />
        <circle cx="8.5" cy="17" r="2.5" />
      </svg>
    </summary>
    <div class="choices" tabindex="-1">${more} ${choices(table)}</div>
  </details>`;
}

/** @type {Record<string, string>} */
const LANGUAGE_NAMES = { en: "English", de: "Deutsch" };

/** Draw the fields for language and theme, and for sound if there is a room. @param {Table} table */
export function choices(table) {
  const dress = (/** @type {string} */ chosen) => {
    keep("theme", chosen);
    applyTheme(chosen);
    table.redraw();
  };
  return html`${picker(table, "language", LANGUAGES, language(), speak, (option) => LANGUAGE_NAMES[option])}
  ${picker(table, "theme", THEMES, theme(), dress)} ${table.room ? picker(table, "sound", SOUNDS, sound(), (chosen) => keep("sound", chosen)) : nothing}`;
}

/** Close the menu when the focus leaves it. @param {FocusEvent} event */
function closeBehind({ currentTarget, relatedTarget }) {
  const menu = /** @type {HTMLDetailsElement} */ (currentTarget);
  if (!menu.contains(/** @type {Node | null} */ (relatedTarget))) menu.open = false;
}

/** Close the menu on Escape. @param {KeyboardEvent} event */
function closeOnEscape({ key, currentTarget }) {
  const menu = /** @type {HTMLDetailsElement} */ (currentTarget);
  if (key !== "Escape" || !menu.open) return;
  menu.open = false;
  menu.querySelector("summary")?.focus();
}

/** Load the page in another language. @param {string} chosen */
function speak(chosen) {
  keep("language", chosen);
  const address = new URL(location.href);
  address.searchParams.delete("lang");
  location.replace(address);
  if (address.href === location.href) location.reload();
}

/**
 * Draw a field for a setting. Its label is `NAME`, and an option's label is `NAME.OPTION`.
 * @param {Table} table @param {string} name @param {readonly string[]} options @param {string} chosen
 * @param {(option: string) => void} choose @param {(option: string) => string} [words]
 */
function picker(table, name, options, chosen, choose, words = (option) => table.t(`${name}.${option}`)) {
  return html`<label class="picker"
    ><span class="name">${table.t(name)}</span>
    <select
      name=${name}
      @change=${(/** @type {Event} */ event) => choose(/** @type {HTMLSelectElement} */ (event.currentTarget).value)}
    >
      ${options.map((option) => html`<option value=${option} ?selected=${option === chosen}>${words(option)}</option>`)}
    </select></label
  >`;
}
