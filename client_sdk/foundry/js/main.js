// @ts-check
/** Where Foundry begins: the module's settings, windows and hooks around the table of this user. */

import { apiOf } from "./api.js";
import { writeRolls } from "./chat.js";
import { followCombat } from "./combat.js";
import { Handing } from "./handing.js";
import { Panel } from "./panel.js";
import { appear } from "./presence.js";
import { drawPushes } from "./pushes.js";
import { Seats } from "./seats.js";
import { ID, ownLink, place, registerSettings } from "./settings.js";
import { Table } from "./table.js";
import { TableWindow } from "./window.js";
import { loadWords } from "./words.js";

const table = new Table();
/** @type {{ panel: Panel, table: TableWindow, seats: Seats } | null} made once users and settings are there */
let windows = null;
const open = {
  panel: () => windows?.panel.render({ force: true }),
  table: () => (table.link ? windows?.table.render({ force: true }) : open.seats()),
  seats: () => windows?.seats.render({ force: true }),
};

/** What the button in the settings makes in order to draw it. */
class Opener extends foundry.applications.api.ApplicationV2 {
  /** @returns {Promise<this>} */
  async render() {
    await open.panel();
    return this;
  }
}

Hooks.once("init", () => {
  registerSettings({ onTable: follow });
  const module = game.modules.get(ID);
  if (module) module.api = apiOf(table, open);
  const key = { editable: [{ key: "KeyK", modifiers: ["Shift"] }], onDown: () => (void open.panel(), true) };
  game.keybindings.register(ID, "panel", { name: "DREADCLOCK.OpenPanel", ...key });
  // A world without an active scene shows no controls: the settings lead to the panel there.
  const menu = { name: "DREADCLOCK.OpenPanel", label: "DREADCLOCK.OpenPanel", hint: "DREADCLOCK.PanelHint" };
  game.settings.registerMenu(ID, "panel", { ...menu, icon: "fa-solid fa-clock", restricted: false, type: Opener });
});

Hooks.once("ready", () => {
  const handing = new Handing(table);
  windows = { panel: new Panel(table, open), table: new TableWindow(table), seats: new Seats(table, handing) };
  table.listen(() => void present());
  writeRolls(table);
  drawPushes(table);
  followCombat(table);
  if (place().open ?? game.user.isGM) void open.panel();
  void loadWords().finally(follow);
});

Hooks.on("getSceneControlButtons", (controls) => {
  const { tokens } = controls;
  if (!tokens) return;
  const order = Object.keys(tokens.tools).length;
  const button = { button: true, visible: true };
  tokens.tools.dreadclock = {
    ...{ ...button, name: "dreadclock", order, title: "DREADCLOCK.OpenPanel", icon: "fa-solid fa-clock" },
    onChange: () => void open.panel(),
  };
  tokens.tools.dreadclockTable = {
    ...{ ...button, name: "dreadclockTable", order: order + 1, title: "DREADCLOCK.OpenTable", icon: "fa-solid fa-table-cells-large" },
    onChange: () => void open.table(),
  };
});

/** Sit where this browser's link leads; get up where it no longer leads to the world's table. */
function follow() {
  const link = ownLink();
  if (!windows) return;
  if (!link) return table.link && table.leave();
  if (table.link?.room !== link.room || table.link.token !== link.token) void table.sit(link);
}

/** Say in which seat this user is, so that others know who tells of what it rolls. */
function present() {
  const { room, link } = table;
  if (room) return appear({ room: room.id, seat: room.seat, role: room.role });
  return link ? undefined : appear(null);
}
