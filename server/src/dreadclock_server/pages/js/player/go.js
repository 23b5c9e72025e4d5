// @ts-check
/** Going to another place on the page. */

/**
 * Bring the first element that one of the selectors finds into sight, and focus it, once the page is drawn.
 * @param {...string} selectors
 */
export function goTo(...selectors) {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const found = selectors.map((each) => document.querySelector(each)).find((each) => each instanceof HTMLElement);
      if (!(found instanceof HTMLElement)) return;
      found.scrollIntoView({ block: "center" });
      found.focus({ preventScroll: true });
    }),
  );
}
