// @ts-check
/** The start of the module: its settings, windows and hooks. */

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
/** Made when users and settings are loaded. @type {{ panel: Panel, table: TableWindow, seats: Seats } | null} */
let windows = null;
const open = {
  panel: () => windows?.panel.render({ force: true }),
  table: () => (table.link ? windows?.table.render({ force: true }) : open.seats()),
  seats: () => windows?.seats.render({ force: true }),
};

/** The window of the button in the settings: it opens the panel instead of itself. */
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

/** Connect to the room of this browser's link. Disconnect if there is no link, or it does not lead to the world's table. */
function follow() {
  const link = ownLink();
  if (!windows) return;
  if (!link) return table.link && table.leave();
  if (table.link?.room !== link.room || table.link.token !== link.token) void table.sit(link);
}

/** Publish in which seat this user is, so that all clients compute the same order of users. */
function present() {
  const { room, link } = table;
  if (room) return appear({ room: room.id, seat: room.seat, role: room.role });
  return link ? undefined : appear(null);
}
