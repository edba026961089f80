#!/usr/bin/env bash
# Takes every picture of the window: those of the README into resources/screenshots, and those to be looked at
# after a change into build/screenshots. Needs Xvfb and ImageMagick; ./run screenshots sees to that.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
take=$root/build/release/take_screenshot
looked_at=$root/build/screenshots
mkdir -p "$looked_at"
unset QT_QPA_PLATFORM

# shot FILE SIZE THEME SCALE [OPTION]...
shot() {
    local file=$1 size=$2 theme=$3 scale=$4
    shift 4
    QT_SCALE_FACTOR=$scale xvfb-run -a -s "-screen 0 3840x2400x24" "$take" "$file" "$size" "$theme" "$@"
    convert "$file" +dither -colors 256 "png8:$file"  # a third of the size, and no difference to the eye
}

if [[ ${1:-} != looks ]]; then
    shots=$root/resources/screenshots
    shot "$shots/window.png" 1280x800 light 1 --language en --lesson how-many-heads
    shot "$shots/window-dark.png" 1280x800 dark 1 --language en --lesson how-many-heads
    shot "$shots/window-zh.png" 1280x800 light 1 --language zh_CN --lesson how-many-heads
    for lesson in "$root"/resources/lessons/*.json; do
        id=$(basename "$lesson" .json)
        shot "$shots/lesson-$id.png" 1280x800 light 1 --language en --lesson "$id"
    done
fi

few=(--lesson copy --steps 120)
for size in 1280x800 1024x700; do
    for theme in light dark; do
        for language in en zh_CN; do
            shot "$looked_at/$size-$theme-$language.png" "$size" "$theme" 1 "${few[@]}" --language $language
        done
    done
    for heads in 1 8 32; do
        shot "$looked_at/$size-h$heads.png" $size light 1 "${few[@]}" --heads $heads
    done
    shot "$looked_at/$size-t2.png" $size light 1 "${few[@]}" --context 2
    shot "$looked_at/$size-t256.png" $size light 1 --lesson copy --steps 12 --context 256
    shot "$looked_at/$size-t256-h32.png" $size dark 1 --lesson copy --steps 12 --context 256 --heads 32
    shot "$looked_at/$size-twin.png" $size dark 1 --lesson four-or-eight --language zh_CN --steps 120
    shot "$looked_at/$size-2x.png" $size light 2 "${few[@]}"
done
shot "$looked_at/1280x800-1.5x.png" 1280x800 dark 1.5 "${few[@]}"
echo "To be looked at: $looked_at"
