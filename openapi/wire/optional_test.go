package wire

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type member struct {
	Bio Optional[string] `json:"bio,omitzero"`
}

func ptr[T any](v T) *T { return &v }

func TestAbsentNullAndValueAreToldApart(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name  string
		data  string
		made  Optional[string]
		isSet bool
		value *string
	}{
		{"absent", `{}`, Optional[string]{}, false, nil},
		{"null", `{"bio":null}`, Null[string](), true, nil},
		{"value", `{"bio":"a"}`, Some("a"), true, ptr("a")},
		{"empty value", `{"bio":""}`, Some(""), true, ptr("")},
		{"maybe a value", `{"bio":"a"}`, Maybe(ptr("a")), true, ptr("a")},
		{"maybe nil", `{"bio":null}`, Maybe[string](nil), true, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var read member
			if err := json.Unmarshal([]byte(c.data), &read); err != nil {
				t.Fatal(err)
			}
			for which, o := range map[string]Optional[string]{"read": read.Bio, "made": c.made} {
				if o.IsSet() != c.isSet || o.IsZero() == c.isSet {
					t.Errorf("%s: IsSet is %v and IsZero %v, want %v", which, o.IsSet(), o.IsZero(), c.isSet)
				}
				if diff := cmp.Diff(c.value, o.Ptr()); diff != "" {
					t.Errorf("%s: value differs:\n%s", which, diff)
				}
				data, err := json.Marshal(member{o})
				if string(data) != c.data || err != nil {
					t.Errorf("%s: JSON is %s, %v, want %s", which, data, err, c.data)
				}
			}
		})
	}
}

func TestASecondReadReplacesTheFirst(t *testing.T) {
	t.Parallel()
	m := member{Some("old")}
	if err := json.Unmarshal([]byte(`{"bio":null}`), &m); err != nil {
		t.Fatal(err)
	}
	if !m.Bio.IsSet() || m.Bio.Ptr() != nil {
		t.Errorf("null left the value %v", m.Bio.Ptr())
	}
}

func TestAValueOfTheWrongTypeIsRefused(t *testing.T) {
	t.Parallel()
	for _, data := range []string{`{"bio":1}`, `{"bio":{}}`, `{"bio":["a"]}`} {
		var m member
		if err := json.Unmarshal([]byte(data), &m); err == nil {
			t.Errorf("%s is read as a text", data)
		}
	}
}

func TestOptionalHoldsWireTypes(t *testing.T) {
	t.Parallel()
	var m struct {
		At Optional[Time]   `json:"at,omitzero"`
		On Optional[[]Date] `json:"on,omitzero"`
	}
	const want = `{"at":"2015-12-24T15:51:21.880Z","on":["2024-02-29"]}`
	if err := json.Unmarshal([]byte(want), &m); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(m)
	if string(data) != want || err != nil {
		t.Errorf("%s came back as %s, %v", want, data, err)
	}
}
