package seed

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"svc/server/domain/fixture"
)

// Branches and commits of a full project.
const (
	branchMetrics = "count-requests"
	branchTypo    = "fix-guide"
	branchReadme  = "rewrite-readme"
	branchCache   = "cache-answers"
	branchIdea    = "other-storage"

	commitRelease = "first-release"
	commitMetrics = "metrics"
	commitMerge   = "merge-metrics"
)

const ciFile = `stages: [build, test, deploy]

build:
  stage: build
  script:
    - go build -o bin/service .
  artifacts:
    paths: [bin/]

test:
  stage: test
  script:
    - go test ./...
  coverage: '/total: (\d+)%/'

deploy:
  stage: deploy
  script:
    - echo "deploy to $DEPLOY_TARGET"
  when: manual
`

// history declares the repository: a default branch with a merge, branches for merge requests, and tags.
func (p *project) history() {
	readme := "# " + p.Name + "\n\n" + p.Description + "\n"
	guide := "# Guide\n\nStart the servise with `go run .`.\n"
	p.commit("Initial commit", p.owner, "main", map[string]string{"README.md": readme, ".gitignore": "bin/\n"})
	p.commit("Add the service", developer, "main", map[string]string{
		"go.mod": "module example.invalid/" + p.slug + "\n\ngo 1.26\n", "main.go": mainFile(p.Name),
	})
	p.commit("Add a test", developer, "main", map[string]string{"main_test.go": testFile})
	p.commit("Build and test in CI", maintainer, "main", map[string]string{".gitlab-ci.yml": ciFile})
	p.commit("Add a guide", developer, "main", map[string]string{"docs/guide.md": guide}).ID = commitRelease
	p.commit("Count requests", developer, branchMetrics, map[string]string{"metrics.go": metricsFile})
	p.commit("Test the counter", developer, branchMetrics, map[string]string{"metrics_test.go": metricsTest}).ID = commitMetrics
	p.commit("Try files instead of memory", developer, branchIdea, map[string]string{"storage.go": "package main\n"})
	merge := p.commit(fmt.Sprintf("Merge branch '%s' into 'main'\n\nCount requests\n\nCloses #2\n\nSee merge request %s!1",
		branchMetrics, p.Path), maintainer, "main", map[string]string{"metrics.go": metricsFile, "metrics_test.go": metricsTest})
	merge.ID, merge.Parents = commitMerge, &[]string{"main", commitMetrics}
	p.commit("Correct the guide", developer, branchTypo, map[string]string{
		"docs/guide.md": strings.ReplaceAll(guide, "servise", "service"),
	})
	p.commit("Rewrite the README", developer, branchReadme, map[string]string{"README.md": readme + "\nIt counts requests.\n"})
	p.commit("Remember answers", developer, branchCache, map[string]string{"cache.go": "package main\n\n// to be written\n"})
	p.commit("Say more in the README", p.owner, "main", map[string]string{"README.md": readme + "\nRead docs/guide.md.\n"})
	p.Tags = []fixture.Tag{
		{
			Name: "v1.0.0", Target: commitRelease, Message: "The first release", Tagger: fixture.Person{User: maintainer},
			CreatedAt: p.later(time.Hour),
		},
		{Name: "v1.1.0", Target: commitMerge},
	}
}

// commit adds a commit and returns it.
func (p *project) commit(message, author, branch string, files map[string]string) *fixture.Commit {
	c := fixture.Commit{
		Message: message, Author: fixture.Person{User: author}, Branch: branch, AuthoredAt: p.later(50 * time.Minute),
		Files: fixture.Files{},
	}
	for name, text := range files {
		c.Files[name] = fixture.TextFile(text)
	}
	p.Commits = append(p.Commits, c)
	return &p.Commits[len(p.Commits)-1]
}

func sortMembers(members []fixture.Member) {
	slices.SortFunc(members, func(a, b fixture.Member) int { return strings.Compare(a.User, b.User) })
}

func mainFile(name string) string {
	return fmt.Sprintf(`// Command %s answers requests.
package main

import (
	"fmt"
	"net/http"
)

func main() {
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, greeting)
	})
	http.ListenAndServe("127.0.0.1:8000", nil)
}

const greeting = "This is %s."
`, slug(name), name)
}

const (
	testFile = `package main

import "testing"

func TestTheGreetingIsASentence(t *testing.T) {
	if greeting[len(greeting)-1] != '.' {
		t.Error(greeting)
	}
}
`
	metricsFile = `package main

import "sync/atomic"

var requests atomic.Int64
`
	metricsTest = `package main

import "testing"

func TestTheCounterBeginsWithZero(t *testing.T) {
	if requests.Load() != 0 {
		t.Error(requests.Load())
	}
}
`
)
