// @ts-check
/** The message after the first shortcut in a browser: which action it did, that letters are shortcuts, and a switch for them. */

/** @import { Table } from "../app/table.js" @import { Entry } from "./entries.js" */

import { html, nothing, render } from "../../vendor/lit-html/lit-html.js";
import { isChosen, keep } from "../app/settings.js";

/** @typedef {{ said: string, answers: [words: string, press: () => void][] }} Saying a sentence and its answers */

let answered = false;

/**
 * Say what a letter did, or to which control it moved. Not any more once somebody has used the switch.
 * @param {Table} table @param {Entry} entry @param {boolean} only
 */
export function tell(table, { keys, label, about }, only) {
  if (answered || isChosen("shortcuts")) return;
  const t = table.t.bind(table);
  const what = about ? `${label}: ${about}` : label;
  const off = () => {
    switchLetters(false);
    say({ said: t("letters.are_off"), answers: [[t("letters.seen"), () => say(null)]] });
  };
  const stay = () => switchLetters(true);
  const said = t(only ? "letters.led" : "letters.did", { keys: keys.toUpperCase(), what });
  say({ said, answers: [[t("letters.off"), off], [t("letters.stay"), stay]] });
}

/** Switch shortcuts on or off. The message is not shown again. @param {boolean} on */
export function switchLetters(on) {
  answered = true;
  keep("shortcuts", on ? "on" : "off");
  say(null);
}

/** @param {Saying | null} saying */
function say(saying) {
  const place = document.getElementById("letters") ?? made();
  const answers = saying?.answers.map(([words, press]) => html`<button type="button" class="button" @click=${press}>${words}</button>`);
  render(saying ? html`<p>${saying.said}</p>${answers}` : nothing, place);
}

/** Make the element for the message, at the end of the page. */
function made() {
  const place = Object.assign(document.createElement("div"), { id: "letters", className: "letters", role: "status" });
  document.body.append(place);
  return place;
}
