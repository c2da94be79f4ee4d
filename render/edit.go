package render

import "github.com/pifs/pifs/model"

// InContext tells whether the fragment of e belongs in a context.md as step n of
// its context (see tree.Messages): whether the model is sent something of it.
// edit is the context_edit that changes it in that context, nil for none.
//
// It answers what tree.ToLLM of tree.Messages would, without building those.
func InContext(e *model.Entry, n int, edit *model.Entry) bool {
	if edit != nil && edit.Replacement.Kind() == model.Null {
		return false
	}
	switch e.Kind {
	case model.KindUser, model.KindAssistant, model.KindToolResult, model.KindSystem, model.KindCustomRole,
		model.KindBranchRole, model.KindCompactionRole, model.KindCustomMessage:
		return true
	case model.KindBashExecution:
		return !e.Message.Get("excludeFromContext").Truthy()
	case model.KindBranchSummary:
		return e.Summary.Truthy()
	case model.KindCompaction:
		return n == 0
	}
	return false
}

// An edit is the content that a context_edit gives to messages.
type edit struct {
	is      bool
	by      string // the id of the context_edit
	content model.Value
}

// editBy takes note of the context_edit that changes the entry at a place.
func (p *page) editBy(at Place) {
	by := at.EditID
	if by == "" {
		by = plain(at.Edit.ID)
	}
	switch at.Edit.Replacement.Kind() {
	case model.Undefined:
	case model.Null:
		p.remarks = append(p.remarks, "dropped by "+by)
	default:
		p.edit = edit{true, by, at.Edit.Replacement.Get("content")}
	}
}

// edited returns what replaces the content of a message of the given role, if
// something does, and says so on the page: pi edits messages of four roles.
func (p *page) edited(role string) (content model.Value, ok bool) {
	if !p.edit.is {
		return nil, false
	}
	switch role {
	case "user", "assistant", "toolResult", "custom":
		p.remarks = append(p.remarks, "edited by "+p.edit.by)
		p.imagesOf, p.images = p.edit.by, 0
		return p.edit.content, true
	}
	return nil, false
}
