// @ts-check
/** Finds the palette's entries in folded parts of the page. To find them, it draws these parts unfolded, outside the document. */

/** @import { Table } from "../app/table.js" @import { Entry } from "./entries.js" */

import { render } from "../../vendor/lit-html/lit-html.js";
import { whatIsLoading } from "../app/controls.js";
import { askNothing } from "../app/odds.js";
import { nameOf } from "../parts/board.js";
import { entriesIn } from "./entries.js";

const DRAWINGS = 8; // how many times a part is drawn at most: a drawing may start to load modules that the next drawing uses

/** Yield lists of entries: first those of the page's layout, then a list for each thing. @param {Table} table */
export async function* foldedEntries(table) {
  yield await unfolded(table, (twin) => twin.role.layout(twin));
  for (const [kind, controls] of Object.entries(table.role.controls ?? {})) {
    for (const [thing, name] of thingsOf(table, kind)) yield await unfolded(table, (twin) => controls(twin, thing), name, `${kind}:${thing.id}`);
  }
}

/** Return the things of a kind with their names. @param {Table} table @param {string} kind @returns {(readonly [thing: any, name: string])[]} */
function thingsOf(table, kind) {
  const { checks } = table.view;
  if (kind === "part") {
    return [...checks.values()].flatMap((check) => check.parts.map((part) => /** @type {const} */ ([{ check, part }, nameOf(table, "check", check)])));
  }
  const things = /** @type {Map<string, any> | undefined} */ (/** @type {any} */ (table.view)[`${kind}s`]);
  const free = [...(things?.values() ?? [])].filter((thing) => kind !== "clock" || thing.kind === "free");
  return free.map((thing) => [thing, nameOf(table, kind, thing)]);
}

/**
 * Draw a part of the page unfolded. Repeat this until no module is loading. Return the entries.
 * @param {Table} table @param {(twin: Table) => unknown} draw @param {string} [name] @param {string} [thing] @returns {Promise<Entry[]>}
 */
async function unfolded(table, draw, name = "", thing = "") {
  const [place, twin] = [document.createElement("div"), twinOf(table)];
  for (let drawing = 0; drawing < DRAWINGS; drawing++) {
    render(draw(twin), place);
    if (!(await whatIsLoading())) break;
  }
  return entriesIn(place, name, thing);
}

/**
 * Return a stand-in for a table, in which everything is unfolded. It sends no commands, requests no odds, and leaves the table
 * unchanged.
 * @param {Table} table @returns {Table}
 */
function twinOf(table) {
  const ui = {
    get: (/** @type {string} */ key) => (key.startsWith("open:") ? true : table.ui.get(key)),
    has: (/** @type {string} */ key) => table.ui.has(key),
    set: () => ui,
    delete: () => false,
  };
  const own = {
    ui,
    redraw: () => {},
    set: () => {},
    setOpen: () => {},
    refuse: () => {},
    act: async () => null,
    attempt: async () => null,
    busy: () => false,
    refusal: () => "",
    unsettled: () => 0,
    told: table.sentences,
    role: { ...table.role, controls: {} },
  };
  const twin = Object.create(table, Object.fromEntries(Object.entries(own).map(([name, value]) => [name, { value }])));
  askNothing(twin);
  return twin;
}
