package launch

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"svc/server/domain/ci/syntax"
	"svc/store/git"
	"svc/store/model"
)

// DefaultFiles are the paths of the CI file, in the order in which they are tried.
var DefaultFiles = []string{".svc-ci.yml", ".gitlab-ci.yml"}

// source returns the text of the CI file.
func (w *launching) source(ctx context.Context) ([]byte, error) {
	if w.Config != nil {
		return w.Config, nil
	}
	names := DefaultFiles
	if set := w.Project.Project.CiConfigPath; set != nil && *set != "" {
		file, project, ref := parseConfigPath(*set)
		if project != "" {
			return includeConfig(includeItem{Project: project, Ref: ref, File: file})
		}
		names = []string{file}
	}
	name, text, err := firstFile(ctx, w.repo, w.SHA, names)
	if err == nil && name == "" {
		err = &RefusedError{Texts: []string{noFile}, NoJobs: true}
	}
	return text, err
}

// firstFile returns the name and the text of the first file that a commit has. The name is empty if it has none of them.
func firstFile(ctx context.Context, repo git.Repo, sha string, names []string) (string, []byte, error) {
	for _, name := range names {
		text, err := readFile(ctx, repo, sha, name)
		var mistakes syntax.Errors
		switch {
		case errors.Is(err, syntax.ErrNoFile):
			continue
		case errors.As(err, &mistakes):
			return name, make([]byte, syntax.MaxFile+1), nil // an oversized text, so that Load reports the right error
		}
		return name, text, err
	}
	return "", nil, nil
}

// ConfigFiles returns the paths that the CI file of a project can have, in the order in which they are tried. There are none
// if the file is in another project.
func ConfigFiles(project model.Project) []string {
	if set := project.CiConfigPath; set != nil && *set != "" {
		file, other, _ := parseConfigPath(*set)
		if other != "" {
			return nil
		}
		return []string{file}
	}
	return DefaultFiles
}

// ReadConfig returns the name and the text of the CI file of a project at a commit. Both are empty if there is none, or if
// it is in another project.
func (l *Launcher) ReadConfig(ctx context.Context, project model.Project, sha string) (string, []byte, error) {
	names := ConfigFiles(project)
	if len(names) == 0 {
		return "", nil, nil
	}
	repo, err := l.repo(project)
	if err != nil {
		return "", nil, err
	}
	return firstFile(ctx, repo, sha, names)
}

// parseConfigPath parses the CI file setting of a project: path, path@group/project or path@group/project:ref.
func parseConfigPath(set string) (file, project, ref string) {
	file, rest, elsewhere := strings.Cut(set, "@")
	if elsewhere {
		project, ref, _ = strings.Cut(rest, ":")
	}
	return strings.TrimPrefix(file, "/"), project, ref
}

// includeItem is an entry of the include list of a generated CI file.
type includeItem struct {
	Local    string            `json:"local,omitempty"`
	Template string            `json:"template,omitempty"`
	Project  string            `json:"project,omitempty"`
	Ref      string            `json:"ref,omitempty"`
	File     string            `json:"file,omitempty"`
	Inputs   map[string]string `json:"inputs,omitempty"`
}

// includeConfig returns a CI file that only includes others. It is written as JSON, which is valid YAML and needs no
// further escaping.
func includeConfig(files ...includeItem) ([]byte, error) {
	for i := range files { // the values are already expanded, so escape $
		for _, text := range []*string{&files[i].Local, &files[i].Template, &files[i].Project, &files[i].Ref, &files[i].File} {
			*text = strings.ReplaceAll(*text, "$", "$$")
		}
	}
	return json.Marshal(map[string]any{"include": files})
}
