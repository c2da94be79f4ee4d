#!/usr/bin/env bash
# Measures pifs against what does the same work on the same machine, and prints a table of ratios: of medians,
# both sides measured in turn, the page cache warm. Each command is printed before it runs for the first time.
#
#   scripts/bench.sh [--sessions N] [--runs N] [--only NAME,...] [--growth] [--keep DIR]
#
#   --sessions N     sessions of the store (default 2000, which are 600 MB)
#   --runs N         times that each command is measured (default 5)
#   --only NAME,...  of contexts, transcripts, index, list, open, mount, memory, append, branches, writes, go
#   --growth         contexts, transcripts and index with 200, 2,000 and 10,000 sessions, and nothing else
#   --keep DIR       make the stores in DIR, or use those that are there, and leave them (else below $TMPDIR)
#
# Needs python3, rg and, to compare with the real pi, npm the first time (see scripts/oracle/run). Mounts as the
# user who runs it. The copies of what is mounted need some disk: as much as the store.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export LC_ALL=C.UTF-8

all=contexts,transcripts,index,list,open,mount,memory,append,branches,writes,go
sessions=2000 runs=5 only=$all growth='' keep=''
needle=needle_xyzzy # a rare word that bigstore puts into some messages

usage() {
  sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}" >&2
  exit 2
}

while (($#)); do
  case $1 in
    --growth) growth=yes; shift; continue ;;
    --sessions | --runs | --only | --keep) [[ -n ${2:-} ]] || usage ;;
    *) usage ;;
  esac
  case $1 in
    --sessions) sessions=$2 ;;
    --runs) runs=$2 ;;
    --only) only=$2 ;;
    --keep) keep=$2 ;;
  esac
  shift 2
