// @ts-check
/** The message after a shortcut. It names the action, and asks whether letters stay shortcuts. After an answer, it is not shown again. */

/** @import { Table } from "../app/table.js" @import { Entry } from "./entries.js" */

import { html, nothing, render } from "../../vendor/lit-html/lit-html.js";
import { isChosen, keep } from "../app/settings.js";

/** @typedef {{ said: string, answers: [words: string, press: () => void][] }} Saying a sentence, and the buttons that answer it */

let answered = false;

/**
 * Show what a shortcut did, or to which control it moved the focus. Show nothing once the user has chosen whether letters are shortcuts.
 * @param {Table} table @param {Entry} entry @param {boolean} only whether the shortcut only moved to a control
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

/** Switch shortcuts on or off, and hide the message for good. @param {boolean} on */
export function switchLetters(on) {
  answered = true;
  keep("shortcuts", on ? "on" : "off");
  say(null);
}

/** Show a message; null hides the message. @param {Saying | null} saying */
function say(saying) {
  const place = elementOf("letters", { className: "letters", role: "status" });
  const answers = saying?.answers.map(([words, press]) => html`<button type="button" class="button" @click=${press}>${words}</button>`);
  render(saying ? html`<p>${saying.said}</p>${answers}` : nothing, place);
}

/** Return the element with an id. If there is none, make it at the end of the page. @param {string} id @param {Partial<HTMLElement>} [properties] */
export function elementOf(id, properties) {
  const existing = document.getElementById(id);
  if (existing) return existing;
  const element = Object.assign(document.createElement("div"), { id, ...properties });
  document.body.append(element);
  return element;
}
