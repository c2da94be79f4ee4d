package render

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// call returns an assistant message that calls a tool.
func call(tool, arguments string) string {
	return `{"type":"message","message":{"role":"assistant","content":[{"type":"text","text":"x"},{"type":"toolCall","id":"1","name":"` + tool + `","arguments":` + arguments + `}]}}`
}

func TestFiles(t *testing.T) {
	for line, want := range map[string]string{
		call("read", `{"path":"src/a.ts","offset":3}`):            "r /home/dev/src/a.ts\n",
		call("write", `{"path":"/abs/./b/../c d","content":"x"}`): "w /abs/c d\n",
		call("edit", `{"path":"~/x","edits":[]}`):                 "w ~/x\n",
		call("read", `{"path":"@at.go"}`):                         "r /home/dev/at.go\n",
		call("read", `{"path":"file:///u/v"}`):                    "r /u/v\n",
		call("grep", `{"pattern":"x","path":"."}`):                "r /home/dev\n",
		call("ls", `{}`):                                                       "",
		call("bash", `{"command":"cat a"}`):                                    "",
		call("read", `{"path":5}`):                                             "",
		call("read", `{"path":""}`):                                            "",
		call("read", `"path"`):                                                 "",
		call("mcp__fs__Read_File", `{"file_path":"a"}`):                        "r /home/dev/a\n",
		call("functions.multi-edit", `{"filePath":"a"}`):                       "w /home/dev/a\n",
		call("read_many_files", `{"paths":["a","b",1]}`):                       "r /home/dev/a\nr /home/dev/b\n",
		call("create", `{"files":[{"path":"a","content":"x"}]}`):               "w /home/dev/a\n",
		call("NotebookEdit", `{"notebook_path":"n.ipynb"}`):                    "w /home/dev/n.ipynb\n",
		call("str_replace_based_edit_tool", `{"command":"view","path":"a"}`):   "r /home/dev/a\n",
		call("str_replace_based_edit_tool", `{"command":"create","path":"a"}`): "w /home/dev/a\n",
		call("apply_patch", `{"input":"*** Begin Patch\n*** Add File: n.go\n+x\n*** Update File: u.go\n*** Move to: m.go\n*** Delete File: d.go\r\n"}`): "w /home/dev/n.go\nw /home/dev/u.go\nw /home/dev/m.go\nw /home/dev/d.go\n",
		call("patch", `{"patch":"--- a/x\n+++ b/x\t2026\n+++ /dev/null\n"}`):                                                                            "w /home/dev/x\n",
		call("read", `{"path":"a\n\u001b\u202eb"}`):                                                                                                     "r /home/dev/a␊␛<U+202E>b\n",
		call("read", `{"path":"C:\\x\\..\\y"}`):                                                                                                         "r C:\\y\n",
		`{"type":"message","message":{"role":"toolResult","nestedCalls":{"calls":[{"name":"read","arguments":{"path":"n"}}]}}}`:                         "r /home/dev/n\n",
		`{"type":"compaction","details":{"readFiles":["a"],"modifiedFiles":["b"]}}`:                                                                     "r /home/dev/a\nw /home/dev/b\n",
		`{"type":"branch_summary","details":{"readFiles":"a","modifiedFiles":[null]}}`:                                                                  "r /home/dev/a\n",
		`{"type":"message","message":{"role":"assistant","content":null}}`:                                                                              "",
		`{"type":"message"}`: "",
	} {
		f := NewFiles("/home/dev")
		f.Add(decode(t, line))
		f.Add(decode(t, line))
		assert.Equal(t, want, string(f.Append(nil)), "%s", line)
	}
}

func TestFilesAreInOrderOfFirstUse(t *testing.T) {
	f := NewFiles("/p")
	for _, line := range []string{call("read", `{"path":"b"}`), call("write", `{"path":"b"}`), call("read", `{"path":"a"}`), call("read", `{"path":"/p/b"}`)} {
		f.Add(decode(t, line))
	}
	assert.Equal(t, "x\nr /p/b\nw /p/b\nr /p/a\n", string(f.Append([]byte("x\n"))))
}

func TestAbsolute(t *testing.T) {
	for _, test := range []struct{ cwd, name, want string }{
		{"", "a/../b", "b"},
		{"", "/a", "/a"},
		{"/p", "../x", "/x"},
		{"/p", `a\b`, `/p/a\b`},
		{`C:\Users\me`, `src\a.go`, `C:\Users\me\src\a.go`},
		{`C:\Users\me`, `../a.go`, `C:\Users\a.go`},
		{`C:\Users\me`, `D:/x/y`, `D:\x\y`},
		{`C:\Users\me`, `/tmp/x`, `/tmp/x`},
		{`\\host\share`, `a`, `\\host\share\a`},
		{`C:\Users\me`, `~\a`, `~\a`},
	} {
		assert.Equal(t, test.want, absolute(test.cwd, test.name), "%q in %q", test.name, test.cwd)
	}
}
