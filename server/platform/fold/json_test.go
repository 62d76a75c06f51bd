package fold

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"
)

// oracle decodes with encoding/json, but refuses trailing data.
func oracle(data []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, io.ErrUnexpectedEOF
	}
	return v, nil
}

var accepted = []string{
	`{}`, `[]`, `""`, `null`, `true`, `false`, `0`, `-0`, `-1.5e+10`, `1E400`, ` [ 1 , 2 ] `, "\t\r\n{}",
	`{"a":1,"A":2,"":3}`, `{"a":{"b":[{"c":null}]}}`, `"\"\\\/\b\f\n\r\t"`, `"\u00e9é\ud83d\ude00x"`, `"\ufffd�"`,
	`{"\u0061":"b"}`, `[[],{},[{}]]`, `"a\u0001b"`, `123456789012345678901234567890`, `["x\u00e9","plain"]`,
}

func TestJSONAgreesWithEncodingJSON(t *testing.T) {
	for _, text := range accepted {
		got, err := JSON([]byte(text), Limits{})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		want, err := oracle([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		wantEqual(t, got, want)
	}
}

const malformed = "message body does not match declared format"

func TestJSONRefuses(t *testing.T) {
	cases := []struct{ text, want string }{
		{``, malformed},
		{`  `, malformed},
		{`{`, malformed},
		{`[1`, malformed},
		{`[1,]`, malformed},
		{`[,1]`, malformed},
		{`{"a"}`, malformed},
		{`{"a":}`, malformed},
		{`{"a":1,}`, malformed},
		{`{a:1}`, malformed},
		{`{"a":1 "b":2}`, malformed},
		{`[1 2]`, malformed},
		{`tru`, malformed},
		{`nul`, malformed},
		{`True`, malformed},
		{`NaN`, malformed},
		{`+1`, malformed},
		{`01`, malformed},
		{`1.`, malformed},
		{`.5`, malformed},
		{`1e`, malformed},
		{`1e+`, malformed},
		{`-`, malformed},
		{`--1`, malformed},
		{`0x10`, malformed},
		{`"`, malformed},
		{`"a`, malformed},
		{`"\`, malformed},
		{`"\x"`, malformed},
		{`"\u12"`, malformed},
		{`"\u12g4"`, malformed},
		{`"\n`, malformed},
		{"\"a\nb\"", malformed},
		{"\"a\\tb\n\"", malformed},
		{`'a'`, malformed},
		{`{} {}`, malformed},
		{`1 2`, malformed},
		{"\ufeff{}", malformed},
		{"{}\x00", malformed},
		{`/* */ {}`, malformed},
		{"\"a\x00\"", malformed},
		{`{"a":1,"a":2}`, "a was sent more than once"},
		{`{"a":1,"\u0061":2}`, "a was sent more than once"},
		{`{"v":[{},{"k":1,"k":1}]}`, "v[1][k] was sent more than once"},
		{`{"":1,"":2}`, "a parameter was sent more than once"},
		{`{"a":"\u0000"}`, "a is invalid"},
		{"{\"a\":{\"b\":\"\xff\"}}", "a[b] is invalid"},
		{"{\"a\":\"\\n\xc3\\u00a9\"}", "a is invalid"},
		{"{\"\xff\":1}", "a parameter is invalid"},
		{"{\"a\\n\":\"\\u0000\"}", "a parameter is invalid"},
		{`"\ud800"`, "a parameter is invalid"},
		{`{"a":"\ud800\ufffd"}`, "a is invalid"},
		{`{"a":"\ud800\ud800"}`, "a is invalid"},
		{`{"a":"\udc00\ud800"}`, "a is invalid"},
		{`{"a":"\ud800x"}`, "a is invalid"},
		{"{\"a\":\"\xed\xa0\x80\"}", "a is invalid"},
		{`{"n":` + strings.Repeat("1", 1001) + `}`, "n is invalid"},
		{`{"` + strings.Repeat("k", 300) + `":"\u0000"}`, "a parameter is invalid"},
	}
	for _, c := range cases {
		v, err := JSON([]byte(c.text), Limits{})
		if v != nil {
			t.Errorf("%q is accepted", c.text)
		}
		t.Run(c.text[:min(len(c.text), 40)], func(t *testing.T) { wantError(t, err, c.want) })
	}
}

func TestJSONKeepsWithinLimits(t *testing.T) {
	nested := func(n int) []byte { return []byte(strings.Repeat("[", n) + strings.Repeat("]", n)) }
	if _, err := JSON(nested(100), Limits{}); err != nil {
		t.Error(err)
	}
	_, err := JSON(nested(101), Limits{})
	wantError(t, err, "message body is nested too deeply")
	_, err = JSON([]byte(`{"a":{"b":{}}}`), Limits{Depth: 2})
	wantError(t, err, "message body is nested too deeply")
	_, err = JSON([]byte(strings.Repeat("[", 20_000)), Limits{Depth: 1 << 40})
	wantError(t, err, "message body is nested too deeply")

	if _, err = JSON([]byte(`{"a":[1,2],"b":[[]]}`), Limits{Values: 5}); err != nil {
		t.Error(err)
	}
	_, err = JSON([]byte(`{"a":[1,2],"b":[[]]}`), Limits{Values: 4})
	wantError(t, err, "too many parameters")
	if _, err = JSON([]byte(strings.Repeat("1", 1000)), Limits{}); err != nil {
		t.Error(err)
	}
}

func TestJSONRefusesDeepNestingAtOnce(t *testing.T) {
	data := []byte(strings.Repeat(`{"a":[`, 5_000_000))
	start := time.Now()
	if _, err := JSON(data, Limits{}); err == nil {
		t.Error("accepted")
	}
	if spent := time.Since(start); spent > 500*time.Millisecond {
		t.Errorf("took %v", spent)
	}
}

func TestJSONLongDocument(t *testing.T) {
	long := strings.Repeat("é", sharedSize)
	got, err := JSON([]byte(`{"a":"`+long+`","b":12,"c":"\n`+long+`"}`), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	wantEqual(t, got, any(map[string]any{"a": long, "b": json.Number("12"), "c": "\n" + long}))
}

func FuzzJSON(f *testing.F) {
	for _, text := range accepted {
		f.Add([]byte(text))
	}
	for _, text := range []string{
		`{"a":1,"a":2}`, `"\ud800"`, "\"\xff\"", `[[[[[[[[[[1]]]]]]]]]]`, `[1,2,3,4,5,6,7,8,9,10]`, `{"a":`, `"\u0000"`,
	} {
		f.Add([]byte(text))
	}
	limits := Limits{Depth: 8, Values: 30}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := JSON(data, limits)
		want, wantErr := oracle(data)
		if err == nil {
			if wantErr != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("%q: got %#v, encoding/json %#v, %v", data, got, want, wantErr)
			}
			return
		}
		var e *Error
		if !errors.As(err, &e) {
			t.Fatalf("error is %T", err)
		}
		if wantErr == nil && !excused(e.Reason, data, limits) {
			t.Fatalf("%q is refused: %v", data, err)
		}
	})
}

// excused reports whether the given reason explains why we refuse a document that encoding/json accepts.
func excused(reason string, data []byte, limits Limits) bool {
	switch {
	case strings.HasSuffix(reason, isRepeated):
		return repeatsKey(json.NewDecoder(bytes.NewReader(data)))
	case strings.HasSuffix(reason, isTooDeep):
		return bytes.Count(data, []byte("["))+bytes.Count(data, []byte("{")) > limits.Depth
	case reason == tooMany:
		return bytes.Count(data, []byte(","))+bytes.Count(data, []byte("["))+bytes.Count(data, []byte("{")) > limits.Values
	case strings.HasSuffix(reason, isInvalid):
		// encoding/json replaces what it cannot read with U+FFFD.
		v, _ := oracle(data)
		text, _ := json.Marshal(v)
		return bytes.ContainsRune(text, '\ufffd') || bytes.Contains(text, []byte(`\ufffd`)) || bytes.Contains(text, []byte(`\u0000`)) ||
			repeatsKey(json.NewDecoder(bytes.NewReader(data))) || len(data) > longestNumber
	}
	return false
}

// repeatsKey reads one value token by token.
func repeatsKey(dec *json.Decoder) bool {
	dec.UseNumber()
	token, err := dec.Token()
	delim, container := token.(json.Delim)
	if err != nil || !container {
		return false
	}
	seen := map[string]bool{}
	for dec.More() {
		if delim == '{' {
			key, err := dec.Token()
			name, ok := key.(string)
			if err != nil || !ok || seen[name] {
				return ok && err == nil
			}
			seen[name] = true
		}
		if repeatsKey(dec) {
			return true
		}
	}
	_, _ = dec.Token()
	return false
}

func BenchmarkJSON(b *testing.B) {
	docs := map[string]string{
		"small": `{"ref":"main","variables":[{"key":"A","value":"1"},{"key":"B","value":"2"}],"protected":true,"count":17}`,
		"text":  `{"branch":"main","content":"` + strings.Repeat("abcdefghij", 100_000) + `"}`,
		"list":  `{"ids":[` + strings.Repeat("123,", 5000) + `4]}`,
	}
	for _, name := range []string{"small", "text", "list"} {
		data := []byte(docs[name])
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if _, err := JSON(data, DefaultLimits); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/encoding_json", func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if _, err := oracle(data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
