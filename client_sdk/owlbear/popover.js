// @ts-check
/** The popover of the extension: the table, or the ways to a seat. */

/** @import { Seat } from "./seats.js" */

import { Refused } from "../client/errors.js";
import { parseLink } from "../client/links.js";
import { openRoom } from "../client/rest.js";
import { disclosure, field, form } from "../js/app/controls.js";
import { openTable } from "../js/app/opening.js";
import { applyTheme } from "../js/app/settings.js";
import { Table } from "../js/app/table.js";
import { loadWords } from "../js/app/words.js";
import { operatorsKey, refused } from "../js/home/opening.js";
import { Waiting, knocking } from "../js/knock.js";
import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import OBR from "../vendor/owlbear-sdk/owlbear-sdk.js";
import { Kept, naming, roomIn } from "./seats.js";

const LONGEST_LINK = 600;

const server = new URL("..", location.href).href;
const root = /** @type {HTMLElement} */ (document.getElementById("root"));
const words = await loadWords("table", "home", "knock", "owlbear");

/** Draw how to add the extension, if the page was not opened by Owlbear Rodeo. @param {Table} table */
function elsewhere(table) {
  const address = new URL("manifest.json", location.href).href;
  return html`<main class="notice">
    <h1>Dreadclock</h1>
    <p>${table.t("owlbear.add")}</p>
    <p><code>${address}</code></p>
  </main>`;
}

/** Show the table, or the ways to a seat. */
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

/** The ways to a seat: the stored seat, a link, a knock, or opening a room. */
class Lobby {
  name = "";
  /** The knock at the room of the host's metadata. @type {Waiting | null} */ #waiting = null;
  #seated = false;
  /** @type {Table} */ #table = new Table(emptied(), words, () => this.#draw());

  /** @param {Kept} kept @param {string | null} room the id in the host's metadata @param {"GM" | "PLAYER"} role at the host */
  constructor(kept, room, role) {
    this.kept = kept;
    this.room = room;
    this.role = role;
  }

  /** Follow a change of the room in the host's metadata. @param {string | null} room */
  hear(room) {
    if (room === this.room) return;
    this.room = room;
    if (!this.#seated) this.enter();
  }

  /** Open the table with the stored seat. Without one, offer the ways to a seat, and continue a waiting knock. */
  enter() {
    const { seat } = this.kept;
    if (seat) return this.#sit(seat);
    const { room, name } = this;
    const open = (/** @type {string} */ token) => void this.#keep({ room: /** @type {string} */ (room), token });
    const visitor = { name, client: "Owlbear Rodeo" };
    this.#waiting = room ? new Waiting({ server, room, token: "" }, open, this.#table, visitor) : null;
    this.#waiting?.goOn();
    return this.#table.redraw();
  }

  /** @param {Seat} seat */
  #sit({ room, token }) {
    this.#seated = true;
    const unauthorised = () => {
      this.kept.seat = null;
    };
    void openTable(emptied(), { server, room, token }, { unauthorised, knocked: true });
    render(this.#leaving(), root.appendChild(document.createElement("footer")));
  }

  /** Store a seat and open its table. A gm also writes the room into the host's metadata. @param {Seat} seat @param {boolean} [isGms] */
  async #keep(seat, isGms = false) {
    this.kept.seat = seat;
    this.#sit(seat);
    if (isGms) await OBR.room.setMetadata(naming(seat.room));
  }

  /** @returns {unknown} */
  #draw() {
    const { room, role } = this;
    const { t } = words;
    return html`<main class="home knock lobby">
      <h1>Dreadclock</h1>
      ${this.#waiting ? knocking(this.#table, this.#waiting) : html`<p>${t(role === "GM" ? "owlbear.gm" : "owlbear.not_yet")}</p>`}
      ${room || role !== "GM" ? nothing : html`<section class="card" data-place="open">${this.#opening()}</section>`}
      ${room && role === "GM"
        ? disclosure(this.#table, { key: "open", label: t("owlbear.another"), content: () => this.#opening() })
        : nothing}
      ${disclosure(this.#table, { key: "go", label: t("owlbear.have_link"), content: () => this.#going() })}
    </main>`;
  }

  // A link, and opening a room

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
    return form(this.#table, {
      key: "open",
      submit: t("home.open_send"),
      keep: true,
      fields: html`${field({ name: "title", label: t("home.title"), required: true })} ${operatorsKey(this.#table)}`,
      work: (values) => this.#open(values.text("title") ?? "", values.text("key")),
    });
  }

  /** @param {string} title @param {string | undefined} operatorKey */
  async #open(title, operatorKey) {
    try {
      const { room_id: room, gm } = await openRoom(server, { title, operatorKey });
      await this.#keep({ room, token: gm.token }, true);
    } catch (error) {
      throw refused(this.#table, error);
    }
  }

  /** Draw the button that forgets the seat on this device. */
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
 * Return the seat of a link. Throws Refused with a sentence, also for a link to another server: its token must not be sent to
 * this server.
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

// At the end, because the host may be ready already
if (OBR.isAvailable) OBR.onReady(() => void begin());
else new Table(emptied(), words, elsewhere).redraw();
