// @ts-check
/** The choice of language, theme and sound, on every page that people read. */

/** @import { Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { LANGUAGES, SOUNDS, THEMES, applyTheme, keep, language, sound, theme } from "../app/settings.js";

/** Draw the choices of language and theme; at a table that of sound, too. @param {Table} table */
export function pickers(table) {
  return html`<div class="choices">${languageChoice(table)} ${themeChoice(table)} ${table.room ? soundChoice(table) : nothing}</div>`;
}

/** @param {Table} table */
function languageChoice(table) {
  return picker(table.t("language"), "language", LANGUAGES, language(), (each) => LANGUAGE_NAMES[each], (chosen) => {
    keep("language", chosen);
    const address = new URL(location.href);
    address.searchParams.delete("lang");
    location.replace(address);
    if (address.href === location.href) location.reload();
  });
}

/** @type {Record<string, string>} */
const LANGUAGE_NAMES = { en: "English", de: "Deutsch" };

/** @param {Table} table */
function themeChoice(table) {
  return picker(table.t("theme"), "theme", THEMES, theme(), (each) => table.t(`theme.${each}`), (chosen) => {
    keep("theme", chosen);
    applyTheme(chosen);
    table.redraw();
  });
}

/** @param {Table} table */
function soundChoice(table) {
  return picker(table.t("sound"), "sound", SOUNDS, sound(), (each) => table.t(`sound.${each}`), (chosen) => keep("sound", chosen));
}

/**
 * @param {string} label @param {string} name @param {readonly string[]} options @param {string} chosen
 * @param {(option: string) => string} words @param {(option: string) => void} choose
 */
function picker(label, name, options, chosen, words, choose) {
  return html`<label class="picker"
    ><span class="unseen">${label}</span>
    <select
      name=${name}
      @change=${(/** @type {Event} */ event) => choose(/** @type {HTMLSelectElement} */ (event.currentTarget).value)}
    >
      ${options.map((each) => html`<option value=${each} ?selected=${each === chosen}>${words(each)}</option>`)}
    </select></label
  >`;
}
