package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// maxRegression is how much a ratio may exceed the recorded one.
const maxRegression = 1.15

// ratios holds the ratios of a run, by database and line.
type ratios map[string]spread

// note keeps the ratio of a line. kind is empty if it does not depend on the database.
func (r *report) note(kind, line string, ratio spread) {
	if r.found == nil {
		r.found = ratios{}
	}
	if kind != "" {
		line = label(kind) + ": " + line
	}
	r.found[line] = ratio
}

// compared notes a ratio and judges it. Every promise that svc takes at most so many times the time of something else goes
// this way, or through measureLines and cell. Ratios of 99th percentiles are judged only: they vary by more from run to run
// than a regression may cost.
func (r *report) compared(kind, what, of string, got spread, limit float64, details string) {
	r.note(kind, strings.TrimSuffix(what, ",")+", over "+of, got)
	promise := fmt.Sprintf("%s at most %g x %s", what, limit, of)
	if kind != "" {
		promise += ", " + label(kind)
	}
	found := fmt.Sprintf("%.2f", got.median)
	if details != "" {
		found += " (" + details + ")"
	}
	r.number(got.median <= limit, promise, found)
}

// record writes the medians to a file. Lines that this run did not measure keep theirs.
func (r ratios) record(file string) error {
	recorded, err := readRatios(file)
	if err != nil {
		return err
	}
	for line, ratio := range r {
		recorded[line] = float64(int(ratio.median*100+0.5)) / 100
	}
	text, err := json.MarshalIndent(recorded, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o644) //nolint:gosec // belongs to the project
}

// regressions returns the lines whose ratio is too far above the recorded one. The lower quartile counts, because noise
// changes the median by more than a tenth.
func (r ratios) regressions(file string) ([]string, error) {
	recorded, err := readRatios(file)
	if err != nil {
		return nil, err
	}
	if len(recorded) == 0 {
		return nil, fmt.Errorf("%s has no ratios; record some with make bench RECORD=1", file)
	}
	var worse []string
	for _, line := range slices.Sorted(maps.Keys(r)) {
		if before, ok := recorded[line]; ok && r[line].low > maxRegression*before {
			worse = append(worse, fmt.Sprintf("%s: %s, recorded %.2f", line, r[line], before))
		}
	}
	return worse, nil
}

func readRatios(file string) (map[string]float64, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return map[string]float64{}, nil
	}
	if err != nil {
		return nil, err
	}
	recorded := map[string]float64{}
	if err := json.Unmarshal(text, &recorded); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return recorded, nil
}

// keepRatios records or checks the ratios of a run, as the flags say.
func (o options) keepRatios(r *report) error {
	if o.check != "" {
		worse, err := r.found.regressions(o.check)
		if err != nil {
			return err
		}
		for _, line := range worse {
			fmt.Fprintln(r.out, "regression:", line)
		}
		if len(worse) > 0 {
			return fmt.Errorf("%d of %d ratios are more than 15 %% above the recorded ones", len(worse), len(r.found))
		}
		fmt.Fprintf(r.out, "None of %d ratios is more than 15 %% above the recorded one.\n", len(r.found))
	}
	if o.record != "" {
		return r.found.record(o.record)
	}
	return nil
}
