// Package render turns entries, contexts and trees into the texts of the mounted
// tree: Markdown to read and grep, JSON to compute with. It is pure.
//
// All output but JSON is UTF-8 that is safe to print: control characters other
// than tab and newline stand as their pictures (␛), C1 and bidi controls by name
// (<U+009B>), lone surrogates and bad bytes as U+FFFD, and a carriage return
// before a newline is dropped. No stored escape sequence reaches a terminal.
//
// # Markdown
//
// [Entry] gives each entry one [Fragment], the same wherever it is shown. It
// begins with a heading and ends with a blank line:
//
//	## <role or type> · <entry id> · <time>[ · more][ · ↳ <parent id>]
//
// More is what helps to find or to understand it: a model, a tool's name and call
// id, error, aborted, excluded, or "no message" where a model is sent none. The
// messages that a compaction holds have such headings of their own, with its id;
// a tool call has `### <tool> · <call id>`. What else pifs has to say stands in
// lines `name: value`, named as the stored fields are; note: is its own.
//
// Text is shown as the Markdown that it mostly is, with two exceptions, so that
// no text can pass for structure:
//
//   - A line that a parser or a reader may take for a heading of ours (a heading
//     of level 2 or 3 with a middle dot, in quotes and lists too) gets a
//     backslash.
//   - A code fence or HTML block that is still open at the end of a text is closed
//     by one more line. Where it would take a whole Markdown parser to tell what is
//     open, the text stands in a fence of its own, marked markdown.
//
// Tool results, shell output and arguments with line breaks stand in fences longer
// than any run of backquotes inside. A CommonMark parser gets their bytes back,
// with one more newline where they do not end in one. Lines like headings are not
// touched there.
//
// A value that is no string is compact JSON, unless JSON would need escapes: then
// its members are shown one by one (edits[0].newText), so that a search finds what
// was written and not how JSON spells it.
package render
