package feature

import (
	"slices"
	"testing"
)

func TestAValueIsTrueFalseOrAPercentage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		value   any
		on      bool
		percent int64 // -1 for none
	}{
		{true, true, -1},
		{"true", true, -1},
		{false, false, -1},
		{"FALSE", false, -1},
		{30.0, false, 30},
		{"0", false, 0},
		{"100", false, 100},
	} {
		on, percent, err := readValue(c.value)
		if err != nil || on != c.on || (percent == nil) != (c.percent < 0) || percent != nil && *percent != c.percent {
			t.Errorf("%v: %t, %v, %v", c.value, on, percent, err)
		}
	}
	for _, bad := range []any{"", "yes", 1.5, 101.0, -1.0, nil, "1e2"} {
		if _, _, err := readValue(bad); err == nil {
			t.Errorf("%v is accepted", bad)
		}
	}
}

func TestConditionsOfASwitch(t *testing.T) {
	t.Parallel()
	half := int64(50)
	g := Setting{}.apply(Gates{}, false, &half)
	if g.State() != "conditional" || g.Time != 50 {
		t.Errorf("%+v", g)
	}
	g = Setting{Targets: []string{"User:2", "User:1"}, Group: "staff"}.apply(g, true, nil)
	if !slices.Equal(g.Actors, []string{"User:1", "User:2"}) || !slices.Equal(g.Groups, []string{"staff"}) || g.Time != 50 {
		t.Errorf("%+v", g)
	}
	g = Setting{Targets: []string{"User:2"}}.apply(g, false, nil)
	if !slices.Equal(g.Actors, []string{"User:1"}) || g.State() != "conditional" {
		t.Errorf("%+v", g)
	}
	if g = (Setting{}).apply(g, true, nil); g.State() != "on" || len(g.Actors) != 0 {
		t.Errorf("%+v", g)
	}
	if g = (Setting{}).apply(g, false, nil); g.State() != "off" {
		t.Errorf("%+v", g)
	}
}
