// @ts-check
/** Small dice fly from a pressed button to the arena, where dice are thrown, and wait there. If the command is refused or not sent, they fly back. */

/** @import { Table } from "../app/table.js" @import { Box } from "./page.js" */

import { html, render } from "../../vendor/lit-html/lit-html.js";

const MOST = 10; // dice that are drawn
const USUAL = 3; // dice, if their number is unknown
const GATHER_MS = 260;
const ROLLS = new Set(["roll_dice", "roll_check", "roll_total", "push_luck", "roll_countdown"]);

/**
 * Let the dice of a command fly to the arena.
 * @param {Table} table @param {string} key of the button @param {any} command
 * @param {HTMLElement} layer the element in which they are drawn @param {() => Box} place returns where they fly to
 * @returns {((rolled: boolean) => void) | undefined} a function to call with the outcome: it removes the dice if they were rolled, else it
 *   lets them fly back. Undefined if the command rolls nothing, or its button is not on the page
 */
export function gather(table, key, command, layer, place) {
  const button = document.querySelector(`button[data-key="${CSS.escape(key)}"]`);
  if (!button || !ROLLS.has(command.type)) return undefined;
  const [from, to] = [button.getBoundingClientRect(), place()].map(({ left, top, right, bottom }) => ({ x: (left + right) / 2, y: (top + bottom) / 2 }));
  const dice = layer.appendChild(Object.assign(document.createElement("span"), { className: "throw small gathering" }));
  render(html`<span class="flats">${Array.from({ length: Math.min(MOST, countOf(table, command)) }, () => html`<b class="flat"></b>`)}</span>`, dice);
  const at = (/** @type {{ x: number, y: number }} */ { x, y }) => `translate(${x}px, ${y}px) translate(-50%, -50%)`;
  const all = [
    dice.animate([{ transform: `${at(from)} scale(0.4)`, opacity: 0 }, { transform: at(to), opacity: 1 }], { duration: GATHER_MS, easing: "ease-out", fill: "both" }),
    button.animate([{}, { transform: "translateY(0.3rem)", opacity: 0.3 }], { duration: GATHER_MS, fill: "forwards" }),
  ];
  const leave = () => {
    for (const animation of all) animation.cancel();
    dice.remove();
  };
  const goBack = () => {
    for (const animation of all) animation.reverse();
    all[0].finished.then(leave, () => {});
  };
  if (!table.room.connected) all[0].finished.then(goBack, () => {});
  return (rolled) => (rolled ? leave() : goBack());
}

/** Return how many dice a command rolls; 3 if this is unknown. @param {Table} table @param {any} command */
function countOf({ view }, { type, faces, pool, total_id: total, countdown_id: countdown, check_id: check, character_id: who }) {
  if (type === "push_luck") return 1;
  const part = view.checks.get(check)?.parts.find(({ character_id: id }) => who === undefined || id === who);
  const score = part && Math.max(1, part.score + part.bonus - part.penalty);
  return faces?.length ?? pool ?? view.totals.get(total)?.pool ?? view.countdowns.get(countdown)?.pool ?? score ?? USUAL;
}
