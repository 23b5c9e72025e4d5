// @ts-check
/** The forms of countdowns: sized and started, filled up, ended; and what their dice have in store. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Values } from "../app/controls.js"
 * @import { Table } from "../app/table.js"
 * @import { Fields } from "./fields.js"
 * @import { Demand } from "./lazily.js"
 * @import { Size } from "./sizing.js"
 */

import { button } from "../app/controls.js";
import { MAX_POOL, MAX_ROLLS_AHEAD, MAX_STAGES, SPEEDS } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { deedFields, deedsIn } from "./effect_rows.js";
import { demanded, folded, onlyAsked, reasonFor, rowsIn, seenAs } from "./live.js";
import { after, averages, distribution } from "./sizing.js";

const AT_START = ":start"; // begins the names of the rows for what the stage at the starting size does
const STAGES_AT_FIRST = 2;
const POOL = 6;

/**
 * Draw the form that starts a countdown, with what its size means beside it.
 * @param {Table} table @param {Demand} demand
 */
export function startCountdown(table, demand) {
  const rows = `rows:${demand.key}`;
  return demanded(table, demand, {
    submit: table.t("gm.start"),
    again: "countdown",
    seen: seenAs,
    command: (values) => commandOf(values),
    done: () => table.ui.delete(rows),
    fields: (f) => {
      const stages = Math.max(table.ui.get(rows) ?? STAGES_AT_FIRST, rowsIn(f.values, "at"));
      const work = async () => table.set(rows, stages + 1);
      const another = button(table, { key: `${demand.key}:row`, label: table.t("gm.stage_more"), work });
      return startFields(table, f, stages, stages < MAX_STAGES ? another : nothing);
    },
  });
}

/** @param {Table} table @param {Fields} f @param {number} rows @param {unknown} another */
function startFields(table, f, rows, another) {
  const score = attributesOf(table, f)[f.read("attribute")];
  const size = score === undefined ? sizeIn(f) : { ...sizeIn(f), pool: score };
  const stages = stagesOf(f.values).map((each) => each.at);
  const sized = { ...size, stages: [...new Set(stages)].filter((at) => at < size.pool), look: f.number("look", 0) };
  return html`<div class="fields">
      ${sizeFields(f, score === undefined ? undefined : poolOf(table, score), score === 0 ? nothing : distribution(table, f.key, sized))}
      ${f.pick("bound", "gm.bound", bindings(table), "turn")} ${f.owner("gm.owner.gm")} ${f.visibility()}
    </div>
    ${folded(table.t("gm.stages"), html`<p class="hint">${table.t("gm.stages.hint")}</p> ${stageFields(table, f, rows, size.pool)} ${another}`, stages.length > 0)}
    ${folded(table.t("gm.seldom"), seldomFields(table, f))}
    <div class="sizing">
      ${onlyAsked(table, f.steps("look", "gm.look", 0, { max: MAX_ROLLS_AHEAD, required: false }))}
      ${sized.look && score !== 0 ? after(table, f.key, sized, sized.look) : nothing} ${averages(table, f.key, sized)}
    </div>`;
}

/** Draw what is rarely set of a countdown. @param {Table} table @param {Fields} f */
function seldomFields(table, f) {
  return html`<div class="fields">
    ${f.tick("replenishable", "gm.replenishable")} ${f.tick("stabilizable", "gm.stabilizable")}
    ${f.character("about", "gm.about", "gm.about.nobody")} ${attributeField(table, f)}
    ${f.among("fate", "gm.fate", ["", "dies", "leaves"], (each) => `gm.fate.${each || "nothing"}`)}
    ${f.among("repeats", "gm.repeats", ["", "same", "d6"], (each) => `gm.repeats.${each || "nothing"}`)}
  </div>`;
}

/** Return the attributes of the character that a countdown is to be about. @param {Table} table @param {Fields} f */
function attributesOf(table, f) {
  return table.view.characters.get(f.read("about"))?.attributes ?? {};
}

/** Draw the choice of an attribute that says how many dice there are. @param {Table} table @param {Fields} f */
function attributeField(table, f) {
  const known = Object.entries(attributesOf(table, f));
  const options = known.map(([name, score]) => /** @type {const} */ ([name, `${name} ${score}`]));
  return known.length ? f.pick("attribute", "gm.from_attribute", [["", table.t("gm.none")], ...options]) : nothing;
}

