package main

import (
	"fmt"
	"math"
	"math/rand"
	"path/filepath"
	"strings"
	"time"
)

type options struct {
	dir                string
	sessions, projects int
	seed               int64
	medianBytes, sigma float64
	maxBytes           float64
}

// written counts what was written.
type written struct {
	bytes int64
	lines int
}

// span is the time over which sessions are spread. It is past: a file that seems
// to have been written just now might be a live pi's.
const span = 8000 * time.Hour

// write writes the store. Projects have sessions by Zipf's law, sessions come one
// after another, some hours apart if there are some thousand.
func write(o options, c *corpus) (written, error) {
	var total written
	rng := rand.New(rand.NewSource(o.seed))
	cwds, pick := projects(o.projects, rng)
	sizes := sizes(o, rng)
	start := time.Date(2025, 3, 1, 8, 0, 0, 0, time.UTC)
	for n, size := range sizes {
		cwd := cwds[pick()]
		at := start.Add(time.Duration(n)*(span/time.Duration(o.sessions)) + time.Duration(rng.Intn(3600000))*time.Millisecond)
		folder := "--" + strings.NewReplacer("/", "-", ":", "-").Replace(cwd[1:]) + "--"
		s := &session{corpus: c, rng: rng, size: size, cwd: cwd, now: at,
			dir: filepath.Join(o.dir, "sessions", folder)}
		if err := s.write(); err != nil {
			return total, err
		}
		total.bytes += int64(s.written)
		total.lines += s.lines
	}
	return total, nil
}

// projects returns working directories, and a function that picks one.
func projects(n int, rng *rand.Rand) (cwds []string, pick func() int) {
	words := []string{"api", "web", "core", "infra", "tools", "docs", "cli", "bench", "agent", "pifs"}
	cwds = make([]string, n)
	weights := make([]float64, n)
	sum := 0.0
	for i := range cwds {
		cwds[i] = fmt.Sprintf("/home/dev/work/%s-%s-%d", words[i%10], words[(i/3+4)%10], i)
		weights[i] = 1 / math.Pow(float64(i+1), 0.8)
		sum += weights[i]
	}
	return cwds, func() int {
		w := rng.Float64() * sum
		i := 0
		for w > weights[i] && i < n-1 {
			w -= weights[i]
			i++
		}
		return i
	}
}

// sizes returns the sizes of the sessions in bytes: the quantiles of a log-normal
// distribution, shuffled.
func sizes(o options, rng *rand.Rand) []int {
	sizes := make([]int, o.sessions)
	for i := range sizes {
		p := (float64(i) + 0.5) / float64(o.sessions)
		normal := math.Sqrt2 * math.Erfinv(2*p-1)
		sizes[i] = int(max(600, min(o.medianBytes*math.Exp(o.sigma*normal), o.maxBytes)))
	}
	rng.Shuffle(len(sizes), func(i, j int) { sizes[i], sizes[j] = sizes[j], sizes[i] })
	return sizes
}
