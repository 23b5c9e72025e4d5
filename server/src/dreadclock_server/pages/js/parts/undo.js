// @ts-check
/** Undo: the commands that the viewer may undo now, according to the server, and the controls for it. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table, Told } from "../app/table.js" */

import { undoable } from "../../client/rest.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { button, refusal } from "../app/controls.js";
import { latin } from "../app/keys.js";

const QUIET_MS = 400; // the server is asked after this time without events
const MOST_ASKED = 5; // how often a press asks the server while other events keep coming

/** The undoable commands that a table's page knows. */
class Known {
  /** @type {readonly T.Undoable[]} */ commands = [];
  /** The positions of the room at the last request. */ at = "";
  #waits = /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined);
  #planned = "";
  #did = /** @type {string | undefined} */ (undefined);

  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    addEventListener("keydown", (event) => isUndo(event) && this.press(event));
  }

  get #now() {
    const { room, view } = this.table;
    return JSON.stringify([Object.values(room.positions).map(({ seq }) => seq), view.closed]);
  }

  /** Schedule a request, if something has happened since the last request. */
  refresh() {
    const now = this.#now;
    if (now === this.at || now === this.#planned) return;
    this.#planned = now;
    clearTimeout(this.#waits);
    this.#waits = setTimeout(() => void this.ask(), QUIET_MS);
  }

  /** Ask the server for the undoable commands. If that fails, no undo is offered. */
  async ask() {
    const now = this.#now;
    if (now === this.at) return;
    if (!this.table.room.connected) {
      this.#planned = "";
      return;
    }
    const commands = await undoable(this.table.room.link).catch(() => []);
    if (now !== this.#now) return this.refresh();
    [this.at, this.commands] = [now, commands];
    this.table.ui.set("undoable", now);
    const own = this.#own()?.key;
    if (own !== this.#did) this.table.refuse("undo", ""); // the refusal was about an earlier command
    this.#did = own;
    this.table.redraw();
  }

  /** Return the command of a sentence, if it can be undone. @param {Told} told */
  of({ channel, record: { seq } }) {
    return this.commands.find((command) => command.channel === channel && command.first <= seq && seq <= command.last);
  }

  /** Return the sentence of the viewer's latest command, if the command can be undone. */
  latest() {
    const own = this.#own();
    return own && this.of(own) ? own : undefined;
  }

  /** Return the sentence of the viewer's latest command. */
  #own() {
    const { told, room } = this.table;
    return told.findLast(
      ({ back, record }) => !back && record.event.type !== "command_voided" && (record.acted_for ?? record.by) === room.seat,
    );
  }

  /** Undo the viewer's latest command. First waits for commands under way, whose effect may already be shown. */
  async undo() {
    await this.table.answered();
    for (let asked = 0; asked < MOST_ASKED && this.at !== this.#now; asked++) await this.ask();
    const sentence = this.latest();
    return sentence ? this.table.room.submit(commandFor(/** @type {T.Undoable} */ (this.of(sentence)))) : null;
  }

  /** Undo on the keyboard shortcut. @param {KeyboardEvent} event */
  press(event) {
    if (!mayUndo(this.table)) return;
    event.preventDefault();
    void this.table.attempt("undo", () => this.undo());
  }
}

const undoers = /** @type {WeakMap<Table, Known>} */ (new WeakMap());

/** @param {Table} table */
function knownOf({ story: { table } }) {
  const it = undoers.get(table) ?? new Known(table);
  undoers.set(table, it);
  it.refresh();
  return it;
}

/** Tell whether the viewer may ever undo a command here. @param {Table} table */
function mayUndo({ seat, view, over, ui }) {
  return seat !== undefined && seat.role !== "spectator" && !view.closed && !over && !ui.has("past");
}

/** Tell whether a key press asks for an undo. Not in a text field, where it undoes typing. @param {KeyboardEvent} event */
function isUndo(event) {
  const { ctrlKey, metaKey, shiftKey, altKey, target } = event;
  if (latin(event).toLowerCase() !== "z" || !(ctrlKey || metaKey) || shiftKey || altKey) return false;
  const field = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement ? target : null;
  return !field?.value;
}

/** @param {T.Undoable} command @returns {T.Command} */
function commandFor({ channel, first }) {
  return { type: "void_command", channel, seq: first, reason: "slip" }; // clients do not show this reason
}

/** Return the viewer's latest command with a function that undoes it, if it can be undone. @param {Table} table */
export function lastAct(table) {
  const sentence = mayUndo(table) ? knownOf(table).latest() : undefined;
  return sentence && { text: sentence.text, command: commandFor(/** @type {T.Undoable} */ (knownOf(table).of(sentence))) };
}

/** Draw the button that undoes the viewer's latest command. @param {Table} table @param {string} [label] */
export function undo(table, label = table.t("undo")) {
  const last = lastAct(table);
  if (!last) return refusal(table, "undo");
  return button(table, { key: "undo", label, title: table.t("undo.does"), describes: last.text, work: () => knownOf(table).undo() });
}

/** Return a function that draws the undo button of a sentence. Only the first sentence of an undoable command has a button. @param {Table} table */
export function slips(table) {
  if (!mayUndo(table)) return () => nothing;
  const all = knownOf(table);
  const drawn = new Set();
  return (/** @type {Told} */ sentence) => {
    const command = sentence.back ? undefined : all.of(sentence);
    const key = `void:${sentence.key}`;
    if (!command || drawn.has(command)) return refusal(table, key); // the refusal of a press that came too late
    drawn.add(command);
    const press = { key, label: table.t("undo.this"), describes: sentence.text, command: commandFor(command) };
    return html`<div class="slip" aria-live="off">${button(table, press)}</div>`;
  };
}
