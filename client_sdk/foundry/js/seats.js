// @ts-check
/** The window of seats: the link of this user, and for a gm the seats of all users. */

/**
 * @import { Handing, Wanted } from "./handing.js"
 * @import { Table } from "./table.js"
 * @import { View } from "../client/views.js"
 * @import * as T from "../client/dreadclock.types.js"
 */

import { DreadclockError, Refused } from "../client/errors.js";
import { isolated } from "../client/messages.js";
import { ID, keepLink, ownLink, readLink, seats, setWorldTable, worldTable } from "./settings.js";
import { say, text } from "./words.js";

const { ApplicationV2, HandlebarsApplicationMixin } = foundry.applications.api;
const LONGEST_NAME = 64;

export class Seats extends HandlebarsApplicationMixin(ApplicationV2) {
  static DEFAULT_OPTIONS = {
    id: "dreadclock-seats",
    classes: ["dreadclock", "dreadclock-seats"],
    window: { title: "DREADCLOCK.SeatsTitle", icon: "fa-solid fa-chair" },
    position: { width: 460, height: /** @type {const} */ ("auto") },
    actions: { sit: Seats.#sit, leave: Seats.#leave, ask: Seats.#ask, hand: Seats.#hand },
  };
  static PARTS = { main: { template: `modules/${ID}/templates/seats.hbs` } };

  #table;
  #handing;
  #drawn = "";

  /** @param {Table} table @param {Handing} handing */
  constructor(table, handing) {
    super();
    this.#table = table;
    this.#handing = handing;
    table.listen(() => this.#follow());
    Hooks.on("userConnected", () => this.#follow());
  }

  async _prepareContext() {
    const { room, state } = this.#table;
    const address = worldTable();
    return {
      state: room ? text("Seats.Sit", { name: room.view.seats.get(room.seat)?.name ?? room.seat, title: room.view.title }) : text(`State.${state}`, { origin: location.origin }),
      address: address ? text("Seats.Address", { server: address.server }) : "",
      hasLink: ownLink() !== null,
      mayAsk: address !== null && !game.user.isGM,
      rows: room && this.#table.isGm && game.user.isGM ? rows(room.view) : [],
    };
  }

  /** Draw the window again if its content has changed. Otherwise typed values stay. */
  #follow() {
    if (!this.rendered) return;
    void this._prepareContext().then((context) => {
      const now = JSON.stringify(context);
      if (now === this.#drawn || !this.rendered) return;
      this.#drawn = now;
      void this.render();
    });
  }

  /** @this {Seats} */
  static async #sit() {
    const field = this.element.querySelector("input");
    const link = readLink(field?.value ?? "");
    if (!link) return void say.warn(text("Seats.NoLink"));
    const table = worldTable();
    if (table && table.room !== link.room && !game.user.isGM) return void say.warn(text("Seats.OtherTable"));
    if (game.user.isGM) await setWorldTable(link);
    await keepLink(link);
    void this.#table.sit(link);
  }

  /** @this {Seats} */
  static async #leave() {
    await keepLink(null);
    this.#table.leave();
  }

  /** @this {Seats} */
  static async #ask() {
    const answer = await this.#handing.askFor();
    if ("refused" in answer) say.warn(text(`Handing.${answer.refused}`));
  }

  /** @this {Seats} @param {Event} _ @param {HTMLElement} target */
  static async #hand(_, target) {
    const user = game.users.get(target.dataset.user ?? "");
    const choice = /** @type {HTMLSelectElement | null} */ (target.parentElement?.querySelector("select"));
    if (!user || !choice) return;
    /** @type {HTMLButtonElement} */ (target).disabled = true;
    try {
      const answer = await this.#handing.hand(user, wanted(choice.value, user));
      if ("refused" in answer) say.warn(text(`Handing.${answer.refused}`));
      else say.info(text("Handing.Done", { name: user.name }));
    } catch (error) {
      if (!(error instanceof DreadclockError)) throw error;
      say.warn(error instanceof Refused ? say.refusal(error) : error.message);
    }
    void this.render();
  }
}

/** Return the other users, with the seats that a gm may hand to them. @param {View} view */
function rows(view) {
  const others = game.users.filter((user) => user.id !== game.userId);
  return others.map((user) => ({ id: user.id, name: user.name, active: user.active, choices: choices(view, user) }));
}

/**
 * Return the seats that a gm may hand to a user. Selected is the user's own seat, otherwise a seat of the same name,
 * otherwise a new seat.
 * @param {View} view @param {User} user
 */
function choices(view, user) {
  const fit = [...view.seats.values()].filter(({ role }) => role !== "integration" && (role !== "gm" || user.isGM));
  const old = fit.map(({ id, role, name }) => ({ value: `${role}:${id}`, label: seatLabel(id, role, name, user), id, name }));
  const made = ["player", "spectator"].map((role) => ({ value: `${role}:`, label: text(`Seats.New.${role}`), id: "", name: "" }));
  const all = [...old, ...made];
  const likely = all.find(({ id }) => id && id === seats()[user.id]) ?? all.find(({ name }) => name === user.name) ?? made[0];
  return all.map(({ value, label }) => ({ value, label, selected: value === likely.value }));
}

/** Name a seat, and the other user who has it. @param {string} id @param {string} role @param {string} name @param {User} user */
function seatLabel(id, role, name, user) {
  const [owner] = game.users.filter((other) => other.id !== user.id && seats()[other.id] === id);
  return [`${isolated(name)} (${text(`Role.${role}`)})`, owner && text("Seats.Of", { name: owner.name })].filter(Boolean).join(" · ");
}

/** @param {string} choice @param {User} user @returns {Wanted} */
function wanted(choice, user) {
  const [role, seat] = choice.split(":");
  const name = [...user.name].slice(0, LONGEST_NAME).join("");
  return seat ? { role: /** @type {T.Role} */ (role), seat } : { role: /** @type {T.Role} */ (role), name };
}
