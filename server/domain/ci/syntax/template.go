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

// ErrNoTemplate says that there is no template of that name.
var ErrNoTemplate = errors.New("template not found")

// Template is the CI file that include:template names, such as Go.yml or Go.gitlab-ci.yml.
func Template(name string) ([]byte, error) {
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".yml"), ".gitlab-ci")
	if !slices.Contains(Templates(), name) {
		return nil, ErrNoTemplate
	}
	return templates.ReadFile("templates/" + name + ".yml")
}

// Templates are the names of all templates, in order.
func Templates() []string {
	files, _ := fs.Glob(templates, "templates/*.yml") // the pattern is right
	names := make([]string, len(files))
	for i, file := range files {
		names[i] = strings.TrimSuffix(strings.TrimPrefix(file, "templates/"), ".yml")
	}
	return names
}
