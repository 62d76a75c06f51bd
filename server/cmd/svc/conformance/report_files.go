package conformance

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"unicode"
)

// WriteJSON writes the whole report as JSON.
func (r *Report) WriteJSON(w io.Writer) error {
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	return out.Encode(r)
}

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitMessage `xml:"failure,omitempty"`
	Skipped *junitMessage `xml:"skipped,omitempty"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// WriteJUnit writes the report in the format that CI systems read: one suite for each area.
func (r *Report) WriteJUnit(w io.Writer) error {
	all := junitSuites{
		Name: "svc conformance", Tests: len(r.Results), Failures: r.Failed, Skipped: r.Skipped, Time: fmt.Sprintf("%.3f", r.Took.Seconds()),
	}
	for _, result := range r.Results {
		if n := len(all.Suites); n == 0 || all.Suites[n-1].Name != result.Area {
			all.Suites = append(all.Suites, junitSuite{Name: result.Area})
		}
		suite := &all.Suites[len(all.Suites)-1]
		suite.Tests++
		c := junitCase{
			Class: result.Area + "." + result.Scenario, Name: result.Promise, Time: fmt.Sprintf("%.3f", float64(result.Millis)/1000),
		}
		switch result.Outcome {
		case Failed:
			suite.Failures++
			c.Failure = &junitMessage{clean(result.Problems[0]), clean(strings.Join([]string{
				strings.Join(result.Problems, "\n"), result.Contract, result.Request, result.Answer,
			}, "\n\n"))}
		case Skipped:
			suite.Skipped++
			c.Skipped = &junitMessage{Message: clean(result.Reason)}
		case Passed:
		}
		suite.Cases = append(suite.Cases, c)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	out := xml.NewEncoder(w)
	out.Indent("", "  ")
	return out.Encode(all)
}

// clean removes characters that XML does not allow.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
}
