// Package writeback changes session files as pi does, and loses nothing.
//
// There are two places to start. [Session] is pi's SessionManager: it creates,
// opens, forks and lists sessions, keeps a current position like a running pi,
// and appends entries of all types. [Append] changes the name and the labels of
// a session that a [store.Session] shows and that others may be writing to at
// the same moment; the plans for it are [SetName], [PutLabel] and their like.
// [Fork] and [Delete] do the rest.
//
// Whatever is appended goes through one procedure, written down in append.go:
// bytes that are in a file are never changed, a file is never created by an
// append, and every error reaches the caller. Files of version 1 and 2 are
// replaced by migrated ones at the first change (migration.go). All operations on a
// file that is being written go through [FS], so that tests can make each fail.
package writeback
