// @ts-check
/** When a page is drawn, and who has the focus after it was. */

/** Run before the next picture; where none will be painted, as in a hidden tab, a little later. @param {() => void} work */
export function soon(work) {
  if (document.visibilityState === "visible") requestAnimationFrame(work);
  else setTimeout(work, 50);
}

/** Return where the focus is, from the inside out: elements that may outlive what is focused. */
export function placeOfFocus() {
  const places = [];
  let element = document.activeElement?.closest("[data-thing], [data-place]");
  for (; element; element = element.parentElement?.closest("[data-thing], [data-place]")) places.push(element);
  return { focused: document.activeElement, places };
}

/**
 * Give the focus back to what lost it by being moved, or else to what surrounded it.
 * @param {ReturnType<typeof placeOfFocus>} place
 */
export function keepFocus({ focused, places }) {
  if (!focused || focused === document.body || document.activeElement === focused) return;
  const place = /** @type {HTMLElement | undefined} */ ([focused, ...places].find((each) => each.isConnected));
  if (!place) return;
  const summary = place instanceof HTMLDetailsElement ? place.querySelector("summary") : null;
  if (place !== focused && !summary) place.tabIndex = -1; // never on details: keys would pass over their summary
  (summary ?? place).focus({ preventScroll: true });
}
