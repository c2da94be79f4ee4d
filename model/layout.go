package model

// indentLevels is how deep AppendIndented goes: indentation grows with depth, so
// without a bound its output would be quadratic in the input.
const indentLevels = 64

// AppendCompact appends v without white space between tokens.
func (v Value) AppendCompact(dst []byte) []byte {
	from := 0 // what follows is to be appended
	for i := 0; i < len(v); {
		switch {
		case v[i] == '"':
			i = v.stringEnd(i)
			continue
		case isSpace(v[i]):
			dst = append(dst, v[from:i]...)
			from = i + 1
		}
		i++
	}
	return append(dst, v[from:]...)
}

// AppendIndented appends v as JSON.stringify(v, null, 2) lays it out, but with
// strings and numbers as stored. Below 64 levels it stays compact, so that the
// output is never quadratic in the input.
func (v Value) AppendIndented(dst []byte) []byte {
	depth := 0
	for i := v.space(0); i < len(v); i = v.space(i) {
		switch c := v[i]; c {
		case '{', '[':
			inner := v.space(i + 1)
			if inner == len(v) || v[inner] == '}' || v[inner] == ']' || depth == indentLevels {
				end := v.containerEnd(i)
				dst = v[i:end].AppendCompact(dst)
				i = end
				continue
			}
			depth++
			dst = appendNewline(append(dst, c), depth)
		case '}', ']':
			depth = max(depth-1, 0)
			dst = append(appendNewline(dst, depth), c)
		case ',':
			dst = appendNewline(append(dst, c), depth)
		case ':':
			dst = append(dst, ": "...)
		default:
			end := max(v.end(i), i+1)
			dst = append(dst, v[i:end]...)
			i = end
			continue
		}
		i++
	}
	return dst
}

func appendNewline(dst []byte, depth int) []byte {
	dst = append(dst, '\n')
	for range depth {
		dst = append(dst, "  "...)
	}
	return dst
}
