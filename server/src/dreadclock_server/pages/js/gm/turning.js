// @ts-check
/**
 * Dials that the gm turns by dragging. A free clock (a clock without a scene) moves while its dial is turned. A scene's clock moves
 * back by 1 after a turn backwards. Other turns of a scene's dial open the scene's menu at the control that moves the clock.
 */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { Values } from "../app/controls.js";
import { canTick, tickOf } from "../app/presses.js";

const DIALS = ".card.clock > .pressed, .rings [data-clock]";
const LEAST = 0.02; // of a full turn. Less is a press, not a turn
const FRAMES = 300; // how many frames to wait for a form to load

/** Listen for dials of a page that are turned. @param {Table} table */
export function turnDials(table) {
  table.root.addEventListener("pointerdown", (event) => begin(table, /** @type {PointerEvent} */ (event)));
}

/** Follow the pointer after a press on a dial, until the pointer goes up. @param {Table} table @param {PointerEvent} down */
function begin(table, down) {
  const ring = /** @type {HTMLElement | null} */ (/** @type {Element} */ (down.target).closest(DIALS));
  const id = ring?.dataset.clock ?? /** @type {HTMLElement | null} */ (ring?.closest("[data-thing]"))?.dataset.thing?.slice("clock:".length);
  const clock = table.view.clocks.get(id ?? "");
  if (!ring || !clock || down.button || !down.isPrimary) return;
  const { left, top, width, height } = (ring.closest("svg") ?? ring.querySelector("svg") ?? ring).getBoundingClientRect();
  const turnAt = (/** @type {MouseEvent} */ { clientX, clientY }) => Math.atan2(clientY - top - height / 2, clientX - left - width / 2) / (2 * Math.PI);
  let [last, turned, steps] = [turnAt(down), 0, 0];
  const listeners = new AbortController();
  const on = (/** @type {string} */ type, /** @type {(event: any) => void} */ listener) => addEventListener(type, listener, { signal: listeners.signal });
  on("pointermove", (/** @type {PointerEvent} */ event) => {
    const now = turnAt(event);
    turned += ((now - last + 2.5) % 1) - 0.5; // the shorter way around
    last = now;
    if (clock.kind !== "free") return;
    const target = Math.trunc(turned * clock.size);
    for (; steps !== target; steps += Math.sign(target - steps)) tick(table, clock, target < steps);
  });
  on("pointercancel", () => listeners.abort());
  on("pointerup", () => {
    listeners.abort();
    if (Math.abs(turned) < LEAST) return;
    // the click after a turn must not press the dial
    ring.addEventListener("click", (event) => event.stopPropagation(), { capture: true, once: true, signal: AbortSignal.timeout(100) });
    if (clock.kind !== "free") turnedRing(table, clock, turned < 0);
  });
}

/** Move a clock by one segment, if it can move. @param {Table} table @param {T.Clock} clock @param {boolean} back */
function tick(table, clock, back) {
  const { command, adds } = tickOf(clock, back);
  if (canTick(table, table.view.clocks.get(clock.id) ?? clock, back)) void table.add(`clock:${clock.id}:tick`, command, adds.sum, adds.by);
}

/**
 * React to a turned ring of a scene's dial. Turned backwards, the scene's clock moves back by 1. Otherwise, the scene's menu opens.
 * For the scene's clock, the focus goes to "Travel". For another clock, the form that corrects clocks opens with that clock.
 * @param {Table} table @param {T.Clock} clock @param {boolean} back
 */
function turnedRing(table, { id, kind, of: scene = "" }, back) {
  if (kind === "scene" && back) return void table.act(`scene:${scene}:move`, { type: "tick_clock", clock_id: id, back });
  const typed = new FormData();
  typed.set("clock", id);
  table.ui.set(`typed:scene:${scene}:amend`, new Values(typed));
  const [menu, form] = [`menu:scene:${scene}`, `scene:${scene}:amend:form`];
  table.ui.set("menu", menu);
  table.ui.set(`open:${menu}`, true);
  if (kind !== "scene") for (const name of ["panel", "panel:focus"]) table.ui.set(name, form);
  table.set(`open:${form}`, kind !== "scene");
  if (kind === "scene") focusOn(`[data-key="${CSS.escape(`scene:${scene}:travel`)}"]`);
  else focusOn(`[data-form="${CSS.escape(`scene:${scene}:amend`)}"] [name^=value]`);
}

/** Focus an element as soon as it is drawn. @param {string} selector @param {number} [frames] how many frames to wait at most */
function focusOn(selector, frames = FRAMES) {
  const element = /** @type {HTMLElement | null} */ (document.querySelector(selector));
  if (element) element.focus();
  else if (frames) requestAnimationFrame(() => focusOn(selector, frames - 1));
}
