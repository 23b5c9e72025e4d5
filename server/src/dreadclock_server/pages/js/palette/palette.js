// @ts-check
/** The palette: a dialog that finds every action at the table by a typed text. This module also runs the shortcuts. */

/** @import { Table } from "../app/table.js" @import { Entry } from "./entries.js" */

import { html, nothing, render } from "../../vendor/lit-html/lit-html.js";
import { dress, isChosen, shortcutsAreOn } from "../app/settings.js";
import { openMenuAround } from "../actions/actions.js";
import { NEXT, controlOf, entriesIn, entriesInSight, isFinal, keysOfWords, waysTo, waysToWaiting, withAllKeys } from "./entries.js";
import { foldedEntries } from "./folded.js";
import { elementOf, switchLetters, tell } from "./letters.js";
import { fitting, foundBy } from "./matching.js";

const SHOWN = 50; // how many entries are listed at first
const AT_ONCE_MS = 40;
const CHORD_MS = 3_000; // how long to wait for the next key of a shortcut
const FRAMES = 300; // how many frames to wait until an element is drawn

/**
 * @typedef {object} Shown the content of the open palette
 * @property {Table} table
 * @property {Entry[]} entries at first the entries of the visible controls; all entries once they are loaded
 * @property {boolean} whole whether `entries` has all entries
 * @property {string} typed the typed text
 * @property {number} at the number of the chosen entry in the list, from 0
 * @property {number} most how many entries are listed at most
 */

/** null if the palette is closed */ let shown = /** @type {Shown | null} */ (null);
let dressed = /** @type {Promise<unknown> | null} */ (null);
let unfolded = { view: /** @type {Table["view"] | null} */ (null), language: "", undoable: "", entries: /** @type {Entry[]} */ ([]) };
let begun = { keys: "", at: 0 };

/**
 * Open the palette.
 * @param {Table} table @param {() => string} [early] returns the text that was typed before the palette was open, in which
 *   Enter is "\n"
 */
export async function open(table, early = () => "") {
  await prepare(table);
  const [typed, ...entered] = early().split("\n"); // called even if the palette is open, because keys.js collects keys until this call
  if (shown && dialog().open) return;
  if (shown) forget(); // the dialog was just closed, but its `close` event has not come yet
  shown = { table, entries: worded(table, entriesInSight(table)).sort(byKeys(table)), whole: false, typed, at: 0, most: SHOWN };
  draw();
  dialog().showModal();
  const entries = await allEntries(table);
  if (!shown) return;
  update({ entries, whole: true });
  const [meant] = entered.length ? matches() : [];
  if (meant) choose(meant);
}

/** Load the labels and the style of the palette. If they cannot be loaded, the palette still works. @param {Table} table */
async function prepare(table) {
  dressed ??= Promise.all([table.words.learn("palette"), dress("palette")]);
  await dressed.catch(() => (dressed = null));
}

/** Add the synonyms that people may type for entries. @param {Table} table @param {Entry[]} entries */
function worded(table, entries) {
  return entries.map((entry) => {
    const key = keysOfWords(table, entry.id).find((candidate) => table.t(candidate) !== candidate);
    return key ? { ...entry, also: table.t(key) } : entry;
  });
}

/** Return all entries: the entry for the next waiting thing, entries of visible controls and folded parts, and an entry that moves to each thing. @param {Table} table */
async function allEntries(table) {
  const byId = new Map([...entriesIn(table.root), ...entriesInSight(table)].map((entry) => [entry.id, entry]));
  for (const entry of await allFolded(table)) if (!byId.has(entry.id)) byId.set(entry.id, { ...entry });
  return [...wayOn(table), ...worded(table, withAllKeys(table, [...byId.values()])).sort(byKeys(table)), ...waysTo(table.root)];
}

