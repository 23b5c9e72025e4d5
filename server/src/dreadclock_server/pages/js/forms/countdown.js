// @ts-check
/**
 * The form that starts a countdown. It shows how long a countdown of the entered size is likely to last. Only the gm can choose the
 * owner and hide the countdown. A player owns each countdown that the player starts.
 */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Values } from "../app/controls.js"
 * @import { Table } from "../app/table.js"
 * @import { Fields } from "./fields.js"
 * @import { Panel } from "../gm/panel.js"
 * @import { Size } from "./sizing.js"
 *
 * A stage says what happens at a number of dice. Only the gm can add effects at the starting number. `fields` draws
 * their fields. `in` returns the entered effects as a field of the command.
 * @typedef {{ fields: (f: Fields) => unknown, in: (values: Values) => Pick<T.StartCountdown, "at_start"> }} AtStart
 */

import { button } from "../app/controls.js";
import { MAX_ROLLS_AHEAD, MAX_STAGES, SPEEDS } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { panelForm, folded, onlyAsked, rowsIn, seenAs } from "./live.js";
import { after, averages, distribution } from "./sizing.js";

const STAGES_AT_FIRST = 2;

/** @param {Table} table @param {Panel} panel @param {AtStart} [atStart] */
export function startCountdown(table, panel, atStart) {
  const rows = `rows:${panel.key}`;
  return panelForm(table, panel, {
    submit: table.t("form.start"),
    again: "countdown",
    seen: seenAs,
    command: (entered, values) => ({ ...commandOf(entered, values), ...atStart?.in(values) }),
    done: () => table.ui.delete(rows),
    fields: (f) => {
      const stages = Math.max(table.ui.get(rows) ?? STAGES_AT_FIRST, rowsIn(f.values, "at"));
      const work = async () => table.set(rows, stages + 1);
      const another = button(table, { key: `${panel.key}:row`, label: table.t("form.stage_more"), work });
      return startFields(table, f, panel, stages, stages < MAX_STAGES ? another : nothing, atStart);
    },
  });
}

/** @param {Table} table @param {Fields} f @param {Panel} panel @param {number} rows @param {unknown} another @param {AtStart} [atStart] */
function startFields(table, f, { characters }, rows, another, atStart) {
  const score = attributesOf(table, f)[f.read("attribute")];
  const size = score === undefined ? sizeIn(f) : { ...sizeIn(f), pool: score };
  const stages = stagesOf(f.values).map(({ at }) => at);
  const sized = { ...size, stages: [...new Set(stages)].filter((at) => at && at < size.pool), look: f.number("look", 0) };
  return html`<div class="fields">
      ${sizeFields(f, score === undefined ? undefined : poolOf(table, score), score === 0 ? nothing : distribution(table, f.key, sized))}
      ${f.pick("bound", "form.bound", bindings(table), "turn")} ${table.isGm ? html`${f.owner("gm.owner.gm")} ${f.visibility()}` : nothing}
    </div>
    ${folded(table.t("form.stages"), html`<p class="hint">${table.t("form.stages.hint")}</p> ${stageFields(table, f.apart(), rows, size.pool, atStart)} ${another}`, stages.length > 0)}
    ${folded(table.t("form.seldom"), seldomFields(table, f, characters))} ${table.isGm ? sizing(table, f, sized, score !== 0) : nothing}`;
}

/**
 * Draw the average durations of countdowns, and the chances after a chosen number of rolls. Only the gm sees them.
 * @param {Table} table @param {Fields} f @param {Size} sized @param {boolean} rolls whether the countdown has dice
 */
function sizing(table, f, sized, rolls) {
  return html`<div class="sizing">
    ${onlyAsked(table, f.apart().steps("look", "gm.look", 0, { max: MAX_ROLLS_AHEAD, required: false }))}
    ${sized.look && rolls ? after(table, f.key, sized, sized.look) : nothing} ${averages(table, f.key, sized)}
  </div>`;
}

/**
 * Draw the fields that are rarely set.
 * @param {Table} table @param {Fields} f @param {readonly T.Character[]} [characters] the characters that the countdown can be about
 */
function seldomFields(table, f, characters) {
  return html`<div class="fields">
    ${f.tick("replenishable", "form.replenishable")} ${f.tick("stabilizable", "form.stabilizable")}
    ${f.character("about", "form.about", "form.about.nobody", characters)} ${attributeField(table, f)}
    ${f.among("fate", "form.fate", ["", "dies", "leaves"], "form.fate")}
    ${f.among("repeats", "form.repeats", ["", "same", "d6"], "form.repeats")}
  </div>`;
}

/** Return the attributes of the chosen character; empty if none is chosen. @param {Table} table @param {Fields} f */
function attributesOf(table, f) {
  return table.view.characters.get(f.read("about"))?.attributes ?? {};
}

