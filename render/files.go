package render

import (
	"bytes"
	"maps"
	"path"
	"strings"

	"github.com/pifs/pifs/model"
)

// Files collects files.txt from entries in file order: the files that tool calls
// name, and those that pi notes in the details of summaries. What a shell
// command touches cannot be told from the command.
type Files struct {
	cwd   string
	seen  map[string]struct{}
	lines []byte
}

// NewFiles returns a collector; relative paths are made absolute with cwd, a
// POSIX or Windows path. Without a cwd they stay as they are.
func NewFiles(cwd string) *Files {
	return &Files{cwd: cwd, seen: map[string]struct{}{}}
}

// Add takes note of the files that the tool calls of e touch.
func (f *Files) Add(e model.Entry) {
	switch e.Kind {
	case model.KindAssistant:
		for b := range model.Blocks(e.Message.Get("content")) {
			if b.Type == "toolCall" {
				f.call(b.Name.Text(), b.Arguments)
			}
		}
	case model.KindToolResult: // Calls that a script made stand on the script's result.
		for call := range e.Message.Get("nestedCalls").Get("calls").Elements() {
			f.call(call.Get("name").Text(), call.Get("arguments"))
		}
	case model.KindCompaction, model.KindBranchSummary:
		f.paths('r', e.Details.Get("readFiles"))
		f.paths('w', e.Details.Get("modifiedFiles"))
	}
}

// Clone returns a collector of what f has so far, to which other entries can be added.
func (f *Files) Clone() *Files { return &Files{f.cwd, maps.Clone(f.seen), bytes.Clone(f.lines)} }

// Len returns the length of the lines so far.
func (f *Files) Len() int { return len(f.lines) }

// Append appends the lines so far: `r path` or `w path`, first use first.
func (f *Files) Append(dst []byte) []byte { return append(dst, f.lines...) }

// fileTools tells of the tools of pi, and of those that other programs and
// extensions call alike, whether they read or write the files that they name. A
// name is looked up in lower case, without its namespace and its separators.
var fileTools = map[string]byte{
	"read": 'r', "readfile": 'r', "readfiles": 'r', "readmanyfiles": 'r', "readtextfile": 'r', "view": 'r',
	"viewfile": 'r', "viewimage": 'r', "readimage": 'r', "notebookread": 'r', "grep": 'r', "greptool": 'r',
	"grepsearch": 'r', "search": 'r', "searchfiles": 'r', "find": 'r', "findfiles": 'r', "glob": 'r', "ls": 'r',
	"list": 'r', "listdir": 'r', "listdirectory": 'r', "listfiles": 'r',

	"write": 'w', "writefile": 'w', "writetofile": 'w', "create": 'w', "createfile": 'w', "edit": 'w', "editfile": 'w',
	"multiedit": 'w', "strreplace": 'w', "strreplaceeditor": 'w', "strreplacebasededittool": 'w', "texteditor": 'w',
	"searchreplace": 'w', "replace": 'w', "replaceinfile": 'w', "insert": 'w', "append": 'w', "patch": 'w',
	"applypatch": 'w', "applydiff": 'w', "delete": 'w', "deletefile": 'w', "notebookedit": 'w',
}

// call takes note of a tool call.
func (f *Files) call(tool string, arguments model.Value) {
	mode := fileTools[toolWord(tool)]
	if mode == 0 {
		return
	}
	for key, v := range arguments.Members() {
		switch key.Text() {
		case "path", "file_path", "filePath", "file", "filename", "target_file", "absolute_path", "notebook_path",
			"paths", "file_paths", "files":
			f.paths(modeOf(mode, arguments), v)
		case "patch", "input", "diff":
			if mode == 'w' {
				f.patch(v)
			}
		}
	}
}

// toolWord reduces a tool's name to letters: mcp__fs__Read_File to readfile.
func toolWord(tool string) string {
	tool = tool[strings.LastIndexAny(tool, "./:")+1:]
	if n := strings.LastIndex(tool, "__"); n >= 0 {
		tool = tool[n+2:]
	}
	return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(tool))
}

// modeOf returns the mode of a call of an editor, which also views files.
func modeOf(mode byte, arguments model.Value) byte {
	if arguments.Get("command").Text() == "view" {
		return 'r'
	}
	return mode
}

// paths takes note of a path, or of a list of paths or of objects with a path.
func (f *Files) paths(mode byte, v model.Value) {
	switch v.Kind() {
	case model.String:
		f.path(mode, v.Text())
	case model.Array:
		for element := range v.Elements() {
			if element.Kind() == model.Object {
				element = element.Get("path")
			}
			f.path(mode, element.Text())
		}
	}
}

// patch takes note of the files in a patch, in the forms of apply_patch and diff.
func (f *Files) patch(v model.Value) {
	for line := range bytes.Lines(v.AppendText(nil)) {
		text := string(bytes.TrimRight(line, "\r\n"))
		for _, prefix := range []string{"*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "} {
			if name, ok := strings.CutPrefix(text, prefix); ok {
				f.path('w', name)
			}
		}
		if name, ok := strings.CutPrefix(text, "+++ "); ok && name != "/dev/null" {
			name, _, _ = strings.Cut(name, "\t")
			f.path('w', strings.TrimPrefix(name, "b/"))
		}
	}
}

// path takes note of a use of a file.
func (f *Files) path(mode byte, name string) {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "@"), "file://") // As pi reads paths.
	if name == "" {
		return
	}
	line := string(appendLine([]byte{mode, ' '}, absolute(f.cwd, name)))
	if _, seen := f.seen[line]; !seen {
		f.seen[line] = struct{}{}
		f.lines = append(append(f.lines, line...), '\n')
	}
}

// absolute returns name as an absolute path, cleaned, with the separators of the
// system that it is from. Paths that begin with ~ stay as they are.
func absolute(cwd, name string) string {
	if strings.HasPrefix(name, "~") {
		return name
	}
	base := name
	if !strings.HasPrefix(name, "/") && !isWindows(name) {
		if cwd == "" {
			return path.Clean(name)
		}
		base = cwd
		name = cwd + "/" + name
	}
	if !isWindows(base) {
		return path.Clean(name)
	}
	share := strings.HasPrefix(base, `\\`)
	name = strings.ReplaceAll(path.Clean(strings.ReplaceAll(name, `\`, "/")), "/", `\`)
	if share {
		name = `\` + name // Clean has made one of the two.
	}
	return name
}

// isWindows tells whether name is an absolute path of Windows: C:\x, C:/x, \\x.
func isWindows(name string) bool {
	if strings.HasPrefix(name, `\\`) {
		return true
	}
	return len(name) >= 3 && name[1] == ':' && (name[2] == '\\' || name[2] == '/') &&
		('a' <= name[0]|0x20 && name[0]|0x20 <= 'z')
}
