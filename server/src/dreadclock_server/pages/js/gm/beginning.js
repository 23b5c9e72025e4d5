// @ts-check
/**
 * The section that helps to start a fresh table: three beginnings, the invitation of players, and the gm's own link.
 * A beginning is a ready-made countdown or scene. Its button puts it on the table. A form that changes it then replaces the button.
 */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Shown } from "./showing.js"
 *
 * @typedef {{ name: string, more: string, number: number }} Given the editable values of a beginning
 *   `more`: the ending of a countdown, or the name of a race or a challenge; `number`: the number of dice or points
 *
 * @typedef {object} Beginning
 * @property {number} number the initial number of dice or points
 * @property {(id: string, given: Given) => T.Command[]} commands returns the commands that put the beginning on the table
 * @property {(view: Table["view"], id: string) => Given | undefined} read returns the current values of a beginning on the table, or undefined if it can no longer be edited, for example after a roll of its countdown or the end of its scene
 */

import { MAX_CLOCK, MAX_TEXT } from "../../client/limits.js";
import { button, disclosure, field, form, numberField } from "../app/controls.js";
import { forgetsSeats, isKept } from "../app/seats.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { turnKeeping } from "../parts/people.js";
import { lazily } from "./panel.js";
import { copying } from "./presses.js";
import { beginningOf } from "./fresh.js";

const showing = lazily(() => import("./showing.js"));
const SCENE = 10; // the size of the scene's clock
const RACE = /** @type {const} */ ({ kind: "race", content: "exploration", level: 1, difficulty: "normal" });
const WAY_IN = /** @type {const} */ ({ kind: "standard", content: "exploration", clock: 1 });
const PARTS = /** @type {const} */ (["countdown", "scene", "situation", "challenge"]); // events have new things in these fields

/** @type {Record<string, Beginning>} */
const BEGINNINGS = {
  out: {
    number: 6,
    commands: (id, { name, more, number }) => [{ type: "start_countdown", id, name, ending: more, pool: number }],
    read: ({ countdowns }, id) => {
      const countdown = countdowns.get(id);
      if (countdown?.status !== "running" || countdown.rolled_turn) return undefined;
      return { name: countdown.name, more: countdown.ending ?? "", number: countdown.pool };
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

/** Draw the section. @param {Table} table @param {boolean} isBegun whether a countdown or a scene is on the table */
export function beginning(table, isBegun) {
  const form = '[data-place="seat:invite:form"] > summary';
  const invite = async () => /** @type {HTMLElement | null} */ (table.root.querySelector(form))?.click();
  const inviting = html`<li>
    ${button(table, { key: "beginning:invite", label: table.t("gm.beginning.invite"), work: invite })}
    <span class="hint">${table.t(table.ui.get("knocked") ? "gm.beginning.knocked" : "gm.beginning.invite.why")}</span>
  </li>`;
  return html`<section class="beginning" data-place="beginning" aria-labelledby="beginning">
    <h2 id="beginning">${table.t(isBegun ? "gm.beginning.else" : "gm.beginning")}</h2>
    <ul>
      ${isBegun ? inviting : nothing}
      ${Object.keys(BEGINNINGS).map((kind) => html`<li data-beginning=${kind}>${changing(table, kind) ?? starting(table, kind)}</li>`)}
      ${isBegun ? nothing : inviting}
    </ul>
    ${table.ui.get("knocked") ? html`<p class="hint">${table.t("gm.beginning.kept")}</p>` : keyToTable(table)}
  </section>`;
}

/** Draw a hint that says how to call for the first roll. @param {Table} table */
export const firstRoll = (table) => html`<p class="hint">${table.t("gm.beginning.roll")}</p>`;

/** Draw the button that puts a beginning on the table. @param {Table} table @param {string} kind */
function starting(table, kind) {
  const { number } = BEGINNINGS[kind];
  const work = async () => {
    const usual = (/** @type {string} */ name) => table.t(`gm.begin.${kind}.${name}.usual`);
    await put(table, kind, { name: usual("name"), more: usual("more"), number });
    // after the form is drawn, select the name, so that the gm can type another name at once
    const select = () => /** @type {HTMLInputElement | null} */ (document.querySelector(`[data-beginning=${kind}] input`))?.select();
    requestAnimationFrame(() => requestAnimationFrame(select));
  };
  return html`${button(table, { key: `begin:${kind}`, label: table.t(`gm.begin.${kind}`), work })}
    <span class="hint">${table.t(`gm.begin.${kind}.why`)}</span>`;
}

/** Put a beginning on the table, with the given names and number. @param {Table} table @param {string} kind @param {Given} given */
async function put(table, kind, given) {
  const id = `begin-${kind}-${table.room.positions.public?.seq ?? 0}`;
  for (const command of BEGINNINGS[kind].commands(id, given)) await table.room.submit(command);
}

/** Draw the form that changes a beginning on the table. Return undefined if the beginning is not on the table or can no longer be edited. @param {Table} table @param {string} kind */
function changing(table, kind) {
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
      await undo(table, id);
      await put(table, kind, next);
    },
  });
}

/** Undo the commands that put a beginning on the table, the last first. No command renames things, so the form makes new ones. @param {Table} table @param {string} id */
async function undo(table, id) {
  const isPart = (/** @type {any} */ event) => PARTS.some((part) => event[part]?.id.startsWith(id));
  const seqs = table.sentences.filter(({ back, record }) => !back && isPart(record.event)).map(({ record }) => record.seq);
  for (const seq of seqs.reverse()) await table.room.submit({ type: "void_command", channel: "public", seq, reason: "slip" });
}

/** Draw a disclosure with the gm's own link, and the button that keeps the seat on this device. @param {Table} table */
function keyToTable(table) {
  const content = () => html`<p>${table.t("gm.beginning.key.why")}</p>
    ${ownLink(table)}`;
  const keep = { key: "beginning:keep", label: table.t("keep"), title: table.t("keep.does"), work: async () => turnKeeping(table) };
  return html`<div data-part="key">
    ${forgetsSeats() ? html`<p class="hint" data-part="forgets">${table.t("gm.beginning.forgets")}</p>` : nothing}
    ${isKept(table.room.link) ? nothing : button(table, keep)}
    ${disclosure(table, { key: "beginning:key", label: table.t("gm.beginning.key"), kind: "more", content })}
  </div>`;
}

/** Draw the buttons that copy and show the gm's own link. After a press on "show", draw the link and its controls instead. @param {Table} table */
function ownLink(table) {
  const { server, room, token } = table.room.link;
  const link = `${server}/r/${room}#${token}`;
  const shown = /** @type {Shown | undefined} */ (table.ui.get("own-link"));
  const name = table.nameOfSeat(table.room.seat);
  if (shown) return showing(table, (module) => module.linkShown(table, "own-link", shown, name));
  const work = async () => table.set("own-link", await (await import("./showing.js")).shownLink(table, link));
  return html`<div class="controls">
    ${copying(table, "own-link", link, name, "")} ${button(table, { key: "own-link:show", label: table.t("gm.beginning.show_key"), work })}
  </div>`;
}
