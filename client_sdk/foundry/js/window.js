// @ts-check
/**
 * The whole table in a window: the room's own page in a frame.
 *
 * The token travels behind the `#` of an address that stands in no attribute, so that the document never holds it; the
 * page takes it out of the frame's address as it loads. The server shows it here if `DREADCLOCK_FRAME_ANCESTORS` names
 * this origin; if not, there is the button for a tab of its own.
 */

/** @import { Table } from "./table.js" @import { Link } from "../client/links.js" */

import { ID } from "./settings.js";

const { ApplicationV2, HandlebarsApplicationMixin } = foundry.applications.api;

/** @param {Link} link */
const addressOf = ({ server, room, token }) => `${server}/r/${room}#${token}`;

export class TableWindow extends HandlebarsApplicationMixin(ApplicationV2) {
  static DEFAULT_OPTIONS = {
    id: "dreadclock-table",
    classes: ["dreadclock", "dreadclock-table"],
    window: {
      ...{ title: "DREADCLOCK.Title", icon: "fa-solid fa-table-cells-large", resizable: true },
      controls: [{ icon: "fa-solid fa-up-right-from-square", label: "DREADCLOCK.OwnTab", action: "ownTab" }],
    },
    position: { width: 900, height: 700 },
    actions: { ownTab: TableWindow.#openOwnTab },
  };
  static PARTS = { main: { template: `modules/${ID}/templates/window.hbs` } };

  #table;

  /** @param {Table} table */
  constructor(table) {
    super();
    this.#table = table;
    table.listen(() => this.#follow());
  }

  /** @param {object} context @param {object} options */
  async _onRender(context, options) {
    await super._onRender(context, options);
    const { link } = this.#table;
    if (link) this.element.querySelector("iframe")?.contentWindow?.location.replace(addressOf(link));
  }

  /** Close it when this user gets up: its page is of a seat that is no longer theirs. */
  #follow() {
    if (this.rendered && !this.#table.link) void this.close();
  }

  /** @this {TableWindow} */
  static #openOwnTab() {
    const { link } = this.#table;
    if (link) window.open(addressOf(link), "_blank", "noopener,noreferrer");
  }
}
