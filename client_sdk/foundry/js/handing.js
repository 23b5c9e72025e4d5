// @ts-check
/**
 * Handing seats to users. A gm's client sends a token to the user whose seat it opens, and to nobody else.
 *
 * In Foundry 13, a query does not say who sends it, so any user could send a token to another user: there, the receiver is
 * always asked first. From Foundry 14 on, the sender is known and checked. An answer to a query never contains a token. The
 * receiver's client combines the token with the address of the world's table, so that nobody can send a link to another
 * server.
 */

/**
 * @import { Table } from "./table.js"
 * @import * as T from "../client/dreadclock.types.js"
 *
 * @typedef {"not_gm" | "no_user" | "not_yours" | "not_assigned" | "too_often" | "not_taken" | "no_table"} Why
 * @typedef {{ done: true } | { refused: Why }} Answer
 * @typedef {{ user?: User }} By the sender of a query, from Foundry 14 on
 * @typedef {{ role: T.Role, seat?: string, name?: string }} Wanted a seat that exists, or a new one of this name
 */

import { invite, revoke } from "../client/rest.js";
import { Refused } from "../client/errors.js";
import { present, presenceOf } from "./presence.js";
import { ID, keepLink, ownLink, seats, setSeat, worldTable } from "./settings.js";
import { say, text } from "./words.js";

const TAKES_WITHIN_MS = 60_000; // a user may have to say yes
const ANSWERS_WITHIN_MS = 10_000;
const AGAIN_AFTER_MS = 10_000; // for one user
const TOKEN = /^[A-Za-z0-9_-]{16,80}$/;

/** @param {Why} why @returns {Answer} */
const refused = (why) => ({ refused: why });

export class Handing {
  #table;
  /** @type {Map<string, number>} when a user was last handed a seat that was asked for */
  #handed = new Map();
  #askedAt = -Infinity;

  /** @param {Table} table */
  constructor(table) {
    this.#table = table;
    CONFIG.queries[`${ID}.seat`] = (data, by) => this.#take(data, by);
    CONFIG.queries[`${ID}.ask`] = (data, by) => this.#beAsked(data, by);
  }

  /**
   * Hand a seat to a user, and store whose seat it is. If the user does not take it, revoke its token.
   * @param {User} user @param {Wanted} wanted @returns {Promise<Answer>}
   */
  async hand(user, { role, seat, name }) {
    const { link, isGm } = this.#table;
    if (!link || !isGm || !game.user.isGM) return refused("not_gm");
    const grant = await invite(link, { role, seat_id: seat, name });
    const taken = await ask(user, `${ID}.seat`, { token: grant.token }, TAKES_WITHIN_MS);
    if (!taken?.done) {
      await revoke(link, grant.token_id);
      return refused("not_taken");
    }
    await setSeat(user.id, grant.seat_id);
    return { done: true };
  }

  /** Ask the gm for the seat that was handed to this user before. @returns {Promise<Answer>} */
  async askFor() {
    const table = worldTable();
    if (!table) return refused("no_table");
    const gm = present(table.room).find((user) => user.isGM && presenceOf(user)?.role === "gm");
    if (!gm) return refused("not_gm");
    this.#askedAt = Date.now();
    return (await ask(gm, `${ID}.ask`, { user: game.userId }, ANSWERS_WITHIN_MS)) ?? refused("not_gm");
  }

  /** Take a seat that a gm hands to this user. @param {any} data @param {By} by @returns {Promise<Answer>} */
  async #take(data, { user: by } = {}) {
    const table = worldTable();
    if (by && !by.isGM) return refused("not_gm");
    if (!table || typeof data?.token !== "string" || !TOKEN.test(data.token)) return refused("no_table");
    const wasAsked = Date.now() - this.#askedAt < TAKES_WITHIN_MS;
    const isFree = by && (wasAsked || !ownLink()); // a gm sends it, and this user has asked for it or has no seat
    if (!isFree && !(await consents(ownLink() ? "Consent" : "ConsentFirst"))) return refused("not_taken");
    this.#askedAt = -Infinity;
    const link = { ...table, token: data.token };
    await keepLink(link);
    void this.#table.sit(link);
    return { done: true };
  }

  /** Answer a user who asks for a seat: hand over the seat that is stored for this user. @param {any} data @param {By} by @returns {Answer} */
  #beAsked(data, { user: by } = {}) {
    if (!this.#table.isGm || !game.user.isGM) return refused("not_gm");
    const user = game.users.get(data?.user);
    if (!user) return refused("no_user");
    if (by && by.id !== user.id) return refused("not_yours");
    const seat = seats()[user.id];
    if (data.seat !== undefined && data.seat !== seat) return refused("not_yours");
    const role = this.#table.room?.view.seats.get(seat ?? "")?.role;
    if (seat === undefined || role === undefined || (role === "gm" && !user.isGM)) {
      say.info(text("Handing.Asks", { name: user.name }));
      return refused("not_assigned");
    }
    const now = Date.now();
    if (now - (this.#handed.get(user.id) ?? -Infinity) < AGAIN_AFTER_MS) return refused("too_often");
    this.#handed.set(user.id, now);
    this.hand(user, { role, seat }).catch((error) => say.warn(error instanceof Refused ? say.refusal(error) : String(error.message)));
    return { done: true };
  }
}

/**
 * Ask another client; null if it does not answer.
 * @param {User} user @param {string} name @param {object} data @param {number} timeout @returns {Promise<any>}
 */
async function ask(user, name, data, timeout) {
  try {
    return await user.query(name, data, { timeout });
  } catch {
    return null;
  }
}

/** Ask this user whether to sit down in a seat, and leave the one that they have. @param {"Consent" | "ConsentFirst"} question */
function consents(question) {
  return foundry.applications.api.DialogV2.confirm({
    window: { title: "DREADCLOCK.Title" },
    content: `<p>${game.i18n.localize(`DREADCLOCK.Handing.${question}`)}</p>`,
    rejectClose: false,
  });
}
