#!/usr/bin/env bash
# Mounts the sample, the odd files of testdata/edge and, if there are any, the sessions in
# PIFS_REAL_SESSIONS (default: ../shared/sessions/real beside the work tree), and drives the
# programs that people use over them. Prints TAP: a line `ok` or `not ok` each. Run by root, it
# does so once more as an ordinary user, through fusermount3.
#
#   scripts/mount-test.sh                 all
#   scripts/mount-test.sh --kit DIR NAME  what that runs: the checks, with the kit in DIR
set -euo pipefail
export LC_ALL=C.UTF-8 TZ=UTC
self=$(realpath "${BASH_SOURCE[0]}")

# A skip is a failure where PIFS_REQUIRE names what is missing.
required() { [[ ,${PIFS_REQUIRE:-}, == *,$1,* || ,${PIFS_REQUIRE:-}, == *,all,* ]]; }

# ---- outer: make a kit that any user can read, and run the checks with it ------------------

prepare_kit() { # DIR
  local top real
  top=$(dirname "$(dirname "$self")")
  real=${PIFS_REAL_SESSIONS:-$top/../shared/sessions/real}
  mkdir -p "$1/stores"
  (cd "$top" && go build -o "$1/pifs" ./cmd/pifs)
  cp "$top/scripts/mount-walk.py" "$self" "$1/"
  cp -r "$top/cmd/pifs/sample/sessions" "$1/stores/sample"
  cp -r "$top/testdata/edge" "$1/stores/edge"
  if [[ -d $real ]]; then
    cp -r "$real" "$1/stores/real"
  elif required real; then
    echo "Bail out! no sessions in $real"
    exit 1
  else
    echo "# SKIP real sessions: there is no $real"
  fi
  chmod -R u+rwX,go+rX "$1"
  # A file written right now may be a live pi's, and is then seen to change.
  find "$1/stores" -type f -exec touch -d 2025-12-24T12:00:00Z {} +
}

outer() {
  local kit status=0
  kit=$(realpath "$(mktemp -d "${TMPDIR:-/tmp}/pifs-mount-test.XXXXXX")")
  # shellcheck disable=SC2064 # the directory of now
  trap "rm -rf '$kit'" EXIT
  prepare_kit "$kit"
  "$kit/mount-test.sh" --kit "$kit" "$(id -un)" || status=1
  if [[ $EUID -eq 0 ]]; then
    if command -v fusermount3 >/dev/null; then
      (cd / && setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups "$kit/mount-test.sh" --kit "$kit" nobody) || status=1
    elif required fusermount; then
      echo "Bail out! fusermount3 is missing"
      status=1
    else
      echo "# SKIP as an ordinary user: fusermount3 is missing"
    fi
  fi
  return $status
}

# ---- inner: the frame ------------------------------------------------------------------------

count=0 failed=0 group='' mount='' sessions=0 source=()

# check NAME COMMAND...: ok if the command succeeds; what it printed is shown if it does not.
check() {
  local name=$1 status
  shift
  count=$((count + 1))
  # Not as a condition: there bash would ignore -e inside.
  set +e
  (set -euo pipefail; "$@") >"$scratch/output" 2>&1 </dev/null
  status=$?
  set -e
  if ((status == 0)); then
    echo "ok $count - $group: $name"
  else
    failed=$((failed + 1))
    echo "not ok $count - $group: $name"
    head -c 2000 "$scratch/output" | sed 's/^/# /'
    echo
  fi
}

refused() {
  if "$@"; then
    echo "was not refused: $*"
    return 1
  fi
}

