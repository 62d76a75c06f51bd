package syntax

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"svc/server/domain/ci/variables"
)

func TestRules(t *testing.T) {
	t.Parallel()
	context := push("YES=1 NO= NAME=svc PATTERN=/^s.c$/ DIR=docs EMPTY_PATTERN=x")
	context.Changed = func(compareTo string) ([]string, bool, error) {
		switch compareTo {
		case "":
			return []string{"docs/a.md", "src/main.go", "Makefile"}, true, nil
		case "old":
			return []string{"old.txt"}, true, nil
		case "new":
			return nil, false, nil
		}
		return nil, false, ErrNoRef
	}
	context.Files = func(project, _ string) ([]string, error) {
		if project == "acme/other" {
			return []string{"other.txt"}, nil
		}
		return []string{"docs/a.md", "src/main.go", "src/deep/er/x.go", "Makefile"}, nil
	}
	for _, c := range []struct{ job, want string }{
		{"rules: []", "out"},
		{"rules: [{if: $YES}]", "on_success"},
		{"rules: [{if: $NO}]", "out"},
		{"rules: [{if: $NO}, {if: $YES, when: manual}]", "manual"},
		{"rules: [{if: $NO, when: manual}, {when: always}]", "always"},
		{"rules: [{if: $YES, when: never}, {when: always}]", "out"},
		{"when: manual, rules: [{if: $YES}]", "manual may fail"},
		{"when: manual, rules: [{if: $YES, when: on_failure}]", "on_failure"},
		{"rules: [{when: delayed, start_in: 3 minutes}]", "delayed 3m0s"},
		{"rules: [{if: $YES, allow_failure: true}]", "on_success may fail"},
		{"allow_failure: true, rules: [{if: $YES}]", "on_success may fail"},
		{"allow_failure: true, rules: [{if: $YES, allow_failure: false}]", "on_success"},
		{"rules: [[{if: $NO}], [[{if: $YES}]]]", "on_success"},
		{"when: manual", "manual may fail"},
		{"when: manual, allow_failure: false", "manual"},
		{"when: never", "out"},
		{"when: on_failure", "on_failure"},
		{"when: delayed, start_in: 90", "delayed 1m30s"},

		{"rules: [{changes: [src/*.go]}]", "on_success"},
		{"rules: [{changes: [src/*.js]}]", "out"},
		{"rules: [{changes: [Makefile]}]", "on_success"},
		{"rules: [{changes: ['**/*.md']}]", "on_success"},
		{"rules: [{changes: ['*.md']}]", "out"},
		{"rules: [{changes: [$DIR/*]}]", "on_success"},
		{"rules: [{changes: {paths: [old.txt], compare_to: old}}]", "on_success"},
		{"rules: [{changes: {paths: [Makefile], compare_to: old}}]", "out"},
		{"rules: [{changes: {paths: [x], compare_to: new}}]", "on_success"},
		{
			"rules: [{changes: {paths: [x], compare_to: gone}}]",
			"1:35 Failed to parse rule for a: rules:changes:compare_to is not a valid ref",
		},
		{"rules: [{if: $NO, changes: [Makefile]}]", "out"},
		{"rules: [{if: $YES, changes: [Makefile]}]", "on_success"},
		{"rules: [{exists: [Makefile]}]", "on_success"},
		{"rules: [{exists: [makefile]}]", "out"},
		{"rules: [{exists: ['src/**/*.go']}]", "on_success"},
		{"rules: [{exists: ['src/**/x.{go,js}']}]", "on_success"},
		{"rules: [{exists: {paths: [other.txt], project: acme/other}}]", "on_success"},
		{"rules: [{exists: {paths: [Makefile], project: acme/other}}]", "out"},
		{"rules: [{exists: [nothing]}, {exists: [Makefile], when: manual}]", "manual"},
	} {
		p, err := build("{a: {script: x, "+c.job+"}, other: {script: x}}", Sources{}, context)
		if got := shown(p, err); got != c.want {
			t.Errorf("%s: %s, want %s", c.job, got, c.want)
		}
	}
}

// shown describes the result of the first job, a.
func shown(p *Pipeline, err error) string {
	if err != nil {
		return errorText(err)
	}
	if p.Jobs[0].Name != "a" {
		return "out"
	}
	a := p.Jobs[0]
	s := a.When
	if a.StartIn != 0 {
		s += fmt.Sprintf(" %s", a.StartIn)
	}
	if a.AllowFailure {
		s += " may fail"
	}
	return s
}

