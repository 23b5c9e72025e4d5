// @ts-check
/**
 * Dials that the gm turns by dragging. A free clock (a clock without a scene) moves while its dial is turned. A scene's dial
 * has a ring for each clock of the scene. If the ring of the scene's own clock is turned backwards, that clock moves back by 1. In
 * all other cases, turning a ring opens the scene's menu at the control that changes the ring's clock.
 */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { Values } from "../app/controls.js";
import { canTick, tickOf } from "../app/presses.js";

const DIALS = ".card.clock > .pressed, .rings [data-clock]";
const LEAST = 0.02; // the smallest part of a full turn that counts as a turn. Less counts as a press
const FRAMES = 300; // how many frames to wait until a form is loaded and drawn

/** Listen for presses on the dials of a page, so that dials can be turned. @param {Table} table */
export function turnDials(table) {
  table.root.addEventListener("pointerdown", (event) => begin(table, /** @type {PointerEvent} */ (event)));
}

/** If the pointer is pressed on a dial, follow the pointer until it is released. @param {Table} table @param {PointerEvent} down */
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
    turned += ((now - last + 2.5) % 1) - 0.5; // between -0.5 and 0.5: the shorter way around
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
 * If the ring of a scene's own clock was turned backwards, move that clock back by 1. In all other cases, open the scene's menu:
 * for the scene's own clock, focus "Travel"; for another clock, open the form that corrects clocks, with that clock chosen.
 * @param {Table} table @param {T.Clock} clock @param {boolean} back
 */
function turnedRing(table, { id, kind, of: scene = "" }, back) {
  if (kind === "scene" && back) return void table.act(`scene:${scene}:move`, { type: "tick_clock", clock_id: id, back });
  const typed = new FormData();
  typed.set("clock", id);
  table.ui.set(`typed:scene:${scene}:amend`, new Values(typed));
  const [menu, form] = [`menu:scene:${scene}`, `scene:${scene}:amend:form`];
  table.ui.set("menu", menu);
  table.setOpen(menu, true);
  if (kind !== "scene") for (const name of ["panel", "panel:focus"]) table.ui.set(name, form);
  table.setOpen(form, kind !== "scene");
  if (kind === "scene") focusOn(`[data-key="${CSS.escape(`scene:${scene}:travel`)}"]`);
  else focusOn(`[data-form="${CSS.escape(`scene:${scene}:amend`)}"] [name^=value]`);
}

/** Focus an element as soon as it is drawn. @param {string} selector @param {number} [frames] how many frames to wait at most */
function focusOn(selector, frames = FRAMES) {
  const element = /** @type {HTMLElement | null} */ (document.querySelector(selector));
  if (element) element.focus();
  else if (frames) requestAnimationFrame(() => focusOn(selector, frames - 1));
}
