// @ts-check
/**
 * The log of the page. Each action has a line, which opens to show the sentences about its events. Below the lines are
 * buttons to look back, verify and save. `checkWords` draws six words, made from the log's hash, for the settings.
 */

/** @import { Action } from "../app/lines.js" @import { Table, Sentence } from "../app/table.js" */

import { sixWords } from "../../client/fingerprint.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { guard } from "../../vendor/lit-html/directives/guard.js";
import { repeat } from "../../vendor/lit-html/directives/repeat.js";
import { button, disclosure, lazily } from "../app/controls.js";
import { actionsOf, lineOf, spoken } from "../app/lines.js";
import { dress } from "../app/settings.js";
import { sentence } from "./card.js";
import { drawLine } from "./line.js";
import { slips, undo } from "./undo.js";

/** @typedef {typeof import("../evening/evening.js")} Evening the module for looking back */

const narration = lazily(() => import("./narrate.js"));
const SHOWN = 60; // lines that are shown at first, and added by each step back
const NEAR_PX = 40;
const MOST_READ = 4; // screen readers read up to 4 new lines; of more lines, they read only the number
/** For each table: the keys of records that need no announcement any more, and the latest announcements. @type {WeakMap<Table, { records: Set<string>, said: [key: string, text: string][] }>} */ const read = new WeakMap();
const clocks = /** @type {Map<string, Intl.DateTimeFormat>} */ (new Map());

/** Draw the announcements of new lines, which only screen readers read. @param {Table} table */
export function readAloud(table) {
  return html`<div class="unseen" role="status" aria-atomic="false" data-part="aloud">
    ${repeat(announced(table), ([key]) => key, ([, text]) => html`<p>${text}</p>`)}
  </div>`;
}

/** Draw the log: the latest lines, the newest last. @param {Table} table @param {unknown} [foot] drawn below the lines */
export function chronicle(table, foot = html`${undo(table)} ${narrating(table)} ${evening(table)}`) {
  const slip = slips(table);
  const [actions, isWhole] = shownActions(table);
  const further = button(table, { key: "chronicle:earlier", label: table.t("chronicle.earlier"), work: () => goBack(table) }); // for people who do not scroll
  return html`<section class="chronicle" aria-labelledby="chronicle">
    <h2 id="chronicle">${table.t("chronicle")}</h2>
    <div class="told" role="log" aria-live="off" aria-labelledby="chronicle" tabindex="0" @scroll=${(/** @type {Event} */ event) => reachBack(table, event)}>
      <div class="hint">${isWhole ? table.t("chronicle.begins") : further}</div>
      <ol @keydown=${step}>
        ${repeat(actions, keyOf, (action, place) => row(table, action, place === actions.length - 1, slip))}
      </ol>
    </div>
    ${foot}
  </section>`;
}

/** Return an action's key: that of its last record, because earlier records may be fetched later. @param {Action} action */
const keyOf = (action) => action[action.length - 1].key;

/**
 * Draw an action as a line that opens to show the action's sentences.
 * @param {Table} table @param {Action} action @param {boolean} isLast @param {(sentence: Sentence) => unknown} slip draws the undo
 *   button of a sentence
 */
function row(table, action, isLast, slip) {
  const key = keyOf(action);
  const isOpen = table.ui.get(`line:${key}`) ?? false;
  const line = lineOf(action, table.words.t);
  return html`<li class=${line.isSecret ? "gm" : ""} data-record=${key} data-records=${action.map((sentence) => sentence.key).join(" ")} data-place=${key}>
    <button type="button" class="line" tabindex=${isLast ? 0 : -1} aria-expanded=${String(isOpen)} @click=${() => table.set(`line:${key}`, !isOpen)}>
      ${guard([...action], () => drawLine(table, line))}
    </button>
    ${isOpen ? action.map((sentence) => html`<p class=${`event ${sentence.channel}`}>${timed(table, sentence)}</p>`) : nothing}
    ${[...new Set([line.lead, ...action])].map(slip)}
  </li>`;
}

