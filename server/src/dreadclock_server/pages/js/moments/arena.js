// @ts-check
/**
 * The arena shows moments. A moment is a roll with the events that it caused, or events alone. The arena throws the dice,
 * highlights those that decide, and writes the outcome (the verdict).
 */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Table } from "../app/table.js"
 * @import { Thrown as Cast } from "../arena/cubes.js"
 * @import { Plan, Throw } from "../arena/throws.js"
 * @import { DieFace } from "../parts/die.js"
 * @import { Moment } from "./stage.js"
 * @import { News, NewsKind, Thrown } from "./telling.js"
 * @import { Look, Verdict } from "./verdict.js"
 *
 * @typedef {{ width: number, height: number }} Size in px
 * @typedef {(moment: Moment) => Size & { isRound?: boolean, settle?: (size: Size) => void }} FindPlace moves the arena's element
 *   to where a moment is shown, and returns the free size there. `isRound`: this is in a dial. The arena calls `settle` with the
 *   size that it needs
 */

import { html, nothing, render } from "../../vendor/lit-html/lit-html.js";
import { repeat } from "../../vendor/lit-html/directives/repeat.js";
import { ASSETS } from "../app/settings.js";
import { fall, slideUnder, throwDice } from "../arena/cubes.js";
import { loadThrows, plan, planOneMore } from "../arena/throws.js";
import { called } from "../parts/card.js";
import { crisisBoxes } from "../parts/character.js";
import { labelOf, ownDice } from "../parts/die.js";
import { dial } from "../parts/dial.js";
import { edgeOf, ofPart } from "../parts/rolled.js";
import { checkOf } from "./stage.js";
import { looksOfPart, verdictOn } from "./verdict.js";

const MOST_NEWS = 3;
const WORDS_REM = 7.5; // the height of the texts above and below the dice, without the verdict
const PLAIN_REM = 3.5; // the height of these texts for a roll that decides nothing
const MORE_REM = 2.5; // the height of the sentence about a possible push (one more die)
const ROW_REM = 2.25; // the height of the dice of another part of a check
const NEWS_REM = 5; // the height of an event that the roll caused
const CRISIS_REM = 12; // the height of a crisis, with the character's boxes
const LINE_REM = 2; // the height of an event in a dial, where its text is cut short
const BESIDE = 0.52; // with texts beside the dice, the dice have this part of the width
const LEAST_BESIDE_PX = 130; // texts beside the dice need this width
const LEAST_SIDE_PX = 16; // the side of the smallest cube
const FLAT_PX = 44; // the side of the largest flat die
const BEYOND = 1.4; // a push makes the tray larger by so many sides of a die
const NARROWEST_REM = 20; // the least width of the arena
const DECIDE = new Set(["check_rolled", "total_rolled", "luck_pushed", "countdown_rolled"]);
const COUNT_MS = 80; // between two steps of a sum that counts up
/** The verdict on a roll whose dice have not landed. @type {Verdict} */ const UNKNOWN = { looks: [], word: "", kind: "", more: "" };

export class Arena {
  element = Object.assign(document.createElement("div"), { className: "arena" });
  /** The animations of throws. Until they are loaded, dice are drawn flat. @type {readonly Throw[]} */ #throws = [];
  /** The dice in the page, by roll. @type {WeakMap<Thrown, Cast>} */ #casts = new WeakMap();
  /** The timers that let a sum count up, by the dice of the total. @type {WeakMap<Cast, number[]>} */ #counting = new WeakMap();

