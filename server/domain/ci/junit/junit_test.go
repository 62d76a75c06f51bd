package junit

import (
	"errors"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	t.Parallel()
	s, err := Parse(strings.NewReader(`<?xml version="1.0"?><testsuites><testsuite name="a">
<testcase classname="c" name="one" time="1.5" file="a.go"/>
<testcase name="two" time="0.5"><failure message="m">it broke</failure></testcase>
<testcase name="three"><error message="no disk"/></testcase>
<testcase name="four"><skipped/></testcase>
<testcase name="five" time="x"><system-out>said</system-out></testcase></testsuite></testsuites>`))
	if err != nil || len(s.Cases) != 5 || s.Seconds != 2 || s.Count[Success] != 2 || s.Count[Failed] != 1 ||
		s.Count[Error] != 1 || s.Count[Skipped] != 1 {
		t.Fatalf("%+v %v", s, err)
	}
	if s.Cases[0] != (Case{Status: Success, Name: "one", Class: "c", File: "a.go", Seconds: 1.5}) {
		t.Errorf("%+v", s.Cases[0])
	}
	if s.Cases[1].Output != "it broke" || s.Cases[2].Output != "no disk" || s.Cases[4].Output != "said" {
		t.Errorf("%+v", s.Cases)
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"nothing": "", "no XML": "hello", "cut off": "<testsuites><testsuite>", "wrong ends": "<testsuite></testsuites>",
		"entities": `<!DOCTYPE a [<!ENTITY b "c">]><testsuite><testcase name="x">&b;</testcase></testsuite>`,
	} {
		if s, err := Parse(strings.NewReader(text)); err == nil {
			t.Errorf("%s: %+v", name, s)
		}
	}
	many := "<testsuite>" + strings.Repeat("<testcase/>", maxCases+2) + "</testsuite>"
	if _, err := Parse(strings.NewReader(many)); !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
	long := "<testsuite>" + strings.Repeat(" ", MaxBytes) + "</testsuite>"
	if _, err := Parse(strings.NewReader(long)); !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
}
