// @ts-check
/** Controls to roll: a button for the server's dice, and a form for the faces of physical dice. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { MAX_ROLL_DICE } from "../../client/limits.js";
import { html, nothing, render } from "../../vendor/lit-html/lit-html.js";
import { drawDie } from "../parts/die.js";
import { button, closeDisclosure, disclosure, field, form } from "../app/controls.js";

const FACES = [1, 2, 3, 4, 5, 6];
const MOST_FACES = 3 * MAX_ROLL_DICE; // in characters: a face and up to two separators for each die

/**
 * @typedef {object} Rolling
 * @property {string} key the key of the button; `KEY:faces` is the form for physical dice
 * @property {string} label
 * @property {any} command the command without faces
 * @property {string} describes the name of the rolled thing
 * @property {string} [kind] of the button
 */

/** Draw the button and the form. @param {Table} table @param {Rolling} rolling */
export function roller(table, rolling) {
  const { key, label, command, describes, kind = "main" } = rolling;
  return html`${button(table, { key, label, command, describes, kind: `${kind} big` })} ${ownDice(table, rolling)}`;
}

/** Tell whether players may type in the faces of physical dice. @param {Table} table */
export function mayTypeFaces(table) {
  return table.view.policy.physical_dice === "everyone";
}

/** Draw the field for faces, with a keypad for entering and correcting them on a phone. @param {Table} table @param {string} [hint] */
export function facesField(table, hint) {
  return html`<div class="faces" @input=${(/** @type {Event} */ { currentTarget }) => showEntered(table, /** @type {Element} */ (currentTarget))}>
    ${padField(table, hint)}
    <div class="entered"></div>
    <div class="pad" role="group" aria-label=${table.t("my.pad")}>
      ${FACES.map((face) => html`<button type="button" class="button" data-face=${face} aria-label=${face} @click=${enter}>${drawDie({ face })}</button>`)}
      <button type="button" class="button" data-face="undo" @click=${remove}>${table.t("my.undo_face")}</button>
    </div>
  </div>`;
}

/**
 * Draw the entered dice as buttons that select a die to change. Below, name typed digits that are on no die.
 * @param {Table} table @param {Element} around the element with class `faces`
 * @param {number} [chosen] the place of the selected die
 */
function showEntered(table, around, chosen = -1) {
  const faces = facesIn(fieldIn(around));
  const row = /** @type {HTMLElement} */ (around.querySelector(".entered"));
  const die = (/** @type {string} */ face, /** @type {number} */ place) => html`<button
    type="button"
    class="button"
    aria-label=${table.t("my.entered.die", { number: place + 1, face })}
    aria-pressed=${String(place === chosen)}
    @click=${() => showEntered(table, around, place === chosen ? -1 : place)}
  >
    ${drawDie({ face: Number(face) })}
  </button>`;
  const drawn = html`<div class="row" role="group" aria-label=${table.t("my.entered")}>${faces.map(die)}</div>
    <p class="hint">${table.t("my.entered.how")}</p>`;
  const wrong = [...fieldIn(around).value].filter((character) => /\d/.test(character) && !FACES.includes(Number(character)));
  const said = wrong.length ? html`<p class="hint" role="status">${table.t("my.entered.none", { digits: wrong.join(", ") })}</p>` : nothing;
  render(html`${faces.length ? drawn : nothing} ${said}`, row);
}

/** Replace the selected face, or add a face at the end. @param {Event} event */
function enter({ currentTarget }) {
  const button = /** @type {HTMLButtonElement} */ (currentTarget);
  write(button, (faces, at) => faces.splice(at ?? faces.length, at === undefined ? 0 : 1, button.dataset.face ?? ""));
}

/** Remove the selected face, or the last face. @param {Event} event */
function remove({ currentTarget }) {
  write(/** @type {HTMLButtonElement} */ (currentTarget), (faces, at) => faces.splice(at ?? -1, 1));
}

/**
 * Change the entered faces.
 * @param {Element} within an element inside the element with class `faces`
 * @param {(faces: string[], chosen?: number) => void} change changes the faces in place; `chosen`: the place of the selected die
 */
function write(within, change) {
  const around = /** @type {Element} */ (within.closest(".faces"));
  const [field, dice] = [fieldIn(around), [...around.querySelectorAll(".entered button")]];
  const chosen = dice.findIndex((die) => die.ariaPressed === "true");
  const faces = facesIn(field);
  change(faces, chosen < 0 ? undefined : chosen);
  field.value = faces.join(" ");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Return the field for faces. @param {Element} around @returns {HTMLInputElement} */
function fieldIn(around) {
  return /** @type {HTMLInputElement} */ (around.querySelector("[name=faces]"));
}

/** Return the digits from 1 to 6 in a field. @param {HTMLInputElement} field */
function facesIn({ value }) {
  return [...value].filter((character) => FACES.includes(Number(character)));
}

/** Draw the field for faces. @param {Table} table @param {string | undefined} hint a sentence below the field; with it, the field is optional */
function padField(table, hint) {
  return field({
    name: "faces",
    label: table.t("my.faces"),
    inputmode: "numeric",
    placeholder: "5 2 …",
    length: MOST_FACES,
    required: hint === undefined,
    hint: hint ?? table.t("my.faces_hint"),
  });
}

/** Draw the form for physical dice, if they are allowed. @param {Table} table @param {Rolling} rolling */
export function ownDice(table, { key, command, describes }) {
  if (!mayTypeFaces(table)) return nothing;
  const place = `${key}:own`;
  const content = () =>
    form(table, {
      key: `${key}:faces`,
      submit: table.t("my.enter_faces"),
      describes,
      inline: true,
      fields: facesField(table),
      command: (values) => /** @type {T.Command} */ ({ ...command, faces: values.faces("faces") }),
      done: () => closeDisclosure(table, place),
    });
  return disclosure(table, { key: place, label: table.t("my.own_dice"), describes, content });
}
