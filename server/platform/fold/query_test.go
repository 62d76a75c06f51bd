package fold

import (
	"strings"
	"testing"
)

func TestParseQuery(t *testing.T) {
	cases := []struct {
		raw  string
		want []Pair
	}{
		{"", nil},
		{"a=1&b=2", []Pair{{"a", "1"}, {"b", "2"}}},
		{"&&a=1&", []Pair{{"a", "1"}}},
		{"a", []Pair{{"a", ""}}},
		{"a=", []Pair{{"a", ""}}},
		{"=1", []Pair{{"", "1"}}},
		{"a=b=c", []Pair{{"a", "b=c"}}},
		{"a=1;b=2", []Pair{{"a", "1;b=2"}}},
		{"a+b=c+d%2Be", []Pair{{"a b", "c d+e"}}},
		{"scope%5B%5D=a&scope%5b%5d=b", []Pair{{"scope[]", "a"}, {"scope[]", "b"}}},
		{"n=%C3%A9&m=é%20x&o=%E2%82%AC", []Pair{{"n", "é"}, {"m", "é x"}, {"o", "€"}}},
		{"since=2024-01-01T00:00:00%2B02:00", []Pair{{"since", "2024-01-01T00:00:00+02:00"}}},
		{"a%3Db=1%262", []Pair{{"a=b", "1&2"}}},
	}
	for _, c := range cases {
		got, err := ParseQuery(c.raw, Limits{})
		if err != nil {
			t.Errorf("%q: %v", c.raw, err)
		}
		wantEqual(t, got, c.want)
	}
}

func TestParseQueryRefuses(t *testing.T) {
	cases := []struct{ raw, want string }{
		{"name=%", "name is invalid"},
		{"name=%2", "name is invalid"},
		{"name=%zz", "name is invalid"},
		{"name=ab%00c", "name is invalid"},
		{"name=\x00", "name is invalid"},
		{"name=%ff", "name is invalid"},
		{"name=\xff", "name is invalid"},
		{"v%5B0%5D=%C3", "v[0] is invalid"},
		{"%=1", "a parameter is invalid"},
		{"%00=1", "a parameter is invalid"},
		{"a%0A=%", "a parameter is invalid"},
		{strings.Repeat("n", 300) + "=%", "a parameter is invalid"},
	}
	for _, c := range cases {
		_, err := ParseQuery(c.raw, Limits{})
		wantError(t, err, c.want)
	}
	if _, err := ParseQuery("a&b&c", Limits{Values: 3}); err != nil {
		t.Error(err)
	}
	_, err := ParseQuery("a&b&c&d", Limits{Values: 3})
	wantError(t, err, "too many parameters")
}
