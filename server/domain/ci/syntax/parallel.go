package syntax

import (
	"fmt"
	"slices"
	"strings"

	"svc/server/domain/ci/variables"
)

const (
	minParallel = 1
	maxParallel = 200
)

// variant is one of the jobs of a parallel job.
type variant struct {
	suffix    string // of the job name
	variables []variables.Variable
}

// parallel reads a number of identical jobs, or a matrix of variables.
func (d decoder) parallel(path string, v *value) []variant {
	switch v.kind {
	case integer:
		n, ok := d.wholeNumber(path+" config", v)
		switch {
		case !ok:
		case n < minParallel:
			d.fail(v.at, "%s config must be greater than or equal to %d", path, minParallel)
		case n > maxParallel:
			d.fail(v.at, "%s config must be less than or equal to %d", path, maxParallel)
		default:
			return equalVariants(n)
		}
	case dict:
		var variants []variant
		d.object(path, v, fields{
			"matrix": func(v *value) { variants = d.matrixVariants(path+":matrix", v) },
		})
		return variants
	default:
		d.fail(v.at, "%s config should be an integer or a hash", path)
	}
	return nil
}

func equalVariants(n int) []variant {
	variants := make([]variant, n)
	for i := range variants {
		variants[i].suffix = fmt.Sprintf(" %d/%d", i+1, n)
	}
	return variants
}

// matrixVariants returns every combination of the values in each part of a matrix.
func (d decoder) matrixVariants(path string, v *value) []variant {
	var variants []variant
	for _, part := range d.matrixEntries(path, v) {
		total := 1
		for _, e := range part {
			if total *= len(e.values); total > maxParallel {
				break
			}
		}
		if total+len(variants) > maxParallel {
			d.fail(v.at, "%s config generates too many jobs (maximum is %d)", path, maxParallel)
			return nil
		}
		variants = append(variants, combine(part, total)...)
	}
	return variants
}

// combine counts through the values. The last variable changes fastest.
func combine(part []matrixEntry, total int) []variant {
	variants := make([]variant, total)
	for i := range variants {
		chosen := make([]variables.Variable, len(part))
		names := make([]string, len(part))
		rest := i
		for k := len(part) - 1; k >= 0; k-- {
			values := part[k].values
			names[k] = values[rest%len(values)]
			chosen[k] = variables.Public(part[k].key, names[k])
			rest /= len(values)
		}
		variants[i] = variant{suffix: ": [" + strings.Join(names, ", ") + "]", variables: chosen}
	}
	return variants
}

type matrixEntry struct {
	key    string
	values []string
}

// matrixEntries reads a list of dictionaries. Each value is a string or a list of strings.
func (d decoder) matrixEntries(path string, v *value) [][]matrixEntry {
	if v.kind != list || len(v.items) == 0 {
		d.fail(v.at, "%s config should be an array of hashes", path)
		return nil
	}
	parts := make([][]matrixEntry, 0, len(v.items))
	for _, item := range v.items {
		if item.kind != dict || len(item.entries) == 0 {
			d.fail(item.at, "%s config should be an array of hashes", path)
			return nil
		}
		part := make([]matrixEntry, 0, len(item.entries))
		for _, e := range item.entries {
			values := d.textOrTexts(path+":"+clip(e.key)+" config", e.value)
			if len(values) == 0 {
				d.fail(e.at, "%s:%s config should be an array of strings or a string", path, clip(e.key))
				return nil
			}
			part = append(part, matrixEntry{e.key, values})
		}
		parts = append(parts, part)
	}
	return parts
}

// matrix reads which variants of a parallel job are needed.
func (d decoder) matrix(path string, v *value) []map[string][]string {
	parts := d.matrixEntries(path, v)
	wanted := make([]map[string][]string, 0, len(parts))
	for _, part := range parts {
		one := make(map[string][]string, len(part))
		for _, e := range part {
			one[e.key] = e.values
		}
		wanted = append(wanted, one)
	}
	return wanted
}

// isWanted reports whether a need includes this variant of a parallel job.
func (v variant) isWanted(matrix []map[string][]string) bool {
	if matrix == nil {
		return true
	}
	for _, wanted := range matrix {
		fits := len(wanted) == len(v.variables)
		for _, own := range v.variables {
			fits = fits && slices.Contains(wanted[own.Key], own.Value)
		}
		if fits {
			return true
		}
	}
	return false
}
