// @ts-check
/** The popover of the extension: the table for the visitor's seat, or the way to one. */

/** @import { Values } from "../js/app/controls.js" @import { Seat } from "./seats.js" */

import { Knocker, knock } from "../client/knocking.js";
import { ConnectionEnded, Refused } from "../client/errors.js";
import { parseLink } from "../client/links.js";
import { openRoom } from "../client/rest.js";
import { button, choice, disclosure, field, form } from "../js/app/controls.js";
import { openTable } from "../js/app/opening.js";
import { applyTheme } from "../js/app/settings.js";
import { Table } from "../js/app/table.js";
import { loadWords } from "../js/app/words.js";
import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import OBR from "../vendor/owlbear-sdk/owlbear-sdk.js";
import { Kept, naming, roomIn } from "./seats.js";

const WANTED = /** @type {const} */ (["player", "spectator"]);
const LONGEST_LINK = 600;
const KEY_ASKED = "key:asked";

const server = new URL("..", location.href).href;
const root = /** @type {HTMLElement} */ (document.getElementById("root"));
const words = await loadWords("table", "home", "owlbear");

/** Draw what the address is for, to somebody who opened it by itself. @param {Table} table */
function elsewhere(table) {
  const address = new URL("manifest.json", location.href).href;
  return html`<main class="notice">
    <h1>Dreadclock</h1>
    <p>${table.t("owlbear.add")}</p>
    <p><code>${address}</code></p>
  </main>`;
}

/** Show the table, or the way to a seat. */
async function begin() {
  OBR.theme.getTheme().then(dress, console.warn);
  OBR.theme.onChange(dress);
  const lobby = new Lobby(new Kept(OBR.room.id), roomIn(await OBR.room.getMetadata()), await OBR.player.getRole());
  OBR.room.onMetadataChange((metadata) => lobby.hear(roomIn(metadata)));
  lobby.name = await OBR.player.getName();
  lobby.enter();
}

/** @param {{ mode: "DARK" | "LIGHT" }} theme */
function dress({ mode }) {
  applyTheme(mode.toLowerCase());
}

/** The way to a seat: a seat that is kept, a link, a knock, or a room of one's own. */
class Lobby {
  name = "";
  /** @type {Knocker | null} */ #knocker = null;
  #seated = false;
  /** @type {Table} */ #table = new Table(emptied(), words, () => this.#draw());

  /** @param {Kept} kept @param {string | null} room that the host names @param {"GM" | "PLAYER"} role at the host */
  constructor(kept, room, role) {
    this.kept = kept;
    this.room = room;
    this.role = role;
  }

  /** Take in which room the host names now. @param {string | null} room */
  hear(room) {
    this.room = room;
    if (!this.#seated) this.#table.redraw();
  }

  /** Go to the seat that is kept, or go on waiting for one, or offer the ways to one. */
  enter() {
    const { seat, knock } = this.kept;
    if (seat) return this.#sit(seat);
    if (knock && knock.until > Date.now()) return void this.#wait(new Knocker(knock));
    return this.#table.redraw();
  }

  /** @param {Seat} seat */
  #sit({ room, token }) {
    this.#seated = true;
    const unauthorised = () => {
      this.kept.seat = null;
    };
    void openTable(emptied(), { server, room, token }, { unauthorised });
    render(this.#leaving(), root.appendChild(document.createElement("footer")));
  }

  /** Keep a seat, tell the others which room this is, and go there. @param {Seat} seat @param {boolean} [isGms] */
  async #keep(seat, isGms = false) {
    this.kept.seat = seat;
    this.kept.knock = null;
    if (isGms) await OBR.room.setMetadata(naming(seat.room));
    this.#sit(seat);
  }

