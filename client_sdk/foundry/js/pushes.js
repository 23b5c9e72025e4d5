// @ts-check
/** Pushes in chat: this client adds a button to the card of an offered push, if its user may push. */

/**
 * @import * as T from "../client/dreadclock.types.js"
 * @import { Table } from "./table.js"
 */

import { ID } from "./settings.js";
import { rollsFor } from "./shown.js";
import { text } from "./words.js";

const ARMED_FOR_MS = 5_000; // the first press arms the button, a second one pushes

/** From now on, add and remove the button as offers come and go. @param {Table} table */
export function drawPushes(table) {
  Hooks.on("renderChatMessageHTML", (message, html) => {
    draw(table, message, html);
    requestAnimationFrame(() => drawAll(table)); // an older card of the same total loses its button
  });
  table.listen(() => drawAll(table));
}

/** Update the buttons of all visible cards. @param {Table} table */
function drawAll(table) {
  for (const html of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-message-id]:has(.dreadclock-card)"))) {
    const message = game.messages.get(html.dataset.messageId ?? "");
    if (message) draw(table, message, html);
  }
}

/** @param {Table} table @param {ChatMessage} message @param {HTMLElement} html */
function draw(table, message, html) {
  const before = html.querySelector(".dreadclock-push");
  const total = offeredIn(table, message);
  if (!total) before?.remove();
  else if (!before) html.querySelector(".dreadclock-card")?.append(buttonFor(table, total));
}

/** Return the total whose push this user may roll, if this message is the latest that offers it. @param {Table} table @param {ChatMessage} message */
function offeredIn({ room }, message) {
  const total = room?.view.totals.get(message.getFlag(ID, "push"));
  if (!room || total?.status !== "offered" || !rollsFor(room.view, room, total.character_id)) return null;
  const latest = game.messages.filter((other) => other.getFlag(ID, "push") === total.id).at(-1);
  return latest?.id === message.id ? total : null;
}

/** @param {Table} table @param {T.Total} total */
function buttonFor(table, { id, kept }) {
  const button = document.createElement("button");
  const disarm = () => Object.assign(button, { textContent: text("Push.Push", { number: kept.length }), ariaPressed: "false" });
  button.type = "button";
  button.className = "dreadclock-push";
  button.onclick = async () => {
    if (button.ariaPressed !== "true") {
      setTimeout(disarm, ARMED_FOR_MS);
      return Object.assign(button, { textContent: text("Push.Armed"), ariaPressed: "true" });
    }
    button.disabled = true;
    await table.do({ type: "push_luck", total_id: id });
    button.disabled = false;
  };
  return disarm();
}