/** Draw the choice of an attribute whose score is the number of dice. @param {Table} table @param {Fields} f */
function attributeField(table, f) {
  const options = Object.entries(attributesOf(table, f)).map(([name, score]) => /** @type {const} */ ([name, `${name} ${score}`]));
  return options.length ? f.pick("attribute", "form.from_attribute", [["", table.t("form.none")], ...options]) : nothing;
}

/** Draw a sentence with the number of dice that an attribute gives. @param {Table} table @param {number} score */
function poolOf(table, score) {
  return html`<p class="hint" data-part="pool">${table.t("form.from_attribute.pool", { score })}</p>`;
}

/** Return the initial number of dice. @param {Table} table */
const usualPool = ({ isGm }) => (isGm ? 6 : 4);

/**
 * Draw the fields for a countdown's name, number of dice, speed and ending.
 * @param {Fields} f @param {unknown} [pool] drawn in place of the field for the dice
 * @param {unknown} [odds] the drawn odds of the entered size
 */
export function sizeFields(f, pool = f.steps("pool", "form.dice", usualPool(f.table), { min: 1 }), odds = nothing) {
  return html`${f.text("name", "form.name", { required: true, example: "form.countdown.example" })} ${pool}
  ${f.segments("speed", "form.speed", SPEEDS, "form.speed", "slow")} ${odds} ${f.sentence("ending", "form.ending")}`;
}

/** Return the size that is now entered in `sizeFields`, without stages. @param {Fields} f @returns {Size} */
export function sizeIn(f) {
  return { pool: f.number("pool", usualPool(f.table)), speed: /** @type {T.Speed} */ (f.read("speed", "slow")), stages: [] };
}

/**
 * Return the options for what rolls a countdown (its binding): the turn, nothing, or an open scene or situation.
 * @param {Table} table @param {T.Countdown} [countdown] its binding is offered even if the scene or situation is over
 */
export function bindings(table, countdown) {
  const { view } = table;
  const open = (/** @type {{ status: string }} */ { status }) => status === "open";
  const rounds = [...view.situations.values()].filter(open).map(({ id, name }) => ["rounds", id, name]);
  const turns = [...view.scenes.values()].filter(open).map(({ id, name }) => ["scene", id, name]);
  const options = [...turns, ...rounds].map(
    ([kind, id, name]) => /** @type {const} */ ([`${kind}:${id}`, table.t(`form.bound.${kind}`, { name })]),
  );
  const { bound_to: kind = "turn", bound_id: id = "" } = countdown ?? {};
  const gone = id && !options.some(([value]) => value === `${kind}:${id}`);
  const plain = ["turn", "nothing"].map((word) => /** @type {const} */ ([word, table.t(`form.bound.${word}`)]));
  const kept = gone ? [/** @type {const} */ ([`${kind}:${id}`, table.t(`form.bound.${kind}`, { name: id })])] : [];
  return [...plain, ...options, ...kept];
}

/** Return the chosen binding as fields of a command. @param {string} bound the value of an option of `bindings` */
export function bindingOf(bound) {
  const [bound_to, bound_id] = bound.split(":");
  return { bound_to: /** @type {T.BoundTo} */ (bound_to), bound_id };
}

/** @param {Table} table @param {Fields} f @param {number} rows @param {number} pool the starting number of dice @param {AtStart} [atStart] */
function stageFields(table, f, rows, pool, atStart) {
  const places = Array.from({ length: rows }, (_, at) => at);
  const first = places.find((at) => f.number(`at${at}`, 0) === pool && f.read(`effect${at}`).trim() !== "");
  return places.map((at) => {
    const row = table.t("form.stage", { number: at + 1 });
    return html`<div class="fields" role="group" aria-label=${row}>
      ${f.steps(`at${at}`, "form.stage_at", undefined, { min: 1, required: f.read(`effect${at}`).trim() !== "", describes: row })}
      ${f.sentence(`effect${at}`, "form.stage_effect", { required: f.read(`at${at}`) !== "" })}
      ${f.number(`at${at}`, 0) >= pool ? html`<p class="hint">${table.t("form.stage_now")}</p>` : nothing}
      ${at === first ? atStart?.fields(f) : nothing}
    </div>`;
  });
}

/** Return the stages in a form, without the empty rows. @param {Values} values @returns {T.Stage[]} */
function stagesOf(values) {
  const places = Array.from({ length: rowsIn(values, "at") }, (_, at) => at);
  return places.map((at) => ({ at: values.number(`at${at}`) ?? 0, effect: values.text(`effect${at}`) ?? "" })).filter(({ at, effect }) => at || effect);
}

/** @param {any} entered @param {Values} values @returns {T.StartCountdown} */
function commandOf({ attribute: from_attribute, bound, ...entered }, values) {
  const pool = from_attribute ? { pool: undefined, from_attribute } : {};
  return { type: "start_countdown", ...entered, ...pool, stages: stagesOf(values), ...bindingOf(bound) };
}
