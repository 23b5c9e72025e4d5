// @ts-check
/** The hidden page of the extension. Its badge shows how many things wait for the seat. */

/** @import { Seat } from "./seats.js" @import { Room } from "../client/dreadclock.js" */

import { connect } from "../client/dreadclock.js";
import { roleOf } from "../js/app/greeting.js";
import { Table } from "../js/app/table.js";
import { loadWords } from "../js/app/words.js";
import OBR from "../vendor/owlbear-sdk/owlbear-sdk.js";
import { Kept } from "./seats.js";

const server = new URL("..", location.href).href;
/** @typedef {{ token: string, room: Room | null }} Sitting */

/** @type {Sitting | null} */ let current = null;
let shown = "";

OBR.onReady(() => {
  const kept = new Kept(OBR.room.id);
  const follow = () => void sit(kept.seat);
  addEventListener("storage", follow); // the popover stores the seat
  follow();
});

/** Connect with the stored seat, in place of an earlier seat. @param {Seat | null} seat */
async function sit(seat) {
  if (seat?.token === current?.token) return;
  current?.room?.close();
  badge(0);
  current = seat && { token: seat.token, room: null };
  if (seat && current) await watch(seat, current);
}

/** Count the waiting things of a seat, as long as it is the current seat. @param {Seat} seat @param {Sitting} mine */
async function watch({ room: id, token }, mine) {
  const table = new Table(document.createElement("div"), await loadWords("table"), () => "");
  const count = () => table.room && mine === current && badge(table.role.waits?.(table) ?? 0);
  try {
    mine.room = await connect(
      { server, room: id, token },
      { onChange: count, onEnd: () => mine === current && badge(0), dice: false, knocks: true, client: { name: "dreadclock-owlbear" } },
    );
  } catch (error) {
    console.warn(error); // the popover shows the reason
    return;
  }
  if (mine !== current) return mine.room.close();
  table.role = await roleOf(mine.room.role, table.words);
  table.room = mine.room;
  count();
}

/** Show a number on the extension's button, none for 0. @param {number} waits */
function badge(waits) {
  const text = waits ? String(waits) : "";
  if (text === shown) return;
  shown = text;
  OBR.action.setBadgeText(text || undefined).catch(console.warn);
}
