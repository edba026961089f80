#!/usr/bin/env bash
# Brings the translations up to date with the sources: new texts come in as unfinished, to be translated in Qt
# Linguist or by hand. With --check it changes nothing and fails where a text has no finished translation.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The engine knows no Qt, so its sentences are found by how it refuses: Refusal("…", …), refuse(name, "…", …).
find "$root/engine" -name '*.cpp' | sort | xargs perl -0777 -ne '
    while (/\b(?:Refusal|refuse|fail|range)\((?:\s*(?:[\w.:]+|"\w+")\s*,)?\s*((?:"(?:[^"\\]|\\.)*"\s*)+)/g) {
        my $text = $1;
        $text =~ s/"\s*"//g;
        print "QT_TRANSLATE_NOOP(\"headscope::Refusal\", $text)\n" if $text =~ / /;
    }
    while (/\brequireKind\([^"]*("[^"]*")/g) {
        print "QT_TRANSLATE_NOOP(\"headscope::Refusal\", $1)\n";
    }' >"$work/engine_sentences.cpp"

update() {
    /usr/lib/qt6/bin/lupdate -silent -I "$root" -locations none -no-obsolete "$root/app" "$root/ui" \
        "$work/engine_sentences.cpp" -ts "$1"
}

if [[ ${1:-} == --check ]]; then
    status=0
    for translation in "$root"/resources/translations/*.ts; do
        cp "$translation" "$work/"
        copy="$work/$(basename "$translation")"
        update "$copy"
        if unfinished=$(grep -B3 'type="unfinished"' "$copy"); then
            printf '%s has no translation of:\n%s\n' "$(basename "$translation")" "$unfinished"
            status=1
        fi
    done
    exit $status
fi
for translation in "$root"/resources/translations/*.ts; do update "$translation"; done
