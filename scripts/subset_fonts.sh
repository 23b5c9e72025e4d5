#!/usr/bin/env bash
# Make the fonts of the pages again. Needs npm, and fonttools with brotli on the PATH (pip install "fonttools[woff]").
set -euo pipefail
fonts=$(cd "$(dirname "$0")/../server/src/dreadclock_server/pages/fonts" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

subset() { # FAMILY AXIS LIMITS RANGE...: fix or limit the axes of a variable font, and keep what the pages use
  local family=$1 axis=$2 limits=$3
  shift 3
  npm pack --silent "@fontsource-variable/$family" >/dev/null
  mkdir "$family"
  tar -xzf fontsource-variable-"$family"-*.tgz -C "$family"
  cp "$family/package/LICENSE" "$fonts/$family/"
  for range in "$@"; do
    pyftsubset "$family/package/files/$family-$range-$axis-normal.woff2" --unicodes='*' --no-hinting --notdef-outline \
      --layout-features=kern,liga,calt,ccmp,mark,mkmk,locl,tnum,case --name-IDs=0,1,2,3,4,5,6,13,14 --output-file=part.ttf
    # shellcheck disable=SC2086
    fonttools varLib.instancer --quiet --no-recalc-timestamp part.ttf $limits --output=limited.ttf
    fonttools ttLib.woff2 compress -o "$fonts/$family/$range.woff2" limited.ttf
  done
}

subset fraunces full "opsz=144 wght=480 SOFT=0 WONK=1" latin latin-ext vietnamese
subset inter wght "wght=400:700" latin latin-ext vietnamese cyrillic greek