done
for name in ${only//,/ }; do
  [[ ,$all, == *,$name,* ]] || usage
done

# ---- the frame ---------------------------------------------------------------------------------

base=${keep:-$(mktemp -d "${TMPDIR:-/tmp}/pifs-bench.XXXXXX")}
mkdir -p "$base"
base=$(realpath "$base")
scratch=$(mktemp -d "$base/run.XXXXXX")
mkdir "$scratch/mnt"
samples=$scratch/samples rows=$scratch/rows pifs=$scratch/pifs

cleanup() {
  local dir
  trap '' INT TERM HUP # it is ending already
  if [[ -s $rows ]]; then # also of a run that ends early
    echo
    bench table "$rows"
  fi
  for dir in "$scratch"/mnt/*; do
    if mountpoint -q "$dir" 2>/dev/null; then "$pifs" unmount "$dir" || "$pifs" unmount --lazy "$dir" || true; fi
  done
  wait
  rm -rf "$scratch" || { sleep 1 && rm -rf "$scratch"; } # a program that was ended may have written on
  if [[ -z $keep ]]; then rm -rf "$base"; fi
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

bench() { python3 scripts/bench.py "$@"; }

declare -A told
tell() { # NAME FOLDER COMMAND...: shows a command, the first time
  local name=$1 folder=$2 word words=''
  [[ -z ${told[$name]:-} ]] || return 0
  told[$name]=yes
  for word in "${@:3}"; do
    if [[ $word == @* ]]; then words+=" \$(cat ${word#@})"; else words+=" $(printf %q "$word")"; fi
  done
  printf '# %s: (cd %s &&%s)\n' "$name" "${folder/#$base/DIR}" "${words//$base/DIR}"
}

# timed NAME FOLDER COMMAND...: a sample of the time that a command takes. @FILE stands for the lines of FILE.
timed() {
  tell "$@"
  bench run "$samples" "$@"
}

# timed_mounted NAME MOUNT FLAG COMMAND...: timed, in a mount that is made at once before: what a daemon does
# while nobody asks is no head start.
timed_mounted() {
  local folder=$scratch/mnt/$2
  local mount=("$pifs" mount --store "$here" "$3" "$folder")
  mkdir -p "$folder"
  tell "mount $2" . "${mount[@]}"
  tell "$1" "$folder" "${@:4}"
  bench run --before "$(printf '%q ' "${mount[@]}")" "$samples" "$1" "$folder" "${@:4}"
}

untimed() { # FOLDER COMMAND...
  bench run /dev/null - "$@"
}

# found FIND -- NAME FOLDER COMMAND...: timed, with samples of what the command prints: FIND are groups of
# NAME SCALE REGEX.
found() {
  local find=()
  while [[ $1 != -- ]]; do
    find+=(--find "$1" "$2" "$3")
    shift 3
  done
  shift
  tell "$@"
  bench run "${find[@]}" "$samples" "$@"
}

row() { bench row "$samples" "$rows" "$@"; } # FIGURE VALUE [TARGET]

# forget removes what pifs remembers of sessions from one run to the next.
forget() { rm -rf "$XDG_CACHE_HOME/pifs"; }

# remembered waits until a daemon whose mount was detached has written down what it remembers.
remembered() { sleep 0.5; }

attach() { # NAME STORE FLAG...
  tell "mount $1" . "$pifs" mount --store "$2" "${@:3}" "$scratch/mnt/$1"
  "$pifs" mount --store "$2" "${@:3}" "$scratch/mnt/$1" >/dev/null
}

detach() { "$pifs" unmount "$scratch/mnt/$1"; }

# serve NAME STORE FLAG...: attach, with the daemon's process id in $daemon.
serve() {
  "$pifs" mount -f --store "$2" "${@:3}" "$scratch/mnt/$1" >/dev/null &
  daemon=$!
  until mountpoint -q "$scratch/mnt/$1"; do
    kill -0 "$daemon" # or it has ended
    sleep 0.02
  done
}

make_store() { # SESSIONS
  local dir=$base/store-$1
  if [[ ! -d $dir ]]; then
    rm -rf "$dir.new"
    "$scratch/bigstore" -out "$dir.new" -n "$1"
    mv "$dir.new" "$dir"
  fi
  find "$dir" -name '*.jsonl' -exec cat {} + >/dev/null # into the page cache
}

# ---- rows --------------------------------------------------------------------------------------

# copy_files lists what will be searched, by names alone, and copies it to plain files of the same layout.
copy_files() {
  local all=$scratch/mnt/all
  attach all "$here" --read-only
  (cd "$all" && find . -mindepth 3 -maxdepth 3 -name current -printf '%P\n' | sort) >"$scratch/current"
  sed 's,$,/context.md,' "$scratch/current" >"$scratch/contexts"
  sed 's,current$,transcript.md,' "$scratch/current" >"$scratch/transcripts"
  (cd "$all" && xargs -d '\n' realpath --relative-to . <"$scratch/contexts") >"$scratch/real"
  cat "$scratch/current" "$scratch/real" "$scratch/transcripts" >"$scratch/files"
  mkdir -p "$scratch/copy"
  tar -C "$all" -cf - -T "$scratch/files" | tar -C "$scratch/copy" -xmf -
  detach all
  sync -f "$scratch/copy"
  copied=$here
}

need_copies() { [[ ${copied:-} == "$here" ]] || copy_files; }

# same_answer COMMAND...: in the mount ro as in the copies.
same_answer() {
  diff <(cd "$scratch/mnt/ro" && xargs -d '\n' "$@" | sort) <(cd "$scratch/copy" && xargs -d '\n' "$@" | sort) >&2
}

# measure_first NAME COMMAND...: on a mount that has just been made, of a store that pifs has never seen, and
# once more on the next mount.
measure_first() {
  forget
  timed_mounted "first_$1" ro --read-only "${@:2}"
  detach ro
  remembered
  timed_mounted "later_$1" ro --read-only "${@:2}"
  detach ro
  remembered
}

measure_contexts() {
  local run
  local search=(grep -c "$needle" "@$scratch/contexts") search_raw=(grep -rc "$needle" .)
  need_copies
  for ((run = 0; run < runs; run++)); do
    measure_first contexts "${search[@]}"
    timed raw_first "$here" "${search_raw[@]}"
    forget
    timed_mounted first_rw rw --read-only=false "${search[@]}"
    detach rw
    remembered
  done
  attach ro "$here" --read-only
  attach rw "$here"
  untimed "$scratch/mnt/ro" "${search[@]}"
  untimed "$scratch/mnt/rw" "${search[@]}"
  untimed "$scratch/copy" "${search[@]}"
  for ((run = 0; run < runs; run++)); do
    timed warm_ro "$scratch/mnt/ro" "${search[@]}"
    timed copy "$scratch/copy" "${search[@]}"
    timed warm_rw "$scratch/mnt/rw" "${search[@]}"
    timed raw_warm "$here" "${search_raw[@]}"
  done
  same_answer -a "$scratch/contexts" grep -c "$needle"
  detach ro
  detach rw
}

bench_contexts() {
  measure_contexts
  row "grep every current/context.md, first ÷ grep raw JSONL" first_contexts/raw_first "<= 2.5"
  row "· in a writable mount" first_rw/raw_first
  row "· first in a later mount ÷ grep raw JSONL" later_contexts/raw_first
  row "· warm ÷ grep raw JSONL" warm_ro/raw_warm "<= 0.35"
  row "· warm ÷ copies, read-only mount" warm_ro/copy "<= 1.3"
  row "· warm ÷ copies, writable mount" warm_rw/copy "<= 2.5"
}

measure_transcripts() {
  local run
  local search=(rg -c "$needle" "@$scratch/transcripts") search_raw=(rg -c "$needle" .)
  need_copies
  for ((run = 0; run < runs; run++)); do
    measure_first transcripts "${search[@]}"
    timed rg_raw "$here" "${search_raw[@]}"
  done
  attach ro "$here" --read-only
  untimed "$scratch/mnt/ro" "${search[@]}"
  untimed "$scratch/copy" "${search[@]}"
  for ((run = 0; run < runs; run++)); do
    timed rg_warm "$scratch/mnt/ro" "${search[@]}"
    timed rg_copy "$scratch/copy" "${search[@]}"
  done
  same_answer -a "$scratch/transcripts" rg -c "$needle"
  detach ro
}

measure_walks() {
  local run walk=(rg -c -g transcript.md "$needle" .)
  for ((run = 0; run < runs; run++)); do
    forget
    timed_mounted rg_walk_first ro --read-only "${walk[@]}"
    timed rg_walk_warm "$scratch/mnt/ro" "${walk[@]}"
    detach ro
    remembered
  done
}

bench_transcripts() {
  measure_transcripts
  measure_walks
  row "rg every transcript.md, first ÷ rg raw JSONL" first_transcripts/rg_raw "<= 12"
  row "· first in a later mount ÷ rg raw JSONL" later_transcripts/rg_raw
  row "· warm ÷ copies" rg_warm/rg_copy "<= 2"
  row "rg -g transcript.md in all directories, first ÷ rg raw JSONL" rg_walk_first/rg_raw
  row "· warm ÷ rg of the listed copies" rg_walk_warm/rg_copy
}

measure_index() {
  found index 1 '([0-9.]+) bytes an entry' -- \
    index_test store env "PIFS_BIGSTORE=$here" "$scratch/store.test" -test.run '^TestIndexMemory$' -test.v
}

bench_index() {
  measure_index
  row "index in the heap, an entry" index:B "<= 50 B"
}

bench_list() {
  local run
  for ((run = 0; run < runs; run++)); do
    forget
    timed list_first . "$pifs" list --json --store "$here"
    timed list . "$pifs" list --json --store "$here"
    found pi_list_inside 1 '"seconds":([0-9.]+)' -- \
      pi_list . env "PI_CODING_AGENT_DIR=$(dirname "$here")" scripts/oracle/run measure list
  done
  row "pi listAll, in process ÷ first pifs list --json, whole process" pi_list_inside/list_first ">= 15"
  row "· whole process ÷ whole process" pi_list/list_first ">= 15"
  row "· memory: pifs list ÷ pi" list_first.rss/pi_list.rss "<= 0.25"
  row "pi listAll, in process ÷ later pifs list --json, whole process" pi_list_inside/list
  row "· whole process ÷ whole process" pi_list/list
  row "· memory: pifs list ÷ pi" list.rss/pi_list.rss
}

# context_benchmark NAME PACKAGE BENCHMARK: one run in a new process, as pi has.
context_benchmark() {
  found "$1" 1e-9 '([0-9.]+) ns/op' -- "$1_process" "$2" \
    env "PIFS_BIGSTORE=$here" "$scratch/$2.test" -test.run '^$' -test.bench "$3" -test.benchtime 1x
}

bench_open() {
  local run
  for ((run = 0; run < runs; run++)); do
    context_benchmark json1 store '^BenchmarkContexts$/^json-1-workers$'
    context_benchmark json2 store '^BenchmarkContexts$/^json-2-workers$'
    context_benchmark again1 store '^BenchmarkContexts$/^json-1-workers-scanned-before$'
    context_benchmark again2 store '^BenchmarkContexts$/^json-2-workers-scanned-before$'
    context_benchmark markdown1 store '^BenchmarkContexts$/^markdown-1-workers$'
    context_benchmark markdown2 store '^BenchmarkContexts$/^markdown-2-workers$'
    context_benchmark library writeback '^BenchmarkContexts$'
    found pi_contexts 1 '"seconds":([0-9.]+)' -- pi_contexts_process . scripts/oracle/run measure contexts "$here"
  done
  row "pi open + buildSessionContext of every session ÷ pifs, 1 thread" pi_contexts/json1 ">= 10"
  row "· ÷ pifs, 2 threads" pi_contexts/json2
  row "· ÷ pifs of sessions that were scanned before, 1 thread" pi_contexts/again1
  row "· ÷ the same, 2 threads" pi_contexts/again2
  row "· ÷ pifs' SessionManager, Open and Context, 1 thread" pi_contexts/library
  row "· ÷ contexts rendered to Markdown, 1 thread" pi_contexts/markdown1
  row "· ÷ contexts rendered to Markdown, 2 threads" pi_contexts/markdown2
}

# mount_and_list NAME STORE: as a shell would, up to the end of the first ls.
mount_and_list() {
  forget
  timed "$1" . bash -c "$(printf '%q mount --store %q %q >/dev/null && ls %q' "$pifs" "$2" "$scratch/mnt/$1" "$scratch/mnt/$1")"
  detach "$1"
}

bench_mount() {
  local run
  "$scratch/bigstore" -out "$scratch/many" -n 10000 -median 3000 -sigma 0.2 -max 6000 >/dev/null
  "$scratch/bigstore" -out "$scratch/one" -n 1 -median 3000 -sigma 0 >/dev/null
  find "$scratch/many" -name '*.jsonl' -exec cat {} + >/dev/null
  for ((run = 0; run < runs; run++)); do
    mount_and_list mount_many "$scratch/many/sessions"
    mount_and_list mount_one "$scratch/one/sessions"
    timed exec . "$pifs" version
  done
  rm -rf "$scratch/many"
  row "10,000 sessions: pifs mount and first ls" mount_many "<= 100 ms"
  row "· with one session (start of two processes, mount, ls)" mount_one
  row "· pifs version (start of a process)" exec
}

# read_all DIR: every file once.
read_all() { find "$1" -type f -exec cat {} + | wc -c; }

bench_memory() {
  local budget=$((64 << 20)) bytes
  serve memory "$here" --read-only --cache-size 64M
  tell memory "$scratch/mnt/memory" find . -type f -exec cat {} +
  bytes=$(read_all "$scratch/mnt/memory")
  bench daemon-memory "$samples" memory "$daemon"
  bench take-value "$samples" budget "$budget"
  echo "# memory: $bytes bytes read, $(grep -o '"calls": [0-9]*' "$scratch/mnt/memory/.pifs/stats.json")"
  detach memory
  row "memory of the daemon, every file read once, above --cache-size" memory-budget:MiB "<= 64 MiB"
  row "· the most it held" memory_most-budget:MiB
}

# measure_append NAME SESSION: how long an entry takes to be seen.
measure_append() {
  local name=$1 dir=$scratch/$1
  serve "$name" "$dir"
  local folder=("$scratch/mnt/$name"/*/2*)
  cat "${folder[0]}/current/context.md" >/dev/null
  bench follow-appends "$samples" "$name" "$2" "${folder[0]}" "$daemon" 200
  detach "$name"
}

