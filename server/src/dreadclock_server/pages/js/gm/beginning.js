// @ts-check
/** What to do first at a fresh table. */

/** @import { Table } from "../app/table.js" @import { Shown } from "./showing.js" */

import { button } from "../app/controls.js";
import { forgetsSeats, isKept } from "../app/seats.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { turnKeeping } from "../parts/people.js";
import { lazily } from "./lazily.js";
import { copying } from "./presses.js";

const showing = lazily(() => import("./showing.js"));

/** Draw the first steps. @param {Table} table */
export function beginning(table) {
  const { seats, characters, scenes, countdowns } = table.view;
  const here = [...seats.values()].some((seat) => seat.role === "player" && (table.room.here[seat.id] ?? 0) > 0);
  /** @type {[name: string, form: string, done: boolean][]} */
  const steps = [
    ["invite", "seat:invite", here || table.ui.has("invited")],
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
    ${table.ui.get("knocked") ? html`<p class="hint">${table.t("gm.beginning.kept")}</p>` : theKey(table)}
    ${button(table, {
      key: "beginning:over",
      label: table.t("gm.beginning.over"),
      work: async () => table.set("beginning:over", true),
    })}
  </section>`;
}

/** Say that one's own link is the key to the table, and give it. @param {Table} table */
function theKey(table) {
  const shown = /** @type {Shown | undefined} */ (table.ui.get("own-link"));
  const kept = isKept(table.room.link);
  const work = async () => table.set("own-link", await (await import("./showing.js")).shownLink(table, ownLink(table)));
  const [label, name] = [table.t("gm.beginning.show_key"), table.nameOfSeat(table.room.seat)];
  return html`<div class="link-made" role="group" aria-label=${table.t("gm.beginning.key")} data-part="key">
    <p><b>${table.t("gm.beginning.key")}</b> ${table.t("gm.beginning.key.why")}</p>
    ${forgetsSeats() ? html`<p data-part="forgets"><b>${table.t("gm.beginning.forgets")}</b></p>` : nothing}
    <label class="field tick">
      <input type="checkbox" name="keep" .checked=${kept} @change=${() => turnKeeping(table)} />
      <span class="name">${table.t("gm.beginning.keep")}</span>
    </label>
    ${shown
      ? showing(table, (it) => it.linkShown(table, "own-link", shown, name))
      : html`<div class="controls">
          ${copying(table, "own-link", ownLink(table), name, "")} ${button(table, { key: "own-link:show", label, work })}
        </div>`}
  </div>`;
}

/** @param {Table} table */
function ownLink({ room: { link } }) {
  return `${link.server}/r/${link.room}#${link.token}`;
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

/** Open a form as a press on it would. @param {Table} table @param {string} place */
async function openForm(table, place) {
  const summary = /** @type {HTMLElement | null} */ (table.root.querySelector(`[data-place="${place}"] > summary`));
  summary?.click();
}
