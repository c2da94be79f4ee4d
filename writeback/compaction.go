package writeback

import (
	"github.com/pifs/pifs/model"
)

// A Compaction is what is known of a compaction that is to be appended.
type Compaction struct {
	Summary          string
	FirstKeptEntryID string // default: the compaction's own id, nothing before it is kept
	TokensBefore     float64
	Details          model.Value
	Usage            model.Value // of the calls that made the summary
	FromHook         *bool       // an extension made it; nil leaves it out
}

// AppendCompaction appends a compaction. It keeps the system prompt and tools as
// they are at the leaf.
func (s *Session) AppendCompaction(c Compaction) (id string, err error) {
	if c.Details, err = checked(c.Details); err != nil {
		return "", err
	}
	if c.Usage, err = checked(c.Usage); err != nil {
		return "", err
	}
	p := s.next()
	if c.FirstKeptEntryID == "" {
		c.FirstKeptEntryID = p.id
	}
	b := p.start("compaction").
		Text("summary", c.Summary).
		Text("firstKeptEntryId", c.FirstKeptEntryID).
		Float("tokensBefore", c.TokensBefore).
		Value("details", c.Details).
		Value("usage", c.Usage)
	if c.FromHook != nil {
		b.Bool("fromHook", *c.FromHook)
	}
	b.Value("systemMessage", s.systemMessage(model.ParseTime(quote(p.timestamp))))
	return s.append(p, b)
}

// BranchSummary is what is known of a branch that is left with a summary.
type BranchSummary struct {
	Summary  string
	Details  model.Value
	Usage    model.Value // of the calls that made the summary
	FromHook *bool       // an extension made it; nil leaves it out
}

// BranchWithSummary moves the leaf to the entry called id ("" for before any entry)
// and appends there a summary of the branch that was left.
func (s *Session) BranchWithSummary(id string, b BranchSummary) (summaryID string, err error) {
	at, err := s.findOrNone(id)
	if err != nil {
		return "", err
	}
	if b.Details, err = checked(b.Details); err != nil {
		return "", err
	}
	if b.Usage, err = checked(b.Usage); err != nil {
		return "", err
	}
	from := s.idOf(s.leaf)
	if from == nil || from.Kind() == model.Null {
		from = quote("root")
	}
	p := s.under(at)
	e := p.start("branch_summary").
		Value("fromId", from).
		Text("summary", b.Summary).
		Value("details", b.Details).
		Value("usage", b.Usage)
	if b.FromHook != nil {
		e.Bool("fromHook", *b.FromHook)
	}
	return s.append(p, e)
}
