package model

// Usage is what a call of a model took: tokens, and US dollars.
type Usage struct {
	Input, Output, CacheRead, CacheWrite float64
	Cost                                 float64
}

// DecodeUsage reads a stored usage object. Missing or wrongly typed figures
// count as zero (pi throws on some of these files). ok is false if v is no
// object.
func DecodeUsage(v Value) (u Usage, ok bool) {
	if v.Kind() != Object {
		return Usage{}, false
	}
	for key, value := range v.Members() {
		switch string(key.name()) {
		case "input":
			u.Input, _ = value.Float()
		case "output":
			u.Output, _ = value.Float()
		case "cacheRead":
			u.CacheRead, _ = value.Float()
		case "cacheWrite":
			u.CacheWrite, _ = value.Float()
		case "cost":
			u.Cost, _ = value.Get("total").Float()
		}
	}
	return u, true
}

// Add adds v to u.
func (u *Usage) Add(v Usage) {
	u.Input += v.Input
	u.Output += v.Output
	u.CacheRead += v.CacheRead
	u.CacheWrite += v.CacheWrite
	u.Cost += v.Cost
}

// Tokens is the sum that pi shows: input + output + cacheRead + cacheWrite.
func (u Usage) Tokens() float64 { return u.Input + u.Output + u.CacheRead + u.CacheWrite }

// EntryUsage returns the usage that counts in a session's totals for e: of
// assistant messages, of tool results, compactions, branch summaries and usage
// entries that carry one.
func EntryUsage(e Entry) (u Usage, ok bool) {
	switch e.Kind {
	case KindAssistant, KindToolResult:
		return DecodeUsage(e.Message.Get("usage"))
	case KindCompaction, KindBranchSummary, KindUsage:
		return DecodeUsage(e.Usage)
	}
	return Usage{}, false
}
