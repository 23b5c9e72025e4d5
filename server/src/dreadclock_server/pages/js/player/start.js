// @ts-check
/** Starting countdowns and clocks of the viewer's own. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Values } from "../app/controls.js"
 * @import { Table } from "../app/table.js"
 */

import { DIRECTIONS, MAX_CLOCK, MAX_POOL, MAX_TEXT, SPEEDS } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { choice, closeDisclosure, field, form, numberField } from "../app/controls.js";
import { lasting } from "./lasting.js";
import { ownCharacters } from "./mine.js";
import { forget, remember, remembered } from "./part_form.js";

const FIRST_POOL = 4;
const FIRST_SIZE = 6;
const STAGE = /^(\d{1,2})\s*[:,;.)-]?\s+(.+)$/;

/** Draw the form. @param {Table} table @param {string} place */
export function countdownForm(table, place) {
  const values = remembered(table, place);
  const pool = Math.min(MAX_POOL, values?.number("pool") ?? FIRST_POOL);
  const speed = values?.choice("speed") ?? "slow";
  return form(table, {
    key: `${place}:send`,
    submit: table.t("my.start"),
    describes: table.t("my.start_countdown"),
    fields: html`${countdownFields(table)} ${lasting(table, place, { pool, speed })}`,
    changed: remember(table, place),
    command: countdownCommand,
    done: () => {
      forget(table, place);
      closeDisclosure(table, place);
    },
  });
}

/** @param {Table} table */
function countdownFields(table) {
  const speeds = SPEEDS.map((speed) => /** @type {const} */ ([speed, table.t(`my.speed.${speed}`)]));
  const own = ownCharacters(table).map((each) => /** @type {const} */ ([each.id, each.name]));
  const whom = [/** @type {const} */ (["", table.t("my.about.nobody")]), ...own];
  const fates = ["", "dies", "leaves"].map(
    (each) => /** @type {const} */ ([each, table.t(`my.fate.${each || "nothing"}`)]),
  );
  return html`${field({
    name: "name",
    label: table.t("my.name"),
    required: true,
    placeholder: table.t("my.countdown_example"),
  })}
  ${numberField("pool", table.t("my.dice"), { max: MAX_POOL, value: FIRST_POOL })}
  ${choice({ name: "speed", label: table.t("my.speed"), options: speeds })}
  ${field({ name: "ending", label: table.t("my.ending"), length: MAX_TEXT })}
  ${field({
    name: "stages",
    label: table.t("my.stages"),
    type: "textarea",
    placeholder: table.t("my.stages_example"),
    hint: table.t("my.stages_hint"),
  })}
  ${choice({ name: "about", label: table.t("my.about"), options: whom })}
  ${field({ name: "attribute", label: table.t("my.from_attribute") })}
  ${choice({ name: "fate", label: table.t("my.fate"), options: fates })}
  ${field({ name: "turn", label: table.t("my.each_turn"), type: "checkbox", checked: true })}
  ${field({ name: "stabilizable", label: table.t("my.stabilizable"), type: "checkbox" })}
  ${field({ name: "replenishable", label: table.t("my.replenishable"), type: "checkbox" })}`;
}

/** @param {Values} values @returns {T.Command} */
function countdownCommand(values) {
  const attribute = values.text("attribute");
  return {
    type: "start_countdown",
    name: values.text("name") ?? "",
    ...(attribute === undefined ? { pool: values.number("pool") ?? 0 } : { from_attribute: attribute }),
    about: values.text("about"),
    fate: /** @type {T.CountdownFate | undefined} */ (values.text("fate")),
    speed: values.choice("speed"),
    ending: values.text("ending"),
    stages: values.lines("stages").flatMap(stageOf),
    bound_to: values.ticked("turn") ? "turn" : "nothing",
    stabilizable: values.ticked("stabilizable"),
    replenishable: values.ticked("replenishable"),
  };
}

/** Read a stage such as `2: blind`; what has no number is none. @param {string} line @returns {T.Stage[]} */
function stageOf(line) {
  const [, at, effect] = STAGE.exec(line) ?? [];
  return effect ? [{ at: Number(at), effect }] : [];
}

/** Draw the form. @param {Table} table @param {string} place */
export function clockForm(table, place) {
  const ways = DIRECTIONS.map((way) => /** @type {const} */ ([way, table.t(`my.direction.${way}`)]));
  return form(table, {
    key: `${place}:send`,
    submit: table.t("my.start"),
    describes: table.t("my.start_clock"),
    fields: html`${field({ name: "name", label: table.t("my.name"), required: true })}
    ${numberField("size", table.t("my.size"), { max: MAX_CLOCK, value: FIRST_SIZE })}
    ${choice({ name: "direction", label: table.t("my.direction"), options: ways })}`,
    command: (values) => ({
      type: "start_clock",
      name: values.text("name") ?? "",
      size: values.number("size") ?? 0,
      direction: values.choice("direction"),
    }),
    done: () => closeDisclosure(table, place),
  });
}
