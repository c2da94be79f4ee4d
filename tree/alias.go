package tree

import (
	"sort"
	"strconv"
	"strings"
)

// Entries without an id of their own are called after their line: line-7. Should
// another entry have that very id, it is line-7~2, line-7~3 and so on.
const (
	aliasPrefix = "line-"
	aliasSuffix = "~"
)

// unnamed tells whether entry i is called after its line.
func (c *columns) unnamed(i int32) bool {
	return c.odd(i) && c.ids[i] == noID || c.isShadowed(i)
}

func (c *columns) alias(i int32) string {
	name := strconv.AppendInt([]byte(aliasPrefix), int64(c.line(i)), 10)
	plain := len(name)
	for n := int64(2); c.find(string(name)) != None; n++ {
		name = strconv.AppendInt(append(name[:plain], aliasSuffix...), n, 10)
	}
	return string(name)
}

// findAlias returns the unnamed entry that is called id, or None.
func (c *columns) findAlias(id string) int32 {
	number, isAlias := strings.CutPrefix(id, aliasPrefix)
	if !isAlias {
		return None
	}
	number, _, _ = strings.Cut(number, aliasSuffix)
	line, err := strconv.Atoi(number)
	if err != nil {
		return None
	}
	i := int32(sort.Search(c.len(), func(i int) bool { return int(c.line(int32(i))) >= line }))
	if int(i) == c.len() || !c.unnamed(i) || c.alias(i) != id {
		return None
	}
	return i
}
