// @ts-check
/** The strip that stays in sight: the turn, what waits for the gm, and every clock and countdown, each one press away. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Waiting } from "./desk.js"
 */

import { button, refusal } from "../app/controls.js";
import { countdownIsOver, isFull } from "../app/over.js";
import { asTicked, canTick, tickOf } from "../app/presses.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { isDue, wasRolled } from "../parts/countdown.js";
import { keyed } from "../parts/card.js";
import { dial } from "../parts/dial.js";
import { waiting } from "./desk.js";
import { lazily } from "./lazily.js";
import { isolated } from "../../client/messages.js";

const PRESSED = "button:not(.word > *), input, select, summary";
const KEYS = { "-": true, "+": false };
const DONE = new Set(["resolved", "succeeded", "failed"]);
const open = lazily(() => import("./unfinished.js"));

/** Draw the strip. @param {Table} table */
export function strip(table) {
  const { clocks, countdowns } = table.view;
  const running = [...countdowns.values()].filter((each) => !countdownIsOver(each));
  const chips = [
    ...[...clocks.values()].filter((each) => goesOn(table, each)).map((each) => ({ id: `clock:${each.id}`, draw: () => clockChip(table, each) })),
    ...running.map((each) => ({ id: `countdown:${each.id}`, draw: () => countdownChip(table, each) })),
  ];
  return html`<section class="strip" data-place="strip" aria-label=${table.t("gm.strip")}>
    <div class="strip-head">${turn(table)} ${waits(table)}</div>
    ${chips.length ? html`<ul class="chips" translate="no">${keyed(chips, (each) => each.draw())}</ul>` : nothing}
  </section>`;
}

/** Tell whether a clock moves: it stands for itself, or what it belongs to goes on; those of challenges are on their cards. @param {Table} table @param {T.Clock} clock */
function goesOn({ view: { scenes, situations } }, { kind, of = "" }) {
  if (kind === "free") return true;
  const place = scenes.get(of) ?? situations.get(of);
  return place?.status === "open" && !("aside" in place && place.aside);
}

// What waits

/** @param {Table} table */
function waits(table) {
  const things = waiting(table);
  const knocks = table.room.knocks.length;
  const number = things.length + knocks;
  if (!number) return nothing;
  return html`<div class="waits" role="group" aria-label=${table.t("section.desk", { number })} data-waits=${number}>
    <b class="count" translate="no" aria-hidden="true">${number}</b>
    <ul>
      ${knocks ? html`<li class="wait">${wayTo(table.t("gm.strip.knocks", { number: knocks }), ".knocks")}</li>` : nothing}
      ${keyed(things, (each) => waitingOne(table, each))}
    </ul>
  </div>`;
}

/** @param {Table} table @param {Waiting} one */
function waitingOne(table, { id, name, kind, approve, says }) {
  const label = [table.t("gm.approve"), says].filter(Boolean).join(" · ");
  const key = `strip:${kind}:${id}:approve`;
  return html`<li class="wait" data-wait=${`${kind}:${id}`}>
    ${wayTo(name, `[data-place=desk] [data-thing="${kind}:${CSS.escape(id)}"]`)}
    ${approve ? button(table, { key, label, describes: name, kind: "main", command: approve }) : nothing}
  </li>`;
}

/** Draw a button that goes somewhere on the page. @param {string} label @param {string} selector */
function wayTo(label, selector) {
  return html`<button type="button" class="way" translate="no" @click=${() => goTo(selector)}>${label}</button>`;
}

/** @param {string} selector */
function goTo(selector) {
  const place = document.querySelector(selector);
  place?.scrollIntoView({ block: "center" });
  /** @type {HTMLElement | null | undefined} */ (place?.querySelector(PRESSED))?.focus({ preventScroll: true });
}

// Clocks and countdowns

/** @param {Table} table @param {T.Clock} clock */
function clockChip(table, clock) {
  if (clock.kind !== "free") return placeChip(table, clock);
  const { id, name, visibility, size } = clock;
  const key = `strip:clock:${id}`;
  const { value } = asTicked(table, clock);
  const tick = (/** @type {boolean} */ back) => {
    const { command, adds } = tickOf(clock, back);
    if (canTick(table, clock, back)) void table.add(key, command, adds.sum, adds.by);
  };
  const typed = (/** @type {KeyboardEvent} */ event) => {
    if (!(event.key in KEYS)) return;
    event.preventDefault(); // on a page, `+` is a shortcut
    tick(KEYS[/** @type {keyof KEYS} */ (event.key)]);
  };
  const full = isFull(asTicked(table, clock));
  return html`<li class=${`chip clock ${visibility} ${full ? "full" : ""}`} data-chip=${`clock:${id}`}>
    <button
      type="button"
      class="press"
      data-key=${key}
      data-adds
      aria-label=${table.t("gm.strip.tick", { name, value, size })}
      aria-disabled=${full ? "true" : "false"}
      title=${`${name}. ${table.t("gm.strip.tick.does")}`}
      @click=${(/** @type {MouseEvent} */ event) => tick(event.shiftKey)}
      @keydown=${typed}
    >
      ${dial(table, clock)} ${named(table, name, visibility)}
    </button>
    ${canTick(table, clock, true) ? less(table, `${key}:less`, name, () => tick(true)) : nothing}
    ${refusal(table, key, table.unsettled(`clock:${id}`) !== 0)}
  </li>`;
}

