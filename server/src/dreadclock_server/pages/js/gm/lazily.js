// @ts-check
/** What the gm's page loads only when it is asked for: most of its forms. */

/** @import { Table } from "../app/table.js" */

import { disclosure, lazily as later } from "../app/controls.js";
import { panel } from "./panel.js";

/**
 * @typedef {object} Demand a form that is closed until it is asked for
 * @property {string} key of the form
 * @property {string} label already in the visitor's language
 * @property {string} [describes] which thing it is for
 * @property {string} [does] what it is for, where the label alone does not say
 * @property {string} [about] the word of the rules that it is about
 * @property {string} [place]
 */

/**
 * Return a function that draws with a module, once it is loaded with the labels of forms.
 * @template Module
 * @param {() => Promise<Module>} load
 */
export function lazily(load) {
  return later(async (table) => {
    const [module] = await Promise.all([load(), table.words.learn("gm_forms")]);
    return module;
  });
}

/**
 * Draw a form that is closed until it is asked for.
 * @param {Table} table @param {Demand} demand @param {(demand: Demand) => unknown} draw
 */
export function onDemand(table, demand, draw) {
  return panel(table, demand, () => draw(demand));
}

/**
 * Draw what is seldom wanted.
 * @param {Table} table @param {string} key
 * @param {string} describes which thing it is for
 * @param {() => unknown} content
 * @param {string} [label] already in the visitor's language
 */
export function more(table, key, describes, content, label = table.t("gm.more")) {
  return disclosure(table, { key: `${key}:more`, label, describes, kind: "more", content });
}
