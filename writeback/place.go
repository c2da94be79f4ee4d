package writeback

import (
	"time"

	"github.com/google/uuid"
	"github.com/pifs/pifs/model"
)

// A place is what every entry has beside the members of its type.
type place struct {
	id        string
	parent    model.Value // null for a root; nil, which leaves the key out, if the parent has no id
	timestamp string
}

// start begins an entry of the given type. In most types pi writes the place
// before the other members.
func (p place) start(kind string) *model.Builder {
	return p.end(new(model.Builder).Text("type", kind))
}

// end adds the place to an entry of a type in which it comes last.
func (p place) end(b *model.Builder) *model.Builder {
	return b.Text("id", p.id).Value("parentId", p.parent).Text("timestamp", p.timestamp)
}

// now returns the present time as pi writes it.
func now() string { return model.FormatTime(time.Now().UnixMilli()) }

// newID draws an id of 8 hex digits that is not taken, after 100 tries in vain a
// whole UUID: pi's generateId.
func newID(taken func(id string) bool) string {
	for range 100 {
		if id := uuid.NewString()[:8]; !taken(id) {
			return id
		}
	}
	return uuid.NewString()
}

// quote returns text as a JSON string.
func quote(text string) model.Value { return model.AppendString(nil, text) }
