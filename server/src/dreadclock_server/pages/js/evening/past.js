// @ts-check
/** The past: shows the table as it was after any record. The present table continues in the background. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Line } from "./log.js"
 */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { keyOf } from "../app/fresh.js";
import { Table } from "../app/table.js";
import { board } from "../parts/spectator.js";
import { Course } from "./course.js";

const PACE_MS = 1_800; // the time for reading a sentence
const LATELY = 60; // how many records the shown log lists

/** A table that shows a past view. It sends no commands. */
class Then extends Table {
  /** @param {Table} now @param {Course} course */
  constructor(now, course) {
    super(document.createElement("div"), now.words, now.draw);
    this.now = now;
    this.room = now.room;
    this.checked = now.checked;
    this.course = course;
    this.shown = course.after(course.records.length);
  }

  get view() {
    return this.shown;
  }

  /** Show the view after `at` records. @param {number} at */
  show(at) {
    this.shown = this.course.after(at);
    const lately = this.course.records.slice(Math.max(0, at - LATELY), at);
    this.sentences = lately.map((record) => ({ key: keyOf(record), text: "", channel: record.channel, at: record.at, record }));
  }

  redraw() {
    this.now.redraw();
  }
}

export class Past {
  /** How many records the shown view has; 0 before the first view. */ at = 0;
  /** The timer for the next record, while playing. @type {ReturnType<typeof setTimeout> | undefined} */ #next;
  #sentence = "";

  /**
   * @param {Table} table
   * @param {readonly Line[]} lines
   * @param {() => void} leave
   */
  constructor(table, lines, leave) {
    const channels = /** @type {T.Channel[]} */ (Object.keys(table.room.positions));
    this.table = table;
    this.course = new Course(channels, lines.map((line) => line.record));
    this.then = new Then(table, this.course);
    this.leave = leave;
    this.time = new Intl.DateTimeFormat(table.words.language, { dateStyle: "medium", timeStyle: "short" });
    this.go(lines.length);
  }

  get last() {
    return this.course.records.length;
  }

  get playing() {
    return this.#next !== undefined;
  }

  /** Show the table after `wanted` records, or the nearest possible number. @param {number} wanted */
  go(wanted) {
    const at = Math.min(Math.max(wanted, 1), this.last);
    if (at === this.at) return;
    const before = this.course.after(at - 1);
    this.at = at;
    this.then.show(at);
    this.#sentence = this.table.words.narrator.told(this.course.records[at - 1], this.then.view, before);
    this.table.redraw();
  }

  /** Start or stop playing. If the last record is shown, start from the first. */
  play() {
    if (this.playing) return this.stop();
    if (this.at === this.last) this.go(1);
    this.#goOnSoon();
    this.table.redraw();
  }

  /** Go to the next record after a while, until the end. */
  #goOnSoon() {
    this.#next = setTimeout(() => {
      this.go(this.at + 1);
      if (this.at < this.last) this.#goOnSoon();
      else this.stop();
    }, PACE_MS);
  }

  /** Stop playing. */
  stop() {
    clearTimeout(this.#next);
    this.#next = undefined;
    this.table.redraw();
  }

  /** Draw the past in place of the present. */
  draw() {
    return html`<main id="table" tabindex="-1" class="table spectator past" data-past=${this.at}>
      ${this.#banner()} ${board(this.then)}
    </main>`;
  }

  /** Draw the heading, the controls, and the sentence about the last shown record. Also say if something waits in the present. */
  #banner() {
    const { table, then } = this;
    const time = this.time.format(this.course.records[this.at - 1].at);
    const waits = table.role.waits?.(table) ?? 0;
    if (waits) document.title = `(${waits}) ${document.title}`;
    return html`<section class="banner" data-place="past" aria-labelledby="past">
      <div class="heading">
        <h2 id="past">${table.t("past")}</h2>
        <p>${table.t("past.when", { time, turn: then.view.turn })}</p>
        <button type="button" class="button main" @click=${this.leave}>${table.t("past.leave")}</button>
      </div>
      ${waits ? html`<p class="refusal" role="status">${table.t("past.waits", { number: waits })}</p>` : nothing}
      ${this.#steps()}
      <p class="sentence" role="status">${this.#sentence}</p>
    </section>`;
  }

  /** Draw the controls that go to another record. */
  #steps() {
    const { table, at, last } = this;
    const where = table.t("past.where", { at, last });
    const slid = (/** @type {Event} */ event) => this.#by(Number(/** @type {HTMLInputElement} */ (event.currentTarget).value));
    return html`<div class="steps">
      ${this.#step("first", 1)} ${this.#step("previous", at - 1)}
      <button type="button" class="button" @click=${() => this.play()}>${table.t(this.playing ? "past.stop" : "past.play")}</button>
      ${this.#step("next", at + 1)} ${this.#step("last", last)}
      <input type="range" min="1" max=${last} .value=${String(at)} aria-label=${table.t("past.slider")} aria-valuetext=${where} @input=${slid} />
      <span class="where" aria-hidden="true">${where}</span>
    </div>`;
  }

  /**
   * Draw a button that goes to a record. It is marked as disabled if the record does not exist, or is shown already.
   * @param {string} name the last part of the label's key @param {number} to the number of records to show
   */
  #step(name, to) {
    const possible = to >= 1 && to <= this.last && to !== this.at;
    return html`<button
      type="button"
      class="button"
      aria-disabled=${possible ? "false" : "true"}
      @click=${() => this.#by(to)}
    >
      ${this.table.t(`past.${name}`)}
    </button>`;
  }

  /** Stop playing, and go to a record. @param {number} to */
  #by(to) {
    if (this.playing) this.stop();
    this.go(to);
  }
}
