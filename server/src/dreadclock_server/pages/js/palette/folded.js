// @ts-check
/** Finds the entries of folded parts of the page: draws these parts unfolded, outside the document. */

/** @import { Table } from "../app/table.js" @import { Entry } from "./entries.js" */

import { render } from "../../vendor/lit-html/lit-html.js";
import { whatIsLoading } from "../app/controls.js";
import { askNothing } from "../app/odds.js";
import { nameOf } from "../parts/board.js";
import { entriesIn } from "./entries.js";

const DRAWINGS = 8; // how often a part is drawn at most. Every drawing may request further modules

/** Yield entries, thing by thing. Entries without a thing come first. @param {Table} table */
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
 * Draw a part with all its folded content, and return its entries.
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
 * Return a copy of a table in which everything is unfolded, and which sends no commands and requests no odds.
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