/** @param {Table} table @param {string} key @param {string} name @param {() => void} press */
function less(table, key, name, press) {
  const label = table.t("gm.untick", { name });
  return html`<button type="button" class="less" data-key=${key} data-adds aria-label=${label} title=${label} @click=${press}>−</button>`;
}

/** Draw a clock of a scene or a situation, which moves by what is done there: the way to it. @param {Table} table @param {T.Clock} clock */
function placeChip(table, clock) {
  const { id, kind, visibility, of = "", value, size } = clock;
  const { scenes, situations } = table.view;
  const name = (scenes.get(of) ?? situations.get(of))?.name ?? clock.name;
  const thing = `${scenes.has(of) ? "scene" : "situation"}:${CSS.escape(of)}`;
  const what = kind === "threat" ? table.t("scene.threat") : name;
  return html`<li class=${`chip ${kind} ${visibility}`} data-chip=${`clock:${id}`}>
    <button type="button" class="press" aria-label=${table.t("gm.strip.go", { name: what, value, size })} title=${what} @click=${() => goTo(`[data-thing="${thing}"]`)}>
      ${dial(table, clock)} ${named(table, what, visibility)}
    </button>
  </li>`;
}

/** @param {Table} table @param {T.Countdown} countdown */
function countdownChip(table, countdown) {
  const { id, name, pool, speed, status, visibility } = countdown;
  const key = `strip:countdown:${id}`;
  const rests = status !== "running" ? table.t(`countdown.${status}`) : wasRolled(table.view, countdown) ? table.t("gm.strip.rolled") : "";
  const roll = () => rests || table.act(key, { type: "roll_countdown", countdown_id: id });
  const does = rests || table.t("gm.strip.roll.does");
  return html`<li class=${`chip countdown ${visibility} ${rests ? "rests" : ""} ${pool === 1 ? "last" : ""}`} data-chip=${`countdown:${id}`}>
    <button
      type="button"
      class="press"
      data-key=${key}
      aria-busy=${table.busy(key) ? "true" : "false"}
      aria-label=${table.t("gm.strip.roll", { name, pool })}
      aria-description=${does}
      aria-disabled=${rests ? "true" : "false"}
      title=${`${name}: ${table.t(`speed.${speed}`)}. ${does}`}
      @click=${roll}
    >
      <span class=${`pool-die ${speed}`} aria-hidden="true">${pool}</span> ${named(table, name, visibility, rests)}
    </button>
    ${refusal(table, key)}
  </li>`;
}

/** @param {Table} table @param {string} name @param {T.Visibility} visibility @param {string} [rests] */
function named(table, name, visibility, rests = "") {
  const hidden = visibility === "public" ? "" : table.t(`visibility.${visibility}`);
  const said = [hidden, rests].filter(Boolean).join(", ");
  return html`<span class="what"><bdi class="name">${name}</bdi>${said ? html`<span class="said">${said}</span>` : nothing}</span>`;
}

/** Draw the turn. @param {Table} table */
export function turn(table) {
  const { view } = table;
  const due = [...view.countdowns.values()].filter((each) => isDue(view, each));
  const begun = [...view.checks.values(), ...view.totals.values()];
  const named = due.length + begun.filter((each) => !DONE.has(each.status)).length;
  return html`<div class="turn-bar" data-place="turn" role="group" aria-labelledby="turn-now">
    <h2 id="turn-now" translate="no">${table.t("turn", { turn: view.turn })}</h2>
    ${button(table, { key: "turn:end", label: table.t("gm.turn.end"), kind: "main", command: { type: "end_turn" } })}
    <p class="hint" data-part="due" translate="no" tabindex=${named > 1 ? 0 : nothing}>
      ${rollsAlong(table, due)} ${begun.length ? open(table, (it) => it.unfinished(table)) : nothing}
    </p>
  </div>`;
}

/** Say which countdowns the end of a turn rolls, hidden ones marked: it cannot be taken back. @param {Table} table @param {readonly T.Countdown[]} due */
export function rollsAlong(table, due) {
  if (!due.length) return table.t("gm.turn.rolls_none");
  const named = due.map(({ name, visibility: seen }) => (seen === "public" ? isolated(name) : `${isolated(name)} (${table.t(`visibility.${seen}`)})`));
  return table.t("gm.turn.rolls", { number: due.length, names: new Intl.ListFormat(table.words.language).format(named) });
}
