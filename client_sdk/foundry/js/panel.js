// @ts-check
/** The panel: a window with dials, clocks and countdowns, and buttons for what this seat may do. */

/**
 * @import * as T from "../client/dreadclock.types.js"
 * @import { Output } from "../client/outcomes.js"
 * @import { Table } from "./table.js"
 */

import { keyOf, messageOf } from "./chat.js";
import { facesOf } from "./rolls.js";
import { ID, ownLink, place, setPlace, showsRolls } from "./settings.js";
import { shown } from "./shown.js";
import { text } from "./words.js";

const WIDTH = 340; // pixels
const HEAD = 100; // pixels of the panel's height that stay in the window
const THROWN_WITHIN_MS = 6_000; // how long to wait for Dice So Nice, from the record on
const { ApplicationV2, HandlebarsApplicationMixin } = foundry.applications.api;

/** @typedef {(this: Panel, event: Event, target: HTMLElement) => unknown} Action */

export class Panel extends HandlebarsApplicationMixin(ApplicationV2) {
  static DEFAULT_OPTIONS = {
    id: "dreadclock-panel",
    classes: ["dreadclock", "dreadclock-panel"],
    window: { title: "DREADCLOCK.Title", icon: "fa-solid fa-clock", resizable: true },
    position: { width: WIDTH, height: /** @type {const} */ ("auto") },
    actions: {
      roll: Panel.#sends((id) => ({ type: "roll_countdown", countdown_id: id })),
      rollCheck: Panel.#sends((id, who) => ({ type: "roll_check", check_id: id, character_id: who })),
      rollTotal: Panel.#sends((id) => ({ type: "roll_total", total_id: id })),
      tick: Panel.#sends((id) => ({ type: "tick_clock", clock_id: id })),
      back: Panel.#sends((id) => ({ type: "tick_clock", clock_id: id, back: true })),
      endTurn: Panel.#endTurn,
      table: Panel.#openTable,
      seats: Panel.#openSeats,
      heed: Panel.#heed,
      scene: Panel.#showScene,
    },
  };
  static PARTS = { main: { template: `modules/${ID}/templates/panel.hbs`, scrollable: [".dreadclock-things"] } };

  #table;
  #open;
  /** @type {Set<string>} the buttons that wait for an answer */
  #busy = new Set();
  #heeded = 0;
  #drawing = false;
  #thrown = 0; // rolls whose dice are in the air
  #scene = ""; // whose dial was chosen

  /** @param {Table} table @param {{ table: () => unknown, seats: () => unknown }} open other windows */
  constructor(table, open) {
    const { left, top, width } = place();
    super({ position: { ...(width && { width }), ...(left !== undefined && inside({ left, top, width })) } });
    this.#table = table;
    this.#open = open;
    table.listen((outputs) => this.#hear(outputs));
    addEventListener("resize", () => this.rendered && this.setPosition(inside(this.position)));
  }

  /** Draw the panel again. With Dice So Nice, wait until the dice of public rolls have landed. @param {readonly Output[]} outputs */
  async #hear(outputs) {
    const { room } = this.#table;
    const rolls = outputs.flatMap((output) => (output.type === "happened" && !output.late ? [output.record] : []));
    const seen = rolls.filter(({ channel, event }) => channel === "public" && facesOf(event).length);
    if (room && game.dice3d && showsRolls() && seen.length) {
      this.#thrown += 1;
      await Promise.all(seen.map((record) => landed(keyOf(room, record))));
      this.#thrown -= 1;
    }
    this.redraw();
  }

  /** Draw the open panel in the next animation frame. While dice are in the air, wait until they have landed. */
  redraw() {
    if (!this.rendered || this.#drawing || this.#thrown) return;
    this.#drawing = true;
    requestAnimationFrame(() => {
      this.#drawing = false;
      if (this.rendered && !this.#thrown) void this.render();
    });
  }

  async _prepareContext() {
    const { room, state } = this.#table;
    if (!room) return { notice: text(`State.${state}`, { origin: location.origin }), hasLink: ownLink() !== null };
    const alarm = room.alarms.slice(this.#heeded).at(-1);
    const isShared = (room.here[room.seat] ?? 0) > 1; // then another browser in this seat is likely to have rolled
    return {
      ...shown(room.view, room, this.#scene),
      room: true,
      notice: room.connected ? "" : text("State.away"),
      alarm: room.forked?.sentence ?? alarm?.sentence ?? "",
      isLikely: !room.forked && isShared && alarm?.flaw === "not_sent",
      isForked: room.forked !== null,
    };
  }

  /** @param {object} context @param {object} options */
  async _onRender(context, options) {
    await super._onRender(context, options);
    for (const button of this.element.querySelectorAll("button")) {
      button.disabled = this.#busy.has(button.name) || (!this.#table.room?.connected && button.dataset.sends !== undefined);
    }
  }

  /** @param {object} position */
  _onPosition(position) {
    super._onPosition(position);
    const { left, top, width } = this.position;
    if (this.rendered) void setPlace({ left, top, width });
  }

  /** @param {object} context @param {object} options */
  async _onFirstRender(context, options) {
    await super._onFirstRender(context, options);
    void setPlace({ open: true });
  }

  /** @param {object} options */
  _onClose(options) {
    super._onClose(options);
    void setPlace({ open: false });
  }

  /** Send a command. Ignore further presses of the button until the answer. @param {HTMLElement} target @param {T.Command} command */
  async #send(target, command) {
    const { name } = /** @type {HTMLButtonElement} */ (target);
    if (this.#busy.has(name)) return;
    this.#busy.add(name);
    this.redraw();
    try {
      await this.#table.do(command);
    } finally {
      this.#busy.delete(name);
      this.redraw();
    }
  }

  /**
   * Return an action that sends a command.
   * @param {(id: string, who: string | undefined) => T.Command} command makes the command from the button's thing and character
   * @returns {Action}
   */
  static #sends(command) {
    return function (_, target) {
      return this.#send(target, command(idOf(target), target.dataset.who));
    };
  }

  /** @type {Action} */
  static #endTurn(_, target) {
    return this.#send(target, { type: "end_turn", turn: this.#table.room?.view.turn });
  }

  /** @this {Panel} @param {Event} _ @param {HTMLElement} target */
  static #showScene(_, target) {
    this.#scene = idOf(target);
    this.redraw();
  }

  /** @type {Action} */
  static #openTable() {
    return this.#open.table();
  }

  /** @type {Action} */
  static #openSeats() {
    return this.#open.seats();
  }

  /** @this {Panel} */
  static #heed() {
    this.#heeded = this.#table.room?.alarms.length ?? 0;
    this.redraw();
  }
}

/** Wait until the dice of a message lie still. @param {string} key */
async function landed(key) {
  const end = performance.now() + THROWN_WITHIN_MS;
  const message = await messageOf(key, THROWN_WITHIN_MS);
  const late = new Promise((resolve) => setTimeout(resolve, end - performance.now()));
  if (message) await Promise.race([game.dice3d?.waitFor3DAnimationByMessageID?.(message.id), late]);
}

/**
 * Return the nearest place at which the head of the panel is in the browser's window.
 * @param {{ left?: number, top?: number, width?: number }} place
 */
function inside({ left = 0, top = 0, width = WIDTH }) {
  const within = (/** @type {number} */ at, /** @type {number} */ most) => Math.max(0, Math.min(at, most));
  return { left: within(left, innerWidth - width), top: within(top, innerHeight - HEAD) };
}

/** @param {HTMLElement} target */
const idOf = (target) => target.dataset.id ?? "";
