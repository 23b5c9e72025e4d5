// @ts-check
/** Loads forms when they are first drawn, with the labels and styles that all forms share. */

/** @import { Table } from "../app/table.js" */

import { lazily as later } from "../app/controls.js";
import { dress } from "../app/settings.js";

/** @type {Promise<void> | undefined} */ let styled;

/** Load the labels and the styles of forms. @param {Table} table @param {...string} labels the names of further label files */
export function learnForms(table, ...labels) {
  return Promise.all([(styled ??= dress("forms")), ...["forms", ...labels].map((name) => table.words.learn(name))]);
}

/**
 * Return a function that draws with a module of forms. Its first call loads the module, and the labels and styles of forms.
 * @template Module
 * @param {() => Promise<Module>} load @param {...string} labels the names of further label files
 */
export function formsIn(load, ...labels) {
  return later(async (table) => (await Promise.all([load(), learnForms(table, ...labels)]))[0]);
}
