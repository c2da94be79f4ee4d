package render

import (
	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/tree"
)

// maxDrawn is how many levels of forks tree.txt draws. A fork below stands at
// that level: thousands of levels would make lines that nobody can read, and a
// text that is quadratic in the session.
const maxDrawn = 40

// maxLabel is how many characters of a label tree.txt shows.
const maxLabel = 80

// Tree is tree.txt: the session's title, "" for none, and its id; then every entry of
// every branch, one line each, with labels, compactions, the current position.
// Branches are indented, chains are not. line gives an entry's one-line summary (see
// Summary); it is called once for each entry, in the order of the lines.
func Tree(t *tree.Tree, title, id string, line func(i int) string) []byte {
	d := drawing{tree: t, current: t.Current(), line: line, edits: edits(t)}
	if title != "" {
		d.buf = append(appendLine(d.buf, title), '\n')
	}
	d.buf = append(appendLine(append(d.buf, "session "...), id), "\n\n"...)
	d.roots()
	d.shadowed()
	return d.buf
}

// A drawing is a tree.txt that is being drawn.
type drawing struct {
	tree    *tree.Tree
	current int
	line    func(i int) string
	buf     []byte
	todo    []branch       // to be drawn, the next one last
	last    [maxDrawn]bool // for each level, whether the branch drawn is its fork's last
	edits   map[int]int    // the last context_edit of each target
}

func edits(t *tree.Tree) map[int]int {
	last := map[int]int{}
	for i := range t.Len() {
		if t.Kind(i) != model.KindContextEdit {
			continue
		}
		if id, ok := t.Target(i); ok {
			if target, ok := t.Lookup(id); ok {
				last[target] = i
			}
		}
	}
	return last
}

// A branch is an entry at which a line of the drawing begins.
type branch struct {
	entry int32
	level int  // of forks above
	forks bool // it is a child of a fork
	last  bool // it is the last one
}

// roots draws all that hangs on a root. It keeps what is to be drawn in a list,
// since chains may be as long as the session.
func (d *drawing) roots() {
	d.push(d.tree.Children(tree.None), 0)
	for len(d.todo) > 0 {
		b := d.todo[len(d.todo)-1]
		d.todo = d.todo[:len(d.todo)-1]
		d.indent(b)
		d.entry(int(b.entry))
		d.push(d.tree.Children(int(b.entry)), b.level)
	}
}

// push adds the children of an entry at the given level of forks.
func (d *drawing) push(children []int32, level int) {
	forks := len(children) > 1
	if forks {
		level++
	}
	for n := len(children) - 1; n >= 0; n-- {
		d.todo = append(d.todo, branch{children[n], level, forks, n == len(children)-1})
	}
}

// indent draws what stands before an entry.
func (d *drawing) indent(b branch) {
	level := min(b.level, maxDrawn)
	if level == 0 {
		return
	}
	if b.forks {
		d.last[level-1] = b.last
	}
	for _, last := range d.last[:level-1] {
		d.buf = append(d.buf, pick(last, "   ", "│  ")...)
	}
	switch last := d.last[level-1]; {
	case b.forks:
		d.buf = append(d.buf, pick(last, "└─ ", "├─ ")...)
	default:
		d.buf = append(d.buf, pick(last, "   ", "│  ")...)
	}
}

func pick(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// entry draws the line of entry i, and calls for its summary.
func (d *drawing) entry(i int) {
	t := d.tree
	d.buf = append(appendLine(d.buf, t.ID(i)), ' ')
	word := t.Word(i)
	if word == "" {
		word = pick(t.Kind(i).IsMessage(), "message", "entry")
	}
	d.buf = appendLine(d.buf, word)
	if ms := t.Time(i); ms != model.NoTime {
		d.buf = append(append(d.buf, ' '), model.FormatTime(ms)...)
	}
	if label := t.Label(i); label != "" {
		d.buf = append(append(append(d.buf, " ["...), cut(Line(label), maxLabel)...), ']')
	}
	if i == d.current {
		d.buf = append(d.buf, " ◀ current"...)
	}
	switch {
	case t.Shadowed(i):
		d.buf = append(d.buf, " (id used again)"...)
	case t.Orphan(i):
		d.buf = append(d.buf, " (root: its parent is not there, or below it)"...)
	}
	if edit, edited := d.edits[i]; edited {
		d.buf = append(appendLine(append(d.buf, " (edited by "...), t.ID(edit)), ')')
	}
	if text := d.line(i); text != "" {
		d.buf = appendLine(append(d.buf, "  "...), text)
	}
	d.buf = append(d.buf, '\n')
}

// shadowed draws the entries that are in no tree, since a later one has their id.
func (d *drawing) shadowed() {
	found := false
	for i := range d.tree.Len() {
		if !d.tree.Shadowed(i) {
			continue
		}
		if !found {
			d.buf = append(d.buf, "\nNot in the tree:\n"...)
			found = true
		}
		d.entry(i)
	}
}
