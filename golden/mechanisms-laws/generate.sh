#!/bin/sh
# Writes episodes.csv, samples.csv and summary.csv from cases.csv. Needs a C++17 compiler whose long double has 64 bits
# of mantissa (x86-64). Run: ./generate.sh [parallel jobs]
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
g++ -O3 -std=c++17 -o "$work/reference" reference.cpp
tail -n +2 cases.csv | cut -d, -f1 | xargs -P "${1:-2}" -I{} sh -c '"$0"/reference {} > "$0"/{}' "$work"
collect() {
    for name in $(tail -n +2 cases.csv | cut -d, -f1); do sed -n "s/^$1,//p" "$work/$name"; done
}
{ echo case,region,start,end,impact_speed,max_indentation,max_force,impulse,restitution,loss_normal,loss_friction,seam_energy,spread; collect episode; } > episodes.csv
{ echo case,t,channel,value,spread; collect sample; } > samples.csv
{ echo case,impacts,contact_time,spread; collect summary; } > summary.csv