cleanup() {
  local dir
  for dir in "$scratch"/mnt/*; do
    if mountpoint -q "$dir"; then "$pifs" unmount --lazy "$dir"; fi
  done
  chmod -R u+rwX "$scratch"
  rm -rf "$scratch"
}

until_true() { # COMMAND...: for at most 10 s
  local tries
  for ((tries = 0; tries < 500; tries++)); do
    if "$@"; then return 0; fi
    sleep 0.02
  done
  echo "was never true: $*"
  return 1
}

# ---- what is checked on each mount -------------------------------------------------------------

attach() { "$pifs" mount "$@" "$mount"; }
detach() { "$pifs" unmount "$mount" && refused mountpoint -q "$mount"; }
gone() { [[ ! -e $1 ]]; }
checksum() { (cd "$1" && find . -type f -exec stat -c '%n %s %y' {} + -exec sha256sum {} + | sort); }

walk() { "$kit/mount-walk.py" "$mount" >"$1"; }
same() { diff "$1" "$2" | head -20; }

counts_blocks() { du -s "$mount" && du -sb "$mount" && df "$mount" && stat -f "$mount"; }
finds() { [[ $sessions -gt 0 && $(find "$mount" -name transcript.md | wc -l) -eq $sessions ]]; }
cats() {
  local bytes
  bytes=$(find "$mount" -type f -printf '%s\n' | awk '{ n += $1 } END { print n }')
  [[ $(find "$mount" -type f -exec cat {} + | wc -c) -eq $bytes ]]
}
never_binary() {
  grep -r --exclude-dir=images . "$mount" >"$work/grep"
  refused grep -m1 '^grep: .*: binary file matches$' "$work/grep"
  refused grep -aqP '[\x00-\x08\x0b-\x1f\x7f]' "$work/grep"
  iconv -f UTF-8 -t UTF-8 "$work/grep" >/dev/null
}
rg_sees_all() {
  # A file that ripgrep took for binary, or that an ignore file hid, would be missing here.
  same <(cd "$mount" && rg -l -g '*.md' . | sed 's|^\./||' | sort) \
    <(cd "$mount" && find . -type f -name '*.md' -size +0c -printf '%P\n' | sort)
}
words() {
  local file
  find "$mount" -name transcript.md | while read -r file; do
    [[ $(wc -c <"$file") -eq $(stat -c %s "$file") ]]
    cmp <(head -c 100 "$file") <(dd if="$file" bs=100 count=1 status=none)
    cmp <(tail -c 100 "$file") <(dd if="$file" bs=7 status=none | tail -c 100)
    cmp <(less "$file") "$file"
    cmp <(head -n 5 "$file"; tail -n +6 "$file") "$file"
  done
}
valid_json() {
  find "$mount" -name info.json -exec jq -e . {} + >/dev/null
  find "$mount" -name context.json ! -path '*/deep-nesting/*' -exec jq -e '.messages | type == "array"' {} + >/dev/null
  # jq has a limit of its own for depth.
  find "$mount" -path '*/entries/*.json' ! -path '*/deep-nesting/*' -exec jq . {} + >/dev/null
}
archives() {
  local to=$work/archive
  mkdir -p "$to/tar"
  tar -C "$mount" -cf "$to/all.tar" .
  tar -C "$to/tar" -xf "$to/all.tar"
  diff -r --no-dereference "$mount" "$to/tar"
  tar -C "$mount" -df "$to/all.tar"
}
copies() {
  local to=$work/copy
  mkdir -p "$to"
  cp -a "$mount" "$to/cp"
  diff -r --no-dereference "$mount" "$to/cp"
  rsync -a "$mount/" "$to/rsync/"
  diff -r --no-dereference "$mount" "$to/rsync"
  # A second run has nothing to do: sizes and times are the same at every look.
  [[ -z $(rsync -ai "$mount/" "$to/rsync/") ]]
}
facts() { (cd "$1" && find . -mindepth 1 ! -name session.jsonl -printf '%P %m %T@ %l\n' | sort); }
exports() {
  local to=$work/export file
  "$pifs" export "${source[@]}" "$to"
  diff -r --no-dereference -x session.jsonl "$mount" "$to"
  same <(facts "$mount") <(facts "$to")
  (cd "$to" && find . -type f -name session.jsonl) >"$work/exported"
  [[ $(wc -l <"$work/exported") -eq $sessions ]]
  while read -r file; do
    cmp "$mount/$file" "$to/$file"
  done <"$work/exported"
}
without_mount() {
  local name
  same <("$pifs" ls "${source[@]}") <(ls -1 "$mount")
  (cd "$mount" && find . -name tree.txt -o -name info.json) | head -20 | while read -r name; do
    cmp <("$pifs" cat "${source[@]}" "$name") "$mount/$name"
  done
}
any_entry_is_a_branch() {
  local entry dir
  find "$mount" -path '*/entries/*.json' | awk 'NR % 23 == 1' | while read -r entry; do
    dir=$(dirname "$(dirname "$entry")")/branches/$(basename "$entry" .json)
    [[ $(stat -c %s "$dir/context.md") -eq $(wc -c <"$dir/context.md") ]]
    jq -e .messages "$dir/context.json" >/dev/null
  done
}
hidden_directory() {
  [[ -s $mount/.pifs/version ]]
  refused grep -q . <(find "$mount" -name .pifs)
}
refuses_changes() {
  local dir
  dir=$(find "$mount" -name transcript.md | head -1)
  dir=$(dirname "$dir")
  refused touch "$mount/new"
  refused mkdir "$mount/new"
  refused touch "$dir/new"
  refused rm -f "$dir/transcript.md"
  refused rmdir "$dir"
  refused sh -c "echo x >'$dir/tree.txt'"
  refused rm -rf "$dir/entries"
  refused mv "$dir" "$dir.away"
  [[ -s $dir/transcript.md && -d $dir/entries ]]
}

sleep_inside() {
  (cd "$mount" && exec sleep 60) &
  sleeper=$!
  until_true at_home
}
at_home() { [[ $(readlink "/proc/$sleeper/cwd") == "$mount" && $(cat "/proc/$sleeper/comm") == sleep ]]; }
end_sleeper() {
  kill "$sleeper"
  wait "$sleeper" || true
}
busy() {
  local status=0
  sleep_inside
  "$pifs" unmount "$mount" 2>"$work/busy" || status=$?
  end_sleeper
  [[ $status -eq 7 ]]
  grep "sleep (process $sleeper)" "$work/busy"
}
detaches_lazily() {
  sleep_inside
  "$pifs" unmount --lazy "$mount"
  refused mountpoint -q "$mount"
  end_sleeper
  until_true gone "$mount"
}

# ---- the checks ------------------------------------------------------------------------------

# drive NAME: all checks on a mount of a copy of the kit's store.
drive() {
  local store=$scratch/store
  group="$who $1"
  work=$scratch/work
  mkdir "$work"
  cp -rp "$kit/stores/$1" "$store"
  source=(--store "$store")
  checksum "$store" >"$work/before"
  mount=$scratch/mnt/$1
  check "mounts" attach "${source[@]}"
  sessions=$(find "$mount" -name info.json | wc -l)
  check "each path is sound: size, mmap, links, inodes" walk "$work/walk1"
  check "a second walk too" walk "$work/walk2"
  check "… and sees the same" same "$work/walk1" "$work/walk2"
  check "ls -laR" ls -laR "$mount"
  check "find" finds
  check "du, df, stat -f" counts_blocks
  check "cat" cats
  check "grep -r, text only" never_binary
  check "rg skips nothing" rg_sees_all
  check "wc, head, tail, less, dd" words
  check "jq" valid_json
  check "tar" archives
  check "cp -a, rsync, diff -r" copies
  check "pifs export gives the same" exports
  check "pifs ls and cat give the same" without_mount
  check "each entry is a branch" any_entry_is_a_branch
  check ".pifs is there and not listed" hidden_directory
  check "changes are refused" refuses_changes
  check "unmount refuses while someone is inside" busy
  check "unmounts" detach
  check "the mountpoint is gone, as it was created" until_true gone "$mount"
  check "mounts again" attach "${source[@]}"
  check "a walk after the remount" walk "$work/walk3"
  check "… sees the same" same "$work/walk1" "$work/walk3"
  check "detaches lazily" detaches_lazily
  check "mounts read-only" attach "${source[@]}" --read-only
  check "a walk of that" walk "$work/walk4"
  check "unmounts that" detach
  checksum "$store" >"$work/after"
  check "the store is as it was" same "$work/before" "$work/after"
  chmod -R u+rwX "$work"
  rm -rf "$work" "$store"
}

hits() { # NUMBER GLOB TEXT: the number of files below the mount with the text
  local found
  found=$(rg -l -F -g "$2" -e "$3" "$mount" | sort)
  echo "$found"
  [[ $(wc -l <<<"$found") -eq $1 ]]
}
lines() { # TEXT COMMAND...: what it prints, joined by commas
  local text=$1 printed
  shift
  printed=$("$@" | sort | paste -sd,)
  echo "$printed"
  [[ $printed == "$text" ]]
}
three_branches() { [[ $(find "$1/branches" -mindepth 1 -maxdepth 1 | wc -l) -eq 3 ]]; }
is_png() { find "$mount/home-ada-garden" -name '*-1.png' -exec head -c 4 {} \; | grep -a 'PNG'; }
sums_costs() { jq -se 'length == 4' "$mount"/*/2*/info.json; }

