package tree

import (
	"bytes"

	"github.com/pifs/pifs/model"
)

// What pi puts around the summaries that a model is sent.
const (
	compactionPrefix = "The conversation history before this point was compacted into the following summary:\n\n<summary>\n"
	compactionSuffix = "\n</summary>"
	branchPrefix     = "The following is a summary of a branch that this conversation came back from:\n\n<summary>\n"
	branchSuffix     = "</summary>"
)

// ToLLM returns m as pi's convertToLlm hands it to a model, nil if it is left out.
func ToLLM(m model.Value) model.Value {
	switch m.Get("role").Text() {
	case "system", "user", "assistant", "toolResult":
		return m
	case "bashExecution":
		if m.Get("excludeFromContext").Truthy() {
			return nil
		}
		return userMessage(m, bashText(m))
	case "custom":
		content := m.Get("content")
		if content.Kind() == model.String {
			content = textBlock(content)
		}
		return userMessage(m, content)
	case "branchSummary":
		return userMessage(m, summaryText(branchPrefix, m, branchSuffix))
	case "compactionSummary":
		return userMessage(m, summaryText(compactionPrefix, m, compactionSuffix))
	}
	return nil
}

func userMessage(m, content model.Value) model.Value {
	return new(model.Builder).
		Text("role", "user").
		Value("content", content).
		Value("timestamp", m.Get("timestamp")).
		Object()
}

func summaryText(prefix string, m model.Value, suffix string) model.Value {
	var text jsonText
	text.literal(prefix).value(m.Get("summary")).literal(suffix)
	return text.block()
}

// bashText is pi's bashExecutionToText.
func bashText(m model.Value) model.Value {
	var text jsonText
	text.literal("Ran `").value(m.Get("command")).literal("`\n")
	if output := m.Get("output"); output.Truthy() {
		text.literal("```\n").value(output).literal("\n```")
	} else {
		text.literal("(no output)")
	}
	code := m.Get("exitCode")
	if m.Get("cancelled").Truthy() {
		text.literal("\n\n(command cancelled)")
	} else if number, isNumber := code.Float(); !isNullish(code) && !(isNumber && number == 0) {
		text.literal("\n\nCommand exited with code ").value(code)
	}
	if path := m.Get("fullOutputPath"); m.Get("truncated").Truthy() && path.Truthy() {
		text.literal("\n\n[Output truncated. Full output: ").value(path).literal("]")
	}
	return text.block()
}

// A jsonText is a string that is put together from JSON strings as they are
// stored. Decoding them would lose lone surrogates, which JavaScript keeps.
type jsonText struct{ inner []byte }

func (t *jsonText) literal(text string) *jsonText {
	quoted := model.AppendString(nil, text)
	t.inner = append(t.inner, quoted[1:len(quoted)-1]...)
	return t
}

// value appends v as a template literal turns it into text. An array, which pi
// never writes here, stays JSON.
func (t *jsonText) value(v model.Value) *jsonText {
	switch v.Kind() {
	case model.Undefined:
		return t.literal("undefined")
	case model.Object:
		return t.literal("[object Object]")
	case model.Array:
		return t.literal(string(v))
	case model.String:
		v = bytes.TrimSpace(v)
		v = v[1 : len(v)-1]
	case model.Number: // spelled as JavaScript does
		n, _ := v.Float()
		v = new(model.Builder).Float("n", n).Object().Get("n")
	}
	t.inner = append(t.inner, v...)
	return t
}

// block returns a content of one block with the text.
func (t *jsonText) block() model.Value {
	quoted := append(append(model.Value{'"'}, t.inner...), '"')
	return textBlock(quoted)
}
