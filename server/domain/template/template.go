// Package template has the templates of files that the instance offers: .gitignore files, Dockerfiles, CI/CD configurations and
// licenses, and those of issues and merge requests that a repository has.
//
//	template.go  templates of the instance
//	license.go   licenses
//	project.go   templates of a repository
package template

import (
	"embed"
	"io/fs"
	"slices"
	"strings"

	"svc/server/domain/ci/syntax"
	"svc/server/platform/apierr"
)

//go:embed files
var files embed.FS

// Kind is a kind of template, as the API names it.
type Kind string

// The kinds of templates.
const (
	Dockerfiles   Kind = "dockerfiles"
	Gitignores    Kind = "gitignores"
	CI            Kind = "gitlab_ci_ymls"
	Licenses      Kind = "licenses"
	Issues        Kind = "issues"
	MergeRequests Kind = "merge_requests"
)

// things are the names of templates in errors.
var things = map[Kind]string{
	Dockerfiles: "Dockerfile", Gitignores: "Gitignore", CI: "Gitlab_ci_yml", Licenses: "License", Issues: "Template",
	MergeRequests: "Template",
}

// ReadKind reads the name of a kind.
func ReadKind(name string) (Kind, error) {
	if things[Kind(name)] == "" {
		return "", apierr.BadParameter("type does not have a valid value")
	}
	return Kind(name), nil
}

func notFound(kind Kind) error { return apierr.NotFound(things[kind]) }

// Template is the text of a file, with its name.
type Template struct{ Name, Content string }

// Names returns the names of the Dockerfiles, .gitignore files or CI/CD configurations, sorted. They are also their keys.
func Names(kind Kind) []string {
	if kind == CI {
		return syntax.Templates()
	}
	found, _ := fs.Glob(files, "files/"+string(kind)+"/*.txt") // the pattern is valid
	for i, file := range found {
		found[i] = nameOf(file)
	}
	slices.Sort(found)
	return found
}

// nameOf returns the name of a template in a file.
func nameOf(file string) string {
	return strings.TrimSuffix(file[strings.LastIndexByte(file, '/')+1:], ".txt")
}

// Get returns a Dockerfile, .gitignore file or CI/CD configuration, whose key is compared in any case of letters.
func Get(kind Kind, key string) (Template, error) {
	for _, name := range Names(kind) {
		if !strings.EqualFold(name, key) {
			continue
		}
		if kind == CI {
			text, err := syntax.Template(name)
			return Template{name, string(text)}, err
		}
		text, err := files.ReadFile("files/" + string(kind) + "/" + name + ".txt")
		return Template{name, string(text)}, err
	}
	return Template{}, notFound(kind)
}
