// @ts-check
/** Dials that the gm turns: each segment moves a clock that stands for itself; a scene's ring goes back, or on to what moves it. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { Values } from "../app/controls.js";
import { canTick, tickOf } from "../app/presses.js";

const TURNED = ".card.clock > .pressed, .rings [data-clock]";
const LEAST = 0.02; // of a turn: less is a press
const FRAMES = 300; // that a form may take to be loaded

/** Let the dials of a page be turned. @param {Table} table */
export function turnDials(table) {
  table.root.addEventListener("pointerdown", (event) => begin(table, /** @type {PointerEvent} */ (event)));
}

/** @param {Table} table @param {PointerEvent} down */
function begin(table, down) {
  const ring = /** @type {HTMLElement | null} */ (/** @type {Element} */ (down.target).closest(TURNED));
  const id = ring?.dataset.clock ?? /** @type {HTMLElement | null} */ (ring?.closest("[data-thing]"))?.dataset.thing?.slice("clock:".length);
  const clock = table.view.clocks.get(id ?? "");
  if (!ring || !clock || down.button || !down.isPrimary) return;
  const { left, top, width, height } = (ring.closest("svg") ?? ring.querySelector("svg") ?? ring).getBoundingClientRect();
  const turnAt = (/** @type {MouseEvent} */ { clientX, clientY }) => Math.atan2(clientY - top - height / 2, clientX - left - width / 2) / (2 * Math.PI);
  let [last, turned, steps] = [turnAt(down), 0, 0];
  const over = new AbortController();
  const on = (/** @type {string} */ type, /** @type {(event: any) => void} */ listener) => addEventListener(type, listener, { signal: over.signal });
  on("pointermove", (/** @type {PointerEvent} */ event) => {
    const now = turnAt(event);
    turned += ((now - last + 2.5) % 1) - 0.5; // the shorter way around
    last = now;
    if (clock.kind !== "free") return;
    for (const whole = Math.trunc(turned * clock.size); steps !== whole; steps += Math.sign(whole - steps)) tick(table, clock, whole < steps);
  });
  on("pointercancel", () => over.abort());
  on("pointerup", () => {
    over.abort();
    if (Math.abs(turned) < LEAST) return;
    ring.addEventListener("click", (event) => event.stopPropagation(), { capture: true, once: true, signal: AbortSignal.timeout(100) });
    if (clock.kind !== "free") turnedRing(table, clock, turned < 0);
  });
}

/** @param {Table} table @param {T.Clock} clock @param {boolean} back */
function tick(table, clock, back) {
  const { command, adds } = tickOf(clock, back);
  if (canTick(table, table.view.clocks.get(clock.id) ?? clock, back)) void table.add(`clock:${clock.id}:tick`, command, adds.sum, adds.by);
}

/** Move a scene's points back by one; on, and a threat either way, only lead to what moves them. @param {Table} table @param {T.Clock} clock @param {boolean} back */
function turnedRing(table, { id, kind, of: scene = "" }, back) {
  if (kind === "scene" && back) return void table.act(`scene:${scene}:move`, { type: "tick_clock", clock_id: id, back });
  const amended = new FormData();
  amended.set("clock", id);
  table.ui.set(`typed:scene:${scene}:amend`, new Values(amended));
  const [menu, form] = [`menu:scene:${scene}`, `scene:${scene}:amend:form`];
  table.ui.set("menu", menu);
  table.ui.set(`open:${menu}`, true);
  if (kind !== "scene") for (const name of ["panel", "panel:focus"]) table.ui.set(name, form);
  table.set(`open:${form}`, kind !== "scene");
  if (kind === "scene") focusOn(`[data-key="${CSS.escape(`scene:${scene}:travel`)}"]`);
  else focusOn(`[data-form="${CSS.escape(`scene:${scene}:amend`)}"] [name^=value]`);
}

/** @param {string} selector @param {number} [frames] */
function focusOn(selector, frames = FRAMES) {
  const found = /** @type {HTMLElement | null} */ (document.querySelector(selector));
  if (found) found.focus();
  else if (frames) requestAnimationFrame(() => focusOn(selector, frames - 1));
}