/**
 * Return a function that sorts entries. First come the entries of things that wait for the viewer, then the entries of the
 * thing that was used last, then the others. In each of these groups, frequent actions come first: they have the shortest
 * shortcuts. An action that cannot be undone is always among the others, and ranks as if its shortcut had five more keys.
 * @param {Table} table
 */
function byKeys(table) {
  const waits = new Set(waysToWaiting(table.root).map((way) => way.closest("[data-thing]")?.getAttribute("data-thing")));
  const rank = (/** @type {Entry} */ entry) => {
    const { thing, keys } = entry;
    const near = waits.has(thing) ? 20 : thing && thing === table.ui.get("touched") ? 10 : 0;
    return (keys.length || 9) + (isFinal(table, entry) ? 5 : -near);
  };
  return (/** @type {Entry} */ a, /** @type {Entry} */ b) => rank(a) - rank(b);
}

/** Return the entry that moves to the next waiting thing, or none if nothing waits. @param {Table} table @returns {Entry[]} */
function wayOn(table) {
  return waysToWaiting(table.root).length ? [{ id: NEXT, label: table.t("palette.next"), about: "", thing: "", keys: NEXT, behind: [] }] : [];
}

/** Return the entries of folded parts. They are cached until the view, the language, or what can be undone changes. @param {Table} table */
async function allFolded(table) {
  const { view, words: { language } } = table;
  const undoable = table.ui.get("undoable");
  if (unfolded.view === view && unfolded.language === language && unfolded.undoable === undoable) return unfolded.entries;
  const all = [];
  let since = performance.now();
  for await (const entries of foldedEntries(table)) {
    all.push(...entries);
    if (performance.now() - since < AT_ONCE_MS) continue;
    await new Promise((done) => setTimeout(done)); // lets the browser handle key events
    since = performance.now();
  }
  unfolded = { view, language, undoable, entries: all };
  return all;
}

/**
 * Handle a key of a shortcut. When the shortcut of an entry is complete, run the entry. If the entry's action cannot be undone,
 * only focus its control.
 * @param {Table} table @param {string} key @param {number} now the time when the key was pressed, in ms: a busy page handles the key later
 */
export async function shortcut(table, key, now) {
  if (key === NEXT) return next(table);
  const before = now - begun.at < CHORD_MS ? begun.keys : "";
  if (key === "m" && !before) return openMenu(table);
  const keys = before + key;
  begun = { keys, at: now };
  const inSight = entriesInSight(table);
  const entries = inSight.some((entry) => entry.keys.startsWith(keys)) ? inSight : await allEntries(table);
  if (begun.keys !== keys) return; // the next key has come meanwhile
  const meant = entries.find((entry) => entry.keys === keys);
  if (meant || !entries.some((entry) => entry.keys.startsWith(keys))) begun = { keys: "", at: now };
  if (!meant) return;
  const isDone = await run(table, meant, isFinal(table, meant));
  if (isChosen("shortcuts")) return;
  await prepare(table);
  if (dressed) tell(table, meant, !isDone); // without `dressed`, the labels of the message are missing
}

/** Open the menu of the focused thing, or of the thing that was used last. @param {Table} table */
function openMenu({ root, ui }) {
  const touched = root.querySelector(`[data-thing="${CSS.escape(ui.get("touched") ?? "")}"]`);
  return openMenuAround(document.activeElement) || openMenuAround(touched);
}

/** Focus the control of the next waiting thing, after the waiting thing that has the focus. @param {Table} table */
function next({ root }) {
  const ways = waysToWaiting(root);
  const way = ways[(ways.findIndex((element) => element === document.activeElement) + 1) % ways.length];
  way?.scrollIntoView({ block: "center" });
  way?.focus({ preventScroll: true });
  if (way instanceof HTMLInputElement) way.select();
}

/** @returns {HTMLDialogElement} */
function dialog() {
  return /** @type {HTMLDialogElement} */ (place().querySelector("dialog"));
}

const place = () => elementOf("palette-place");

