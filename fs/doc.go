// Package fs shows a store of pi sessions as a tree of directories.
//
//	MOUNT/
//	├── .pifs/                  not listed: version, stats.json, skipped, log
//	└── <project>/              all sessions whose header has one cwd
//	    ├── cwd                 that cwd
//	    ├── latest              link to the session that `pi --continue` would open
//	    ├── by-title/<title>    links to the sessions by name or first message
//	    └── <session>/
//	        ├── name            the display name
//	        ├── labels/<label>  the ids of the entries so labelled
//	        ├── info.json       header, counts, dates, tokens, cost, warnings
//	        ├── tree.txt        the whole tree
//	        ├── transcript.md   every entry once, in file order
//	        ├── files.txt       the files that tools touched
//	        ├── session.jsonl   link to the store file
//	        ├── parent          link to what it was forked from
//	        ├── children/       links to what was forked from it
//	        ├── current         link to the branch at which pi would resume
//	        ├── branches/<id>/  context.md, context.json, path/
//	        ├── entries/        <id>.json and <id>.md of each entry
//	        └── images/         <id>-<n>.<ext>
//
// The tree is plain nodes ([Dir], [File], [Link]) that know nothing of any
// kernel; a directory idea has a source file of its own, so the list of files is
// this table of contents. Fronts show the nodes: [Tree.FS] as an io/fs.FS,
// [Tree.Mount] through FUSE.
//
// Nearly everything here is immutable: a context at an entry, an entry, an
// image never change, and what does change gets a new node (a new version of
// info.json is another inode). So an open file has one content for as long as it
// is open, and the kernel may keep what it has read.
package fs
