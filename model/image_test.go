package model

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func images(e Entry) []Image {
	var list []Image
	for m := range Images(e) {
		list = append(list, m)
	}
	return list
}

func TestImages(t *testing.T) {
	for line, want := range map[string]string{
		`{"type":"message","message":{"role":"user","content":[{"type":"text"},{"type":"image","data":"A","mimeType":"image/png"},{"data":"B","type":"im\u0061ge"}]}}`:                                         "A B",
		`{"type":"message","message":{"role":"toolResult","content":[{"type":"image","data":"A"}]}}`:                                                                                                           "A",
		`{"type":"message","message":{"role":"alien","content":[{"type":"image","data":"A"},null,5,"image"]}}`:                                                                                                 "A",
		`{"type":"message","message":{"role":"user","content":"image"}}`:                                                                                                                                       "",
		`{"type":"message","message":null,"content":[{"type":"image","data":"A"}]}`:                                                                                                                            "",
		`{"type":"custom_message","content":[{"type":"image","data":"A"}],"message":{"content":[{"type":"image","data":"B"}]}}`:                                                                                "A",
		`{"type":"context_edit","replacement":{"content":[{"type":"image","data":"A"}]}}`:                                                                                                                      "A",
		`{"type":"context_edit","replacement":null}`:                                                                                                                                                           "",
		`{"type":"compaction","retainedTail":[{"content":[{"type":"image","data":"B"}]},{"content":"x"},{"content":[{"type":"image","data":"C"}]}],"systemMessage":{"content":[{"type":"image","data":"A"}]}}`: "A B C",
		`{"type":"custom","content":[{"type":"image","data":"A"}],"data":[{"type":"image"}]}`:                                                                                                                  "",
	} {
		var data []string
		for i, m := range images(DecodeEntry(Value(line))) {
			assert.Equal(t, i+1, m.N)
			data = append(data, m.Data.Text())
		}
		assert.Equal(t, want, strings.Join(data, " "), line)

		f, ok := Scan([]byte(line))
		require.True(t, ok)
		assert.Equal(t, want != "", f.Images, line)
	}
}

func TestImagesStops(t *testing.T) {
	e := DecodeEntry(Value(`{"type":"compaction","retainedTail":[{"content":[{"type":"image"},{"type":"image"}]},{}],"systemMessage":{"content":[{"type":"image"}]}}`))
	for range 3 {
		n := 0
		for range Images(e) {
			n++
			break
		}
		assert.Equal(t, 1, n)
	}
}

func TestImageData(t *testing.T) {
	for data, want := range map[string]string{
		`"aGVsbG8="`:      "hello",
		`"aGVsbG8"`:       "hello",
		`"aGVs\nbG8=\n"`:  "hello",
		`"aGVs bG8 = "`:   "hello",
		`"/+8\/-_8="`:     "\xff\xef\x3f\xfb\xff",
		`"\u0061GVsbG8="`: "hello",
		`"aGVsb"`:         "hel",
		`""`:              "",
		`"===="`:          "",
		`"YQ=="`:          "a",
		`"YR=="`:          "a",
	} {
		m := Image{Data: Value(data)}
		decoded, err := m.Decode()
		require.NoError(t, err, data)
		assert.Equal(t, want, string(decoded), data)
		size, ok := m.Size()
		assert.True(t, ok)
		assert.EqualValues(t, len(want), size, data)
	}
	for _, data := range []string{"", "null", "5", `{"$ref":"x"}`, `"blob:sha256:0123"`, `"data:image/png;base64,aGVsbG8="`, `"a=b"`, `"aé"`, `"/tmp/x.png"`, `"x\u0000"`} {
		m := Image{Data: Value(data)}
		_, err := m.Decode()
		assert.ErrorIs(t, err, ErrNotBase64, data)
		_, ok := m.Size()
		assert.False(t, ok, data)
	}
}

func TestImageExt(t *testing.T) {
	for mimeType, want := range map[string]string{
		"image/png": "png", "image/jpeg": "jpg", "image/jpg": "jpg", "image/gif": "gif", "image/webp": "webp", "image/svg+xml": "svg",
		"image/bmp": "bmp", "image/tiff": "tiff", "image/avif": "avif", "": "bin", "../x": "bin", "text/html": "bin",
	} {
		assert.Equal(t, want, Image{MimeType: mimeType}.Ext())
	}
}

// FuzzImage holds Size against Decode, and both against encoding/base64.
func FuzzImage(f *testing.F) {
	f.Add("aGVsbG8=", []byte("hello"))
	f.Fuzz(func(t *testing.T, text string, file []byte) {
		m := Image{Data: AppendString(nil, text)}
		decoded, err := m.Decode()
		size, ok := m.Size()
		require.Equal(t, err == nil, ok)
		if ok {
			require.EqualValues(t, len(decoded), size)
		}
		for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
			decoded, err := Image{Data: AppendString(nil, encoding.EncodeToString(file))}.Decode()
			require.NoError(t, err)
			require.Equal(t, file, append(file[:0:0], decoded...))
		}
	})
}