/** Move between lines with the arrow keys. The tab key only stops at the last line. @param {KeyboardEvent} event */
function step(event) {
  const to = event.key === "ArrowUp" ? "previousElementSibling" : event.key === "ArrowDown" ? "nextElementSibling" : "";
  const line = to && /** @type {any} */ (event.target).closest("li")[to]?.querySelector(".line");
  if (!line) return;
  event.preventDefault();
  line.focus();
}

/**
 * Return the announcements for screen readers: the new lines, or only their number if more than `MOST_READ` came at once.
 * Announcements stay until further lines come.
 * @param {Table} table @returns {readonly [key: string, text: string][]}
 */
function announced(table) {
  const { sentences } = table.story;
  const { records, said } = read.get(table) ?? { records: new Set(sentences.map(({ key }) => key)), said: [] };
  const fresh = landed(table, sentences.filter(({ key }) => !records.has(key)));
  for (const { key } of fresh.flat()) records.add(key);
  const now = fresh.length > MOST_READ ? [[keyOf(fresh[0]), table.t("chronicle.many", { number: fresh.length })]] : fresh.map((action) => [keyOf(action), spoken(lineOf(action, table.words.t), table.words.t)]);
  const next = /** @type {[string, string][]} */ (now.length ? now : said);
  read.set(table, { records, said: next });
  return next;
}

/** Return the actions, without those whose dice are still in the air. @param {Table} table @param {readonly Sentence[]} sentences */
function landed({ stage }, sentences) {
  return actionsOf(sentences).filter((action) => !action.some(({ key }) => stage?.hides(key)));
}

/** Return the actions to show, and whether they start with the room's first action. @param {Table} table @returns {[Sentence[][], boolean]} */
function shownActions(table) {
  const { story, ui } = table;
  const all = landed(table, [...story.earlier, ...story.sentences]);
  const shown = ui.get("chronicle:shown") ?? SHOWN;
  return [all.slice(-shown), shown >= all.length && story.isWhole];
}

/** Show more lines when somebody has scrolled to the oldest line. @param {Table} table @param {Event} event */
function reachBack(table, { currentTarget }) {
  const { scrollTop, scrollHeight, clientHeight } = /** @type {HTMLElement} */ (currentTarget);
  const left = scrollHeight - clientHeight + scrollTop; // scrollTop is 0 at the end of this list, and negative above
  const waits = table.ui.get("chronicle:going") || table.refusal("chronicle:earlier"); // after a failure, only a press on the button tries again
  if (left >= NEAR_PX || shownActions(table)[1] || waits) return;
  goBack(table).catch(() => table.refuse("chronicle:earlier", table.t("over.unreachable")));
}

/** Show more lines. A call during another returns the same promise. @param {Table} table @returns {Promise<void>} */
function goBack(table) {
  const going = table.ui.get("chronicle:going") ?? showMore(table).finally(() => table.ui.delete("chronicle:going"));
  table.ui.set("chronicle:going", going);
  return going;
}

/** Show more lines. Fetch older records if there are not enough. @param {Table} table */
async function showMore(table) {
  const shown = (table.ui.get("chronicle:shown") ?? SHOWN) + SHOWN;
  const { earlier, sentences, isWhole } = table.story;
  if (!isWhole && shown > actionsOf([...earlier, ...sentences]).length) await fetchUpTo(table, shown);
  table.refuse("chronicle:earlier", "");
  const log = document.querySelector(".chronicle .told");
  const oldest = log?.querySelector("li");
  const top = oldest?.getBoundingClientRect().top ?? 0;
  table.set("chronicle:shown", shown);
  await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
  if (log && oldest) log.scrollTop += oldest.getBoundingClientRect().top - top; // keep the lines that were visible at the same place
}

/** Fetch earlier sentences until there are enough lines. @param {Table} table @param {number} shown how many lines @returns {Promise<void>} */
async function fetchUpTo(table, shown) {
  const { story } = table;
  const { Earlier } = await import("../evening/earlier.js");
  const past = (story.past ??= new Earlier(table));
  const earlier = await past.reach(shown - actionsOf(story.sentences).length);
  if (story.past === past) [story.earlier, story.isWhole] = [earlier, past.isWhole]; // otherwise the log was replaced meanwhile
}

