// @ts-check
/** The table's page for visitors without a valid link: they ask the gm for a seat (they knock), and wait. */

/**
 * @import { Link } from "../client/dreadclock.js"
 * @import { Values } from "./app/controls.js"
 * @import { Words } from "./app/words.js"
 */

import { Refused } from "../client/errors.js";
import { Knocker, knock } from "../client/knocking.js";
import { html, noChange, nothing } from "../vendor/lit-html/lit-html.js";
import { button, field, form, segments } from "./app/controls.js";
import { withStorage } from "./app/settings.js";
import { sitterOf } from "./app/sitting.js";
import { Table } from "./app/table.js";
import { pickers } from "./parts/pickers.js";

const WANTED = /** @type {const} */ (["player", "spectator"]);
const TICK_MS = 5_000; // how often the page updates the minutes that are left

/**
 * Draw the form. If this tab waited for an answer before a reload, keep waiting.
 * @param {HTMLElement} root
 * @param {Words} words
 * @param {Link} link its token, if it has one, is not valid
 * @param {boolean} opensNothing whether to say that the link is not valid, and the possible reasons
 * @param {(token: string) => void} open called with the token of the given seat
 */
export function asking(root, words, link, opensNothing, open) {
  /** @type {Waiting} */
  const waiting = new Waiting(link, open, new Table(root, words, (table) => (waiting.seated ? noChange : picture(table, waiting, opensNothing))));
  waiting.goOn();
  void waiting.lookAround();
}

/**
 * @typedef {object} Visitor
 * @property {string} [name] the initial value of the name field
 * @property {string} [client] the name of the program, which the gm sees
 */

/** The state of a visitor without a link: before a knock, waiting, seated, or turned away. */
export class Waiting {
  /** @type {Knocker | null} */ knocker = null;
  /** A sentence why the last knock was unsuccessful, or empty. */ over = "";
  /** The name of the visitor's seat at this table in another tab of this browser; empty if there is none. */ sitter = "";
  /** Whether the visitor has a seat. If so, the table is drawn in place of this page. */ seated = false;
  #stop = new AbortController();

  /** @param {Link} link @param {(token: string) => void} open @param {Table} table @param {Visitor} [visitor] */
  constructor(link, open, table, { name = "", client = "Dreadclock" } = {}) {
    this.link = link;
    this.open = open;
    this.table = table;
    this.name = name;
    this.client = client;
  }

