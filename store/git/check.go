package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

const (
	// mostProblems is how many problems of one repository are returned.
	mostProblems = 20
	fsckWait     = 6 * time.Hour
)

// CheckRefs looks for refs that lead to missing objects: it checks that every ref leads to an object, and every commit of
// a ref to its files. It does not look at the history; Fsck does. It returns one sentence for each problem.
func (r Repo) CheckRefs(ctx context.Context) ([]string, error) {
	refs, err := r.Refs("refs/")
	if err != nil || len(refs) == 0 {
		return nil, err
	}
	ids := make([]string, len(refs))
	for i, ref := range refs {
		ids[i] = ref.ID
	}
	kinds, err := r.objectTypes(ctx, ids)
	if err != nil {
		return nil, err
	}
	var problems []string
	var commits []Ref
	var trees []string
	for i, ref := range refs {
		switch kinds[i] {
		case "":
			problems = append(problems, fmt.Sprintf("%s leads to the object %s, which is missing", ref.Name, ref.ID))
		case KindCommit:
			commits, trees = append(commits, ref), append(trees, ref.ID+"^{tree}")
		}
	}
	if kinds, err = r.objectTypes(ctx, trees); err != nil {
		return nil, err
	}
	for i, ref := range commits {
		if kinds[i] == "" {
			problems = append(problems, fmt.Sprintf("the files of %s (commit %s) are missing", ref.Name, ref.ID))
		}
	}
	return problems[:min(len(problems), mostProblems)], nil
}

// objectTypes returns the types of objects, in order; empty for those that are missing or damaged.
func (r Repo) objectTypes(ctx context.Context, revs []string) ([]string, error) {
	if len(revs) == 0 {
		return nil, nil
	}
	types := make([]string, 0, len(revs))
	in := strings.NewReader(strings.Join(revs, "\n") + "\n")
	args := []string{"cat-file", "--batch-check=%(objecttype)", "--buffer"}
	err := r.run(ctx, call{wait: maintainWait, stdin: in, args: args}, func(out io.Reader) error {
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			kind := lines.Text()
			if strings.Contains(kind, " ") { // such as «0123… missing»
				kind = ""
			}
			types = append(types, kind)
		}
		return lines.Err()
	})
	if err != nil {
		return nil, err
	}
	if len(types) != len(revs) {
		return nil, fmt.Errorf("git answered %d of %d questions about objects", len(types), len(revs))
	}
	return types, nil
}

// Fsck checks every object of the repository and everything that refs lead to. It takes long for a large repository. It
// returns what git finds wrong, one line for each problem.
func (r Repo) Fsck(ctx context.Context) ([]string, error) {
	var problems []string
	add := func(line string) {
		if line = strings.TrimSpace(line); line != "" && len(problems) < mostProblems {
			problems = append(problems, line)
		}
	}
	args := []string{"fsck", "--full", "--no-dangling", "--no-progress"}
	err := r.run(ctx, call{wait: fsckWait, args: args}, func(out io.Reader) error {
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			add(lines.Text())
		}
		return lines.Err()
	})
	var failed *CommandError
	if !errors.As(err, &failed) {
		return nil, err
	}
	for line := range strings.Lines(failed.Stderr) {
		if !strings.HasPrefix(line, "notice:") {
			add(line)
		}
	}
	return problems, nil
}