/** Draw a form for what happens without dice, if the viewer may use it. @param {Table} table */
function narrating(table) {
  const may = table.seat?.role === "gm" || table.seat?.role === "player";
  if (!may || table.view.closed || table.over || table.ui.has("past")) return nothing;
  const content = () => narration(table, (module) => module.narrate(table, "narrate"));
  return disclosure(table, { key: "narrate", label: table.t("narrate"), kind: "action", content });
}

/** Draw a sentence with its time. @param {Table} table @param {Sentence} said */
function timed(table, said) {
  const time = new Date(said.at);
  return html`<time datetime=${time.toISOString()}>${clock(table.words.language).format(time)}</time> ${sentence(table, said)}`;
}

/** Return the cached format for times of day. @param {string} language */
function clock(language) {
  const format = clocks.get(language) ?? new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  clocks.set(language, format);
  return format;
}

/** Draw the six words, with which people compare their logs, if anybody else is or was at the table. @param {Table} table */
export function checkWords(table) {
  if (!isShared(table)) return nothing;
  const { seq, hash } = table.room.positions.public ?? { seq: 0, hash: "" };
  const words = sixWords(hash);
  return html`<details class="disclosure more words">
    <summary>${table.t("evening.words.fold")}</summary>
    <p>${table.t("evening.words", { number: seq })} <b>${words.slice(0, 3).join(" ")}\n${words.slice(3).join(" ")}</b></p>
    <p class="hint">${table.t("evening.words.why")}</p>
  </details>`;
}

/** Draw the buttons for looking back, verifying and saving, and the report of a verification. @param {Table} table */
export function evening(table) {
  const more = /** @type {Evening | undefined} */ (table.ui.get("evening"));
  return html`<div class="evening" data-place="evening">
    ${hasHistory(table) ? html`<div class="controls">
      ${way(table, "look", (module) => module.look(table), table.ui.get("past") && table.t("past.leave"))}
      ${way(table, "verify", (module) => module.verify(table))}
      ${way(table, "save", (module) => module.save(table))} ${recapButton(table, "evening")}
    </div>` : nothing}
    ${more ? more.found(table) : nothing}
  </div>`;
}

/** Tell whether to draw the buttons of `evening`. A gm gets them only after something other than the opening or a change of seats. @param {Table} table */
function hasHistory({ sentences, story, ui, isGm }) {
  return !isGm || !story.isWhole || ui.has("past") || sentences.some(({ record }) => !/^(room_opened|seat_)/.test(record.event.type));
}

/** Tell whether another seat is or was connected, or has done anything: a lone visitor has nobody to compare the words with. @param {Table} table */
function isShared({ room, sentences, ui }) {
  const other = (/** @type {string} */ id) => id !== room.seat;
  const isSomebodyHere = Object.entries(room.here).some(([id, times]) => other(id) && times > 0) || sentences.some(({ record }) => other(record.by));
  if (isSomebodyHere) ui.set("evening:shared", true);
  return ui.has("evening:shared");
}

/**
 * Draw a button that loads the module for looking back, and calls `go` with it.
 * @param {Table} table @param {string} name of the button @param {(evening: Evening) => Promise<void>} go @param {string} [label]
 */
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

/** Load the module for looking back, verifying and saving. @param {Table} table @returns {Promise<Evening>} */
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

/**
 * Draw the button that opens the recap beside the table.
 * @param {Table} table @param {string} place where on the page the button is @param {string} [kind] of the button
 */
export function recapButton(table, place, kind) {
  const [label, title] = [table.t("evening.recap"), table.t("evening.recap.does")];
  return button(table, { key: `${place}:recap`, label, title, kind, work: () => openRecap(table) });
}

/** Open the recap in a new tab. Its address has the token, as every link has. The recap's page removes the token from the address. @param {Table} table */
async function openRecap({ room }) {
  const { server, room: id, token } = room.link;
  open(`${server}/recap/${id}#${token}`, "_blank", "noopener");
}
