// @ts-check
/** What to do first at a fresh table. */

/** @import { Table } from "../app/table.js" */

import { button } from "../app/controls.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";

const FRAMES = 300; // that a form may take to be loaded

/** Draw the first steps. @param {Table} table */
export function beginning(table) {
  const { seats, characters, scenes, countdowns } = table.view;
  const here = [...seats.values()].some((seat) => seat.role === "player" && (table.room.here[seat.id] ?? 0) > 0);
  /** @type {[name: string, form: string, done: boolean][]} */
  const steps = [
    ["invite", "seat:invite", here],
    ["character", "character:add", characters.size > 0],
    ["scene", "scene:open", scenes.size > 0],
    ["countdown", "countdown:start", countdowns.size > 0],
  ];
  const next = steps.findIndex(([, , done]) => !done);
  return html`<section class="beginning" data-place="beginning" aria-labelledby="beginning">
    <h2 id="beginning">${table.t("gm.beginning")}</h2>
    <ol>
      ${steps.map(([name, form, done], at) => step(table, name, form, done, at === next))}
    </ol>
    <p class="hint">${table.t(table.ui.get("knocked") ? "gm.beginning.kept" : "gm.beginning.keep")}</p>
    ${button(table, {
      key: "beginning:over",
      label: table.t("gm.beginning.over"),
      work: async () => table.set("beginning:over", true),
    })}
  </section>`;
}

/**
 * @param {Table} table @param {string} name @param {string} form the key of the form to open @param {boolean} done
 * @param {boolean} next
 */
function step(table, name, form, done, next) {
  return html`<li class=${done ? "done" : ""}>
    ${button(table, {
      key: `beginning:${name}`,
      label: table.t(`gm.beginning.${name}`),
      kind: next ? "main" : "plain",
      work: () => openForm(table, `${form}:form`),
    })}
    <span class="hint">${done ? html`✓ ` : nothing}${why(table, name)}</span>
  </li>`;
}

/** Say what a step is for. @param {Table} table @param {string} name */
function why(table, name) {
  if (name === "invite" && table.ui.get("knocked")) return table.t("gm.beginning.knocked");
  return table.t(`gm.beginning.${name}.why`);
}

/** Open a form, and go to its first field as soon as that is here. @param {Table} table @param {string} place */
async function openForm(table, place) {
  table.set(`open:${place}`, true);
  for (let frame = 0; frame < FRAMES; frame++) {
    await new Promise(requestAnimationFrame);
    const form = table.root.querySelector(`[data-place="${place}"]`);
    const first = /** @type {HTMLElement | null | undefined} */ (form?.querySelector("input, select"));
    if (!first) continue;
    form?.scrollIntoView({ block: "nearest" });
    return first.focus();
  }
}
