#!/usr/bin/env bash
# What a complete run of the tests needs beside .venv: Chromium, the TypeScript compiler, Handlebars, esbuild and other fonts.
# `make tools` runs this; .ci/run sources it. Only Chromium is installed on the machine, all else lies in the cache folder.

CACHE="${XDG_CACHE_HOME:-$HOME/.cache}/dreadclock"
TYPESCRIPT=5.9.3
HANDLEBARS_VERSION=4.7.8
HANDLEBARS="$CACHE/handlebars-$HANDLEBARS_VERSION"
ESBUILD="$CACHE/esbuild-$(sed -n 's/.*"esbuild": "\(.*\)".*/\1/p' scripts/esbuild/package.json)"
FONTS="$CACHE/fonts"
TOOLS="$CACHE/typescript-$TYPESCRIPT"

# Without a window Chromium takes less than half of the time; any will do.
has_headless_shell() {
  [ -e "${DREADCLOCK_CHROMIUM:-}" ] || [ -e /usr/lib/chromium/chromium-headless-shell ]
}

has_chromium() {
  [ -e "${DREADCLOCK_CHROMIUM:-}" ] || [ -e /usr/lib/chromium/chromium ] ||
    command -v chromium chromium-browser google-chrome-stable google-chrome >/dev/null
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo -n "$@"; fi
}

install_chromium() {
  echo "Installing Chromium, which the tests of the pages need."
  export DEBIAN_FRONTEND=noninteractive
  { as_root apt-get -qq update && as_root apt-get -qq install -y --no-install-recommends chromium-headless-shell; } >/dev/null ||
    has_chromium || as_root apt-get -qq install -y --no-install-recommends chromium >/dev/null ||
    { echo "Chromium could not be installed with apt-get; install one by hand, or set DREADCLOCK_CHROMIUM to one." >&2; exit 1; }
}

# The compiler checks the types of the JavaScript; it stays outside this folder. Where npm cannot provide it, its tests are skipped.
provide_typescript() {
  command -v npm >/dev/null || { echo "There is no npm, so the types of the JavaScript are not checked."; return; }
  [ -x "$TOOLS/node_modules/.bin/tsc" ] ||
    npm install --loglevel=error --no-audit --no-fund --prefix "$TOOLS" "typescript@$TYPESCRIPT" ||
    { echo "npm could not install TypeScript, so the types of the JavaScript are not checked."; return; }
  export DREADCLOCK_TSC="$TOOLS/node_modules/.bin/tsc"
}

# The templates of the module for Foundry VTT are tested with what Foundry itself fills them in with; without npm these tests are skipped.
provide_handlebars() {
  command -v npm >/dev/null || { echo "There is no npm, so the module for Foundry VTT is not tested."; return; }
  [ -e "$HANDLEBARS/node_modules/handlebars/dist/handlebars.min.js" ] ||
    npm install --loglevel=error --no-audit --no-fund --prefix "$HANDLEBARS" "handlebars@$HANDLEBARS_VERSION" ||
    { echo "npm could not install Handlebars, so the module for Foundry VTT is not tested."; return; }
  export DREADCLOCK_HANDLEBARS="$HANDLEBARS/node_modules/handlebars/dist/handlebars.min.js"
}

# Makes the bundles of the pages, which the packages carry; without npm no packages are built. npm checks the hashes in scripts/esbuild.
provide_esbuild() {
  command -v npm >/dev/null || { echo "There is no npm, so no packages can be built."; return; }
  [ -x "$ESBUILD/node_modules/.bin/esbuild" ] ||
    { mkdir -p "$ESBUILD" && cp scripts/esbuild/*.json "$ESBUILD" &&
      npm ci --loglevel=error --no-audit --no-fund --ignore-scripts --prefix "$ESBUILD"; } ||
    { echo "npm could not install esbuild, so no packages can be built."; return; }
  export DREADCLOCK_ESBUILD="$ESBUILD/node_modules/.bin/esbuild"
}

# Unpacks other fonts than this machine's into a folder, beside a fontconfig that knows these alone; nothing is installed.
provide_other_fonts() {
  command -v apt-get >/dev/null || { echo "There is no apt-get, so the pages are tested with this machine's fonts alone."; return; }
  rm -rf "$FONTS"
  mkdir -p "$FONTS/packages"
  (cd "$FONTS/packages" && apt-get -qq download fonts-noto-core fonts-texgyre 2>/dev/null ||
    { as_root apt-get -qq update && apt-get -qq download fonts-noto-core fonts-texgyre; }) >/dev/null ||
    { echo "apt-get could not provide other fonts." >&2; exit 1; }
  for package in "$FONTS"/packages/*.deb; do dpkg-deb --extract "$package" "$FONTS/fonts" || exit 1; done
  cat >"$FONTS/fonts.conf" <<END
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir>$FONTS/cache</cachedir>
  <include ignore_missing="yes">/etc/fonts/conf.d</include>
</fontconfig>
END
}

provide_tools() {
  has_headless_shell || install_chromium
  [ -n "${DREADCLOCK_TSC:-}" ] || command -v tsc >/dev/null || provide_typescript
  [ -n "${DREADCLOCK_HANDLEBARS:-}" ] || provide_handlebars
  [ -n "${DREADCLOCK_ESBUILD:-}" ] || provide_esbuild
  [ -e "$FONTS/fonts.conf" ] || provide_other_fonts
}

[ "${BASH_SOURCE[0]}" != "$0" ] || { set -euo pipefail; provide_tools; echo "All that a complete run needs is there."; }
