package render

import (
	"bytes"
	"strings"
)

// alwaysBegins tells whether the list item that body opens may interrupt a
// paragraph: it has content and is no other than the first.
func alwaysBegins(body []byte) bool {
	n := markerLen(body)
	number := body[:n-1]
	return !isBlank(body[n:]) && (n == 1 || string(number) == "1")
}

// markerLen returns the length of the list marker at the beginning of body, 0 if
// there is none.
func markerLen(body []byte) int {
	n := 0
	for n < len(body) && '0' <= body[n] && body[n] <= '9' {
		n++
	}
	if n == len(body) || n > 9 {
		return 0
	}
	if n == 0 && strings.IndexByte("-+*", body[0]) < 0 || n > 0 && body[n] != '.' && body[n] != ')' {
		return 0
	}
	if n+1 < len(body) && body[n+1] != ' ' && body[n+1] != '\t' {
		return 0
	}
	return n + 1
}

// indentation returns the column of the first byte of line that is neither
// space nor tab, if line begins in the given column, and what begins there. A tab
// goes to the next multiple of four.
func indentation(line []byte, column int) (int, []byte) {
	for i, c := range line {
		switch c {
		case ' ':
			column++
		case '\t':
			column += 4 - column%4
		default:
			return column, line[i:]
		}
	}
	return column, nil
}

func isBlank(text []byte) bool { return len(bytes.TrimLeft(text, " \t")) == 0 }

// opensFence tells whether body opens a code fence.
func opensFence(body []byte) bool {
	if bytes.HasPrefix(body, []byte("```")) {
		return bytes.IndexByte(bytes.TrimLeft(body, "`"), '`') < 0
	}
	return bytes.HasPrefix(body, []byte("~~~"))
}

// isFenceEnd tells whether body closes a fence of n characters c.
func isFenceEnd(body []byte, c byte, n int) bool {
	rest := bytes.TrimLeft(body, string(c))
	return len(body)-len(rest) >= n && isBlank(rest)
}

// isATX tells whether body is a heading with number signs.
func isATX(body []byte) bool {
	rest := bytes.TrimLeft(body, "#")
	n := len(body) - len(rest)
	return 1 <= n && n <= 6 && (len(rest) == 0 || rest[0] == ' ' || rest[0] == '\t')
}

// isBreak tells whether body is a thematic break: three or more of one sign.
func isBreak(body []byte) bool {
	c := body[0]
	if c != '-' && c != '_' && c != '*' {
		return false
	}
	n := 0
	for _, d := range body {
		switch d {
		case c:
			n++
		case ' ', '\t':
		default:
			return false
		}
	}
	return n >= 3
}
