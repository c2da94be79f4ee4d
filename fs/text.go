package fs

import (
	"slices"

	"github.com/pifs/pifs/model"
	"github.com/pifs/pifs/render"
	"github.com/pifs/pifs/store"
)

// textFile is a text about a whole session that changes with it: info.json,
// tree.txt or files.txt. Each version is a node of its own.
type textFile struct {
	s       *session
	kind    kind
	version uint32
}

func (f textFile) ID() ID { return f.s.id(f.kind, f.version) }

func (f textFile) Ino() uint64 { return f.s.ino(f.kind) }

func (f textFile) Attr() (Attr, error) {
	v, err := f.s.at(f.version)
	if err != nil {
		return Attr{}, err
	}
	return f.s.file(lastTime(v)), nil
}

func (f textFile) peek() ([]byte, bool) { return peek[[]byte](f.s, f.key()) }

func (f textFile) key() store.Key {
	return f.s.key(cachedText+uint8(f.kind), plainStep(int32(f.version)))
}

func (f textFile) text() ([]byte, error) {
	v, err := f.s.at(f.version)
	if err != nil {
		return nil, err
	}
	return cached(f.s, f.key(), func() (text []byte, _ int64, err error) {
		switch f.kind {
		case kindInfo:
			text, err = f.s.info(v)
		case kindTreeText:
			text, err = f.s.treeText(v)
		case kindFilesText:
			text, err = f.s.filesText(v)
		}
		return text, int64(cap(text)), err
	})
}

// all are the indexes of the entries of v for which keep is true.
func all(v *store.View, keep func(model.Kind) bool) []int32 {
	var list []int32
	for i := range v.Tree.Len() {
		if keep(v.Tree.Kind(i)) {
			list = append(list, int32(i))
		}
	}
	return list
}

// info is info.json.
func (s *session) info(v *store.View) ([]byte, error) {
	info := render.Info{
		Header:   v.Header.Raw,
		File:     s.store.Path,
		Name:     v.Summary.Name,
		Title:    seatTitle(v.Summary),
		Created:  created(v),
		Modified: modified(v),
		Version:  v.Version,
		ReadOnly: s.store.ReadOnly(),
		Tree:     v.Tree,
		Models:   make(map[string]model.Usage),
	}
	if err := s.addUsage(v, &info); err != nil {
		return nil, err
	}
	for _, n := range v.Notes() {
		info.Warnings = append(info.Warnings, render.Warning(n))
	}
	return info.Append(nil), nil
}

// addUsage sums what the session's calls took. What a fork brought with it is
// what is older than its header.
func (s *session) addUsage(v *store.View, info *render.Info) error {
	forked := v.Header.ParentSession.Text() != "" || v.Header.BranchedFrom.Text() != ""
	if forked {
		info.Own = new(model.Usage)
	}
	return v.Each(all(v, maySpend), func(i int, e *model.Entry) error {
		u, ok := model.EntryUsage(*e)
		if !ok {
			return nil
		}
		info.Totals.Add(u)
		if t := v.Tree.Time(i); forked && (t == model.NoTime || t >= v.Summary.Created) {
			info.Own.Add(u)
		}
		by := info.Models[usedModel(*e)]
		by.Add(u)
		info.Models[usedModel(*e)] = by
		return nil
	})
}

// maySpend tells whether entries of kind k can carry a usage that counts.
func maySpend(k model.Kind) bool {
	return slices.Contains([]model.Kind{model.KindAssistant, model.KindToolResult, model.KindCompaction, model.KindBranchSummary, model.KindUsage}, k)
}

// noModel is what pi puts the calls under that no model of the session made.
const noModel = "Tools/summaries"

// usedModel is "provider/model" of an assistant message or usage entry, noModel of
// all else: pi's getUsageCostBreakdown.
func usedModel(e model.Entry) string {
	if e.Kind == model.KindUsage {
		return e.Provider.Text() + "/" + e.Model.Text()
	}
	if e.Kind != model.KindAssistant {
		return noModel
	}
	m := model.DecodeMessage(e.Message)
	if name := m.ResponseModel.Text(); name != "" {
		return m.Provider.Text() + "/" + name
	}
	return m.Provider.Text() + "/" + m.Model.Text()
}

// summaryLen is how many characters of an entry tree.txt shows.
const summaryLen = 80

// treeText is tree.txt.
func (s *session) treeText(v *store.View) ([]byte, error) {
	lines := make([]string, v.Tree.Len())
	err := v.Each(all(v, func(model.Kind) bool { return true }), func(i int, e *model.Entry) error {
		lines[i] = render.Summary(*e, summaryLen)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return render.Tree(v.Tree, seatTitle(v.Summary), v.Header.ID.Text(), func(i int) string { return lines[i] }), nil
}

// filesText is files.txt.
func (s *session) filesText(v *store.View) ([]byte, error) {
	files := render.NewFiles(s.store.Cwd())
	touches := func(k model.Kind) bool {
		return k == model.KindAssistant || k == model.KindCompaction || k == model.KindBranchSummary
	}
	err := v.Each(all(v, touches), func(_ int, e *model.Entry) error {
		files.Add(*e)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return files.Append(nil), nil
}
