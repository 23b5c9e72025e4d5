// @ts-check
/** Undo: asks the server which commands the viewer may undo now, and draws the buttons. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table, Sentence } from "../app/table.js" */

import { undoable } from "../../client/rest.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { button, refusal } from "../app/controls.js";
import { latin } from "../app/keys.js";

const QUIET_MS = 400; // the server is asked after this time without events
const MOST_ASKED = 5; // a press asks the server at most 5 times, if new events outdate each answer

/** The cached answer of the server for a table's page. */
class Undoable {
  /** @type {readonly T.Undoable[]} */ commands = [];
  /** The positions (last seqs) of the room at the last answer, as text. */ at = "";
  /** The timer of the next request. */ #waits = /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined);
  /** The positions for which a request is scheduled. */ #planned = "";
  /** The key of the viewer's latest command at the last answer. */ #did = /** @type {string | undefined} */ (undefined);

  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    addEventListener("keydown", (event) => isUndo(event) && this.press(event));
  }

  /** The positions of the room now, and whether the room is closed, as text. */
  get #now() {
    const { room, view } = this.table;
    return JSON.stringify([Object.values(room.positions).map(({ seq }) => seq), view.closed]);
  }

  /** Schedule a request, if anything has happened since the last answer. */
  refresh() {
    const now = this.#now;
    if (now === this.at || now === this.#planned) return;
    this.#planned = now;
    clearTimeout(this.#waits);
    this.#waits = setTimeout(() => void this.ask(), QUIET_MS);
  }

  /** Ask the server for the undoable commands. If this fails, offer no undo. If anything happens meanwhile, ask again later. */
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
    if (own !== this.#did) this.table.refuse("undo", ""); // an earlier refusal was about another command
    this.#did = own;
    this.table.redraw();
  }

  /** Return the command behind a sentence, if the command can be undone. @param {Sentence} sentence */
  of({ channel, record: { seq } }) {
    return this.commands.find((command) => command.channel === channel && command.first <= seq && seq <= command.last);
  }

  /** Return the sentence of the viewer's latest command, if the command can be undone. */
  latest() {
    const own = this.#own();
    return own && this.of(own) ? own : undefined;
  }

  /** Return the latest sentence about the viewer's commands, without undone commands. */
  #own() {
    const { sentences, room } = this.table;
    return sentences.findLast(
      ({ back, record }) => !back && record.event.type !== "command_voided" && (record.acted_for ?? record.by) === room.seat,
    );
  }

  /** Undo the latest own command. First wait for the answers to commands under way: the page may already show what they do. */
  async undo() {
    await this.table.answered();
    for (let asked = 0; asked < MOST_ASKED && this.at !== this.#now; asked++) await this.ask();
    const sentence = this.latest();
    return sentence ? this.table.room.submit(commandFor(/** @type {T.Undoable} */ (this.of(sentence)))) : null;
  }

  /** Undo by keyboard. @param {KeyboardEvent} event */
  press(event) {
    if (!mayUndo(this.table)) return;
    event.preventDefault();
    void this.table.attempt("undo", () => this.undo());
  }
}

const caches = /** @type {WeakMap<Table, Undoable>} */ (new WeakMap());

/** Return the cache of a table, and schedule a request if the cache is outdated. @param {Table} table */
function undoableAt({ story: { table } }) {
  const cached = caches.get(table) ?? new Undoable(table);
  caches.set(table, cached);
  cached.refresh();
  return cached;
}

/** Tell whether the viewer may undo commands. A spectator never may. Nobody may in a closed room, in the past, or after the connection ended. @param {Table} table */
function mayUndo({ seat, view, over, ui }) {
  return seat !== undefined && seat.role !== "spectator" && !view.closed && !over && !ui.has("past");
}

/** Tell whether a key press is Ctrl+Z or Cmd+Z. In a field with text, these keys undo typing instead. @param {KeyboardEvent} event */
function isUndo(event) {
  const { ctrlKey, metaKey, shiftKey, altKey, target } = event;
  if (latin(event).toLowerCase() !== "z" || !(ctrlKey || metaKey) || shiftKey || altKey) return false;
  const field = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement ? target : null;
  return !field?.value;
}

/** Return the command that undoes a command. @param {T.Undoable} command @returns {T.Command} */
function commandFor({ channel, first }) {
  return { type: "void_command", channel, seq: first, reason: "slip" }; // clients do not show this reason
}

/** Return the sentence about the viewer's latest command, and the command that undoes it; undefined if that command cannot be undone. @param {Table} table */
export function lastAct(table) {
  const sentence = mayUndo(table) ? undoableAt(table).latest() : undefined;
  return sentence && { text: sentence.text, command: commandFor(/** @type {T.Undoable} */ (undoableAt(table).of(sentence))) };
}

/** Draw the button that undoes the viewer's latest command. @param {Table} table @param {string} [label] */
export function undo(table, label = table.t("undo")) {
  const last = lastAct(table);
  if (!last) return refusal(table, "undo");
  return button(table, { key: "undo", label, title: table.t("undo.does"), describes: last.text, work: () => undoableAt(table).undo() });
}

/** Return a function that draws the undo button of a sentence. Only the first sentence of an undoable command has a button. @param {Table} table */
export function slips(table) {
  if (!mayUndo(table)) return () => nothing;
  const all = undoableAt(table);
  const drawn = new Set();
  return (/** @type {Sentence} */ sentence) => {
    const command = sentence.back ? undefined : all.of(sentence);
    const key = `void:${sentence.key}`;
    if (!command || drawn.has(command)) return refusal(table, key); // the refusal of a press that came too late
    drawn.add(command);
    const press = { key, label: table.t("undo.this"), describes: sentence.text, command: commandFor(command) };
    return html`<div class="slip" aria-live="off">${button(table, press)}</div>`;
  };
}