/** Say how many dice an attribute gives. @param {Table} table @param {number} score */
function poolOf(table, score) {
  return html`<p class="hint" data-part="pool">${table.t("gm.from_attribute.pool", { score })}</p>`;
}

/** Draw a countdown's name, pool, speed and ending. @param {Fields} f @param {unknown} [pool] in place of the field for it @param {unknown} [odds] that follow from them */
export function sizeFields(f, pool = f.steps("pool", "gm.dice", POOL, { min: 1 }), odds = nothing) {
  return html`${f.text("name", "gm.name", { required: true })} ${pool}
  ${f.segments("speed", "gm.speed", SPEEDS, (each) => `gm.speed.${each}`, "slow")} ${odds} ${f.sentence("ending", "gm.ending")}`;
}

/** Return the size that `sizeFields` shows now. @param {Fields} f @returns {Size} */
export function sizeIn(f) {
  const pool = Math.min(MAX_POOL, Math.max(1, Math.round(f.number("pool", POOL))));
  return { pool, speed: /** @type {T.Speed} */ (f.read("speed", "slow")), stages: [] };
}

/**
 * Offer what a countdown can be bound to: the turn, nothing, and the scenes and situations under way.
 * @param {Table} table @param {T.Countdown} [countdown] which may be bound to something that is over
 */
function bindings(table, countdown) {
  const { view } = table;
  const open = (/** @type {{ status: string }} */ { status }) => status === "open";
  const rounds = [...view.situations.values()].filter(open).map(({ id, name }) => ["rounds", id, name]);
  const turns = [...view.scenes.values()].filter(open).map(({ id, name }) => ["scene", id, name]);
  const options = [...turns, ...rounds].map(
    ([kind, id, name]) => /** @type {const} */ ([`${kind}:${id}`, table.t(`gm.bound.${kind}`, { name })]),
  );
  const { bound_to: kind = "turn", bound_id: id = "" } = countdown ?? {};
  const gone = id && !options.some(([value]) => value === `${kind}:${id}`);
  const plain = ["turn", "nothing"].map((each) => /** @type {const} */ ([each, table.t(`gm.bound.${each}`)]));
  const kept = gone ? [/** @type {const} */ ([`${kind}:${id}`, table.t(`gm.bound.${kind}`, { name: id })])] : [];
  return [...plain, ...options, ...kept];
}

/** Read what a countdown is bound to. @param {Values} values */
function bindingOf(values) {
  const [bound_to, bound_id] = (values.text("bound") ?? "turn").split(":");
  return { bound_to: /** @type {T.BoundTo} */ (bound_to), bound_id };
}

/** @param {Table} table @param {Fields} f @param {number} rows @param {number} pool that it begins with */
function stageFields(table, f, rows, pool) {
  const places = Array.from({ length: rows }, (_, at) => at);
  const first = places.find((at) => f.number(`at${at}`, 0) === pool && f.read(`effect${at}`).trim() !== "");
  return places.map((at) => {
    const row = table.t("gm.stage", { number: at + 1 });
    return html`<div class="fields" role="group" aria-label=${row}>
      ${f.steps(`at${at}`, "gm.stage_at", undefined, { min: 1, required: f.read(`effect${at}`).trim() !== "", describes: row })}
      ${f.sentence(`effect${at}`, "gm.stage_effect")}
      ${f.number(`at${at}`, 0) >= pool ? html`<p class="hint">${table.t("gm.stage_now")}</p>` : nothing}
      ${at === first ? deedFields(table, f, AT_START, [], { isGms: seenAs(f) !== "public" }) : nothing}
    </div>`;
  });
}

/** @param {Values} values @returns {T.Stage[]} */
function stagesOf(values) {
  const places = Array.from({ length: rowsIn(values, "at") }, (_, at) => at);
  const stages = places.map((at) => ({ at: values.number(`at${at}`) ?? 0, effect: values.text(`effect${at}`) ?? "" }));
  return stages.filter(({ at, effect }) => at >= 1 && at <= MAX_POOL && effect !== "");
}