  /** Wait again for the answer to a knock from before a reload. */
  goOn() {
    const kept = withStorage((storage) => JSON.parse(storage.getItem(this.#name) ?? "null"));
    if (kept) void this.#wait(new Knocker(kept));
    this.table.redraw();
  }

  /** Ask the other tabs whether the visitor already has a seat at this table. */
  async lookAround() {
    this.sitter = await sitterOf(this.link.room);
    this.table.redraw();
  }

  /** Knock with the values of the form. @param {Values} values */
  async knock(values) {
    const { server, room } = this.link;
    const wanted = { name: values.text("name") ?? "", wants: values.choice("wants"), client: this.client };
    void this.#wait(await knock(server, room, wanted));
  }

  /** Stop waiting, and delete the knock. */
  async withdraw() {
    this.#stop.abort();
    await this.knocker?.withdraw();
  }

  /** The storage key of this tab's knock. */
  get #name() {
    return `dreadclock:knock:${this.link.room}`;
  }

  /** Wait for the gm's answer. Open the table with the seat, or show why there is none. @param {Knocker} knocker */
  async #wait(knocker) {
    this.knocker = knocker;
    this.over = "";
    this.#stop = new AbortController();
    withStorage((storage) => storage.setItem(this.#name, JSON.stringify(knocker.kept)));
    const tick = setInterval(() => this.table.redraw(), TICK_MS);
    try {
      const { token } = await knocker.seated({ signal: this.#stop.signal });
      knocker.withdraw().catch(console.warn); // tells the server that the knock is no longer needed; otherwise it expires later
      this.seated = true;
      this.open(token);
    } catch (error) {
      if (!this.#stop.signal.aborted) this.over = sentenceOf(this.table, error);
      this.knocker = null;
      this.table.redraw();
    } finally {
      clearInterval(tick);
      withStorage((storage) => storage.removeItem(this.#name));
    }
  }
}

/** Return a sentence about an error. @param {Table} table @param {unknown} error */
function sentenceOf(table, error) {
  if (error instanceof Refused) return table.words.narrator.refusal(error.code, error.details, error.message);
  console.warn(error);
  return table.t("over.unreachable");
}

/** Draw the page. @param {Table} table @param {Waiting} waiting @param {boolean} opensNothing whether the visitor's link is not valid */
function picture(table, waiting, opensNothing) {
  return html`<header class="top">${pickers(table)}</header>
    <main class="home knock">
      <h1>Dreadclock</h1>
      ${opensNothing ? causes(table) : nothing} ${sits(table, waiting)} ${knocking(table, waiting)} ${waiting.knocker || opensNothing ? nothing : html`<p class="hint">${table.t("knock.link")}</p>`}
    </main>`;
}

/** Draw the possible reasons why a link is not valid. @param {Table} table */
function causes(table) {
  return html`<section class="card" data-place="dead" aria-labelledby="knock-dead">
    <h2 id="knock-dead">${table.t("knock.dead")}</h2>
    <p role="status">${table.t("knock.dead.why")}</p>
    <ul>
      ${["whole", "over", "gone"].map((cause) => html`<li>${table.t(`knock.dead.${cause}`)}</li>`)}
    </ul>
    <p>${table.t("knock.dead.ask")}</p>
  </section>`;
}

/** Draw a notice if the visitor already has a seat here in another tab. @param {Table} table @param {Waiting} waiting */
function sits(table, { sitter }) {
  if (!sitter) return nothing;
  return html`<section class="card" data-place="sits" aria-labelledby="knock-sits">
    <h2 id="knock-sits">${table.t("knock.sits", { name: sitter })}</h2>
    <p>${table.t("knock.sits.hint")}</p>
  </section>`;
}

/** Draw the form, or after a knock the knock's code. @param {Table} table @param {Waiting} waiting */
export function knocking(table, waiting) {
  return waiting.knocker ? code(table, waiting, waiting.knocker) : asks(table, waiting);
}

/** Draw the form. @param {Table} table @param {Waiting} waiting */
function asks(table, waiting) {
  const wants = WANTED.map((role) => /** @type {const} */ ([role, table.t(`knock.wants.${role}`)]));
  return html`<section class="card" data-place="knock" aria-labelledby="knock-ask">
    <h2 id="knock-ask">${table.t("knock.ask")}</h2>
    ${waiting.over ? html`<p class="refusal" role="alert">${waiting.over}</p>` : nothing}
    <p>${table.t("knock.hint")}</p>
    ${form(table, {
      key: "knock:send",
      submit: table.t("knock.send"),
      keep: true,
      fields: html`${field({ name: "name", label: table.t("knock.name"), value: waiting.name, required: true })}
      ${segments({ name: "wants", label: table.t("knock.wants"), options: wants, value: WANTED[0] })}`,
      work: (values) => waiting.knock(values),
    })}
  </section>`;
}

/** Draw the code of the waiting knock. The gm sees the same code. @param {Table} table @param {Waiting} waiting @param {Knocker} knocker */
function code(table, waiting, knocker) {
  const minutes = Math.ceil(knocker.leftMs / 60_000);
  return html`<section class="card" data-place="knock" aria-labelledby="knock-waits">
    <h2 id="knock-waits">${table.t("knock.waits")}</h2>
    <div role="status">
      <p>${table.t("knock.code")}</p>
      <p class="code" data-part="code">${knocker.code}</p>
    </div>
    <p class="hint">${table.t("knock.minutes", { minutes })}</p>
    ${button(table, { key: "knock:withdraw", label: table.t("knock.withdraw"), work: () => waiting.withdraw() })}
  </section>`;
}
