package fs

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/store"
)

// A layout says which sessions are in which project and what all are called: the
// upper part of the tree as plain data. It is made anew when sessions come or go
// and never changes.
type layout struct {
	projects []*project // sorted by name
	seats    []*seat    // all, in the order in which directories list them
	byName   map[string]*project
	byKey    map[string]*project
	bySlot   map[uint32]*seat
	register func() register // made when it is first asked for
}

// A register finds seats by what other files say of them. Few sessions are forks, and
// in most stores nobody asks.
type register struct {
	byPath map[string]*seat // by absolute path of the file
	byID   map[string]*seat // by session id; the first in the store's order
}

// A project is the sessions of one cwd.
type project struct {
	name   string
	cwd    string // as in the headers
	key    string // identity: the cwd, or the store directory where there is none
	seats  []*seat
	byName map[string]*seat
}

// A seat is a session's place in the tree.
type seat struct {
	name    string
	place   int // in layout.seats
	project *project
	session *store.Session
	parent  *seat // what it was forked from
	forks   []*seat
}

// newLayout arranges sessions.
func newLayout(sessions []*store.Session) *layout {
	l := &layout{
		byName: make(map[string]*project),
		byKey:  make(map[string]*project),
		bySlot: make(map[uint32]*seat, len(sessions)),
	}
	seats := make([]seat, len(sessions))
	l.register = sync.OnceValue(func() register { return newRegister(seats) })
	var last *seat
	for i, s := range sessions {
		st := &seats[i]
		st.session = s
		if st.project = last.sharesCwd(s); st.project == nil {
			st.project = l.projectOf(s)
		}
		last = st
		st.project.seats = append(st.project.seats, st)
		l.bySlot[s.Slot] = st
	}
	l.nameProjects()
	for _, p := range l.projects {
		p.nameSessions()
		for _, st := range p.seats {
			st.place = len(l.seats)
			l.seats = append(l.seats, st)
		}
	}
	l.connectForks(seats)
	return l
}

// newRegister returns the register of seats in the store's order.
func newRegister(seats []seat) register {
	r := register{make(map[string]*seat, len(seats)), make(map[string]*seat, len(seats))}
	for i := range seats {
		st := &seats[i]
		r.byPath[st.session.Path] = st
		if id := st.session.Header().ID.Text(); r.byID[id] == nil {
			r.byID[id] = st
		}
	}
	return r
}

// sharesCwd returns the project of a seat if a session has the same cwd, which most
// have with the one before them. nil if it has not, or has none.
func (st *seat) sharesCwd(s *store.Session) *project {
	if st == nil || st.project.cwd == "" || !bytes.Equal(st.session.Header().Cwd, s.Header().Cwd) {
		return nil
	}
	return st.project
}

// projectOf returns the project of a session, a new one if there is none yet.
func (l *layout) projectOf(s *store.Session) *project {
	key, cwd := projectKey(s)
	p := l.byKey[key]
	if p == nil {
		p = &project{cwd: cwd, key: key}
		l.byKey[key] = p
		l.projects = append(l.projects, p)
	}
	return p
}

// projectKey tells projects apart: by the header's cwd and nothing else, or by
// the store directory for sessions that have none.
func projectKey(s *store.Session) (key, cwd string) {
	if cwd = s.Cwd(); cwd != "" {
		return "cwd:" + cwd, cwd
	}
	return "dir:" + filepath.Dir(s.Path), ""
}

