// @ts-check
/** Going to another place on the page. */

const FRAMES = 60; // in which something that is only now loaded may yet be drawn

/**
 * Bring the first element that one of the selectors finds into sight, and focus it, once the page is drawn.
 * @param {...string} selectors
 */
export function goTo(...selectors) {
  requestAnimationFrame(() => look(selectors, FRAMES));
}

/** @param {readonly string[]} selectors @param {number} frames */
function look(selectors, frames) {
  requestAnimationFrame(() => {
    const found = selectors.map((each) => document.querySelector(each)).find((each) => each instanceof HTMLElement);
    if (!(found instanceof HTMLElement)) return frames ? look(selectors, frames - 1) : undefined;
    for (let fold; (fold = found.closest("details:not([open])")); ) fold.setAttribute("open", "");
    found.scrollIntoView({ block: found.offsetHeight > innerHeight / 2 ? "start" : "center" });
    if (found.tabIndex < 0) found.tabIndex = -1; // what takes no focus by itself
    found.focus({ preventScroll: true });
  });
}
