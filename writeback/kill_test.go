package writeback_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/store"
	"github.com/pifs/pifs/writeback"
)

// burstLabels is how many lines a change of the burst child writes at once, of
// burstText bytes each: so long a write can be killed in its middle.
const (
	burstLabels = 100
	burstText   = 4000
)

// TestKill kills a writer at random moments. Each change that it has acknowledged
// is there, at most one line is torn, and the next write is whole.
func TestKill(t *testing.T) {
	rounds := 30
	if long() {
		rounds = 1000
	}
	rounds = envInt("PIFS_KILL_ROUNDS", rounds)
	seed := uint64(envInt("PIFS_KILL_SEED", int(time.Now().UnixNano())))
	rng := rand.New(rand.NewPCG(seed, 0))
	acknowledged, torn := 0, 0
	for round := range rounds {
		a, b := killRound(t, rng, round%2 == 0)
		acknowledged, torn = acknowledged+a, torn+b
	}
	t.Logf("seed %d: %d rounds, %d changes acknowledged, %d lines torn", seed, rounds, acknowledged, torn)
}

// killRound runs a writer on a new file and kills it. It returns how many changes
// were acknowledged, and how many lines were torn.
func killRound(t *testing.T, rng *rand.Rand, sync bool) (acknowledged, torn int) {
	t.Helper()
	s := stored(t, small+burstTargets())
	before := read(t, s.Path)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"=burst", "PIFS_FILE="+s.Path, fmt.Sprint("PIFS_SYNC=", sync))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	acks := bufio.NewScanner(out)
	require.True(t, acks.Scan(), "the writer has not begun")
	kill := time.AfterFunc(time.Duration(rng.IntN(20_000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
	defer kill.Stop()
	for acks.Scan() {
		acknowledged++
	}
	require.Error(t, cmd.Wait(), "the writer was to be killed")

	whole := make(map[string]int) // lines of each change
	for line := range strings.SplitSeq(strings.TrimSuffix(added(t, s, before), "\n"), "\n") {
		if !model.Valid([]byte(line)) {
			torn++
			continue
		}
		label := model.Value(line).Get("label").Text()
		whole[label[:max(0, strings.IndexByte(label, ' '))]]++
	}
	require.LessOrEqual(t, torn, 1)
	for i := range acknowledged {
		require.Equal(t, burstLabels, whole[fmt.Sprint(i)], "change %d of %d", i, acknowledged)
	}
	s = open(t, s.Path)
	require.NoError(t, writeback.Append(s, writeback.Options{NoSync: true}, writeback.SetName("after")))
	name, _ := view(t, s).Tree.Name()
	require.Equal(t, "after", name)
	return acknowledged, torn
}

// burstTargets is the entries that the burst child labels.
func burstTargets() string {
	var text strings.Builder
	for i := range burstLabels {
		fmt.Fprintf(&text, `{"type":"custom","customType":"x","id":"%08d","parentId":"bbbbbbbb","timestamp":"2025-01-02T03:04:08.000Z"}`+"\n", i)
	}
	return text.String()
}

// burstChild makes changes of many lines and acknowledges each, until it is killed.
func burstChild() error {
	s, err := childSession()
	if err != nil {
		return err
	}
	fmt.Println("ready")
	o := writeback.Options{NoSync: os.Getenv("PIFS_SYNC") != "true"}
	for i := 0; ; i++ {
		text := fmt.Sprint(i, " ", strings.Repeat("x", burstText))
		err := writeback.Append(s, o, func(*store.View) ([]writeback.Change, error) {
			changes := make([]writeback.Change, burstLabels)
			for n := range changes {
				changes[n] = writeback.Change{Target: fmt.Sprintf("%08d", n), Label: text}
			}
			return changes, nil
		})
		if err != nil {
			return err
		}
		fmt.Println(i)
	}
}