  /** @param {Table} table @param {FindPlace} find @param {(kind: NewsKind | "roll") => boolean} [shows] tells whether rolls, or news of a kind, are shown */
  constructor(table, find, shows = () => true) {
    this.table = table;
    this.find = find;
    this.shows = shows;
    loadThrows(`${ASSETS}throws.bin`).then((throws) => (this.#throws = throws), () => {});
  }

  /**
   * Throw the dice of a moment. Return after how many ms they land; 0 if nothing is thrown.
   * @param {Moment} moment @param {number} most the most ms that the throw may take: a longer throw is played faster
   */
  begin(moment, most) {
    if (!moment.thrown || moment.thrown.event.type === "revealed" || !this.shows("roll")) return 0;
    const { cast, landed } = this.#cast(moment, moment.thrown);
    const pace = Math.max(1, landed / most);
    for (const animation of cast.animations) animation.playbackRate = pace;
    return landed / pace;
  }

  /** Finish the animations of a moment's dice at once. @param {Moment} moment */
  land({ thrown }) {
    for (const animation of (thrown && this.#casts.get(thrown)?.animations) ?? []) animation.finish();
  }

  /** Draw moments. @param {readonly Moment[]} moments that have begun, the oldest first */
  draw(moments) {
    const seen = moments.map((moment) => this.#seen(moment, moments)).filter(({ thrown, news }) => thrown || news.length);
    if (seen.length) for (const moment of seen) this.#ready(moment);
    this.element.hidden = !seen.length;
    this.element.classList.toggle("going", seen.every(({ isFading }) => isFading));
    render(repeat(seen, ({ key }) => key, (moment) => this.#moment(moment)), this.element);
  }

  /** Lay the dice of moments out again, because the arena has another size or place. @param {readonly Moment[]} moments */
  refit(moments) {
    for (const { thrown } of moments) if (thrown) this.#casts.delete(thrown);
    this.draw(moments);
  }

  /**
   * Return what this page shows of a moment. Leave out the dice if a later moment of the same check has landed:
   * that moment shows the dice of all characters.
   * @param {Moment} moment @param {readonly Moment[]} all @returns {Moment}
   */
  #seen(moment, all) {
    const check = checkOf(moment);
    const isRepeated = check !== undefined && all.slice(all.indexOf(moment) + 1).some((later) => later.landed && checkOf(later) === check);
    const news = moment.settled ? moment.news.filter(({ kind }) => this.shows(kind)) : [];
    return { ...moment, thrown: isRepeated || !this.shows("roll") ? null : moment.thrown, news };
  }

  /**
   * Lay down the dice of a moment, unless they were thrown. For a moment without dice, set the width of an empty arena.
   * @param {Moment} moment
   */
  #ready(moment) {
    if (moment.thrown && !this.#casts.has(moment.thrown)) this.#cast(moment, moment.thrown, true);
    else if (!moment.thrown && !this.element.childElementCount) this.find(moment).settle?.({ width: NARROWEST_REM * rem(), height: 0 });
  }

  /**
   * Throw the dice of a roll, or with `still` lay them down. Return their elements, and after how many ms they land.
   * @param {Moment} moment @param {Thrown} thrown @param {boolean} [still]
   */
  #cast(moment, thrown, still) {
    const place = this.find(moment);
    const dice = thrown.roll.dice.map(({ face, hidden, wave }) => ({ face: hidden ? undefined : face, wave }));
    const planned = this.#planned(thrown, dice);
    const { side, isBeside, ...used } = fitted(planned, dice.length, place, this.#said(moment, thrown, place.isRound));
    const cast = throwDice(planned, dice, side, still);
    this.element.classList.toggle("beside", isBeside);
    place.settle?.(used);
    this.#casts.set(thrown, cast);
    return { cast, landed: cast.animations.length ? planned.landed : 0 };
  }

  /**
   * Plan a throw. For a push, the earlier dice of the total lie on the tray already, at the same places as before.
   * @param {Thrown} thrown @param {readonly { face?: number, wave?: number }[]} dice @returns {Plan}
   */
  #planned({ key, event }, dice) {
    if (event.type !== "luck_pushed") return plan(this.#throws, dice, seedOf("total_id" in event ? event.total_id ?? key : key));
    const seed = seedOf(event.total_id);
    const before = this.table.truth.totals.get(event.total_id)?.faces.length ?? 0;
    const all = dice.slice(before).map((_, place) => seed + place + 1);
    const planned = all.reduce((plan, next) => planOneMore(this.#throws, plan, next), plan(this.#throws, dice.slice(0, before), seed));
    return { ...planned, width: planned.width && planned.width + BEYOND, depth: planned.depth + BEYOND };
  }

  /** Return the height that the texts about a roll need at most, in px. @param {Moment} moment @param {Thrown} thrown @param {boolean} [isRound] */
  #said({ news }, { event }, isRound) {
    const parts = event.type === "check_rolled" ? this.table.truth.checks.get(event.check_id)?.parts.length ?? 1 : 1;
    const decides = DECIDE.has(event.type);
    const caused = news.slice(-MOST_NEWS).reduce((sum, { character }) => sum + (character ? CRISIS_REM : NEWS_REM), 0);
    const rows = (decides ? WORDS_REM : PLAIN_REM) + ROW_REM * (parts - 1) + (isRound ? LINE_REM * Math.min(1, news.length) : caused);
    const pushes = event.type === "luck_pushed" || (event.type === "total_rolled" && event.enough === false);
    return (rows + (pushes ? MORE_REM : 0)) * rem() + (decides ? verdictPx(this.element) : 0);
  }

  /** Draw a moment: its roll with the events that the roll caused, or events alone. @param {Moment} moment */
  #moment(moment) {
    const { thrown, news, landed } = moment;
    const kind = news.some((item) => item.kind === "crisis") ? "crisis" : (news[0]?.kind ?? "");
    const more = news.slice(-MOST_NEWS).map((item) => drawNews(this.table, item, thrown !== null));
    return html`<div class=${`moment ${kind} ${landed ? "landed" : ""}`} translate="no">${thrown ? this.#thrown(moment, thrown, more) : more}</div>`;
  }

  /**
   * Draw a roll: its dice, and beside or below them the texts.
   * @param {Moment} moment @param {Thrown} thrown its roll @param {unknown} news the events that the roll caused
   */
  #thrown(moment, thrown, news) {
    const { table } = this;
    const { landed } = moment;
    const { event, roll, turn } = thrown;
    const cast = /** @type {Cast} */ (this.#casts.get(thrown));
    const { looks, word, kind, more, counts = [] } = landed ? verdictOn(table, event, roll) : UNKNOWN;
    paint(cast, looks, roll.dice);
    const said = counts.length && cast.animations.length ? this.#count(cast, [...counts, more]) : more;
    return html`<div class=${`thrown ${DECIDE.has(event.type) ? "" : "plain"} ${said === more ? "" : "counts"}`} data-moment="roll" .style=${edgeOf(table, roll.seat)}>
      <div class="trays" role=${landed ? "img" : nothing} aria-label=${landed ? labelOf(table, roll) : nothing}>${cast.element}</div>
      <div class="words">
        <p class="headline">${turn ? table.t("moment.turn", { turn }) : nothing} ${called(roll.name)} ${roll.physical ? ownDice(table.t("physical")) : nothing}</p>
        <div class="said">
          <p class=${`verdict ${kind}`} .style=${`--letters:${word.length}`}>${word}</p>
          ${more ? html`<p class="came" .textContent=${said}></p>` : nothing} ${landed ? tiebreak(table, event) : nothing} ${others(table, event)}
          ${landed && mayPush(table, event) ? html`<p class="more">${table.t("push.may_come")}</p>` : word ? html`<p class="changed text">${changeOf(table, moment)}</p>` : nothing}
        </div>
        ${news}
      </div>
    </div>`;
  }

  /**
   * Let a sum count up when it is first drawn. Return the step to draw: the first, or in later drawings the last.
   * @param {Cast} cast @param {readonly string[]} steps the sum after each die, in words
   */
  #count(cast, [first, ...later]) {
    const earlier = this.#counting.get(cast);
    earlier?.forEach(clearTimeout);
    const say = (/** @type {string} */ text) => Object.assign(cast.element.closest(".thrown")?.querySelector(".came") ?? {}, { textContent: text });
    this.#counting.set(cast, earlier ? [] : later.map((text, place) => setTimeout(say, COUNT_MS * (place + 1), text)));
    return earlier ? later[later.length - 1] : first;
  }
}

/**
 * Return the side of a die, whether the texts stand beside the dice, and the size of dice and texts together, in px. The
 * texts stand beside the dice if this allows larger dice.
 * @param {Plan} planned @param {number} count how many dice @param {Size & { isRound?: boolean }} place @param {number} said the height of the texts, in px
 */
function fitted({ width: trayWide, depth, flights }, count, { width, height, isRound }, said) {
  const room = Math.max(0, height - said);
  if (!trayWide) return { side: Math.min(FLAT_PX, Math.sqrt((width * Math.max(room, height / 4)) / Math.max(1, count)) / 1.25), isBeside: false, width, height };
  const rows = depth + 1.2 * Math.ceil(flights.filter(({ track }) => !track).length / (trayWide / 1.15));
  const [above, beside] = [Math.min(width / trayWide, room / rows), Math.min((BESIDE * width) / trayWide, height / rows)];
  const isBeside = !isRound && beside > above && width * (1 - BESIDE) > LEAST_BESIDE_PX;
  const most = Math.max(48, 0.085 * Math.min(innerWidth, innerHeight));
  const side = Math.floor(Math.max(LEAST_SIDE_PX, Math.min(most, isBeside ? beside : above)));
  const wide = isBeside ? (side * trayWide) / BESIDE : Math.max(side * trayWide, NARROWEST_REM * rem());
  return { side, isBeside, width: Math.min(width, wide), height: isBeside ? Math.max(said, side * rows) : side * rows + said };
}

/** Return the font size of the page, in px. */
function rem() {
  return parseFloat(getComputedStyle(document.documentElement).fontSize);
}

/** Return the height of a verdict, in px. @param {Element} arena */
function verdictPx(arena) {
  return 1.2 * (parseFloat(getComputedStyle(arena).getPropertyValue("--verdict")) || 0.09 * innerHeight);
}

/** Return a number from 0 to 1,000,002 that depends on a text alone, so that all viewers see the same throw. @param {string} text */
function seedOf(text) {
  return [...text].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003, 7);
}

/**
 * Give landed dice their looks. Dice that leave a countdown fall off the tray, and repeated dice of a total slide under
 * the first.
 * @param {Cast} cast @param {readonly Look[]} looks @param {readonly DieFace[]} faces
 */
function paint({ dice }, looks, faces) {
  looks.forEach((look, place) => {
    const die = dice[place];
    if (!look || die.classList.contains(look)) return;
    die.classList.add(look);
    if (look === "gone") fall(die);
    if (look === "under") slideUnder(die, dice[faces.findIndex(({ face }) => face === faces[place].face)]);
  });
}

/**
 * Return in a few words the main change that a roll caused; without changes, say that the gm goes on. Return "" before the
 * consequences are shown, for a countdown, and if the arena shows news.
 * @param {Table} table @param {Moment} moment
 */
function changeOf(table, { thrown, news, settled, records }) {
  if (!settled || news.length || !records.size || thrown?.event.type === "countdown_rolled") return "";
  const caused = table.sentences.filter(({ key, record, back }) => records.has(key) && !back && key !== thrown?.key && record.event.type !== "check_resolved");
  const isTick = (/** @type {typeof caused[number]} */ { record }) => record.event.type === "clock_ticked";
  return [...caused.filter((sentence) => !isTick(sentence)), ...caused].find(({ change }) => change)?.change ?? table.t("verdict.goes_on");
}

/** Draw the dice of the other characters in a roll's check, or that they have not rolled yet. @param {Table} table @param {T.Event} event */
function others(table, event) {
  const check = event.type === "check_rolled" && table.view.checks.get(event.check_id);
  if (!check || check.parts.length < 2) return nothing;
  const parts = check.parts.filter((part) => part.character_id !== event.part.character_id);
  return html`<ul class="others">
    ${parts.map((part) => {
      const roll = ofPart(table, { check_id: check.id, part });
      const looks = roll ? looksOfPart(check, part, roll.dice) : [];
      const dice = roll ? flats(roll.dice.map(({ face }, place) => ({ face, look: looks[place] })), roll.label) : table.t("check.rolls_next");
      return html`<li .style=${edgeOf(table, roll?.seat)}><span class="name">${called(table.nameOfPart(part))}</span> ${dice}</li>`;
    })}
  </ul>`;
}

/** Draw the pair of dice that settled a tie in a contest; nothing without a tie. @param {Table} table @param {T.Event} event */
function tiebreak({ view }, event) {
  const result = event.type === "check_rolled" ? view.checks.get(event.check_id)?.result : null;
  if (!result?.deals.length) return nothing;
  const [ours, theirs] = result.deals.slice(-2);
  const won = result.winner === "acting" ? 0 : 1;
  return flats([ours, theirs].map((face, place) => ({ face, look: place === won ? "gold" : "dim" })), "");
}

/** Draw small dice. @param {readonly { face?: number, look: Look }[]} dice @param {string} label for screen readers */
function flats(dice, label) {
  return html`<span class="throw small" role="img" aria-label=${label}
    ><span class="flats">${dice.map(({ face, look }) => html`<b class=${`flat f${face} ${look}`}></b>`)}</span></span
  >`;
}

/**
 * Tell whether the gm may still offer the first push after a total that was not enough. Source: rules.md D4.
 * @param {Table} table @param {T.Event} event
 */
function mayPush({ view }, event) {
  if (event.type !== "total_rolled" || view.closed) return false;
  const { status, enough } = view.totals.get(event.total_id) ?? {};
  return status === "rolled" && enough === false;
}

/** Draw an event. A crisis below a roll has no name or headline: the words of the roll have said both. @param {Table} table @param {News} news @param {boolean} isBelow whether it stands below a roll */
function drawNews(table, { kind, name, headline, text, more, clock, character }, isBelow) {
  const isSaid = isBelow && character;
  return html`<div class=${`news ${kind}`} data-moment=${kind}>
    ${clock ? html`<div class="strikes">${dial(table, clock)}</div>` : nothing}
    ${name && !isSaid ? html`<p class="subject">${called(name)}</p>` : nothing}
    ${isSaid ? nothing : html`<p class="headline">${headline}</p>`}
    ${character ? crisisBoxes(table, character) : nothing}
    <p class="text"><bdi>${text}</bdi></p>
    ${more ? html`<p class="more">${more}</p>` : nothing}
  </div>`;
}
