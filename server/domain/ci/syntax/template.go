package syntax

import (
	"embed"
	"errors"
	"io/fs"
	"slices"
	"strings"
)

//go:embed templates/*.yml
var templates embed.FS

// ErrNoTemplate means that there is no template with the given name.
var ErrNoTemplate = errors.New("template not found")

// Template returns the CI file that include:template names, such as Go.yml or Go.gitlab-ci.yml.
func Template(name string) ([]byte, error) {
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".yml"), ".gitlab-ci")
	if !slices.Contains(Templates(), name) {
		return nil, ErrNoTemplate
	}
	return templates.ReadFile("templates/" + name + ".yml")
}

// Templates returns the names of all templates, sorted.
func Templates() []string {
	files, _ := fs.Glob(templates, "templates/*.yml") // the pattern is valid
	names := make([]string, len(files))
	for i, file := range files {
		names[i] = strings.TrimSuffix(strings.TrimPrefix(file, "templates/"), ".yml")
	}
	return names
}
