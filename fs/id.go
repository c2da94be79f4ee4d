package fs

import "fmt"

// An ID names a node of the tree for as long as the Tree lives. It says all that
// is needed to make the node again, so that no table of nodes is kept however
// many of them a kernel knows: a kind, and two numbers that mean what the kind
// needs (a session's slot and an entry, most of all).
type ID uint64

// kind is what a node is.
type kind uint8

const (
	kindNone        kind = iota
	kindRoot             // ID 1, as FUSE wants it
	kindMeta             // .pifs
	kindMetaFile         // b: which
	kindProject          // a: project
	kindCwd              // a: project
	kindLatest           // a: project, b: session
	kindTitles           // a: project
	kindTitle            // a: project, b: session
	kindSession          // a: session, as in all that follow
	kindName             //
	kindLabels           //
	kindLabel            // b: label, interned
	kindLabelOf          // b: entry
	kindInfo             // b: version
	kindTreeText         // b: version
	kindFilesText        // b: version
	kindTranscript       //
	kindSource           // session.jsonl
	kindParent           // b: parent session
	kindChildren         //
	kindChild            // b: child session
	kindCurrent          // b: entry
	kindBranches         //
	kindBranch           // b: entry
	kindContext          // b: entry
	kindContextJSON      // b: entry
	kindPath             // b: entry
	kindStep             // a: interned pair of session and entry, b: place in the path
	kindEntries          //
	kindEntryJSON        // b: entry
	kindEntry            // b: entry
	kindImages           //
	kindImage            // a: interned pair of session and entry, b: number of the image
	kindGone             // what is not there at the next look
)

// lasts tells whether a node of a session is the same though the session's file was
// replaced: a directory has no content of its own, so that who stands in one can
// go on. A file that is open must not get the content of another.
func (k kind) lasts() bool {
	switch k {
	case kindSession, kindLabels, kindChildren, kindBranches, kindEntries, kindImages:
		return true
	}
	return false
}

// versioned tells whether the number of a node of a session is that of a version.
func (k kind) versioned() bool {
	switch k {
	case kindInfo, kindTreeText, kindFilesText:
		return true
	}
	return false
}

// rootID is the ID that FUSE gives to the root.
const rootID ID = 1

const (
	kindBits = 6
	aBits    = 26
)

// makeID packs a kind and its numbers. The root's numbers are such that its ID
// is 1.
func makeID(k kind, a, b uint32) ID {
	if k == kindRoot {
		return rootID
	}
	if a >= 1<<aBits {
		panic(fmt.Sprintf("fs: %d nodes of one kind", a))
	}
	return ID(k)<<(64-kindBits) | ID(a)<<32 | ID(b)
}

// parts unpacks an ID.
func (id ID) parts() (k kind, a, b uint32) {
	if id == rootID {
		return kindRoot, 0, 0
	}
	return kind(id >> (64 - kindBits)), uint32(id>>32) & (1<<aBits - 1), uint32(id)
}
