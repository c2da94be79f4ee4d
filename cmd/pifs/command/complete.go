package command

import (
	"io"
	iofs "io/fs"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pifs/pifs/store"
)

// completePath completes a path of the tree, as shells complete paths of files.
func (o *storeOptions) completePath(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	tree, st, _, err := o.openFS(cmd.Context(), true)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	defer st.Close()
	dir, begun := path.Split(typed)
	entries, err := iofs.ReadDir(tree, treePath(dir))
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var paths []string
	for _, entry := range entries {
		if name := entry.Name(); strings.HasPrefix(name, begun) {
			if entry.Type() != 0 {
				name += "/" // of the links in a tree nearly all lead to directories
			}
			paths = append(paths, dir+name)
		}
	}
	return paths, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
}

// completeSession completes the session that a command's first argument names, by
// the ids and files' names of the store, and, where one has begun to type a path, by
// paths.
func (o *storeOptions) completeSession(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return o.completeSessions(cmd, nil, typed)
}

// completeSessions is completeSession for each argument.
func (o *storeOptions) completeSessions(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	if strings.ContainsAny(typed, "/~") || strings.HasPrefix(typed, ".") {
		return nil, cobra.ShellCompDirectiveDefault
	}
	st, _, err := o.open(cmd.Context(), false, store.Options{Memory: memoryFile()})
	if err != nil {
		return nil, cobra.ShellCompDirectiveDefault
	}
	defer st.Close()
	digests, _, err := readAll(cmd.Context(), st.Store, newProgress(io.Discard, ""))
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	store.SortAsPi(digests)
	ids := newSessionIDs(st.Sessions())
	var words []string
	for _, digest := range digests {
		row, err := newListRow(digest, false)
		if word := ids.completion(digest.Session, typed); err == nil && word != "" {
			words = append(words, cobra.CompletionWithDesc(word, oneLine(row.title(), titleWidth)))
		}
	}
	directive := cobra.ShellCompDirectiveKeepOrder
	if len(words) > 0 {
		directive |= cobra.ShellCompDirectiveNoFileComp
	}
	return words, directive
}

// completeMount completes the mountpoint of a mount of ours.
func completeMount(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	all, err := mounts()
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var dirs []string
	for _, m := range all {
		if m.fsType == fsType && strings.HasPrefix(m.mountpoint, typed) {
			dirs = append(dirs, m.mountpoint)
		}
	}
	return dirs, cobra.ShellCompDirectiveDefault
}

// completeDir completes a directory.
func completeDir(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}