/** @param {Values} values @returns {T.StartCountdown} */
function commandOf(values) {
  const from_attribute = values.text("attribute");
  const does = deedsIn(values, AT_START);
  return {
    type: "start_countdown",
    ...newCountdown(values),
    ...(from_attribute === undefined ? {} : { pool: undefined, from_attribute }),
    about: values.text("about"),
    fate: /** @type {T.CountdownFate | undefined} */ (values.text("fate")),
    repeats: /** @type {T.Repeats | undefined} */ (values.text("repeats")),
    stages: stagesOf(values),
    ...(does.length ? { at_start: does } : {}),
    owner: values.text("owner"),
    ...bindingOf(values),
    stabilizable: values.ticked("stabilizable"),
    replenishable: values.ticked("replenishable"),
    visibility: values.choice("visibility"),
  };
}

/** Read what `sizeFields` drew. @param {Values} values */
export function newCountdown(values) {
  return {
    name: values.text("name") ?? "",
    pool: values.number("pool") ?? POOL,
    speed: /** @type {T.Speed} */ (values.choice("speed")),
    ending: values.text("ending"),
  };
}

/**
 * Draw the form that adds dice to a countdown.
 * @param {Table} table @param {Demand} demand @param {T.Countdown} countdown
 */
export function replenishing(table, demand, { id, name }) {
  return demanded(table, demand, {
    submit: table.t("gm.add"),
    inline: true,
    command: (values) => ({ type: "replenish_countdown", countdown_id: id, dice: values.number("dice") ?? 1 }),
    fields: (f) => f.steps("dice", "gm.dice", 1, { min: 1, describes: name }),
  });
}

/** Draw the form that changes a countdown. Source: rules.md A14. @param {Table} table @param {Demand} demand @param {T.Countdown} countdown */
export function amending(table, demand, countdown) {
  const { id, pool, speed, ending, owner, bound_to, bound_id, stabilizable, replenishable, visibility } = countdown;
  const bound = bound_id ? `${bound_to}:${bound_id}` : bound_to;
  return demanded(table, demand, {
    submit: table.t("gm.countdown.amend"),
    command: (values) => ({
      type: "amend_countdown",
      countdown_id: id,
      reason: values.text("reason") ?? "",
      pool: values.number("pool"),
      speed: /** @type {T.Speed} */ (values.choice("speed")),
      ending: values.text("ending"),
      owner: values.text("owner"),
      ...((values.text("bound") ?? bound) === bound ? {} : bindingOf(values)),
      stabilizable: values.ticked("stabilizable"),
      replenishable: values.ticked("replenishable"),
      clear: [
        ...(owner && !values.text("owner") ? /** @type {const} */ (["owner"]) : []),
        ...(ending && !values.text("ending") ? /** @type {const} */ (["ending"]) : []),
      ],
    }),
    fields: (f) =>
      html`<div class="fields">
        ${f.steps("pool", "gm.dice", pool, { min: 0, max: MAX_POOL })}
        ${f.among("speed", "gm.speed", SPEEDS, (each) => `gm.speed.${each}`, speed)}
        ${f.sentence("ending", "gm.ending", { value: ending })} ${f.owner("gm.owner.gm", owner)}
        ${f.pick("bound", "gm.bound", bindings(table, countdown), bound)}
        ${f.tick("stabilizable", "gm.stabilizable", stabilizable)}
        ${f.tick("replenishable", "gm.replenishable", replenishable)}
        ${f.sentence("reason", reasonFor(visibility), { required: true })}
      </div>`,
  });
}

/** Draw the form that ends a countdown without its ending. @param {Table} table @param {Demand} demand @param {T.Countdown} countdown */
export function cancelling(table, demand, { id }) {
  return demanded(table, demand, {
    submit: table.t("gm.cancel"),
    kind: "risk",
    inline: true,
    command: (values) => ({ type: "cancel_countdown", countdown_id: id, reason: values.text("reason") }),
    fields: (f) => f.sentence("reason", "gm.reason_optional"),
  });
}

/** Draw how long a countdown will last. @param {Table} table @param {Demand} _ @param {T.Countdown} countdown */
export function odds(table, _, { id, pool, speed, stages }) {
  return distribution(table, `countdown:${id}`, { pool, speed, stages: [...new Set(stages.map(({ at }) => at))].filter((at) => at < pool) });
}