bench_append() {
  local file
  "$scratch/bigstore" -out "$scratch/append" -n 1 -median 100e6 -sigma 0 -max 100e6 >/dev/null
  mkdir -p "$scratch/whole"
  for file in "$scratch"/append/sessions/*/*.jsonl; do
    sed 's/^{"type":"compaction"/{"type":"no-compaction"/' "$file" >"$scratch/whole/$(basename "$file")"
    measure_append append "$file"
  done
  for file in "$scratch"/whole/*.jsonl; do
    measure_append whole "$file"
  done
  row "append to a session of 100 MB until context.md shows it, p99" append@99 "<= 50 ms"
  row "· p50" append@50
  row "· bytes scanned ÷ bytes appended" append_scanBytes/append_line:B "<= 1"
  row "· bytes of an append" append_line:B
  row "· compared anew to see that the file is the same, an append" append_comparedBytes:B
  row "· read to render what is shown, an append" append_bodyBytes:B
  row "· read by the process when nobody looks, an append" append_rchar:B
  row "the same in a session that was never compacted, p99" whole@99
  row "· p50" whole@50
}

bench_branches() {
  local run
  mkdir "$scratch/branches"
  bench write-branches "$scratch/branches/2026_branchy.jsonl" 5000 1000 1500
  attach all "$scratch/branches" --read-only
  (cd "$scratch/mnt/all" && ls -d -- */2*/branches/*/) >"$scratch/tips" # not again below latest
  detach all
  head -n 1 "$scratch/tips" >"$scratch/tip"
  for ((run = 0; run < runs; run++)); do
    forget
    attach branches "$scratch/branches" --read-only
    timed tips "$scratch/mnt/branches" ls -l "@$scratch/tips"
    timed tips_warm "$scratch/mnt/branches" ls -l "@$scratch/tips"
    detach branches
    remembered
    forget
    attach branches "$scratch/branches" --read-only
    timed tip "$scratch/mnt/branches" ls -l "@$scratch/tip"
    detach branches
    remembered
  done
  row "1,000 branches on 5,000 entries: ls -l branches/*/ ÷ of one" tips/tip "<= 20"
  row "· again ÷ of one, first" tips_warm/tip
}

