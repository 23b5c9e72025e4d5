// @ts-check
/** Shows the past of a room, verifies its log, and saves the log. */

/** @import { Table } from "../app/table.js" @import { Log } from "./log.js" */

import { ConnectionEnded, Refused } from "../../client/dreadclock.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { OtherLog, fetchLog, readLog } from "./log.js";
import { Past } from "./past.js";
import { exportOf, saveAs } from "./saving.js";
import { report } from "./verifying.js";

/** Start to look into the past, or return to the present. @param {Table} table */
export async function look(table) {
  if (table.ui.has("past")) return table.ui.get("past").leave();
  await withLog(table, "look", (log) => openPast(table, log));
}

/** Show the past in place of the table. @param {Table} table @param {Log} log */
function openPast(table, log) {
  const { scrollX, scrollY } = window;
  const leave = () => {
    past.stop();
    removeEventListener("keydown", escape);
    table.ui.delete("past");
    table.redraw();
    afterDrawing(() => {
      scrollTo(scrollX, scrollY);
      focusOn('[data-key="evening:look"]:not(.drawer *), .drawer > summary');
    });
  };
  const escape = (/** @type {KeyboardEvent} */ event) => event.key === "Escape" && leave();
  const past = new Past(table, readLog(log).lines, leave);
  addEventListener("keydown", escape);
  table.setOpen("menu:drawer", false);
  table.set("past", past);
  afterDrawing(() => focusOn(".past input[type=range]"));
}

/** Verify the whole log, and show the report. Without flaws, mark all rolls as checked. @param {Table} table */
export async function verify(table) {
  await withLog(table, "verify", async (log) => {
    const { verifyLog } = await import("../../client/verify.js");
    const { room, logId, received, texts } = log;
    const verified = await verifyLog({ room, logId, lines: texts, heads: received });
    if (!verified.flaws.length) for (const text of texts) table.checked.hear(JSON.parse(text));
    table.set("evening:found", verified);
    afterDrawing(() => document.querySelector(".evening .found")?.scrollIntoView({ block: "center" }));
  });
}

/** Save the log as a file. @param {Table} table */
export async function save(table) {
  await withLog(table, "save", (log) => {
    const { lines, heads } = readLog(log);
    saveAs(table.view.title, "jsonl", exportOf(log, lines, heads));
  });
}

/** Draw the report of the verification, if there is one. @param {Table} table */
export function found(table) {
  const verified = table.ui.get("evening:found");
  return verified ? html`<div class="found" role="status" tabindex="0">${report(table, verified)}</div>` : nothing;
}

/**
 * Fetch the log and call `work` with it. On an error, show the reason beside the button.
 * @param {Table} table @param {string} name the last part of the button's key @param {(log: Log) => unknown} work
 */
async function withLog(table, name, work) {
  try {
    await work(await fetchLog(table));
  } catch (error) {
    console.warn(error);
    table.refuse(`evening:${name}`, whyNot(table, error));
  }
}

/** Return a sentence about an error. If the log contradicts what this page has received, also show an alarm. @param {Table} table @param {unknown} error */
function whyNot(table, error) {
  if (error instanceof OtherLog) {
    const sentence = table.t("evening.other_log", { channel: error.channel, number: error.number });
    table.warn(sentence);
    return sentence;
  }
  if (error instanceof Refused) return table.words.narrator.refusal(error.code, error.details, error.message);
  return table.t(error instanceof ConnectionEnded ? "over.unreachable" : "evening.unreadable");
}

/** Do something after the next drawing of the page. @param {() => void} work */
function afterDrawing(work) {
  requestAnimationFrame(() => requestAnimationFrame(work));
}

/** Focus the first element that matches a selector. @param {string} selector */
function focusOn(selector) {
  /** @type {HTMLElement | null} */ (document.querySelector(selector))?.focus({ preventScroll: false });
}
