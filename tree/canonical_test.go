package tree_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/pifs/pifs/model"
)

// What scripts/oracle/oracle.mjs calls canonical, over encoding/json: a text that
// is the same for two values if and only if they are the same as JSON.

func appendCanonical(dst []byte, value any) []byte {
	switch v := value.(type) {
	case nil:
		return append(dst, 'n')
	case bool:
		return append(dst, strconv.FormatBool(v)[0])
	case json.Number:
		n, err := strconv.ParseFloat(string(v), 64)
		if err != nil {
			return append(dst, 'n') // out of range: JSON.stringify makes null of Infinity
		}
		return fmt.Appendf(dst, "d%016x", math.Float64bits(n+0))
	case string:
		return fmt.Appendf(dst, "s%d:%s", len(v), v)
	case []any:
		dst = append(dst, '[')
		for _, item := range v {
			dst = appendCanonical(dst, item)
		}
		return append(dst, ']')
	case map[string]any:
		keys := make([]string, 0, len(v))
		for key := range v {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		dst = append(dst, '{')
		for _, key := range keys {
			dst = appendCanonical(appendCanonical(dst, key), v[key])
		}
		return append(dst, '}')
	}
	panic(fmt.Sprintf("no JSON: %T", value))
}

// decode reads v by encoding/json, which knows nothing of this project's code.
func decode(v []byte) any {
	decoder := json.NewDecoder(bytes.NewReader(v))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		panic(fmt.Sprintf("%v: %.200s", err, v))
	}
	return value
}

// canonical of nil is that of undefined.
func canonical(v model.Value) string {
	if v == nil {
		return "u"
	}
	return string(appendCanonical(nil, decode(v)))
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:12])
}