  /** @returns {unknown} */
  #draw() {
    const { room, role } = this;
    const { t } = words;
    if (this.#knocker) return this.#waiting(this.#knocker);
    return html`<main class="home lobby">
      <h1>Dreadclock</h1>
      ${room ? this.#knocking(room) : html`<p>${t(role === "GM" ? "owlbear.gm" : "owlbear.not_yet")}</p>`}
      ${room || role !== "GM" ? nothing : html`<section class="card" data-place="open">${this.#opening()}</section>`}
      ${room && role === "GM"
        ? disclosure(this.#table, { key: "open", label: t("owlbear.another"), content: () => this.#opening() })
        : nothing}
      ${disclosure(this.#table, { key: "go", label: t("owlbear.have_link"), content: () => this.#going() })}
    </main>`;
  }

  // A knock

  /** @param {string} room */
  #knocking(room) {
    const { t } = words;
    const wants = WANTED.map((each) => /** @type {const} */ ([each, t(`owlbear.wants.${each}`)]));
    const work = async (/** @type {Values} */ values) => {
      const name = values.text("name") ?? "";
      const knocker = await knock(server, room, { name, wants: values.choice("wants"), client: "Owlbear Rodeo" });
      this.kept.knock = knocker.kept;
      void this.#wait(knocker);
    };
    return html`<section class="card" data-place="knock">
      <p>${t("owlbear.knock")}</p>
      ${form(this.#table, {
        key: "knock",
        submit: t("owlbear.knock_send"),
        keep: true,
        fields: html`${field({ name: "name", label: t("owlbear.name"), value: this.name, required: true })}
        ${choice({ name: "wants", label: t("owlbear.wants"), options: wants })}`,
        work,
      })}
    </section>`;
  }

  /** @param {Knocker} knocker */
  async #wait(knocker) {
    this.#knocker = knocker;
    this.#table.redraw();
    try {
      const { link } = await knocker.seated();
      const { room, token } = parseLink(link);
      await this.#keep({ room, token });
      await knocker.withdraw().catch(console.warn); // it expires all the same
    } catch (error) {
      this.kept.knock = null;
      this.#over(error);
    }
  }

  /** Say what became of a knock, and offer the ways anew. @param {unknown} error */
  #over(error) {
    if (!this.#knocker) return; // it was given up
    this.#knocker = null;
    const refused = error instanceof Refused;
    this.#table.refuse("knock", refused ? words.narrator.refusal(error.code, error.details, error.message) : words.t("over.unreachable"));
  }

  /** @param {Knocker} knocker @returns {unknown} */
  #waiting(knocker) {
    const { t } = words;
    const work = async () => {
      this.#knocker = null;
      this.kept.knock = null;
      await knocker.withdraw().catch(console.warn);
    };
    return html`<main class="notice" data-place="waiting">
      <h1>Dreadclock</h1>
      <p role="status">${t("owlbear.waiting")}</p>
      <p class="code">${knocker.code}</p>
      <p>${button(this.#table, { key: "knock:stop", label: t("owlbear.stop"), work })}</p>
    </main>`;
  }

  // A link, or a room of one's own

  #going() {
    return form(this.#table, {
      key: "go:link",
      submit: words.t("home.go_send"),
      fields: field({ name: "link", label: words.t("home.link"), required: true, length: LONGEST_LINK }),
      work: async (values) => this.#keep(seatOf(values.text("link") ?? ""), this.role === "GM"),
    });
  }

  #opening() {
    const { t } = words;
    const key = { name: "key", label: t("home.key"), type: "password", required: true, hint: t("home.key_hint") };
    return form(this.#table, {
      key: "open",
      submit: t("home.open_send"),
      keep: true,
      fields: html`${field({ name: "title", label: t("home.title"), required: true })}
      ${this.#table.ui.get(KEY_ASKED) ? field(key) : nothing}`,
      work: (values) => this.#open(values.text("title") ?? "", values.text("key")),
    });
  }

  /** @param {string} title @param {string | undefined} operatorKey */
  async #open(title, operatorKey) {
    try {
      const { room_id: room, gm } = await openRoom(server, { title, operatorKey });
      await this.#keep({ room, token: gm.token }, true);
    } catch (error) {
      if (error instanceof ConnectionEnded || !(error instanceof Refused) || error.code !== "unauthorised") throw error;
      const asked = this.#table.ui.get(KEY_ASKED);
      this.#table.ui.set(KEY_ASKED, true);
      throw new Refused("", {}, words.t(asked ? "home.key_wrong" : "home.key_needed"));
    }
  }

  /** Draw the way out of a seat, on this device alone. */
  #leaving() {
    const leave = () => {
      this.kept.seat = null;
      location.reload();
    };
    return html`<button type="button" class="button" data-key="owlbear:leave" @click=${leave}>
      ${words.t("owlbear.leave")}
    </button>`;
  }
}

/** Empty the page, and return an element to draw into. */
function emptied() {
  root.replaceChildren(document.createElement("div"));
  return /** @type {HTMLElement} */ (root.firstElementChild);
}

/**
 * Return the seat that a link opens. Throws Refused with a sentence, also for a link to another server, which this one
 * must not hear of.
 * @param {string} link
 * @returns {Seat}
 */
function seatOf(link) {
  const parts = tried(() => parseLink(link));
  if (!parts) throw new Refused("", {}, words.t("home.no_link"));
  if (parts.server !== server.replace(/\/+$/, "")) throw new Refused("", {}, words.t("owlbear.other_server"));
  return { room: parts.room, token: parts.token };
}

/** @template Value @param {() => Value} work @returns {Value | null} */
function tried(work) {
  try {
    return work();
  } catch {
    return null;
  }
}

// Last, as the host may be ready long since
if (OBR.isAvailable) OBR.onReady(() => void begin());
else new Table(emptied(), words, elsewhere).redraw();
