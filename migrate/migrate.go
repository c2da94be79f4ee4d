// Package migrate turns sessions of version 1 and 2 into version 3, as pi does
// when it opens them, without touching a file.
//
// pi draws random ids for version 1. Here the id of an entry follows from the
// session's id and the entry's place, so that it is the same at every reading.
package migrate

import (
	"github.com/pifs/pifs/model"
)

// Version is the version of the format that pi writes.
const Version = 3

// VersionOf returns a header's version: 1 if it has none. ok is false if it is
// no number or higher than Version: such a file is not migrated, and pifs only
// reads it.
func VersionOf(h model.Header) (version int, ok bool) {
	switch h.Version.Kind() {
	case model.Undefined, model.Null:
		return 1, true
	case model.Number:
		n, _ := h.Version.Float()
		if n > Version {
			return int(min(n, 1<<31)), false
		}
		return int(max(n, 1)), true // pi asks only whether it is below 2, and below 3.
	}
	return 0, false
}

// Entry returns the entry v of a session of the given version as pi holds it.
// links are used for version 1 only.
func Entry(v model.Value, version int, links Links) model.Value {
	if version == 1 {
		v = link(v, links)
	}
	if version == 1 || version == 2 {
		v = renameRole(v)
	}
	return v
}

// link is pi's migrateV1ToV2 for one entry.
func link(v model.Value, links Links) model.Value {
	parent := links.ParentID
	if parent == nil {
		parent = model.Value("null")
	}
	v = v.With("id", links.ID).With("parentId", parent)
	if v.Get("type").Text() != "compaction" || v.Get("firstKeptEntryIndex").Kind() != model.Number {
		return v
	}
	if links.FirstKeptEntryID != nil {
		v = v.With("firstKeptEntryId", links.FirstKeptEntryID)
	}
	return v.With("firstKeptEntryIndex", nil)
}

// hookMessage is what version 2 called the role custom.
const hookMessage = "hookMessage"

// renameRole is pi's migrateV2ToV3 for one entry.
func renameRole(v model.Value) model.Value {
	if v.Get("type").Text() != "message" {
		return v
	}
	message := v.Get("message")
	if message.Get("role").Text() != hookMessage {
		return v
	}
	return v.With("message", message.With("role", model.Value(`"custom"`)))
}

// Header returns the header v with version 3.
func Header(v model.Value) model.Value { return v.With("version", model.Value("3")) }
