package command

import (
	"errors"
	"io"
	iofs "io/fs"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/pifs/pifs/store"
	"github.com/pifs/pifs/writeback"
)

// completePath completes a path of the tree, as shells complete paths of files. Paths
// into a mount, and others that are none of the tree, are left to the shell.
func (o *storeOptions) completePath(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	if strings.HasPrefix(typed, "~") || typed != "" && leadsIntoMount(typed) {
		return nil, cobra.ShellCompDirectiveDefault
	}
	tree, st, _, err := o.openFS(cmd.Context(), true)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	defer st.Close()
	dir, begun := path.Split(typed)
	entries, err := iofs.ReadDir(tree, treePath(dir))
	if err != nil {
		entries = nil
	}
	var paths []string
	directive := cobra.ShellCompDirectiveNoFileComp
	for _, entry := range entries {
		if name := entry.Name(); strings.HasPrefix(name, begun) {
			if entry.IsDir() || entry.Type() != 0 && leadsToDir(tree, treePath(dir+name)) {
				name += "/"
				directive |= cobra.ShellCompDirectiveNoSpace // the path goes on
			}
			paths = append(paths, dir+name)
		}
	}
	if paths == nil && dir != "" {
		return nil, cobra.ShellCompDirectiveDefault
	}
	return paths, directive
}

// leadsToDir tells whether a link of the tree leads to a directory. A stat would tell
// as well, but render the file. Links to files have an extension, as the files do;
// the many links to sessions are not all followed.
func leadsToDir(tree iofs.FS, link string) bool {
	if path.Ext(link) == "" {
		return true
	}
	_, err := iofs.ReadDir(tree, link)
	return !errors.Is(err, syscall.ENOTDIR)
}

// leadsIntoMount tells whether the directory of a path is in a mount of ours.
func leadsIntoMount(path string) bool {
	all, err := mounts()
	if err != nil {
		return false
	}
	_, _, ok := mountOf(all, filepath.Dir(path))
	return ok
}

// completeLabel completes a session, and a label that it has.
func (o *labelOptions) completeLabel(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) != 1 {
		return o.store.completeSession(cmd, args, typed)
	}
	session, err := o.store.openSessionEntry(cmd.Context(), args[0])
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	defer session.Close()
	view, err := session.View()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var labels []string
	for _, label := range view.Tree.Labels() {
		// A label with what is no text can't be typed.
		if text := oneLine(label.Text, writeback.MaxText); text == label.Text && strings.HasPrefix(text, typed) {
			labels = append(labels, text)
		}
	}
	return labels, cobra.ShellCompDirectiveNoFileComp
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

// completeFlags completes the values of a command's flags.
func completeFlags(cmd *cobra.Command) {
	for flag, complete := range map[string]cobra.CompletionFunc{
		"store":      completeDir,
		"cwd":        completeDir,
		"cache-size": cobra.NoFileCompletions,
	} {
		if cmd.Flags().Lookup(flag) != nil {
			_ = cmd.RegisterFlagCompletionFunc(flag, complete) // it is there, and has none
		}
	}
}

// completeDir completes a directory.
func completeDir(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}
