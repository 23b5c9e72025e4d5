// @ts-check
/** Synthesizes the sounds of rolls and events, and vibrates phones. */

/** @import { Moment } from "./stage.js" */

const MOST_KNOCKS = 8; // the most dice that are heard
const FIRST_S = 0.35; // the time until the first die lands
const APART_S = 0.05; // between two dice
/**
 * The partial tones of each sound: the pitch in Hz at the start and at the end, the duration in s, and the volume.
 * @type {Record<string, readonly (readonly [from: number, to: number, seconds: number, loud: number])[]>}
 */
const SOUNDS = {
  wood: [[420, 180, 0.05, 0.25], [950, 300, 0.025, 0.12]], // a die lands
  glass: [[2_100, 2_090, 0.5, 0.08], [3_380, 3_370, 0.3, 0.05], [5_200, 5_180, 0.15, 0.03]], // a die leaves a countdown
  bell: [[659, 656, 1.8, 0.16], [1_318, 1_312, 1.1, 0.08], [1_780, 1_775, 0.7, 0.05]], // a clock is full
  low: [[82, 41, 1.6, 0.35], [123, 62, 1.1, 0.15]], // a crisis
};
/** @type {AudioContext | undefined} */ let context;

/**
 * Play the sounds of a moment (a roll and what it caused), or vibrate, or both. For flying dice, schedule the sounds of their landing. For
 * landed dice, play the sounds of the results.
 * @param {Moment} moment @param {string} chosen `sound`, `vibration` or `both`
 */
export function sounded(moment, chosen) {
  const notes = moment.landed ? endsOf(moment) : landings(moment);
  if (chosen !== "vibration") play(notes);
  if (chosen !== "sound") vibrate(notes, moment.landed);
}

/** @typedef {readonly [name: string, after: number]} Note `after`: in seconds */

/** Return the sounds of landing dice, one by one. @param {Moment} moment @returns {Note[]} */
function landings({ thrown }) {
  const dice = Math.min(MOST_KNOCKS, thrown?.roll.dice.length ?? 0);
  return Array.from({ length: dice }, (_, place) => /** @type {Note} */ (["wood", FIRST_S + APART_S * place]));
}

/**
 * Return the sounds of a landed moment: of dice that leave a countdown, of a full clock, and of a crisis.
 * @param {Moment} moment @returns {Note[]}
 */
function endsOf({ thrown, news }) {
  const event = thrown?.event;
  const left = event?.type === "countdown_rolled" ? Math.min(MOST_KNOCKS, event.removed) : 0;
  const breaks = event?.type === "luck_pushed" && event.push.crisis;
  const kinds = news.map(({ kind }) => kind);
  return [
    ...Array.from({ length: left }, (_, place) => /** @type {Note} */ (["glass", 2 * APART_S * place])),
    ...(kinds.includes("full") ? [/** @type {Note} */ (["bell", 0])] : []),
    ...(breaks || kinds.includes("crisis") ? [/** @type {Note} */ (["low", 0])] : []),
  ];
}

/** @param {readonly Note[]} notes */
function play(notes) {
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume(); // browsers suspend it until the first press on the page
  for (const [name, after] of notes) for (const tone of SOUNDS[name]) sing(context, tone, after);
}

/**
 * Play a partial tone that fades out.
 * @param {AudioContext} audio @param {readonly [number, number, number, number]} tone @param {number} after in seconds
 */
function sing(audio, [from, to, seconds, loud], after) {
  const begins = audio.currentTime + after;
  const wave = new OscillatorNode(audio, { type: "triangle", frequency: from });
  const volume = new GainNode(audio, { gain: 0 });
  wave.frequency.setValueAtTime(from, begins);
  wave.frequency.exponentialRampToValueAtTime(to, begins + seconds);
  volume.gain.setValueAtTime(loud, begins);
  volume.gain.exponentialRampToValueAtTime(0.001, begins + seconds);
  wave.connect(volume).connect(audio.destination);
  wave.start(begins);
  wave.stop(begins + seconds);
}

/** Vibrate: long for a crisis, short for other sounds. @param {readonly Note[]} notes @param {boolean} landed */
function vibrate(notes, landed) {
  if (notes.some(([name]) => name === "low")) navigator.vibrate?.([120, 60, 240]);
  else if (notes.length) navigator.vibrate?.(landed ? [60, 40, 60] : [12, 40, 12]);
}
