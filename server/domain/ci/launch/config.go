package launch

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"svc/server/domain/ci/syntax"
)

// defaultFiles are where the CI file is looked for.
var defaultFiles = []string{".svc-ci.yml", ".gitlab-ci.yml"}

// source is the text of the CI file.
func (w *work) source(ctx context.Context) ([]byte, error) {
	if w.Config != nil {
		return w.Config, nil
	}
	names := defaultFiles
	if set := w.Project.Project.CiConfigPath; set != nil && *set != "" {
		file, project, ref := configPlace(*set)
		if project != "" {
			return including(included{Project: project, Ref: ref, File: file})
		}
		names = []string{file}
	}
	for _, name := range names {
		text, err := readFile(ctx, w.repo, w.SHA, name)
		var mistakes syntax.Errors
		switch {
		case errors.Is(err, syntax.ErrNoFile):
			continue
		case errors.As(err, &mistakes):
			return make([]byte, syntax.MaxFile+1), nil // whose length is what is wrong with it
		}
		return text, err
	}
	return nil, &RefusedError{Texts: []string{noFile}, None: true}
}

// configPlace reads where a project says that its CI file is: path, path@group/project or path@group/project:ref.
func configPlace(set string) (file, project, ref string) {
	file, rest, elsewhere := strings.Cut(set, "@")
	if elsewhere {
		project, ref, _ = strings.Cut(rest, ":")
	}
	return strings.TrimPrefix(file, "/"), project, ref
}

// included is one file that a CI file of our own making includes.
type included struct {
	Local    string            `json:"local,omitempty"`
	Template string            `json:"template,omitempty"`
	Project  string            `json:"project,omitempty"`
	Ref      string            `json:"ref,omitempty"`
	File     string            `json:"file,omitempty"`
	Inputs   map[string]string `json:"inputs,omitempty"`
}

// including is a CI file that only includes others. JSON is YAML, and its strings need no other care.
func including(files ...included) ([]byte, error) {
	for i := range files { // what is written here was expanded before
		for _, text := range []*string{&files[i].Local, &files[i].Template, &files[i].Project, &files[i].Ref, &files[i].File} {
			*text = strings.ReplaceAll(*text, "$", "$$")
		}
	}
	return json.Marshal(map[string]any{"include": files})
}
