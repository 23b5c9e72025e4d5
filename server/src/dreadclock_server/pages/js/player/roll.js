// @ts-check
/** Rolling: one button for the server's dice, and a field for dice on the player's own table. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { MAX_ROLL_DICE } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { dieOf } from "../parts/die.js";
import { button, closeDisclosure, disclosure, field, form } from "../app/controls.js";

const FACES = [1, 2, 3, 4, 5, 6];
const MOST_FACES = 3 * MAX_ROLL_DICE; // characters: the dice, and what is typed between them

/**
 * @typedef {object} Rolling
 * @property {string} key of the button; `KEY:faces` is the form for dice of one's own
 * @property {string} label
 * @property {any} command without faces
 * @property {string} describes which thing is rolled
 * @property {string} [kind] of the button
 */

/** Draw what rolls a thing. @param {Table} table @param {Rolling} rolling */
export function roller(table, rolling) {
  const { key, label, command, describes, kind = "main" } = rolling;
  return html`${button(table, { key, label, command, describes, kind: `${kind} big` })} ${ownDice(table, rolling)}`;
}

/** Tell whether players may type in the faces of their own dice. @param {Table} table */
export function mayTypeFaces(table) {
  return table.view.policy.physical_dice === "everyone";
}

/** Draw the field for faces, with a pad to enter them by thumb. @param {Table} table @param {string} [hint] */
export function facesField(table, hint) {
  return html`${padField(table, hint)}
    <div class="pad" role="group" aria-label=${table.t("my.pad")}>
      ${FACES.map((face) => html`<button type="button" class="button" data-face=${face} aria-label=${face} @click=${enter}>${dieOf(face)}</button>`)}
      <button type="button" class="button" data-face="undo" @click=${takeBack}>${table.t("my.undo_face")}</button>
    </div>`;
}

/** Put a face behind those that were entered. @param {Event} event */
function enter({ currentTarget }) {
  const { form, dataset } = /** @type {HTMLButtonElement} */ (currentTarget);
  write(form, (faces) => [...faces, dataset.face ?? ""]);
}

/** Take back the face that was entered last. @param {Event} event */
function takeBack({ currentTarget }) {
  write(/** @type {HTMLButtonElement} */ (currentTarget).form, (faces) => faces.slice(0, -1));
}

/** @param {HTMLFormElement | null} form @param {(faces: string[]) => string[]} change */
function write(form, change) {
  const field = /** @type {HTMLInputElement} */ (form?.elements.namedItem("faces"));
  field.value = change([...field.value.replace(/[\s,]/g, "")]).join(" ");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** @param {Table} table @param {string | undefined} hint */
function padField(table, hint) {
  return field({
    name: "faces",
    label: table.t("my.faces"),
    inputmode: "numeric",
    placeholder: "5 2 4",
    length: MOST_FACES,
    required: hint === undefined,
    hint: hint ?? table.t("my.faces_hint"),
  });
}

/** @param {Table} table @param {Rolling} rolling */
function ownDice(table, { key, command, describes }) {
  if (!mayTypeFaces(table)) return nothing;
  const place = `${key}:own`;
  return disclosure(table, {
    key: place,
    label: table.t("my.own_dice"),
    describes,
    content: () =>
      form(table, {
        key: `${key}:faces`,
        submit: table.t("my.enter_faces"),
        describes,
        inline: true,
        fields: facesField(table),
        command: (values) => /** @type {T.Command} */ ({ ...command, faces: values.faces("faces") }),
        done: () => closeDisclosure(table, place),
      }),
  });
}
