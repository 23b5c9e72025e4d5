// @ts-check
/** Sections of the gm's menu "☰": the seats with their links, the house rules, and the end of the evening. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { button } from "../app/controls.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { badge, called, keyed } from "../parts/card.js";
import { formPanel, lazily, more } from "./panel.js";
import { sure } from "./presses.js";

const links = lazily(() => import("./links.js"));
const ends = lazily(() => import("./closing.js"));
const forms = lazily(() => import("./people_forms.js"));

/** Draw the section of the seats, with buttons that make links to seats. @param {Table} table */
export function people(table) {
  const seats = [...table.view.seats.values()];
  const invite = { key: "seat:invite", place: "start", label: table.t("gm.invite") };
  const all = () => links(table, (module) => module.allLinks(table));
  return html`<section class="things seats" data-place="seats" aria-labelledby="section-seats">
    <h2 id="section-seats">${table.t("section.seats")}</h2>
    <div class="controls">${formPanel(table, invite, (panel) => links(table, (module) => module.inviting(table, panel)))} ${bigScreen(table)}</div>
    ${table.ui.get("link") ? links(table, (module) => module.linkMade(table)) : nothing}
    <ul class="seats">
      ${keyed(seats, (seat) => seatRow(table, seat))}
    </ul>
    ${more(table, "tokens", "", all, table.t("gm.tokens"))}
  </section>`;
}

/** Draw the button that makes a link for a big screen. All big screens share one seat. @param {Table} table */
function bigScreen(table) {
  const name = table.t("gm.screen");
  const work = async () => {
    const seat = [...table.view.seats.values()].find((candidate) => candidate.role === "spectator" && candidate.name === name);
    await (await import("./links.js")).makeLink(table, { role: "spectator", ...(seat ? { seat_id: seat.id } : { name }) });
  };
  return button(table, { key: "seat:screen", label: name, title: table.t("gm.screen.does"), work });
}

/** @param {Table} table @param {T.Seat} seat */
function seatRow(table, seat) {
  const { id, role } = seat;
  const name = table.nameOfSeat(id);
  const here = (table.room.here[id] ?? 0) > 0;
  const link = {
    key: `seat:${id}:link`,
    label: table.t("gm.link"),
    describes: name,
    title: table.t("gm.link.does"),
    work: async () => (await import("./links.js")).makeLink(table, { role, seat_id: id }),
  };
  const rename = { key: `seat:${id}:rename`, label: table.t("gm.seat.rename"), describes: name };
  const command = /** @type {const} */ ({ type: "remove_seat", seat_id: id });
  const remove = { key: `seat:${id}:remove`, label: table.t("gm.seat.remove"), yes: table.t("gm.seat.remove.yes"), describes: name, command };
  return html`<li data-thing=${`seat:${id}`}>
    <p class="heading">
      <span class=${here ? "mark here" : "mark"} aria-hidden="true">${here ? "●" : "○"}</span>
      <b>${called(name)}</b> ${badge(table.t(`role.${role}`))} <span class="unseen">${table.t(here ? "here" : "away")}</span>
    </p>
    <div class="controls">
      ${button(table, link)} ${formPanel(table, rename, (panel) => forms(table, (module) => module.renaming(table, panel, seat)))}
      ${role === "gm" ? nothing : sure(table, remove)}
    </div>
  </li>`;
}

/** Draw the controls that end the evening and close the room. For a closed room, draw the button that reopens the room. @param {Table} table */
export function closing(table) {
  const open = () => html`${more(table, "evening", "", () => ends(table, (module) => module.evening(table)), table.t("gm.evening.end"))}
    ${more(table, "closing", "", () => ends(table, (module) => module.closing(table)), table.t("gm.close"))}`;
  return html`<section class="things closing" data-place="closing" aria-labelledby="section-closing">
    <h2 id="section-closing">${table.t("section.closing")}</h2>
    ${table.view.closed ? ends(table, (module) => module.closed(table)) : open()}
  </section>`;
}

/** Draw a sentence for each house rule, and the form that changes the house rules. @param {Table} table */
export function houseRules(table) {
  const { policy } = table.view;
  const heading = table.t("section.rules");
  const content = () => forms(table, (module) => module.houseRules(table));
  return html`<section class="things rules" data-place="rules" aria-labelledby="section-rules">
    <h2 id="section-rules">${heading}</h2>
    <div class="start">${more(table, "rules", heading, content, table.t("gm.rules.show"))}</div>
    <p class="hint" data-part="policy">
      ${table.t(`gm.physical.${policy.physical_dice}.said`)} ${table.t(`gm.approval.${policy.check_approval}.said`)}
      ${table.t(policy.player_countdowns ? "gm.countdowns.players" : "gm.countdowns.gm")}
      ${table.t(`gm.care.${policy.care}.said`)} ${table.t(`gm.sheets.${policy.sheets}.said`)}
      ${policy.specials === "several" ? table.t("gm.specials.several.said") : nothing}
    </p>
  </section>`;
}
