// @ts-check
/** The sound and the touch of moments, made by the browser; loaded for those who chose them. */

/** @import { Moment } from "./stage.js" @import { NewsKind } from "./telling.js" */

const LOUD = 0.25;
const MOST_KNOCKS = 8;
/**
 * How each kind sounds: a note falls or rises from one pitch to another, in Hz, for so many seconds.
 * @type {{ [kind in NewsKind]: readonly [from: number, to: number, seconds: number] }}
 */
const NOTES = {
  crisis: [110, 41, 1.1],
  expired: [196, 65, 0.8],
  lost: [196, 98, 0.7],
  full: [659, 654, 1.2],
  seal: [1_200, 300, 0.35],
  stage: [330, 262, 0.4],
  won: [392, 587, 0.5],
  told: [294, 294, 0.3],
};
/** @type {AudioContext | undefined} */ let context;

/** Sound a moment: its dice as they begin to tumble, and as they land what came of them. @param {Moment} moment @param {string} chosen */
export function sounded({ rolls, news, landed }, chosen) {
  const kinds = landed ? news.map(({ kind }) => kind) : [];
  const dice = landed ? 0 : rolls.reduce((sum, { roll }) => sum + roll.dice.length, 0);
  if (chosen !== "vibration") heard(dice, kinds);
  if (chosen !== "sound") felt(dice, kinds, landed && rolls.length > 0);
}

/** @param {number} dice @param {readonly NewsKind[]} kinds */
function heard(dice, kinds) {
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume(); // it is, until somebody has pressed something
  for (let knock = 0; knock < Math.min(dice, MOST_KNOCKS); knock++) note(180 + 40 * (knock % 3), 90, 0.06, 0.06 + 0.055 * knock);
  kinds.forEach((kind, place) => note(...NOTES[kind], 0.15 * place));
}

/** @param {number} from @param {number} to @param {number} seconds @param {number} after in seconds */
function note(from, to, seconds, after) {
  const { currentTime, destination } = /** @type {AudioContext} */ (context);
  const begins = currentTime + after;
  const wave = new OscillatorNode(/** @type {AudioContext} */ (context), { type: "triangle", frequency: from });
  const volume = new GainNode(/** @type {AudioContext} */ (context), { gain: 0 });
  wave.frequency.setValueAtTime(from, begins);
  wave.frequency.exponentialRampToValueAtTime(to, begins + seconds);
  volume.gain.setValueAtTime(LOUD, begins);
  volume.gain.exponentialRampToValueAtTime(0.001, begins + seconds);
  wave.connect(volume).connect(destination);
  wave.start(begins);
  wave.stop(begins + seconds);
}

/** @param {number} dice @param {readonly NewsKind[]} kinds @param {boolean} isLanding */
function felt(dice, kinds, isLanding) {
  if (kinds.includes("crisis")) navigator.vibrate?.([120, 60, 240]);
  else if (kinds.length) navigator.vibrate?.([60, 40, 60]);
  else if (dice || isLanding) navigator.vibrate?.(isLanding ? 25 : [12, 40, 12]);
}
