//go:build race

package needs

// Race tells that the race detector watches: it makes everything several times
// slower, and allocates. Tests of what something costs say nothing then.
const Race = true
