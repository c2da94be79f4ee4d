package fs

import (
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
	g, err := gathered(s, cachedSpent, v, func() *spent { return s.beginSpent(v) })
	if err != nil {
		return nil, err
	}
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
		Totals:   g.totals,
		Own:      g.own,
		Models:   g.models,
	}
	for _, n := range v.Notes() {
		info.Warnings = append(info.Warnings, render.Warning(n))
	}
	return info.Append(nil), nil
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

// treeText is tree.txt.
func (s *session) treeText(v *store.View) ([]byte, error) {
	g, err := gathered(s, cachedLines, v, func() *lines { return new(lines) })
	if err != nil {
		return nil, err
	}
	return render.Tree(v.Tree, seatTitle(v.Summary), v.Header.ID.Text(), func(i int) string { return g.of[i] }), nil
}

// filesText is files.txt.
func (s *session) filesText(v *store.View) ([]byte, error) {
	g, err := gathered(s, cachedTouched, v, func() *touched { return &touched{render.NewFiles(s.store.Cwd())} })
	if err != nil {
		return nil, err
	}
	return g.Append(nil), nil
}
