package model

// eachMember calls f for each member of the object that begins at v[i]: with its
// name, and the offset at which its value begins. f returns the offset after the
// value, so that it can look into the value without a second pass to find its
// end. eachMember returns the offset after the object.
func (v Value) eachMember(i int, f func(name []byte, at int) (end int)) int {
	for i = v.space(i + 1); i < len(v) && v[i] == '"'; {
		end := v.stringEnd(i)
		name := v[i:end].name()
		at := v.space(end)
		if at == len(v) || v[at] != ':' {
			return len(v)
		}
		at = v.space(at + 1)
		end = f(name, at)
		if end == at {
			return len(v)
		}
		i = v.space(end)
		if i < len(v) && v[i] == ',' {
			i = v.space(i + 1)
		}
	}
	return min(i+1, len(v))
}

// eachElement does likewise for the elements of the array that begins at v[i].
func (v Value) eachElement(i int, f func(at int) (end int)) int {
	for i = v.space(i + 1); i < len(v) && v[i] != ']'; {
		end := f(i)
		if end == i {
			return len(v)
		}
		i = v.space(end)
		if i < len(v) && v[i] == ',' {
			i = v.space(i + 1)
		}
	}
	return min(i+1, len(v))
}

// from returns the value that begins at v[i], and the offset after it.
func (v Value) from(i int) (value Value, end int) {
	end = v.end(i)
	return v[i:end:end], end
}

// opens tells whether the value that begins at v[i] opens with bracket.
func (v Value) opens(i int, bracket byte) bool { return i < len(v) && v[i] == bracket }

// knownWords has the words that entries, messages and blocks are told apart by,
// so that decoding them takes no memory.
var knownWords = func() map[string]string {
	words := make(map[string]string)
	for _, word := range kindWords {
		words[word] = word
	}
	for _, word := range []string{"message", "text", "image", "thinking", "toolCall"} {
		words[word] = word
	}
	return words
}()

// word returns the text of the string v, as Text does.
func (v Value) word() string {
	raw, _ := v.inner()
	if word, known := knownWords[string(raw)]; known {
		return word
	}
	return v.Text()
}