func TestOnlyAndExcept(t *testing.T) {
	t.Parallel()
	contexts := map[string]Context{
		"push":     {Source: "push", Ref: "main", Project: "acme/web"},
		"feature":  {Source: "push", Ref: "feature/x", Project: "acme/web"},
		"tag":      {Source: "push", Ref: "v1.2", Tag: true, Project: "acme/web"},
		"merge":    {Source: "merge_request_event", Ref: "feature/x", Project: "acme/web"},
		"schedule": {Source: "schedule", Ref: "main", Project: "acme/web"},
		"trigger":  {Source: "trigger", Ref: "main", Project: "acme/web"},
		"changed": {Source: "push", Ref: "main", Project: "acme/web", Changed: func(string) ([]string, bool, error) {
			return []string{"a.txt"}, true, nil
		}, Predefined: pairs("FLAG=on")},
	}
	for _, c := range []struct{ job, in, out string }{
		{"stage: test", "push feature tag schedule trigger changed", "merge"},
		{"only: [main]", "push schedule trigger changed", "feature tag merge"},
		{"only: main", "push", "feature"},
		{"only: [tags]", "tag", "push feature merge schedule"},
		{"only: [branches]", "push feature schedule", "tag merge"},
		{"only: [merge_requests]", "merge", "push tag"},
		{"only: [schedules, triggers]", "schedule trigger", "push tag merge"},
		{"only: [pushes]", "push feature tag", "schedule merge"},
		{"only: ['/^feature\\/.*$/']", "feature", "push tag merge"},
		{"only: ['/^FEATURE/i']", "feature", "push"},
		{"only: [branches@acme/web]", "push", "tag merge"},
		{"only: [branches@other/web]", "", "push tag"},
		{"only: ['/^ma/@acme/web']", "push", "feature"},
		{"except: [main]", "feature tag", "push schedule merge"},
		{"except: [tags]", "push feature", "tag merge"},
		{"only: [branches], except: [main]", "feature", "push tag"},
		{"only: {refs: [main], variables: ['$FLAG == \"on\"']}", "changed", "push feature"},
		{"only: {variables: [$NONE, $FLAG]}", "changed", "push tag merge"},
		{"except: {variables: [$FLAG]}", "push", "changed"},
		{"only: {changes: [a.txt]}", "changed push", "merge"},
		{"only: {changes: [b.txt]}", "push", "changed"},
		{"except: {changes: [a.txt]}", "", "changed push"},
		{"except: {refs: [tags], changes: [b.txt]}", "changed", "tag"},
	} {
		for kind, context := range contexts {
			wantIn, wantOut := slices.Contains(strings.Fields(c.in), kind), slices.Contains(strings.Fields(c.out), kind)
			if !wantIn && !wantOut {
				continue
			}
			_, err := build("{a: {script: x, "+c.job+"}}", Sources{}, context)
			if in := err == nil; in != wantIn || !in && !errors.Is(err, ErrNoJobs) {
				t.Errorf("%s, %s: %v", c.job, kind, err)
			}
		}
	}
}

func TestWorkflow(t *testing.T) {
	t.Parallel()
	const jobs = "\na: {script: x, rules: [{if: '$KIND == \"main\"'}]}\nb: {script: x}\n"
	for _, c := range []struct{ workflow, ref, want string }{
		{"workflow: {rules: [{if: $CI_COMMIT_TAG}]}", "main", ErrFiltered.Error()},
		{"workflow: {rules: [{if: '$CI_COMMIT_BRANCH', when: never}, {when: always}]}", "main", ErrFiltered.Error()},
		{"workflow: {rules: []}", "main", ErrFiltered.Error()},
		{"workflow: {rules: [{if: '$CI_COMMIT_BRANCH == \"main\"', variables: {KIND: main}}, {when: always}]}", "main", "a b"},
		{"variables: {KIND: none}\nworkflow: {rules: [{if: '$CI_COMMIT_BRANCH == \"main\"', variables: {KIND: main}}]}", "main", "a b"},
		{"workflow: {rules: [{when: always}]}", "main", "b"},
	} {
		context := push("")
		context.Ref = c.ref
		p, err := build(c.workflow+jobs, Sources{}, context)
		got := fmt.Sprint(err)
		if err == nil {
			got = names(p)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.workflow, got, c.want)
		}
	}
	p := mustBuild(
		t,
		"workflow: {name: 'To $CI_COMMIT_BRANCH', auto_cancel: {on_new_commit: none}, rules: [{when: always, "+
			"auto_cancel: {on_job_failure: all}}]}\na: {script: x}",
	)
	if p.Name != "To main" || p.AutoCancel != (AutoCancel{"none", "all"}) {
		t.Errorf("%q %+v", p.Name, p.AutoCancel)
	}
	merge := Context{Source: "merge_request_event", Ref: "x"}
	if _, err := build("workflow: {rules: [{when: always}]}\na: {script: x}", Sources{}, merge); err != nil {
		t.Errorf("with workflow:rules a job is for merge requests, too: %v", err)
	}
}

func TestPrecedence(t *testing.T) {
	t.Parallel()
	context := push("")
	context.Predefined = append(context.Predefined, variables.Public("A", "predefined"))
	context.Given = func(environment string) []variables.Variable {
		if environment == "prod/eu" {
			return pairs("D=for-prod")
		}
		return pairs("E=given")
	}
	source := `
variables: {A: top, B: top, C: top, E: top, WHERE: prod}
workflow: {rules: [{when: always, variables: {B: workflow}}]}
a:
  script: x
  variables: {C: job, REGION: eu}
  rules:
    - if: $A == "top" && $B == "workflow" && $C == "job" && $E == "given"
      variables: {C: rule}
    - if: $D == "for-prod"
      when: manual
`
	p, err := build(source, Sources{}, context)
	if err != nil {
		t.Fatal(errorText(err))
	}
	got := ""
	for _, v := range p.Jobs[0].Variables {
		got += v.Key + "=" + v.Value + " "
	}
	if want := "A=top B=workflow C=rule E=top WHERE=prod REGION=eu "; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	p, err = build(source+"  environment: $WHERE/$REGION\n", Sources{}, context)
	if err != nil {
		t.Fatal(errorText(err))
	}
	if a := p.Jobs[0]; a.When != "manual" || a.Environment.Name != "prod/eu" {
		t.Errorf("variables of the environment: %s %+v", a.When, a.Environment)
	}
}
