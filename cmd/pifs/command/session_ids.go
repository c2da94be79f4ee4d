package command

import (
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/pifs/pifs/store"
)

// shortIDLen is the least that is shown of a session's id. Ids begin with their
// time: it is the same for sessions of one minute.
const shortIDLen = 8

// sessionIDs are the words by which the sessions of a store can be named.
type sessionIDs struct {
	words  []string       // ids and names of files, sorted
	owners map[string]int // how many sessions have a word as id or as name
}

func newSessionIDs(sessions []*store.Session) sessionIDs {
	ids := sessionIDs{owners: make(map[string]int, 2*len(sessions))}
	for _, s := range sessions {
		id := s.Header().ID.Text()
		ids.owners[id]++
		if s.Name() != id {
			ids.owners[s.Name()]++
		}
		ids.words = append(ids.words, id, s.Name())
	}
	slices.Sort(ids.words)
	ids.words = slices.Compact(ids.words)
	return ids
}

// short returns the shortest word that findSession takes for a session: the
// beginning of its id, or what else tells it from those that have that id too: its
// file's name, or where there are two of that as well, its path.
func (ids sessionIDs) short(s *store.Session) string {
	id := s.Header().ID.Text()
	switch {
	case ids.owners[id] == 1 && id != "":
	case ids.owners[s.Name()] == 1:
		return s.Name()
	default:
		return s.Path
	}
	// The words that have most in common with it stand beside it.
	at := sort.SearchStrings(ids.words, id)
	length := shortIDLen
	if at > 0 {
		length = max(length, common(id, ids.words[at-1])+1)
	}
	if at+1 < len(ids.words) {
		length = max(length, common(id, ids.words[at+1])+1)
	}
	for length < len(id) && !utf8.RuneStart(id[length]) {
		length++
	}
	return id[:min(length, len(id))]
}

// common returns how many bytes two words have in common at their beginnings.
func common(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// completion returns what names a session and begins with what was typed: its id if
// that is its own, else its file's name. "" if neither begins so.
func (ids sessionIDs) completion(s *store.Session, typed string) string {
	if id := s.Header().ID.Text(); ids.owners[id] == 1 && strings.HasPrefix(id, typed) {
		return id
	}
	if typed != "" && ids.owners[s.Name()] == 1 && strings.HasPrefix(s.Name(), typed) {
		return s.Name()
	}
	return ""
}
