// Package render turns entries, contexts and trees into the texts of the mounted
// tree: Markdown to read and grep, JSON to compute with. It is pure.
//
// All output is UTF-8 and text: control characters stand as pictures, and no
// stored escape sequence reaches a terminal.
package render
