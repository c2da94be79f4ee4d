package command

import (
	iofs "io/fs"
	"path"
	"strings"

	"github.com/spf13/cobra"
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
