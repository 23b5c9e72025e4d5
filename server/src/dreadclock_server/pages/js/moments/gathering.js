// @ts-check
/** Dice that gather as a button is pressed, and wait there for the roll. They go back to the button if it is refused, or cannot be sent. */

/** @import { Table } from "../app/table.js" @import { Box } from "./page.js" */

import { html, render } from "../../vendor/lit-html/lit-html.js";

const MOST = 10;
const USUAL = 3; // dice, where a command does not say
const GATHER_MS = 260;
const ROLLS = new Set(["roll_dice", "roll_check", "roll_total", "push_luck", "roll_countdown"]);

/**
 * Let the dice of a command gather.
 * @param {Table} table @param {string} key of the button @param {any} command @param {HTMLElement} layer @param {() => Box} place where they gather
 * @returns {((rolled: boolean) => void) | undefined} what ends it; undefined if nothing is rolled, or its button is not there
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

/** Return how many dice a command rolls, as far as that is known. @param {Table} table @param {any} command */
function countOf({ view }, { type, faces, pool, total_id: total, countdown_id: countdown, check_id: check, character_id: who }) {
  if (type === "push_luck") return 1;
  const part = view.checks.get(check)?.parts.find(({ character_id: id }) => who === undefined || id === who);
  const score = part && Math.max(1, part.score + part.bonus - part.penalty);
  return faces?.length ?? pool ?? view.totals.get(total)?.pool ?? view.countdowns.get(countdown)?.pool ?? score ?? USUAL;
}