/** Change the content of the open palette, and draw the palette. @param {Partial<Shown>} changes */
function update(changes) {
  shown &&= { ...shown, ...changes };
  draw();
}

/** Return the entries that match the typed text, the best first. */
function matches() {
  return shown ? fitting(shown.entries, shown.typed, shown.table.t("palette.small")) : [];
}

function draw() {
  if (!shown) return render(nothing, place());
  const { table, typed, at, whole, most } = shown;
  const all = matches();
  const entries = all.slice(0, most);
  render(
    html`<dialog class="palette" data-palette=${whole ? "whole" : "begun"} aria-label=${table.t("palette")} @close=${closed} @click=${closeOutside}>
      <input
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck="false"
        maxlength="100"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant=${entries.length ? `palette-${at}` : nothing}
        aria-label=${table.t("palette.what")}
        placeholder=${table.t("palette.what")}
        .value=${typed}
        @input=${(/** @type {Event} */ { currentTarget }) => update({ typed: /** @type {HTMLInputElement} */ (currentTarget).value, at: 0, most: SHOWN })}
        @keydown=${steer}
      />
      <ul id="palette-list" role="listbox" aria-label=${table.t("palette")}>
        ${entries.map((entry, number) => option(entry, number, number === at))}
      </ul>
      ${entries.length ? more(table, all.length - entries.length) : html`<p class="hint" role="status">${table.t("palette.none")}</p>`}
      <label class="field tick"
        ><input
          type="checkbox"
          .checked=${shortcutsAreOn()}
          @change=${(/** @type {Event} */ { currentTarget }) => switchLetters(/** @type {HTMLInputElement} */ (currentTarget).checked)}
        /><span class="name">${table.t("palette.shortcuts")}</span></label
      >
    </dialog>`,
    place(),
  );
}

/** Draw a button that shows the further entries. Its label has their number. @param {Table} table @param {number} number */
function more(table, number) {
  if (number <= 0) return nothing;
  return html`<button type="button" class="button more" @click=${() => update({ most: Infinity })}>${table.t("palette.more", { number })}</button>`;
}

/** @param {Entry} entry @param {number} number @param {boolean} chosen */
function option(entry, number, chosen) {
  const also = foundBy(entry, shown?.typed ?? "");
  return html`<li id=${`palette-${number}`} data-deed=${entry.id} role="option" aria-selected=${chosen ? "true" : "false"} @click=${() => choose(entry)}>
    <span class="label">${entry.label}</span>
    ${entry.about ? html`<span class="about">${entry.about}</span>` : nothing}
    ${also ? html`<span class="about">(${also})</span>` : nothing}
    ${entry.keys ? html`<span class="keys">${[...entry.keys].map((key) => html`<kbd>${key.toUpperCase()}</kbd>`)}</span>` : nothing}
  </li>`;
}

/** Choose an entry with the arrow keys, and run it with Enter. @param {KeyboardEvent} event */
function steer(event) {
  if (!shown || event.isComposing) return;
  const entries = matches().slice(0, shown.most);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) {
    event.preventDefault();
    update({ at: (shown.at + step + entries.length) % Math.max(1, entries.length) });
    document.getElementById(`palette-${shown.at}`)?.scrollIntoView({ block: "nearest" });
  }
  if (event.key !== "Enter") return;
  event.preventDefault();
  if (entries[shown.at]) choose(entries[shown.at]);
}

/** @param {Entry} entry */
function choose(entry) {
  const { table } = /** @type {Shown} */ (shown);
  dialog().close();
  if (entry.id === NEXT) next(table);
  else void run(table, entry);
}

/** Forget the content of the palette when its dialog was closed. @param {Event} event */
function closed({ currentTarget }) {
  if (/** @type {Element} */ (currentTarget).isConnected) forget();
}

function forget() {
  shown = null;
  draw();
}

