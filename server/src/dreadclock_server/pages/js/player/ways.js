// @ts-check
/** The actions that a player can start. Each action is a disclosure, and opening it loads its form. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" @import { Panel } from "../gm/panel.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { button, disclosure, lazily } from "../app/controls.js";
import { canTick, tickOf } from "../app/presses.js";
import { formsIn } from "../forms/loading.js";
import { goTo } from "./waiting.js";
import { isOpen, ownCharacters } from "./mine.js";
import { facesField, mayTypeFaces } from "./roll.js";

const checks = formsIn(() => import("../forms/check.js"));
const totals = formsIn(() => import("../forms/total.js"));
const rolls = formsIn(() => import("../forms/roll.js"));
const countdowns = formsIn(() => import("../forms/countdown.js"));
const clocks = formsIn(() => import("../forms/clock.js"));
const newcomers = formsIn(() => import("../forms/sheet.js"));
const seats = lazily(() => import("./seat.js"));

/**
 * Draw the disclosure for an action of the viewer's character.
 * @param {Table} table @param {T.Character} character @param {string} name the end of its key @param {string} label
 * @param {(place: string) => unknown} content draws the form; `place`: the key of the disclosure
 */
export function deed(table, { id, name: describes }, name, label, content) {
  const place = `character:${id}:${name}`;
  return disclosure(table, { key: place, label, describes, kind: "action", content: () => content(place) });
}

/**
 * Return the options of a form about one of the viewer's characters.
 * @param {T.Character} character @param {string} closes the key of the disclosure around the form
 * @param {string} label of its button
 */
export const panelOf = (character, closes, label) => ({ key: `${closes}:send`, label, describes: character.name, closes, characters: [character] });

/** Draw the disclosure for a check of a character. @param {Table} table @param {T.Character} character */
export function proposeCheck(table, character) {
  const label = table.t("my.check");
  return deed(table, character, "check", label, (place) => {
    const panel = { ...panelOf(character, place, label), challenge: table.ui.get(`preset:${place}`) };
    return html`<p class="hint">${table.t("my.check_rule")}</p> ${checks(table, (module) => module.proposeCheck(table, panel))}`;
  });
}

/** Draw the disclosure for a total of a character. @param {Table} table @param {T.Character} character */
export function proposeTotal(table, character) {
  const label = table.t("my.total");
  const form = (/** @type {string} */ place) => totals(table, (module) => module.proposeTotal(table, panelOf(character, place, label)));
  const draw = (/** @type {string} */ place) => html`<p class="hint">${table.t("my.total_rule")}</p> ${form(place)}`;
  return deed(table, character, "total", label, draw);
}

/** Draw the disclosure for a plain roll of a character. @param {Table} table @param {T.Character} character */
export function rollFor(table, character) {
  return deed(table, character, "dice", table.t("my.plain_roll"), (place) => rollForm(table, place, character));
}

/** Draw the form for a plain roll. @param {Table} table @param {string} place the key of the disclosure @param {T.Character} [character] */
export function rollForm(table, place, character) {
  const panel = { key: `${place}:send`, label: table.t("my.plain_roll"), describes: character?.name, characters: character && [character] };
  const faces = mayTypeFaces(table) ? facesField(table, table.t("my.faces_optional")) : undefined;
  return rolls(table, (module) => module.rollDice(table, panel, faces));
}

/**
 * Open the form for a check against a challenge.
 * @param {Table} table
 * @param {T.Character} character
 * @param {string} challengeId
 */
export function checkAgainst(table, { id }, challengeId) {
  const place = `character:${id}:check`;
  table.ui.set(`preset:${place}`, challengeId);
  table.ui.get(`typed:${place}:send`)?.data.delete("effort");
  table.setOpen(place, true);
  goTo(`[data-form="${place}:send"] input`);
}

/**
 * Draw the disclosure for starting a thing; nothing if the room is closed.
 * @param {Table} table @param {string} place @param {string} label @param {() => unknown} content
 */
function start(table, place, label, content) {
  return isOpen(table) ? disclosure(table, { key: place, label, content }) : nothing;
}

/** Draw the disclosure for a plain roll without a character. @param {Table} table */
export function rollPlainly(table) {
  return start(table, "roll:dice", table.t("my.plain_roll"), () => rollForm(table, "roll:dice"));
}

/** Draw the disclosure for starting a countdown, if the house rules allow it. @param {Table} table */
export function startCountdown(table) {
  if (!table.view.policy.player_countdowns) return nothing;
  return begin(table, "countdown", (panel) => countdowns(table, (module) => module.startCountdown(table, { ...panel, characters: ownCharacters(table) })));
}

/** Draw the disclosure for starting a clock. @param {Table} table */
export function startClock(table) {
  return begin(table, "clock", (panel) => clocks(table, (module) => module.startClock(table, panel)));
}

/**
 * Draw the disclosure for starting a countdown or clock.
 * @param {Table} table @param {"countdown" | "clock"} kind @param {(panel: Panel) => unknown} draw
 */
function begin(table, kind, draw) {
  const closes = `start:${kind}`;
  const label = table.t(`my.start_${kind}`);
  return start(table, closes, label, () => draw({ key: `${closes}:send`, label, closes }));
}

const NEWCOMER = "add:character";

/** Draw the form that adds a character of the viewer. @param {Table} table */
export function firstCharacter(table) {
  return newcomers(table, (module) => module.addCharacter(table, { key: `${NEWCOMER}:send`, label: table.t("my.add"), closes: NEWCOMER }));
}

/**
 * Focus the form for the first character if it is shown, unless another element has the focus. Do not focus it on touch
 * screens, where the keyboard would cover the page.
 */
export function focusNewcomer() {
  if (document.activeElement !== document.body || !matchMedia("(pointer: fine)").matches) return;
  /** @type {HTMLElement | null} */ (document.querySelector(`[data-form="${NEWCOMER}:send"] input`))?.focus({ preventScroll: true });
}

/** Draw the disclosure for adding another character. @param {Table} table */
export function addCharacter(table) {
  return start(table, NEWCOMER, table.t("my.add_character"), () => firstCharacter(table));
}

/** Draw the disclosure with the controls of the viewer's seat. @param {Table} table */
export function ownSeat(table) {
  const { seat } = table;
  if (!seat) return nothing;
  return start(table, "seat", table.t("my.seat"), () => seats(table, (module) => module.seatForm(table, seat, "seat")));
}

/** Draw the tick button of the viewer's own clock. @param {Table} table @param {T.Clock} clock */
export function clockControls(table, clock) {
  if (!table.owns(clock) || !canTick(table, clock)) return nothing;
  return button(table, { key: `clock:${clock.id}:tick`, label: table.t("my.tick"), describes: clock.name, ...tickOf(clock) });
}
