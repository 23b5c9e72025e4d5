// @ts-check
/** The button on the first page that opens a demo room. */

/** @import { Table } from "../app/table.js" */

import { ProtocolViolation, Refused } from "../../client/errors.js";
import { addressOf, call } from "../../client/rest.js";
import { html } from "../../vendor/lit-html/lit-html.js";
import { button } from "../app/controls.js";
import { withStorage } from "../app/settings.js";

const LATEST = "dreadclock:in-play"; // storage key of the id of this tab's demo room

/** Draw the button. @param {Table} table without a room */
export function inPlay(table) {
  return html`<p class="watch" data-place="in-play">
    ${button(table, { key: "home:in-play", label: table.t("home.in_play"), work: () => open(table) })}
    <span class="hint">${table.t("home.in_play_hint")}</span>
  </p>`;
}

/**
 * Go to this tab's demo room. If there is none, or its story is over, open another demo room. Throws Refused if the
 * server has no demo rooms.
 * @param {Table} table
 */
async function open(table) {
  const here = new URL(".", location.href);
  const latest = withStorage((storage) => storage.getItem(LATEST));
  const isOpen = withStorage((storage) => storage.getItem(`${LATEST}:${latest}`)); // the demo room's page stores the tokens under this key
  if (isOpen) return location.assign(new URL(`in-play/${latest}`, here));
  try {
    const address = `${addressOf(here.origin + here.pathname)}/api/rooms/in-play`;
    const { room_id: room, gm, player, spectator } = await call("POST", address, { body: { language: table.words.language } });
    location.assign(new URL(`in-play/${room}#${gm.token}.${player.token}.${spectator.token}`, here));
  } catch (error) {
    if (error instanceof ProtocolViolation) throw new Refused("", {}, table.t("home.in_play_none"));
    throw error;
  }
}
