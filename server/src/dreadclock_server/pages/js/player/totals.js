// @ts-check
/** A player's controls for totals. A push adds a die after the roll, at the risk of a crisis. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { button, commandButton, refusal } from "../app/controls.js";
import { nameOfTotal } from "../parts/total.js";
import { call, note, withdrawalOf } from "./waiting.js";
import { isAble, isMine } from "./mine.js";
import { ownDice, roller } from "./roll.js";

const HELD_MS = 600; // a press of this length pushes
const ARMED_MS = 5_000; // a second press within this time after the first also pushes

/** Draw the viewer's controls for a total. @param {Table} table @param {T.Total} total */
export function totalControls(table, total) {
  if (!isMine(table, total.character_id)) return nothing;
  const withdraw = () => button(table, { key: `total:${total.id}:withdraw`, ...withdrawalOf(table, total) });
  switch (total.status) {
    case "proposed":
      return withdraw();
    case "ready":
      return html`${rolling(table, total)} ${withdraw()}`;
    case "rolled":
      return total.enough === undefined ? note(table.t("my.total_unjudged")) : html`${note(table.t("my.total_missed"))} ${stop(table, total)}`;
    case "offered":
      return pushing(table, total);
    default:
      return nothing;
  }
}

/** Draw the controls for rolling a total. If a crisis must be settled first, say so instead. Draw nothing for a character out of play. @param {Table} table @param {T.Total} total */
function rolling(table, total) {
  const character = table.view.characters.get(total.character_id);
  if (!isAble(character)) return note(character?.crisis_due ? table.t("my.crisis_first") : "");
  const isNamed = total.required !== undefined || total.secret;
  const controls = roller(table, {
    kind: isNamed ? "main" : "plain", // the player may roll before the gm sets the required number, but this is not the main action then
    key: `total:${total.id}:roll`,
    label: table.t("my.roll", { dice: total.pool }),
    describes: nameOfTotal(table, total),
    command: { type: "roll_total", total_id: total.id },
  });
  return call(table.t("my.your_roll"), isNamed ? controls : html`${note(table.t("my.total_unnamed"))} ${controls}`);
}

/** Draw the buttons for pushing and stopping. @param {Table} table @param {T.Total} total */
function pushing(table, total) {
  const { crisis, push_odds: odds } = total;
  const stake = table.t(`stake.${crisis ?? "open"}`);
  const sentence = table.t("my.push_call", { chance: odds ? table.words.percent(odds.crisis) : "?", stake });
  const push = { key: `total:${total.id}:push`, label: "", describes: nameOfTotal(table, total), command: { type: "push_luck", total_id: total.id } };
  return call(sentence, html`${holdToPush(table, push)} ${ownDice(table, push)} ${stop(table, total)}`);
}

/**
 * Draw the button for a push. It must be held, or pressed twice, so that nobody pushes by accident.
 * @param {Table} table @param {import("./roll.js").Rolling} push
 */
function holdToPush(table, { key, describes, command }) {
  const { ui } = table;
  const [timer, held, armed] = ["timer", "held", "armed"].map((name) => `${name}:${key}`);
  const push = () => {
    ui.set(armed, false);
    return table.act(key, command);
  };
  const down = () => {
    ui.set(held, false);
    ui.set(timer, setTimeout(() => (ui.set(held, true), push()), HELD_MS));
  };
  const up = () => clearTimeout(ui.get(timer));
  const press = () => {
    up();
    if (ui.get(held)) return ui.set(held, false);
    if (ui.get(armed)) return push();
    table.set(armed, true);
    setTimeout(() => table.set(armed, false), ARMED_MS);
  };
  const label = table.t(ui.get(armed) ? "my.push_again" : "my.push");
  return html`<span class="control">
    <button type="button" class="button push big" data-key=${key} aria-label=${`${label}: ${describes}`} aria-busy=${String(table.busy(key))}
      @pointerdown=${down} @pointerup=${up} @pointerleave=${up} @pointercancel=${up} @click=${press}
      @contextmenu=${(/** @type {Event} */ event) => event.preventDefault()}
    >
      ${label}
    </button>
    ${refusal(table, key)}
  </span>`;
}

/** Draw the button that ends pushing. @param {Table} table @param {T.Total} total */
function stop(table, total) {
  return commandButton(table, `total:${total.id}:stop`, "my.stop", nameOfTotal(table, total), { type: "stop_pushing", total_id: total.id });
}
