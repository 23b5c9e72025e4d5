// @ts-check
/** What happened, as sentences, read aloud as it happens; below them the log in six words, and the ways into the past. */

/** @import { Table, Told } from "../app/table.js" */

import { sixWords } from "../../client/fingerprint.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { guard } from "../../vendor/lit-html/directives/guard.js";
import { repeat } from "../../vendor/lit-html/directives/repeat.js";
import { button, disclosure, lazily } from "../app/controls.js";
import { dress } from "../app/settings.js";
import { sentence } from "./card.js";

/** @typedef {typeof import("../evening/evening.js")} Evening what is loaded when it is asked for */

const narration = lazily(() => import("./narrate.js"));
const SHOWN = 60;
const clocks = /** @type {Map<string, Intl.DateTimeFormat>} */ (new Map());

/** Draw the latest sentences, newest last, as a log that is read aloud. @param {Table} table */
export function chronicle(table) {
  const slip = table.role.slips?.(table);
  return html`<section class="chronicle" aria-labelledby="chronicle">
    <h2 id="chronicle">${table.t("chronicle")}</h2>
    <div class="told" role="log" aria-live="polite" aria-labelledby="chronicle" tabindex="0">
      ${table.beganAt > 1 ? html`<p class="hint">${table.t("chronicle.earlier")}</p>` : nothing}
      <ol>
        ${repeat(
          table.told.slice(-SHOWN),
          (each) => each.key,
          (each) => html`<li class=${each.channel} data-record=${each.key} data-place=${each.key}>
            ${guard([each], () => line(table, each))} ${slip?.(each)}
          </li>`,
        )}
      </ol>
    </div>
    ${narrating(table)} ${evening(table)}
  </section>`;
}

/** Draw the way to tell what happens without dice, for those who may. @param {Table} table */
function narrating(table) {
  const may = table.seat?.role === "gm" || table.seat?.role === "player";
  if (!may || table.view.closed || table.over || table.ui.has("past")) return nothing;
  const content = () => narration(table, (it) => it.narrate(table, "narrate"));
  return disclosure(table, { key: "narrate", label: table.t("narrate"), kind: "action", content });
}

/** @param {Table} table @param {Told} told */
function line(table, told) {
  const time = new Date(told.at);
  return html`<time datetime=${time.toISOString()}>${clock(table.words.language).format(time)}</time> ${sentence(table, told)}`;
}

/** @param {string} language */
function clock(language) {
  const known = clocks.get(language) ?? new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  clocks.set(language, known);
  return known;
}

/** Draw the foot of what happened. @param {Table} table */
function evening(table) {
  const { seq, hash } = table.room.positions.public ?? { seq: 0, hash: "" };
  const more = /** @type {Evening | undefined} */ (table.ui.get("evening"));
  return html`<div class="evening" data-place="evening">
    <p class="words">${table.t("evening.words", { number: seq })} <b>${sixWords(hash).join(" ")}</b></p>
    <p class="hint">${table.t("evening.words.why")}</p>
    <div class="controls">
      ${way(table, "look", (it) => it.look(table), table.ui.get("past") && table.t("past.leave"))}
      ${way(table, "verify", (it) => it.verify(table))}
      ${way(table, "save", (it) => it.save(table))}
    </div>
    ${more ? more.found(table) : nothing}
  </div>`;
}

/** @param {Table} table @param {string} name @param {(evening: Evening) => Promise<void>} go @param {string} [label] */
function way(table, name, go, label = table.t(`evening.${name}`)) {
  return button(table, {
    key: `evening:${name}`,
    label,
    title: table.t(`evening.${name}.does`),
    work: async () => {
      const more = await loaded(table).catch(() => null);
      return more ? go(more) : table.refuse(`evening:${name}`, table.t("over.unreachable"));
    },
  });
}

/** Load what the ways lead to. @param {Table} table @returns {Promise<Evening>} */
async function loaded(table) {
  const [more] = await Promise.all([
    import("../evening/evening.js"),
    table.words.learn("evening"),
    table.words.learn("alarms"),
    table.ui.has("evening") || dress("evening"),
  ]);
  table.ui.set("evening", more);
  return more;
}
