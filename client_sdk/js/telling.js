// @ts-check
/** Telling listeners. */

/**
 * Call whoever listens; what goes wrong there is said aloud and disturbs nobody else.
 * @template {any[]} Arguments
 * @param {((...args: Arguments) => void) | undefined} listener
 * @param {Arguments} args
 */
export function tell(listener, ...args) {
  try {
    listener?.(...args);
  } catch (error) {
    console.error(error);
  }
}
