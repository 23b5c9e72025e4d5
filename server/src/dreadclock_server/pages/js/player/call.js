// @ts-check
/** Calls: what waits for the viewer, so that nobody overlooks it; and notes on what waits for others. */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";

/** Draw what the viewer is called to do. @param {string} sentence @param {unknown} controls */
export function call(sentence, controls) {
  return framed("call", sentence, controls);
}

/** Draw what the viewer can do, and nobody waits for. @param {string} sentence @param {unknown} controls */
export function offer(sentence, controls) {
  return framed("call quiet", sentence, controls);
}

/** @param {string} kind @param {string} sentence @param {unknown} controls */
function framed(kind, sentence, controls) {
  return html`<div class=${kind} data-part="call">
    <p class="calls">${sentence}</p>
    <div class="controls">${controls}</div>
  </div>`;
}

/** Draw what nobody can press here. @param {string} sentence */
export function note(sentence) {
  return sentence ? html`<p class="waits">${sentence}</p>` : nothing;
}