// baseName is what a project is called without regard to others: what pi would
// call its directory, without the dashes around it.
func (p *project) baseName() string {
	if p.cwd == "" {
		return safeName(strings.Trim(filepath.Base(strings.TrimPrefix(p.key, "dir:")), "-"))
	}
	path := p.cwd
	if path[0] == '/' || path[0] == '\\' {
		path = path[1:]
	}
	if path == "" {
		return model.FileName(p.cwd) // the root directory
	}
	return safeName(strings.NewReplacer("/", "-", `\`, "-", ":", "-").Replace(path))
}

// safeName is model.FileName of a name that must not be empty.
func safeName(name string) string {
	if name == "" {
		name = "sessions"
	}
	return model.FileName(name)
}

// nameProjects gives each project its name: where two cwds would give one, the
// first in byte order keeps it.
func (l *layout) nameProjects() {
	slices.SortFunc(l.projects, func(a, b *project) int { return strings.Compare(a.cwd+"\x00"+a.key, b.cwd+"\x00"+b.key) })
	for _, p := range l.projects {
		p.name = p.baseName()
		if l.byName[p.name] != nil {
			p.name += shortHash(p.cwd + strings.TrimPrefix(p.key, "cwd:"+p.cwd))
		}
		l.byName[p.name] = p
	}
	slices.SortFunc(l.projects, func(a, b *project) int { return strings.Compare(a.name, b.name) })
}

// nameSessions names the sessions after their files; those that share a name
// are all told apart by their paths below the store, so that a name never
// depends on which came first.
func (p *project) nameSessions() {
	p.byName = make(map[string]*seat, len(p.seats))
	alike := false
	for _, st := range p.seats {
		st.name = model.FileName(st.session.Name())
		alike = alike || p.byName[st.name] != nil || reservedInProject(st.name)
		p.byName[st.name] = st
	}
	if alike {
		p.tellApart()
	}
	slices.SortFunc(p.seats, func(a, b *seat) int { return strings.Compare(a.name, b.name) })
}

// tellApart gives other names to sessions that share one, or have a reserved one.
func (p *project) tellApart() {
	count := make(map[string]int, len(p.seats))
	for _, st := range p.seats {
		count[st.name]++
	}
	clear(p.byName)
	for _, st := range p.seats {
		if count[st.name] > 1 || reservedInProject(st.name) {
			st.name += shortHash(st.session.Rel)
		}
		for p.byName[st.name] != nil { // the same path below two stores
			st.name += shortHash(st.session.Path)
		}
		p.byName[st.name] = st
	}
}

// reservedInProject tells whether a session must not have this name, since the
// project's directory has it already.
func reservedInProject(name string) bool {
	return name == nameCwd || name == nameLatest || name == nameTitles
}

// shortHash is what tells equal names apart: ~ and 8 hex digits of identity's
// SHA-256.
func shortHash(identity string) string {
	sum := sha256.Sum256([]byte(identity))
	return "~" + hex.EncodeToString(sum[:4])
}

// connectForks finds each session's parent: by the path that its header gives,
// else by the session id in that.
func (l *layout) connectForks(seats []seat) {
	for i := range seats {
		st := &seats[i]
		h := st.session.Header()
		for _, named := range []string{h.ParentSession.Text(), h.BranchedFrom.Text()} {
			if named == "" {
				continue
			}
			if parent := l.register().find(named); parent != nil && parent != st {
				st.parent = parent
				parent.forks = append(parent.forks, st)
				break
			}
		}
	}
	for i := range seats {
		st := &seats[i]
		slices.SortFunc(st.forks, func(a, b *seat) int {
			return strings.Compare(a.name+"\x00"+a.session.Rel, b.name+"\x00"+b.session.Rel)
		})
	}
}

// find returns the session that a parentSession names: a path, or an id.
func (r register) find(named string) *seat {
	if st := r.byPath[named]; st != nil {
		return st
	}
	base := strings.TrimSuffix(named[strings.LastIndexAny(named, `/\`)+1:], ".jsonl")
	if st := r.byID[base]; st != nil {
		return st
	}
	_, id, _ := strings.Cut(base, "_")
	return r.byID[id]
}

// forkName is what a fork is called in the children directory of its parent.
// Forks in two projects may have one name.
func (st *seat) forkName(i int) string {
	fork := st.forks[i]
	if (i > 0 && st.forks[i-1].name == fork.name) || (i+1 < len(st.forks) && st.forks[i+1].name == fork.name) {
		return fork.name + shortHash(fork.session.Path)
	}
	return fork.name
}
