package model

// A Builder writes one JSON object as pi's JSON.stringify does, members in the
// order of the calls. Members whose value is nil (undefined) are left out.
type Builder struct{ buf []byte }

// Value adds a member that is JSON already; nil adds nothing.
func (b *Builder) Value(key string, v Value) *Builder { panic("todo") }

// Text adds a string.
func (b *Builder) Text(key, text string) *Builder { panic("todo") }

// Float adds a number, spelled as JavaScript does; NaN and infinities are null.
func (b *Builder) Float(key string, n float64) *Builder { panic("todo") }

// Bool adds true or false.
func (b *Builder) Bool(key string, t bool) *Builder { panic("todo") }

// Object returns the finished object.
func (b *Builder) Object() Value { panic("todo") }

// AppendString appends text as JSON.stringify spells it (no escaping of <, >,
// &, U+2028 and U+2029).
func AppendString(dst []byte, text string) []byte { panic("todo") }

// With returns the object v with the member key set to value (in its place if
// there, else at the end), or removed if value is nil. All else keeps its
// spelling.
func (v Value) With(key string, value Value) Value { panic("todo") }
