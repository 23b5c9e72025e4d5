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
import { slips, undo } from "./undo.js";

/** @typedef {typeof import("../evening/evening.js")} Evening what is loaded when it is asked for */

const narration = lazily(() => import("./narrate.js"));
const SHOWN = 60; // sentences, at first and for each step back
const NEAR_PX = 40;
const MOST_READ = 6; // sentences that come at once and are read aloud; more of them are summed up in one
/** What was read last, and how. @type {WeakMap<Table, { last: string, summary: string }>} */ const read = new WeakMap();
const clocks = /** @type {Map<string, Intl.DateTimeFormat>} */ (new Map());

/** Draw the latest sentences, newest last, as a log that is read aloud. @param {Table} table */
export function chronicle(table) {
  const slip = slips(table);
  const [all, isWhole] = sentences(table);
  const summary = summed(table);
  const closing = table.ui.get("sheet:log"); // where it stands over a phone's page
  return html`<section class=${`chronicle ${closing ? "sheet" : ""}`} aria-labelledby="chronicle">
    <h2 id="chronicle">${table.t("chronicle")}</h2>
    ${closing}
    <p class="unseen" role="status">${summary}</p>
    <div class="told" role="log" aria-live=${summary ? "off" : "polite"} aria-labelledby="chronicle" tabindex="0" @scroll=${(/** @type {Event} */ event) => reachBack(table, event)}>
      <div class="hint">${isWhole ? table.t("chronicle.begins") : further(table)}</div>
      <ol>
        ${repeat(
          all,
          (each) => each.key,
          (each) => html`<li class=${each.channel} data-record=${each.key} data-place=${each.key}>
            ${guard([each], () => line(table, each))} ${slip(each)}
          </li>`,
        )}
      </ol>
    </div>
    ${undo(table)} ${narrating(table)} ${evening(table)}
  </section>`;
}

/**
 * Return what is read aloud in place of the latest sentences, if too many came at once, as at the end of a turn. It stays
 * until others come, so that the log, which is silent as long, reads no part of them.
 * @param {Table} table
 */
function summed(table) {
  const { told } = table;
  const last = told.at(-1)?.key ?? "";
  const known = read.get(table) ?? { last, summary: "" };
  if (known.last !== last) {
    const fresh = told.slice(told.findIndex(({ key }) => key === known.last) + 1);
    known.summary = fresh.length > MOST_READ ? summaryOf(table, fresh) : "";
  }
  read.set(table, { ...known, last });
  return known.summary;
}

/** @param {Table} table @param {readonly Told[]} fresh */
function summaryOf(table, fresh) {
  const of = (/** @type {string} */ type) => fresh.filter(({ record }) => record.event.type === type);
  const turn = of("turn_ended").at(-1)?.text ?? "";
  const ended = of("countdown_expired").length;
  return `${turn} ${table.t("chronicle.many", { number: fresh.length, ended })}`.trim();
}

/** Return the sentences that are shown, and whether they begin with the room's first. @param {Table} table @returns {[Told[], boolean]} */
function sentences({ told, story, ui }) {
  const all = [...story.earlier, ...told];
  const shown = ui.get("chronicle:shown") ?? SHOWN;
  return [all.slice(-shown), shown >= all.length && story.isWhole];
}

/** Draw the way further back, for those who do not scroll. @param {Table} table */
function further(table) {
  return button(table, { key: "chronicle:earlier", label: table.t("chronicle.earlier"), work: () => goBack(table) });
}

/** Show what happened before, once somebody scrolls to the oldest sentence. @param {Table} table @param {Event} event */
function reachBack(table, { currentTarget }) {
  const { scrollTop, scrollHeight, clientHeight } = /** @type {HTMLElement} */ (currentTarget);
  const left = scrollHeight - clientHeight + scrollTop; // it counts from the end, downwards from zero
  const waits = table.ui.get("chronicle:going") || table.refusal("chronicle:earlier"); // then a press asks again
  if (left >= NEAR_PX || sentences(table)[1] || waits) return;
  goBack(table).catch(() => table.refuse("chronicle:earlier", table.t("over.unreachable")));
}

/** Show more sentences, once for all who ask while they come. @param {Table} table @returns {Promise<void>} */
function goBack(table) {
  const going = table.ui.get("chronicle:going") ?? showMore(table).finally(() => table.ui.delete("chronicle:going"));
  table.ui.set("chronicle:going", going);
  return going;
}

/** Show more sentences; further ones are fetched once those at hand do not suffice. @param {Table} table */
async function showMore(table) {
  const shown = (table.ui.get("chronicle:shown") ?? SHOWN) + SHOWN;
  if (!table.story.isWhole && shown > table.story.length) await fetchUpTo(table, shown);
  table.refuse("chronicle:earlier", "");
  const log = document.querySelector(".chronicle .told");
  const oldest = log?.querySelector("li");
  const top = oldest?.getBoundingClientRect().top ?? 0;
  table.set("chronicle:shown", shown);
  await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
  if (log && oldest) log.scrollTop += oldest.getBoundingClientRect().top - top; // what was read stays where it was
}

/** @param {Table} table @param {number} shown */
async function fetchUpTo(table, shown) {
  const { story } = table;
  const { Earlier } = await import("../evening/earlier.js");
  const past = (story.past ??= new Earlier(table));
  const earlier = await past.reach(shown - story.told.length);
  if (story.past === past) [story.earlier, story.isWhole] = [earlier, past.isWhole]; // else it has begun anew
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
    ${isShared(table)
      ? html`<details class="words" ?open=${!matchMedia("(max-width: 48rem)").matches}>
          <summary>${table.t("evening.words.fold")}</summary>
          <p>${table.t("evening.words", { number: seq })} <b>${inTwoLines(sixWords(hash))}</b></p>
          <p class="hint">${table.t("evening.words.why")}</p>
        </details>`
      : nothing}
    <div class="controls">
      ${way(table, "look", (it) => it.look(table), table.ui.get("past") && table.t("past.leave"))}
      ${way(table, "verify", (it) => it.verify(table))}
      ${way(table, "save", (it) => it.save(table))} ${recapButton(table, "evening")}
    </div>
    ${more ? more.found(table) : nothing}
  </div>`;
}

/** @param {readonly string[]} words six of them */
function inTwoLines(words) {
  return `${words.slice(0, 3).join(" ")}\n${words.slice(3).join(" ")}`;
}

/** Tell whether somebody else is at the table, or was: alone there is nobody to compare words with. @param {Table} table */
function isShared({ room, told, ui }) {
  const other = (/** @type {string} */ id) => id !== room.seat;
  const found = Object.entries(room.here).some(([id, times]) => other(id) && times > 0) || told.some(({ record }) => other(record.by));
  if (found) ui.set("evening:shared", true);
  return ui.has("evening:shared");
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

/** Draw the button that opens the recap beside the table. @param {Table} table @param {string} place where on the page it stands @param {string} [kind] */
export function recapButton(table, place, kind) {
  const [label, title] = [table.t("evening.recap"), table.t("evening.recap.does")];
  return button(table, { key: `${place}:recap`, label, title, kind, work: () => openRecap(table) });
}

/** The token goes along as in every link, and the page takes it out of its address. @param {Table} table */
async function openRecap({ room }) {
  const { server, room: id, token } = room.link;
  open(`${server}/recap/${id}#${token}`, "_blank", "noopener");
}
