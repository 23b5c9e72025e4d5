// @ts-check
/** A fresh table: three beginnings, each on the table in one press and then changed in its place; the invitation, and the gm's link. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Shown } from "./showing.js"
 *
 * @typedef {{ name: string, more: string, number: number }} Given what can be changed of a beginning
 *
 * @typedef {object} Beginning
 * @property {number} number at first
 * @property {(id: string, given: Given) => T.Command[]} commands put it on the table
 * @property {(view: Table["view"], id: string) => Given | undefined} read returns how it stands there; undefined if play has changed it
 */

import { MAX_CLOCK, MAX_TEXT } from "../../client/limits.js";
import { button, disclosure, field, form, numberField } from "../app/controls.js";
import { forgetsSeats, isKept } from "../app/seats.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { turnKeeping } from "../parts/people.js";
import { lazily } from "./lazily.js";
import { copying } from "./presses.js";
import { beginningOf } from "./starts.js";

const showing = lazily(() => import("./showing.js"));
const SCENE = 10; // points of a scene
const RACE = /** @type {const} */ ({ kind: "race", content: "exploration", level: 1, difficulty: "normal" });
const WAY_IN = /** @type {const} */ ({ kind: "standard", content: "exploration", clock: 1 });
const PARTS = /** @type {const} */ (["countdown", "scene", "situation", "challenge"]); // what events of a beginning hold

/** @type {Record<string, Beginning>} */
const BEGINNINGS = {
  out: {
    number: 6,
    commands: (id, { name, more, number }) => [{ type: "start_countdown", id, name, ending: more, pool: number }],
    read: ({ countdowns }, id) => {
      const it = countdowns.get(id);
      return it?.status === "running" && !it.rolled_turn ? { name: it.name, more: it.ending ?? "", number: it.pool } : undefined;
    },
  },
  chase: {
    number: 3,
    commands: (id, { name, more, number }) => [
      { type: "open_scene", id, name, clock: SCENE },
      { type: "start_situation", id: `${id}-in`, scene_id: id, name: more, clock: number, ...RACE },
    ],
    read: ({ scenes, situations, clocks }, id) => {
      const [scene, race] = [scenes.get(id), situations.get(`${id}-in`)];
      const number = clocks.get(race?.clock_id ?? "")?.value;
      return scene?.status === "open" && race && number ? { name: scene.name, more: race.name, number } : undefined;
    },
  },
  door: {
    number: 1,
    commands: (id, { name, more, number }) => [
      { type: "open_scene", id, name, clock: SCENE },
      { type: "start_situation", id: `${id}-in`, scene_id: id, name: more, ...WAY_IN },
      { type: "add_challenge", id: `${id}-on`, situation_id: `${id}-in`, name: more, kind: "barrier", clock: number },
    ],
    read: ({ scenes, challenges, clocks }, id) => {
      const [scene, door] = [scenes.get(id), challenges.get(`${id}-on`)];
      const number = clocks.get(door?.clock_id ?? "")?.value ?? 1;
      return scene?.status === "open" && door?.status === "open" ? { name: scene.name, more: door.name, number } : undefined;
    },
  },
};

/** Draw what can be done at a fresh table. @param {Table} table @param {boolean} isBegun whether something is on the table */
export function beginning(table, isBegun) {
  return html`<section class="beginning" data-place="beginning" aria-labelledby="beginning">
    <h2 id="beginning">${table.t(isBegun ? "gm.beginning.else" : "gm.beginning")}</h2>
    <ul>
      ${Object.keys(BEGINNINGS).map((kind) => html`<li data-beginning=${kind}>${begun(table, kind) ?? starting(table, kind)}</li>`)}
      <li>
        ${button(table, { key: "beginning:invite", label: table.t("gm.beginning.invite"), work: () => openForm(table, "seat:invite:form") })}
        <span class="hint">${table.t(table.ui.get("knocked") ? "gm.beginning.knocked" : "gm.beginning.invite.why")}</span>
      </li>
    </ul>
    ${table.ui.get("knocked") ? html`<p class="hint">${table.t("gm.beginning.kept")}</p>` : theKey(table)}
  </section>`;
}

/** Say how the first roll is called for. @param {Table} table */
export const firstRoll = (table) => html`<p class="hint">${table.t("gm.beginning.roll")}</p>`;

