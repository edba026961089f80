#!/usr/bin/env bash
# Renders the icons in the sizes that desktops ask for. To be run after an SVG has changed (librsvg2-bin).
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")"
for size in 16 24 32 48 64 128 256; do
    for icon in org.headscope.Headscope application-x-headscope; do
        mkdir -p $size
        rsvg-convert --width $size --height $size --output $size/$icon.png $icon.svg
    done
done
