// @ts-check
/** QR codes as drawings. */

import { html } from "../../vendor/lit-html/lit-html.js";

const MARGIN = 4; // light modules around a code, or readers do not find it

/**
 * Draw a QR code.
 * @param {readonly string[]} rows of `0` (light) and `1` (dark)
 * @param {string} label
 */
export function qrCode(rows, label) {
  const size = rows.length + 2 * MARGIN;
  return html`<svg
    class="qr"
    viewBox=${`0 0 ${size} ${size}`}
    role="img"
    aria-label=${label}
    shape-rendering="crispEdges"
  >
    <rect width=${size} height=${size} fill="#fff" />
    <path d=${rows.map(pathOf).join("")} fill="#000" />
  </svg>`;
}

/** @param {string} row @param {number} y */
function pathOf(row, y) {
  return [...row.matchAll(/1+/g)]
    .map(({ 0: run, index }) => `M${index + MARGIN} ${y + MARGIN}h${run.length}v1h-${run.length}z`)
    .join("");
}
