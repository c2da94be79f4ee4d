package render

// Line returns text as one line that sends nothing to a terminal: what is no
// plain character stands as its picture.
func Line(text string) string { return string(appendLine(nil, text)) }