bench_writes() {
  local run
  for ((run = 0; run < runs; run++)); do
    found write_sync 1 ' ([0-9.]+) appends/s' plain_sync 1 ' ([0-9.]+) plain/s' -- \
      writes_sync writeback env "TMPDIR=$scratch" "$scratch/writeback.test" -test.run '^$' \
      -test.bench '^BenchmarkAppend$/^sync=true$/^entries=100000$' -test.benchtime 500x
    found write 1 ' ([0-9.]+) appends/s' plain 1 ' ([0-9.]+) plain/s' -- \
      writes writeback env "TMPDIR=$scratch" "$scratch/writeback.test" -test.run '^$' \
      -test.bench '^BenchmarkAppend$/^sync=false$/^entries=100000$' -test.benchtime 2000x
  done
  row "writes a second with fsync: pifs ÷ plain open, write, fsync, close" write_sync/plain_sync:/s
  row "· without fsync" write/plain:/s
}

bench_go() {
  local package command
  for package in model tree render store; do
    command=(env "PIFS_BIGSTORE=$here" "$scratch/$package.test" -test.run '^$' -test.benchmem
      -test.bench 'Scan|Build|Grow|Context$|Entry|Clean|Append|Each|Rescan')
    tell "go_$package" "$package" "${command[@]}"
    (cd "$package" && "${command[@]}" | grep '^Benchmark')
  done
}