/** Draw the button of a beginning. @param {Table} table @param {string} kind */
function starting(table, kind) {
  const { number } = BEGINNINGS[kind];
  const work = async () => {
    const usual = (/** @type {string} */ name) => table.t(`gm.begin.${kind}.${name}.usual`);
    await put(table, kind, { name: usual("name"), more: usual("more"), number });
    requestAnimationFrame(() => requestAnimationFrame(() => select(kind)));
  };
  return html`${button(table, { key: `begin:${kind}`, label: table.t(`gm.begin.${kind}`), work })}
    <span class="hint">${table.t(`gm.begin.${kind}.why`)}</span>`;
}

/** Go to the name of what was put on the table, for it to be typed over. @param {string} kind */
function select(kind) {
  /** @type {HTMLInputElement | null} */ (document.querySelector(`[data-beginning=${kind}] input`))?.select();
}

/** Put a beginning on the table. @param {Table} table @param {string} kind @param {Given} given */
async function put(table, kind, given) {
  const id = `begin-${kind}-${table.room.positions.public?.seq ?? 0}`;
  for (const command of BEGINNINGS[kind].commands(id, given)) await table.room.submit(command);
}

/** Draw the fields of a beginning on the table, as long as play has not changed it. @param {Table} table @param {string} kind */
function begun(table, kind) {
  const id = beginningOf(table, kind);
  const given = id && BEGINNINGS[kind].read(table.view, id);
  if (!given) return undefined;
  const words = (/** @type {string} */ name) => table.t(`gm.begin.${kind}.${name}`);
  return form(table, {
    key: `begin:${kind}:change`,
    submit: table.t("gm.begin.change"),
    kind: "plain",
    describes: table.t(`gm.begin.${kind}`),
    keep: true,
    fields: html`<p class="hint" role="status">${table.t("gm.begin.there")}</p> ${field({ name: "name", label: words("name"), value: given.name, required: true })}
    ${field({ name: "more", label: words("more"), value: given.more, required: true, length: kind === "out" ? MAX_TEXT : undefined })}
    ${numberField("number", words("number"), { max: MAX_CLOCK, value: given.number })}`,
    work: async (values) => {
      const next = { name: values.text("name") ?? "", more: values.text("more") ?? "", number: values.number("number") ?? given.number };
      await takeBack(table, id);
      await put(table, kind, next);
    },
  });
}

/** Undo the commands that put a beginning on the table, the last first: what it is called cannot be changed otherwise. @param {Table} table @param {string} id */
async function takeBack(table, id) {
  const isOfIt = (/** @type {any} */ event) => PARTS.some((part) => event[part]?.id.startsWith(id));
  const seqs = table.told.filter(({ back, record }) => !back && isOfIt(record.event)).map(({ record }) => record.seq);
  for (const seq of seqs.reverse()) await table.room.submit({ type: "void_command", channel: "public", seq, reason: "slip" });
}

/** Say that one's own link is the key to the table, and give it; offer to keep the seat, unless this device does. @param {Table} table */
function theKey(table) {
  const content = () => html`<p>${table.t("gm.beginning.key.why")}</p>
    ${ownLink(table)}`;
  const keep = { key: "beginning:keep", label: table.t("keep"), title: table.t("keep.does"), work: async () => turnKeeping(table) };
  return html`<div data-part="key">
    ${forgetsSeats() ? html`<p class="hint" data-part="forgets">${table.t("gm.beginning.forgets")}</p>` : nothing}
    ${isKept(table.room.link) ? nothing : button(table, keep)}
    ${disclosure(table, { key: "beginning:key", label: table.t("gm.beginning.key"), kind: "more", content })}
  </div>`;
}

/** Draw the ways to take one's own link along. @param {Table} table */
function ownLink(table) {
  const { server, room, token } = table.room.link;
  const link = `${server}/r/${room}#${token}`;
  const shown = /** @type {Shown | undefined} */ (table.ui.get("own-link"));
  const name = table.nameOfSeat(table.room.seat);
  if (shown) return showing(table, (it) => it.linkShown(table, "own-link", shown, name));
  const work = async () => table.set("own-link", await (await import("./showing.js")).shownLink(table, link));
  return html`<div class="controls">
    ${copying(table, "own-link", link, name, "")} ${button(table, { key: "own-link:show", label: table.t("gm.beginning.show_key"), work })}
  </div>`;
}

/** Open a form as a press on it would. @param {Table} table @param {string} place */
async function openForm(table, place) {
  const summary = /** @type {HTMLElement | null} */ (table.root.querySelector(`[data-place="${place}"] > summary`));
  summary?.click();
}
