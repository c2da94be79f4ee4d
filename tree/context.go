package tree

import "github.com/pifs/pifs/model"

// A Context tells which entries make up what the model sees at an entry.
type Context struct {
	// Steps are pi's context entries in order: the last compaction of the path
	// first, if there is one, then what it kept, then what follows it. Entries
	// that give no message are among them.
	Steps []Step

	// Compaction is the last compaction of the path, ModelAt the entry that sets
	// the model (a model_change or an assistant message), ThinkingAt the one
	// that sets the thinking level. None where there is none.
	Compaction, ModelAt, ThinkingAt int
}

// A Step is an entry of a context and the context_edit that changes it, None if
// there is none.
type Step struct {
	Entry, Edit int32
}

// Context returns the context at entry i, of None an empty one. The rules are
// those of pi's buildContextEntries, and of the agent core for a compaction with
// a retainedTail: it keeps nothing of the path before it.
func (t *Tree) Context(i int) Context {
	path := t.Path(i)
	ctx := Context{Compaction: None, ModelAt: None, ThinkingAt: None}
	compactionAt, edits := None, 0
	for at, entry := range path {
		switch t.kind(entry) {
		case model.KindCompaction:
			compactionAt, ctx.Compaction = at, int(entry)
		case model.KindModelChange, model.KindAssistant:
			ctx.ModelAt = int(entry)
		case model.KindThinkingLevelChange:
			ctx.ThinkingAt = int(entry)
		case model.KindContextEdit:
			edits++
		}
	}
	ctx.Steps = t.steps(path, compactionAt)
	if edits > 0 {
		t.edit(ctx.Steps)
	}
	return ctx
}

// steps returns the context entries of a path whose last compaction stands at
// index compactionAt.
func (t *Tree) steps(path []int32, compactionAt int) []Step {
	keptAt := t.keptFrom(path, compactionAt)
	steps := make([]Step, 0, len(path)-keptAt)
	if compactionAt != None {
		steps = append(steps, Step{path[compactionAt], None})
		for _, entry := range path[keptAt:compactionAt] {
			if t.kind(entry) != model.KindSystem {
				steps = append(steps, Step{entry, None})
			}
		}
	}
	for _, entry := range path[compactionAt+1:] {
		steps = append(steps, Step{entry, None})
	}
	return steps
}

// keptFrom returns the index in path of the first entry that its last compaction
// keeps: compactionAt if that keeps nothing, 0 if there is none.
func (t *Tree) keptFrom(path []int32, compactionAt int) int {
	if compactionAt == None {
		return 0
	}
	compaction := t.fact(path[compactionAt])
	if compaction.hasTarget && !compaction.retained {
		first := t.find(compaction.target)
		for at, entry := range path[:compactionAt] {
			if entry == first {
				return at
			}
		}
	}
	return compactionAt
}

// edit enters the context_edits among the steps at their targets; the last one
// for a target counts.
func (t *Tree) edit(steps []Step) {
	edits := make(map[int32]int32)
	for _, s := range steps {
		if t.kind(s.Entry) != model.KindContextEdit {
			continue
		}
		if f := t.fact(s.Entry); f.hasTarget {
			edits[t.find(f.target)] = s.Entry
		}
	}
	for n, s := range steps {
		if edit, edited := edits[s.Entry]; edited {
			steps[n].Edit = edit
		}
	}
}
