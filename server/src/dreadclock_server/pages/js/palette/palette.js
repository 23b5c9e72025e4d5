// @ts-check
/** The palette: whatever can be done at the table, by typing; and the shortcuts that it shows. */

/** @import { Table } from "../app/table.js" @import { Deed } from "./deeds.js" */

import { html, nothing, render } from "../../vendor/lit-html/lit-html.js";
import { dress, keep, shortcutsAreOn } from "../app/settings.js";
import { deedsOn, thingsOn } from "./deeds.js";
import { fitting } from "./matching.js";

const SHOWN = 40;
const CHORD_MS = 2_000; // in which the second key of a shortcut is awaited
const FRAMES = 300; // that a form may take to be loaded

/** What the palette shows. @type {{ table: Table, deeds: Deed[], typed: string, at: number } | null} */
let shown = null;
let dressed = /** @type {Promise<unknown> | null} */ (null);
let begun = { keys: "", at: 0 };

/** Open the palette. @param {Table} table */
export async function open(table) {
  dressed ??= Promise.all([table.words.learn("palette"), dress("palette")]);
  await dressed.catch(() => (dressed = null));
  if (shown) return;
  shown = { table, deeds: [...deedsOn(table.root), ...thingsOn(table.root)], typed: "", at: 0 };
  draw();
  dialog().showModal();
}

/**
 * Take in a key of a shortcut, and do what it stands for as soon as that is clear.
 * @param {Table} table @param {string} key
 */
export function shortcut(table, key) {
  const now = performance.now();
  const keys = (now - begun.at < CHORD_MS ? begun.keys : "") + key;
  const deeds = deedsOn(table.root);
  const meant = deeds.find((deed) => deed.keys === keys);
  const goesOn = deeds.some((deed) => deed.keys.startsWith(keys));
  begun = { keys: meant || !goesOn ? "" : keys, at: now };
  if (meant) void run(meant);
}

/** @returns {HTMLDialogElement} */
function dialog() {
  return /** @type {HTMLDialogElement} */ (place().querySelector("dialog"));
}

function place() {
  const known = document.getElementById("palette-place");
  if (known) return known;
  const made = Object.assign(document.createElement("div"), { id: "palette-place" });
  document.body.append(made);
  return made;
}

function found() {
  return shown ? fitting(shown.deeds, shown.typed).slice(0, SHOWN) : [];
}

function draw() {
  if (!shown) return render(nothing, place());
  const { table, typed, at } = shown;
  const deeds = found();
  render(
    html`<dialog class="palette" aria-label=${table.t("palette")} @close=${closed} @click=${outside}>
      <input
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck="false"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant=${deeds.length ? `palette-${at}` : nothing}
        aria-label=${table.t("palette.what")}
        placeholder=${table.t("palette.what")}
        .value=${typed}
        @input=${(/** @type {Event} */ { currentTarget }) => change(/** @type {HTMLInputElement} */ (currentTarget).value)}
        @keydown=${steer}
      />
      <ul id="palette-list" role="listbox" aria-label=${table.t("palette")}>
        ${deeds.map((deed, number) => option(deed, number, number === at))}
      </ul>
      ${deeds.length ? nothing : html`<p class="hint" role="status">${table.t("palette.none")}</p>`}
      <label class="field tick"
        ><input
          type="checkbox"
          .checked=${shortcutsAreOn()}
          @change=${(/** @type {Event} */ { currentTarget }) => keep("shortcuts", /** @type {HTMLInputElement} */ (currentTarget).checked ? "on" : "off")}
        /><span class="name">${table.t("palette.shortcuts")}</span></label
      >
    </dialog>`,
    place(),
  );
}

/** @param {Deed} deed @param {number} number @param {boolean} chosen */
function option(deed, number, chosen) {
  return html`<li id=${`palette-${number}`} role="option" aria-selected=${chosen ? "true" : "false"} @click=${() => choose(deed)}>
    <span class="label">${deed.label}</span>
    ${deed.about ? html`<span class="about">${deed.about}</span>` : nothing}
    ${deed.keys ? html`<span class="keys">${[...deed.keys].map((key) => html`<kbd>${key.toUpperCase()}</kbd>`)}</span>` : nothing}
  </li>`;
}

/** @param {string} typed */
function change(typed) {
  if (!shown) return;
  shown = { ...shown, typed, at: 0 };
  draw();
}

/** Move with the arrows, do with Enter. @param {KeyboardEvent} event */
function steer(event) {
  if (!shown || event.isComposing) return;
  const deeds = found();
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) {
    event.preventDefault();
    shown = { ...shown, at: (shown.at + step + deeds.length) % Math.max(1, deeds.length) };
    draw();
    document.getElementById(`palette-${shown.at}`)?.scrollIntoView({ block: "nearest" });
  }
  if (event.key !== "Enter") return;
  event.preventDefault();
  if (deeds[shown.at]) choose(deeds[shown.at]);
}

/** @param {Deed} deed */
function choose(deed) {
  dialog().close();
  void run(deed);
}

function closed() {
  shown = null;
  draw();
}

/** Close the palette by a press beside it. @param {Event} event */
function outside(event) {
  if (event.target === event.currentTarget) dialog().close();
}

/** Do it: press a button, open what is folded away and go to its first field, or go to a thing. @param {Deed} deed */
async function run({ element }) {
  if (!element.isConnected) return;
  element.scrollIntoView({ block: "nearest" });
  if (element.matches("button")) return press(element);
  if (!element.matches("summary")) {
    element.tabIndex = -1;
    return element.focus({ preventScroll: true });
  }
  const details = /** @type {HTMLDetailsElement} */ (element.parentElement);
  details.open = true;
  element.focus({ preventScroll: true });
  const first = await drawn(() => details.querySelector(":scope > .inside :is(input, select, textarea, button)"));
  first?.focus();
}

/** Press a button; where it asks once more, the answer is the next key. @param {HTMLElement} button */
async function press(button) {
  button.focus({ preventScroll: true });
  button.click();
  if (!button.dataset.key?.endsWith(":ask")) return;
  const yes = await drawn(() => button.parentElement?.querySelector(".button.risk") ?? null);
  yes?.focus();
}

/**
 * Return what is drawn soon. @param {() => Element | null} find
 * @returns {Promise<HTMLElement | null>}
 */
async function drawn(find) {
  for (let frame = 0; frame < FRAMES; frame++) {
    await new Promise(requestAnimationFrame);
    const element = find();
    if (element instanceof HTMLElement) return element;
  }
  return null;
}
