// @ts-check
/**
 * The whole table in a window: the room's own page in a frame.
 *
 * The token is in the fragment of the frame's address. The address is set by script, so that no attribute of the document has
 * the token. The page removes the token from its address when it loads. The server allows the frame if
 * `DREADCLOCK_FRAME_ANCESTORS` has this origin. Otherwise, a button opens the table in a tab.
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

  /** Close the window when this user has left the seat. */
  #follow() {
    if (this.rendered && !this.#table.link) void this.close();
  }

  /** @this {TableWindow} */
  static #openOwnTab() {
    const { link } = this.#table;
    if (link) window.open(addressOf(link), "_blank", "noopener,noreferrer");
  }
}
