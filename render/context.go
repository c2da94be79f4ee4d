package render

import (
	"strconv"
	"unicode/utf8"

	"github.com/pifs/pifs/model"
)

// ContextHead is the front matter of a context.md.
type ContextHead struct {
	Session       string // the session's id
	Leaf          string // the entry's id
	Model         model.Value
	ThinkingLevel model.Value
	Messages      int
	Created       int64 // the header's time, Unix milliseconds
	Updated       int64 // the entry's
}

// Append writes the front matter as YAML between lines of three dashes, then a
// blank line. Times that are model.NoTime and what is undefined are left out.
func (h ContextHead) Append(dst []byte) []byte {
	dst = append(dst, "---\n"...)
	dst = appendYAML(dst, "session", h.Session)
	dst = appendYAML(dst, "leaf", h.Leaf)
	dst = appendYAMLModel(dst, h.Model)
	if h.ThinkingLevel != nil {
		dst = appendYAML(dst, "thinking", plain(h.ThinkingLevel))
	}
	dst = append(dst, "messages: "...)
	dst = strconv.AppendInt(dst, int64(h.Messages), 10)
	dst = append(dst, '\n')
	dst = appendYAMLTime(dst, "created", h.Created)
	dst = appendYAMLTime(dst, "updated", h.Updated)
	return append(dst, "---\n\n"...)
}

// TranscriptHead appends the front matter of a transcript.md. It holds only what
// never changes.
func TranscriptHead(dst []byte, h model.Header) []byte {
	dst = append(dst, "---\n"...)
	dst = appendYAML(dst, "session", plain(h.ID))
	dst = appendYAMLTime(dst, "created", model.ParseTime(h.Timestamp))
	return append(dst, "---\n\n"...)
}

// appendYAMLModel appends provider and model as one string, null for none.
func appendYAMLModel(dst []byte, v model.Value) []byte {
	if v.Kind() <= model.Null {
		return append(dst, "model: null\n"...)
	}
	provider, name := plain(v.Get("provider")), plain(v.Get("modelId"))
	return appendYAML(dst, "model", modelName(provider, name))
}

// modelName joins what names a model.
func modelName(provider, name string) string {
	if provider == "" || name == "" {
		return provider + name
	}
	return provider + "/" + name
}

func appendYAMLTime(dst []byte, key string, ms int64) []byte {
	if ms == model.NoTime {
		return dst
	}
	dst = append(append(dst, key...), ": "...)
	return append(append(dst, model.FormatTime(ms)...), '\n')
}

// appendYAML appends a line `key: "text"`. A JSON string is a string to YAML if
// all that YAML does not take as printable is escaped.
func appendYAML(dst []byte, key, text string) []byte {
	const digits = "0123456789abcdef"
	dst = append(append(dst, key...), `: "`...)
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r < 0x20 || r == 0x7F || isHidden(r) || r == '\u2028' || r == '\u2029' || r == 0xFEFF || r == 0xFFFE || r == 0xFFFF:
			dst = append(dst, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"', '\n')
}

// ContextJSONHead appends what stands before the messages in a context.json,
// [ContextJSONTail] what stands after. Each message is one line, separated by
// ",\n". As in JSON.stringify, an undefined level or model is left out.
func ContextJSONHead(dst []byte, thinkingLevel, mdl model.Value) []byte {
	dst = append(dst, '{')
	if thinkingLevel != nil {
		dst = thinkingLevel.AppendCompact(append(dst, `"thinkingLevel":`...))
		dst = append(dst, ',')
	}
	if mdl != nil {
		dst = mdl.AppendCompact(append(dst, `"model":`...))
		dst = append(dst, ',')
	}
	return append(dst, "\"messages\":[\n"...)
}

// ContextJSONTail ends a context.json.
func ContextJSONTail(dst []byte) []byte { return append(dst, "\n]}\n"...) }

// EntryJSON appends an entries/<id>.json: the entry indented, numbers and strings
// as stored.
func EntryJSON(dst []byte, v model.Value) []byte {
	return append(v.AppendIndented(dst), '\n')
}
