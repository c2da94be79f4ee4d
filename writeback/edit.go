package writeback

import (
	"fmt"

	"github.com/pifs/pifs/model"
)

// AppendContextEdit appends an edit of what an earlier entry of the current branch
// contributes to contexts: null leaves it out, an object {"content": …} replaces
// its content, a string or an array of blocks. ErrReplacement, ErrUnknownEntry,
// ErrNotOnBranch or ErrNotEditable if it cannot be.
func (s *Session) AppendContextEdit(targetID string, replacement model.Value) (id string, err error) {
	if replacement, err = checked(replacement); err != nil {
		return "", err
	}
	if err := checkReplacement(replacement); err != nil {
		return "", err
	}
	i, err := s.editable(targetID)
	if err != nil {
		return "", err
	}
	p := s.next()
	return s.append(p, p.start("context_edit").
		Text("targetId", targetID).
		Value("replacement", s.normalized(i, replacement)))
}

func checkReplacement(v model.Value) error {
	switch v.Get("content").Kind() {
	case model.String, model.Array:
		return nil
	}
	if v.Kind() == model.Null {
		return nil
	}
	return ErrReplacement
}

// editable returns the entry called id if an edit at the leaf can change it.
func (s *Session) editable(id string) (int, error) {
	i, err := s.find(id)
	if err != nil {
		return 0, err
	}
	onBranch := false
	for _, at := range s.tree.Path(s.leaf) {
		onBranch = onBranch || int(at) == i
	}
	if !onBranch {
		return 0, fmt.Errorf("%w: %q", ErrNotOnBranch, id)
	}
	switch s.tree.Kind(i) {
	case model.KindCustomMessage, model.KindUser, model.KindAssistant, model.KindToolResult:
		return i, nil
	}
	return 0, fmt.Errorf("%w: %q", ErrNotEditable, id)
}

// normalized returns the replacement with a text block for the string that the
// content of entry i cannot be.
func (s *Session) normalized(i int, replacement model.Value) model.Value {
	content := replacement.Get("content")
	if content.Kind() != model.String {
		return replacement
	}
	switch s.tree.Kind(i) {
	case model.KindAssistant, model.KindToolResult:
		block := new(model.Builder).Text("type", "text").Value("text", content).Object()
		blocks := append(append(model.Value("["), block...), ']')
		return new(model.Builder).Value("content", blocks).Object()
	}
	return replacement
}