# ---- the run -----------------------------------------------------------------------------------

machine() {
  echo "# $(sed -n '/^model name/{s/.*: //p;q}' /proc/cpuinfo), $(nproc) cores, $(awk '/^MemTotal/ {printf "%.0f GiB", $2 / 2^20}' /proc/meminfo)"
  echo "# Linux $(uname -r), $(stat -f -c %T "$base") at $base, load $(cut -d ' ' -f 1-3 /proc/loadavg)"
  echo "# $(go version | cut -d ' ' -f 3), $(grep --version | sed -n 1p), $(rg --version | sed -n 1p)"
  echo "# $("$pifs" version | sed -n 1p)"
}

build() {
  local package
  go build -o "$pifs" ./cmd/pifs
  go build -o "$scratch/bigstore" ./scripts/bigstore
  for package in model tree render store writeback; do
    go test -c -o "$scratch/$package.test" "./$package"
  done
}

# use_store SESSIONS: makes it the one that is measured.
use_store() {
  make_store "$1"
  here=$base/store-$1/sessions
}

run_rows() {
  local name
  use_store "$sessions"
  for name in ${only//,/ }; do
    "bench_$name"
  done
}

run_growth() {
  local size sizes=()
  for size in 200 2000 10000; do
    use_store "$size"
    samples=$scratch/samples-$size
    measure_contexts
    measure_transcripts
    measure_index
    rm -rf "$scratch/copy"
    sizes+=("$size=$(du -sb --apparent-size "$here" | cut -f 1)=$samples")
  done
  echo
  bench growth --sizes "${sizes[@]}" --figures \
    "grep contexts, first=first_contexts" "grep contexts, first in a later mount=later_contexts" \
    "grep contexts, warm=warm_ro" "grep contexts, warm, writable=warm_rw" \
    "rg transcripts, first=first_transcripts" "rg transcripts, first in a later mount=later_transcripts" \
    "rg transcripts, warm=rg_warm" "index=index" \
    "for comparison: grep raw JSONL=raw_warm" "grep copies of contexts=copy" "rg copies of transcripts=rg_copy"
}

build
machine
# What pifs keeps is kept here; what others keep stays where it is.
PI_ORACLE_HOME=${PI_ORACLE_HOME:-${XDG_CACHE_HOME:-$HOME/.cache}/pi-oracle} GOCACHE=$(go env GOCACHE)
XDG_CACHE_HOME=$scratch/cache XDG_STATE_HOME=$scratch/state
export PI_ORACLE_HOME GOCACHE XDG_CACHE_HOME XDG_STATE_HOME
if [[ -n $growth ]]; then run_growth; else run_rows; fi
echo "# load $(cut -d ' ' -f 1-3 /proc/loadavg)"
