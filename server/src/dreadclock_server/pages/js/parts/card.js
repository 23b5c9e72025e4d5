// @ts-check
/**
 * Draws cards, and lists and sections of cards. A card shows a thing, such as a clock: its name, badges, consequences (what it
 * triggers), and the controls of the viewer's role.
 */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table, Sentence } from "../app/table.js" */

import { isOver } from "../app/over.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { repeat } from "../../vendor/lit-html/directives/repeat.js";
import { word } from "./word.js";
import { isolated } from "../../client/messages.js";

/**
 * The terms that sections explain, by the last word of a section's name: `clocks` in `my_clocks`.
 * @type {Record<string, string>}
 */
const WORDS = { scenes: "scene", clocks: "clock", countdowns: "countdown", checks: "check", totals: "total" };

/**
 * Draw a card for a thing. Tests, and code that sets the focus, find the card by `data-thing="kind:id"`.
 * @param {Table} table
 * @param {{ kind: string, thing: any, name: string, marks?: unknown, body: unknown, state?: string, also?: string, level?: 3 | 4 }} given
 *   `marks`: badges beside the name; `state`: the status, also a CSS class; `also`: a further CSS class; `level`: of the heading
 */
export function card(table, { kind, thing, name, marks = nothing, body, state = "", also = "", level = 3 }) {
  const hidden = thing.visibility && thing.visibility !== "public" ? thing.visibility : "";
  const up = table.ui.get("up") === `${kind}:${thing.id}` ? "up" : ""; // a phone shows this card above its bar
  const headingId = `${kind}-${thing.id}-name`;
  const heading =
    level === 3 ? html`<h3 id=${headingId}>${called(name)}</h3>` : html`<h4 id=${headingId}>${called(name)}</h4>`;
  return html`<article
    class=${`card ${kind} ${state} ${hidden} ${up} ${also}`}
    data-thing=${`${kind}:${thing.id}`}
    data-state=${state}
    aria-labelledby=${headingId}
  >
    <div class="heading">${heading} ${visibility(table, hidden, kind === "character" ? "acts" : hidden)} ${marks}</div>
    ${body} ${follows(table, kind, thing)} ${controls(table, kind, thing)}
  </article>`;
}

/**
 * Draw a name, so that a right-to-left name does not reorder the text around it, and browsers do not translate it.
 * @param {string} name
 */
export function called(name) {
  return html`<bdi translate="no" dir=${name.includes("\u2068") ? "ltr" : nothing}>${name}</bdi>`;
}

/** Return a title of two texts, such as "Ines: climbs the wall". @param {string} who @param {string} [what] */
export function titled(who, what) {
  return what ? `${isolated(who)}: ${isolated(what)}` : who;
}

/**
 * Draw a badge that says who sees a thing; nothing if everyone does.
 * @param {Table} table @param {string} hidden the visibility; empty if everyone sees it
 * @param {string} [said] ends the label's key; `acts`: for a character that is hidden until it acts
 */
export function visibility(table, hidden, said = hidden) {
  return hidden ? html`<span class=${`badge ${hidden}`}>${table.t(`visibility.${said}`)}</span>` : nothing;
}

/**
 * Draw a badge with a few words; nothing for empty words.
 * @param {unknown} words @param {string} [kind] @param {string} [why] an explanation, shown as a tooltip
 */
export function badge(words, kind = "", why) {
  if (!words) return nothing;
  return html`<span class=${`badge ${kind}`} translate="no" title=${why ?? nothing} aria-description=${why ?? nothing}>${words}</span>`;
}

/** Draw the controls of the viewer's role for a thing. @param {Table} table @param {string} kind @param {any} thing */
export function controls(table, kind, thing) {
  const drawn = table.view.closed || table.over ? undefined : table.role.controls?.[kind]?.(table, thing);
  return drawn && drawn !== nothing ? html`<div class="controls">${drawn}</div>` : nothing;
}

/**
 * Draw a thing's dice or dial. They are a button if the viewer's role has an action for a press on them.
 * @param {Table} table @param {string} kind @param {any} thing @param {unknown} drawing the dice or the dial
 */
export function pressed(table, kind, thing, drawing) {
  return table.view.closed || table.over ? drawing : (table.role.pressed?.(table, kind, thing, drawing) ?? drawing);
}

