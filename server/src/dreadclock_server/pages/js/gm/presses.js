// @ts-check
/** Buttons of the gm that ask for confirmation, take the faces of physical dice, reveal a thing, move a clock or copy. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Press, Values } from "../app/controls.js"
 * @import { Table } from "../app/table.js"
 */

import { button, field, refusal } from "../app/controls.js";
import { canTick, tickOf } from "../app/presses.js";
import { MAX_ROLL_DICE } from "../../client/limits.js";
import { isolated } from "../../client/messages.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { ifDefined } from "../../vendor/lit-html/directives/if-defined.js";
import { formPanel, lazily } from "./panel.js";

const live = lazily(() => import("../forms/live.js"));

/**
 * Draw a button for an action that cannot be undone. A press shows two more buttons: one does the action, the other cancels.
 * @param {Table} table @param {Press & { yes: string }} press `yes`: the label of the button that does the action
 */
export function sure(table, { key, label, yes, describes, command, work }) {
  const name = `sure:${key}`;
  const asked = table.ui.get(name) ?? false;
  const done = async () => {
    await (work ? work() : table.room.submit(/** @type {T.Command} */ (command)));
    table.set(name, false);
  };
  const no = async () => table.set(name, false);
  return html`<span class="sure">
    <button
      type="button"
      class="button plain"
      data-key=${`${key}:ask`}
      aria-expanded=${asked ? "true" : "false"}
      aria-label=${ifDefined(describes ? `${label}: ${describes}` : undefined)}
      @click=${() => table.set(name, !asked)}
    >
      ${label}
    </button>
    ${asked ? button(table, { key, describes, label: yes, kind: "risk", work: done }) : nothing}
    ${asked ? button(table, { key: `${key}:no`, describes, label: table.t("gm.no"), work: no }) : nothing}
  </span>`;
}

/** Draw the form for the faces of physical dice. Draw nothing if the house rules do not allow physical dice. @param {Table} table @param {Press & { command: T.Command }} press */
export function ownDice(table, { key, label, describes = label, command }) {
  if (table.view.policy.physical_dice === "off") return nothing;
  const panel = { key: `${key}:faces`, label: table.t("gm.own_dice"), describes };
  const form = {
    inline: true,
    submit: table.t("gm.enter"),
    command: (/** @type {unknown} */ _, /** @type {Values} */ values) => /** @type {T.Command} */ ({ ...command, faces: values.faces("faces") ?? [] }),
    fields: () => facesField(table, true),
  };
  return formPanel(table, panel, () => live(table, (module) => module.panelForm(table, panel, form)));
}

/** Draw the field for the faces of physical dice. @param {Table} table @param {boolean} required */
export function facesField(table, required) {
  return field({ name: "faces", label: table.t("gm.faces"), required, placeholder: "5 2 4", inputmode: "numeric", length: MAX_ROLL_DICE * 2 });
}

/**
 * Draw the button that shows a hidden thing to everyone. Revealing cannot be undone, so this button is drawn apart from other buttons.
 * @param {Table} table @param {string} kind @param {{ id: string, name?: string }} thing @param {string} [name]
 */
export function revealing(table, kind, { id, name: called = "" }, name = called) {
  const command = /** @type {const} */ ({ type: "reveal", thing_id: id });
  const given = { key: `${kind}:${id}:reveal`, label: table.t("gm.reveal"), title: table.t("gm.reveal.does"), describes: name, command };
  return html`<span class="apart">${button(table, { ...given, kind: "risk" })}</span>`;
}

/**
 * Draw the button that moves a clock on by one. With `back`, the button moves the clock back by one. A press with Shift moves the
 * clock in the other direction. While the button has the focus, the key `+` moves the clock on, and `-` moves the clock back.
 * @param {Table} table @param {T.Clock} clock @param {boolean} [back]
 */
export function ticking(table, clock, back = false) {
  const { id, name } = clock;
  const key = `clock:${id}:${back ? "untick" : "tick"}`;
  const label = table.t(back ? "gm.back" : "gm.tick");
  const move = (/** @type {boolean} */ other) => {
    const { command, adds } = tickOf(clock, other);
    if (canTick(table, clock, other)) void table.add(key, command, adds.sum, adds.by);
  };
  const typed = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "-" && event.key !== "+") return;
    event.preventDefault(); // elsewhere on the page, `+` is a shortcut
    move(event.key === "-");
  };
  const full = !canTick(table, clock, back);
  const waits = table.unsettled(`clock:${id}`) !== 0;
  return html`<span class="control">
    <button
      type="button"
      class="button press"
      data-key=${key}
      data-adds
      aria-busy=${waits ? "true" : "false"}
      aria-label=${`${label}: ${name}`}
      aria-disabled=${full ? "true" : "false"}
      title=${table.t("gm.tick.does")}
      @click=${(/** @type {MouseEvent} */ { shiftKey }) => move(shiftKey !== back)}
      @keydown=${typed}
    >
      ${label}
    </button>
    ${refusal(table, key, waits)}
  </span>`;
}

/** Return a sentence with the names of the countdowns that the end of a turn rolls. The names of hidden countdowns are marked. @param {Table} table @param {readonly T.Countdown[]} due */
export function rollsAlong(table, due) {
  if (!due.length) return table.t("gm.turn.rolls_none");
  const named = due.map(({ name, visibility: seen }) => (seen === "public" ? isolated(name) : `${isolated(name)} (${table.t(`visibility.${seen}`)})`));
  return table.t("gm.turn.rolls", { number: due.length, names: new Intl.ListFormat(table.words.language).format(named) });
}

/** Tell whether a link is the text that the button `KEY:copy` copied last. @param {Table} table @param {string} key @param {string} link */
export const isCopied = (table, key, link) => table.ui.get(`${key}:copied`) === link;

/** Draw the button that copies a link or another text. @param {Table} table @param {string} key @param {string} link @param {string} name */
export function copying(table, key, link, name, kind = "main") {
  const label = table.t(isCopied(table, key, link) ? "gm.copied" : "gm.copy");
  const work = async () => {
    await copy(link);
    table.set(`${key}:copied`, link);
  };
  return button(table, { key: `${key}:copy`, label, describes: name, kind, work });
}

/** Copy a text to the clipboard. Without TLS, browsers give pages no clipboard, so the text is put into a field, selected and copied. @param {string} text */
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = Object.assign(document.createElement("textarea"), { value: text, className: "unseen" });
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  if (!copied) throw new Error("the browser copies nothing");
}
