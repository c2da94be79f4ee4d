package tree

import (
	"runtime"
	"testing"

	"github.com/pifs/pifs/model"
)

const benchEntries = 100_000

func chainFields(n int) []model.Fields {
	fields := make([]model.Fields, n)
	for i := range fields {
		fields[i] = linked(i, i-1)
	}
	return fields
}

func buildAll(fields []model.Fields) *Tree {
	var b Builder
	for i, f := range fields {
		b.Add(firstLine+i, f)
	}
	return b.Tree()
}

// heapBytes returns what make leaves on the heap. The result keeps it alive.
func heapBytes(make func() any) (bytes uint64, made any) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	made = make()
	runtime.GC()
	runtime.ReadMemStats(&after)
	return after.HeapAlloc - before.HeapAlloc, made
}

// BenchmarkBuild measures time and memory per entry, of one long session and of
// many of the usual length.
func BenchmarkBuild(b *testing.B) {
	for _, c := range []struct {
		name            string
		sessions, entry int
	}{{"1x100000", 1, benchEntries}, {"1000x160", 1000, 160}} {
		b.Run(c.name, func(b *testing.B) {
			fields := chainFields(c.entry)
			sessions := make([]*Builder, c.sessions)
			build := func() any {
				for s := range sessions {
					sessions[s] = new(Builder)
					for i, f := range fields {
						sessions[s].Add(firstLine+i, f)
					}
					sessions[s].Tree()
				}
				return sessions
			}
			bytes, _ := heapBytes(build)
			for b.Loop() {
				build()
			}
			entries := float64(c.sessions * c.entry)
			b.ReportMetric(float64(bytes)/entries, "B/entry")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/entries, "ns/entry")
			runtime.KeepAlive(sessions)
		})
	}
}

func BenchmarkGrow(b *testing.B) {
	builder := chain(benchEntries)
	builder.Tree()
	for b.Loop() {
		n := builder.len()
		builder.Add(firstLine+n, linked(n, n-1))
		builder.Tree().Current()
	}
}

func BenchmarkLookup(b *testing.B) {
	tree := buildAll(chainFields(benchEntries))
	ids := make([]string, benchEntries)
	for i := range ids {
		ids[i] = hexID(i)
	}
	for i := 0; b.Loop(); i++ {
		if found, _ := tree.Lookup(ids[i%benchEntries]); found != i%benchEntries {
			b.Fatal(found)
		}
	}
}

func BenchmarkPath(b *testing.B) {
	tree := buildAll(chainFields(benchEntries))
	for b.Loop() {
		tree.Path(benchEntries - 1)
	}
}

func BenchmarkContext(b *testing.B) {
	tree := buildAll(chainFields(benchEntries))
	for b.Loop() {
		tree.Context(benchEntries - 1)
	}
}

func BenchmarkBranches(b *testing.B) {
	tree := buildAll(chainFields(benchEntries))
	for b.Loop() {
		(&Tree{columns: tree.columns}).Branches()
	}
}

func BenchmarkChildren(b *testing.B) {
	tree := buildAll(chainFields(benchEntries))
	for b.Loop() {
		(&Tree{columns: tree.columns}).Children(0)
	}
}

// BenchmarkThousandBranches makes the contexts of 1,000 branches on one trunk of
// 5,000 entries.
func BenchmarkThousandBranches(b *testing.B) {
	fields := chainFields(5000)
	for i := range 1000 {
		fields = append(fields, linked(5000+i, 4999))
	}
	tree := buildAll(fields)
	for b.Loop() {
		for _, tip := range tree.Branches() {
			tree.Context(int(tip))
		}
	}
}