# known_searches: what is found on the sample, whose contents are known.
known_searches() {
  local weather shared='after twenty calls I get 429 Too Many Requests' once='both processes create the table at the same moment'
  group="$who searches"
  mount=$scratch/mnt/searches
  check "mounts the sample" attach --sample
  weather=$(cd "$mount"/home-ada-weather/by-title/Cache*forecast && pwd -P)
  check "three branches" three_branches "$weather"
  # It stands on three branches, and was taken along to a fork.
  check "rg transcript.md: one file a session" hits 2 transcript.md "$shared"
  check "rg transcript.md: one line" lines "$weather/transcript.md:1" rg -c -F -g transcript.md -e "$shared" "$weather"
  check "rg context.md: each context that has it" hits 4 context.md "$shared"
  check "rg context.md: the one context that has it" hits 1 context.md "$once"
  check "labels" lines "dead end,two ways,works" ls "$weather/labels"
  check "a fork knows its parent" lines "$weather" realpath "$mount"/home-ada-weather/by-title/Believe*/parent
  check "and the parent its fork" lines "$(realpath "$mount"/home-ada-weather/by-title/Believe*)" realpath "$weather"/children/*
  check "latest" lines "Believe Retry-After" cat "$mount/home-ada-weather/latest/name"
  check "an image" is_png
  check "a compacted context has its summary" grep 'Water the beds that dry out' "$mount"/home-ada-garden/by-title/Watering*/current/context.md
  check "jq over all sessions" sums_costs
  check "unmounts" detach
}

inner() { # KIT WHO
  kit=$1 who=$2 pifs=$1/pifs
  scratch=$(realpath "$(mktemp -d "${TMPDIR:-/tmp}/pifs-mount-test.XXXXXX")")
  trap cleanup EXIT
  mkdir "$scratch/mnt" "$scratch/home"
  export HOME=$scratch/home TMPDIR=$scratch/home
  local store
  for store in "$kit"/stores/*; do
    drive "$(basename "$store")"
  done
  known_searches
  echo "1..$count"
  ((failed == 0)) || { echo "# $failed of $count failed"; return 1; }
}

if [[ ${1:-} == --kit ]]; then
  inner "$2" "$3"
else
  outer
fi
