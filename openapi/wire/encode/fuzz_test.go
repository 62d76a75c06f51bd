package encode_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

func FuzzText(f *testing.F) {
	for _, text := range texts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		same(t, text)
		same(t, map[string]string{text: text})
		same(t, json.RawMessage(text))
		same(t, json.Number(text))
	})
}

func FuzzNumber(f *testing.F) {
	f.Add(uint64(0))
	f.Add(math.Float64bits(1e21))
	f.Add(math.Float64bits(1e-7))
	f.Fuzz(func(t *testing.T, bits uint64) {
		same(t, math.Float64frombits(bits))
		same(t, math.Float32frombits(uint32(bits)))
		same(t, int64(bits))
	})
}

func FuzzValue(f *testing.F) {
	f.Add(`{"a":[1,"<",null,{"b":true}],"":{}}`)
	f.Add(`{"ID":"a","Name":"b","All":[{"ID":"c"}],"Map":{"b":{"ID":"<"},"a":null},"Number":1.5}`)
	f.Fuzz(func(t *testing.T, text string) {
		type shape struct {
			ID     string
			Name   *string           `json:",omitempty"`
			Number float64           `json:"number,omitzero"`
			Exact  json.Number       `json:"exact,omitempty"`
			Raw    json.RawMessage   `json:"raw,omitempty"`
			Bytes  []byte            `json:"bytes"`
			All    []shape           `json:",omitempty"`
			Map    map[string]*shape `json:",omitempty"`
			Any    any
		}
		var value any
		var read shape
		exact := json.NewDecoder(strings.NewReader(text))
		exact.UseNumber()
		_ = json.Unmarshal([]byte(text), &value)
		_ = json.Unmarshal([]byte(text), &read) // what was read before an error is a value too
		same(t, value)
		same(t, read)
		if exact.Decode(&value) == nil {
			same(t, value)
		}
	})
}
