// Package junit reads JUnit test reports. It does no I/O besides reading the report, and limits how much memory a
// report can use.
package junit

import (
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"
)

// The results of a test.
const (
	Success = "success"
	Failed  = "failed"
	Skipped = "skipped"
	Error   = "error"
)

// Case is one test.
type Case struct {
	Status    string
	Name      string
	Class     string
	File      string
	Seconds   float64
	Output    string // the failure message, the reason for skipping, or the standard output
	OutputSet bool
}

// Suite holds the tests of one report.
type Suite struct {
	Cases   []Case
	Seconds float64
	Count   map[string]int64 // number of tests by Status
}

// Limits of a report.
const (
	MaxBytes  = 30 << 20
	maxCases  = 100_000
	maxOutput = 64 << 10 // bytes of output per test
	maxText   = 1 << 10  // bytes of a name
)

// ErrTooLarge means that a report exceeds these limits.
var ErrTooLarge = errors.New("the report is too large")

// Parse reads a JUnit XML report.
func Parse(from io.Reader) (Suite, error) {
	s := Suite{Count: map[string]int64{}}
	in := &io.LimitedReader{R: from, N: MaxBytes + 1}
	d := xml.NewDecoder(in)
	d.Strict = true
	seen := false
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) && seen {
			return s, nil
		}
		if in.N <= 0 || len(s.Cases) > maxCases {
			return s, ErrTooLarge
		}
		if err != nil {
			return s, err
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		seen = seen || start.Name.Local == "testsuites" || start.Name.Local == "testsuite"
		if start.Name.Local != "testcase" {
			continue
		}
		one, err := readCase(d, start)
		if err != nil {
			return s, err
		}
		s.Cases = append(s.Cases, one)
		s.Count[one.Status]++
		s.Seconds += one.Seconds
	}
}

// readCase reads one testcase element up to its end tag.
func readCase(d *xml.Decoder, start xml.StartElement) (Case, error) {
	var read struct {
		Name    string   `xml:"name,attr"`
		Class   string   `xml:"classname,attr"`
		File    string   `xml:"file,attr"`
		Time    string   `xml:"time,attr"`
		Failure *message `xml:"failure"`
		Error   *message `xml:"error"`
		Skipped *message `xml:"skipped"`
		Out     string   `xml:"system-out"`
	}
	if err := d.DecodeElement(&read, &start); err != nil {
		return Case{}, err
	}
	c := Case{Status: Success, Name: clip(read.Name, maxText), Class: clip(read.Class, maxText), File: clip(read.File, maxText)}
	if seconds, err := strconv.ParseFloat(strings.ReplaceAll(read.Time, ",", ""), 64); err == nil && seconds >= 0 && seconds < 1e9 {
		c.Seconds = seconds
	}
	told := (*message)(nil)
	switch {
	case read.Failure != nil:
		c.Status, told = Failed, read.Failure
	case read.Error != nil:
		c.Status, told = Error, read.Error
	case read.Skipped != nil:
		c.Status, told = Skipped, read.Skipped
	}
	if told != nil {
		c.Output, c.OutputSet = clip(told.text(), maxOutput), true
	} else if read.Out != "" {
		c.Output, c.OutputSet = clip(read.Out, maxOutput), true
	}
	return c, nil
}

type message struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

func (m *message) text() string {
	if text := strings.TrimSpace(m.Text); text != "" {
		return text
	}
	return m.Message
}

func clip(text string, most int) string {
	if len(text) > most {
		text = text[:most]
	}
	return strings.ToValidUTF8(text, "")
}