/** Close the palette on a press outside of its dialog. @param {Event} event */
function closeOutside(event) {
  if (event.target === event.currentTarget) dialog().close();
}

/**
 * Run an entry: press its button, or open its disclosure and focus the first field, or move to its thing.
 * @param {Table} table @param {Entry} entry @param {boolean} [only] whether to only focus a button, not press it
 * @returns {Promise<unknown>} true if a button did its action; undefined if the entry only moved the focus, or opened a form or a confirmation
 */
async function run(table, { id, behind }, only = false) {
  for (const fold of behind) unfold(await drawn(() => controlOf(table.root, fold)));
  const control = await drawn(() => {
    const meant = controlOf(table.root, id);
    return meant?.closest(".items") && meant.checkVisibility?.() === false ? null : meant; // its menu is not open yet
  });
  if (!control) return;
  for (let fold = closedAround(control); fold; fold = closedAround(control)) fold.open = true;
  control.scrollIntoView({ block: "nearest" });
  if (control.matches("article")) return focus(control);
  if (control.matches("summary")) return enter(control);
  if (only) return control.focus({ preventScroll: true });
  if (!behind.length || control.matches("[type=button]")) return press(control);
  const form = control.closest("form");
  // Focus the form's first field, so that the user sees the form before sending it.
  ((form && firstIn(form, "input, select, textarea")) ?? control).focus({ preventScroll: true });
}

/** Return the innermost closed disclosure around an element. For a summary, its own disclosure does not count: a summary is visible even if its disclosure is closed. @param {Element} element @returns {HTMLDetailsElement | null | undefined} */
function closedAround(element) {
  return (element.matches("summary") ? element.parentElement?.parentElement : element)?.closest("details:not([open])");
}

/** @param {HTMLElement} thing */
function focus(thing) {
  thing.tabIndex = -1;
  thing.focus({ preventScroll: true });
}

/** Open a disclosure, like a press on its summary. @param {HTMLElement | null} summary */
function unfold(summary) {
  if (summary && !(/** @type {HTMLDetailsElement} */ (summary.parentElement).open)) summary.click();
}

/** Open a disclosure, and focus the first control in it. @param {HTMLElement} summary */
async function enter(summary) {
  unfold(summary);
  summary.focus({ preventScroll: true });
  const inside = () => firstIn(/** @type {Element} */ (summary.parentElement), ":scope > :not(summary) :is(input, select, textarea, .button:not(.close))");
  const [from, { at }] = [document.activeElement, begun];
  const first = await drawn(inside);
  const hasMoved = begun.at !== at || ![from, document.body].includes(document.activeElement);
  if (!hasMoved) first?.focus(); // otherwise the user has typed another shortcut meanwhile, or moved the focus
}

/** Return the first visible element that matches the selector. @param {Element} root @param {string} selector @returns {HTMLElement | null} */
function firstIn(root, selector) {
  const all = /** @type {HTMLElement[]} */ ([...root.querySelectorAll(selector)]);
  return all.find((element) => element.checkVisibility?.() !== false) ?? null;
}

/** Press a button. If the button asks for confirmation, focus the button that confirms, so that Enter confirms. @param {HTMLElement} button */
async function press(button) {
  button.focus({ preventScroll: true });
  if (button.ariaExpanded !== "true") button.click(); // a second press would take the question back
  if (!button.dataset.key?.endsWith(":ask")) return true;
  const yes = await drawn(() => button.closest(".sure")?.querySelector(".button.risk") ?? null);
  yes?.focus();
}

/**
 * Wait until `find` returns an element, and return the element, or null if there is none after FRAMES animation frames. @param {() => Element | null} find
 * @returns {Promise<HTMLElement | null>}
 */
async function drawn(find) {
  for (let frame = 0; frame < FRAMES; frame++) {
    const element = find();
    if (element instanceof HTMLElement) return element;
    await new Promise(requestAnimationFrame);
  }
  return null;
}