/** In these statuses, a fumble (a very bad check) may still cause the effects of a thing. */
const GOES_ON = new Set(["in_play", "open", "prepared", "proposed", "ready", "rolling"]);
/** The fields with the ids of a thing's clocks. */
const CLOCKS = ["clock_id", "threat_id"];

/**
 * Draw what a thing or its clocks may still trigger, and what a fumble may cause. The view has only consequences that the
 * viewer may see. Source: rules.md C26 and E5.
 * @param {Table} table @param {string} kind @param {any} thing
 */
export function follows(table, kind, thing) {
  const subjects = new Set([`${kind}:${thing.id}`, ...CLOCKS.map((field) => `clock:${thing[field]}`)]);
  const all = [...table.view.consequences.values()].filter(
    ({ of }) => subjects.has(`${of.kind}:${of.id}`) && !isOver(table.view, of),
  );
  const fumbles = GOES_ON.has(thing.status) ? ((thing.effects ?? thing).fumble_does ?? []) : [];
  if (!all.length && !fumbles.length) return nothing;
  return html`<ul class="follows">
    ${fumbles.map((/** @type {T.FumbleDoes} */ fumble) => html`<li data-part="fumble">${table.words.narrator.follows(fumble, table.view)}</li>`)}
    ${keyed(all, (consequence) => {
      const hidden = consequence.visibility === "public" ? "" : consequence.visibility;
      return html`<li data-thing=${`consequence:${consequence.id}`}>
        ${table.words.narrator.follows(consequence, table.view)} ${visibility(table, hidden)}
        ${controls(table, "consequence", consequence)}
      </li>`;
    })}
  </ul>`;
}

/** Draw a sentence of the log, struck through if it was undone. @param {Table} table @param {Sentence} sentence */
export function sentence(table, { text, back }) {
  return back ? html`<s>${text}</s> <span class="unseen">(${table.t("chronicle.back")})</span>` : text;
}

/** @typedef {{ readonly id: string }} Named */

/**
 * Draw a list of things. When the list changes, a thing keeps its element, with the focus and the typed values in it.
 * @template {Named} Thing
 * @param {readonly Thing[]} things
 * @param {(thing: Thing) => unknown} draw
 */
export function keyed(things, draw) {
  return repeat(things, (thing) => thing.id, draw);
}

/**
 * Draw a section of cards under a heading; nothing without things.
 * @param {Table} table
 * @param {{ name: string, things: readonly Named[], draw: (thing: any) => unknown, over?: (thing: any) => boolean }} given
 *   `over`: whether a thing is over. A line below the section counts these things, and opens to show their cards
 */
export function section(table, { name, things, draw, over = () => false }) {
  if (!things.length) return nothing;
  const ended = things.filter(over);
  return html`<section class=${`things ${name}`} data-place=${name} aria-labelledby=${`section-${name}`}>
    <div class="about">${headed(table, name)}</div>
    <div class="cards">${keyed(things.filter((thing) => !over(thing)), draw)}</div>
    ${ended.length ? endedThings(table, name, ended, draw) : nothing}
  </section>`;
}

/** Draw a section's heading, with a button that explains its term. @param {Table} table @param {string} name */
function headed(table, name) {
  const about = WORDS[/** @type {string} */ (name.split("_").at(-1))];
  const label = table.t(`section.${name}`);
  return html`<h2 id=${`section-${name}`}>${label}</h2>
    ${about ? word(table, about, label, name) : nothing}`;
}

/**
 * Draw a line that counts the ended things, and opens to show their cards.
 * @param {Table} table @param {string} name of the section @param {readonly Named[]} ended @param {(thing: any) => unknown} draw
 */
function endedThings(table, name, ended, draw) {
  const key = `ended:${name}`;
  const shown = table.ui.get(key) ?? false;
  return html`<details class="ended" ?open=${shown} @toggle=${(/** @type {Event} */ event) => {
    const open = /** @type {HTMLDetailsElement} */ (event.currentTarget).open;
    if (open !== shown) table.set(key, open);
  }}>
    <summary>${table.t("ended", { number: ended.length })}</summary>
    <div class="cards">${shown ? keyed(ended, draw) : nothing}</div>
  </details>`;
}
