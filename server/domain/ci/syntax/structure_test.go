package syntax

import (
	"fmt"
	"strings"
	"testing"
)

// TestStructure is a table of files and the resulting script, image, tags and variables of job a.
func TestStructure(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, source, want string }{
		{"extends", ".b: {script: b, image: i, tags: [x]}\na: {extends: .b, tags: [y]}", "b / i / y /"},
		{"extends several", ".b: {script: b, image: i}\n.c: {script: c}\na: {extends: [.b, .c]}", "c / i / /"},
		{"extends deep", ".b: {variables: {X: 1, Y: 1}}\na: {extends: .b, script: a, variables: {Y: 2}}", "a / / / X=1 Y=2"},
		{
			"extends in extends",
			".c: {script: c, variables: {X: c}}\n.b: {extends: .c, variables: {Y: b}}\na: {extends: .b}",
			"c / / / X=c Y=b",
		},
		{"extends a visible job", "b: {script: b, image: i}\na: {extends: b, script: a}", "a / i / /"},
		{"extends null", "a: {extends: null, script: a}", "a / / /"},
		{"null overrides", ".b: {script: b, image: i}\na: {extends: .b, image: null}", "b / / /"},
		{"reference", ".b: {script: [one, two]}\na: {script: [!reference [.b, script], three]}", "one; two; three / / /"},
		{
			"reference to a value",
			".b: {variables: {X: 1}}\na: {script: x, image: !reference [.c, image]}\n.c: {image: {name: i}}",
			"x / i / /",
		},
		{"reference to variables", ".b: {variables: {X: 1}}\na: {script: x, variables: !reference [.b, variables]}", "x / / / X=1"},
		{
			"reference to one of a hash",
			".b: {variables: {X: 1}}\na: {script: x, variables: {Y: !reference [.b, variables, X]}}", "x / / / Y=1",
		},
		{
			"reference in reference",
			".c: {script: [c]}\n.b: {script: [!reference [.c, script], b]}\na: {script: !reference [.b, script]}",
			"c; b / / /",
		},
		{"reference to what extends", ".c: {script: [c]}\n.b: {extends: .c}\na: {script: !reference [.b, script]}", "c / / /"},
		{"extends with reference", ".c: {script: [c]}\n.b: {script: [!reference [.c, script]]}\na: {extends: .b}", "c / / /"},
		{
			"reference through a reference",
			".c: {variables: {X: 1}}\n.b: {variables: !reference [.c, variables]}\na: {script: x, variables: {Y: " +
				"!reference [.b, variables, X]}}",
			"x / / / Y=1",
		},
		{"anchor", ".b: &b {script: b, image: i}\na: *b", "b / i / /"},
		{"merge key", ".b: &b {script: b, image: i}\na: {<<: *b, script: a}", "a / i / /"},
		{"merge key after", ".b: &b {script: b, image: i}\na: {script: a, <<: *b}", "a / i / /"},
		{"merge keys", ".b: &b {script: b}\n.c: &c {script: c, image: i}\na: {<<: [*b, *c]}", "b / i / /"},
		{"quoted << is a key", "a: {script: a, variables: {'<<': x}}", "a / / / <<=x"},
		{"last of two keys", "a: {script: one, script: two}", "two / / /"},
		{"yes is a boolean", "a: {script: a, allow_failure: yes, interruptible: On}", "a / / /"},
		{
			"values as written",
			"a: {script: a, variables: {A: 010, B: 1.10, C: yes, D: 1e3, E: '', F: 0x1f, G: 2026-11-15}}",
			"a / / / A=010 B=1.10 C=yes D=1e3 E= F=0x1f G=2026-11-15",
		},
		{"numbers in scripts", "a: {script: [1, true]}", "1; true / / /"},
		{"default", "default: {image: d, tags: [t]}\na: {script: a}", "a / d / t /"},
		{"default overridden", "default: {image: d, tags: [t]}\na: {script: a, image: o, tags: []}", "a / o / /"},
		{"global", "image: g\nbefore_script: [b]\na: {script: a}", "b; a / g / /"},
		{"inherit nothing", "default: {image: d, tags: [t]}\na: {script: a, inherit: {default: false}}", "a / / /"},
		{"inherit some", "default: {image: d, tags: [t]}\na: {script: a, inherit: {default: [tags]}}", "a / / t /"},
		{"inherit no variables", "variables: {X: 1}\na: {script: a, inherit: {variables: false}}", "a / / /"},
		{"inherit some variables", "variables: {X: 1, Y: 2}\na: {script: a, inherit: {variables: [Y]}}", "a / / / Y=2"},
		{"extends before default", "default: {image: d}\n.b: {image: e}\na: {extends: .b, script: a}", "a / e / /"},
		{"a key called like a number", "1: {script: x}\na: {script: a}", "a / / /"},
		{"byte order mark", "\ufeffa: {script: a}", "a / / /"},
		{"CRLF", "a:\r\n  script:\r\n    - a\r\n", "a / / /"},
	} {
		p, err := build(c.source, Sources{}, push(""))
		if err != nil {
			t.Errorf("%s: %s", c.name, errorText(err))
			continue
		}
		got := ""
		for _, j := range p.Jobs {
			if j.Name == "a" {
				got = outline(j)
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func outline(j Job) string {
	image := ""
	if j.Image != nil {
		image = j.Image.Name + " "
	}
	tags := strings.Join(j.Tags, ",")
	if tags != "" {
		tags += " "
	}
	s := strings.Join(append(j.BeforeScript, j.Script...), "; ") + " / " + image + "/ " + tags + "/"
	for _, v := range j.Variables {
		s += " " + v.Key + "=" + v.Value
	}
	return s
}

// TestGraph is a table of files and the resulting stages, names and needs.
func TestGraph(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, source, want string }{
		{"stages in order", "stages: [b, a]\nx: {stage: a, script: x}\ny: {stage: b, script: x}", "b: y | a: x"},
		{"pre and post", "z: {stage: .post, script: x}\nx: {script: x}\ny: {stage: .pre, script: x}", ".pre: y | test: x | .post: z"},
		{"default stages", "x: {stage: deploy, script: x}\ny: {stage: build, script: x}\nz: {script: x}", "build: y | test: z | deploy: x"},
		{"needs", "x: {stage: build, script: x}\ny: {script: x, needs: [x]}", "build: x | test: y<-x"},
		{"no needs", "x: {stage: build, script: x}\ny: {script: x, needs: []}", "build: x | test: y<-"},
		{"needs in a stage", "x: {script: x, needs: [y]}\ny: {script: x}", "test: x<-y y"},
		{"optional", "x: {script: x, needs: [{job: y, optional: true}]}\ny: {script: x, rules: [{if: $NONE}]}", "test: x<-"},
		{"optional of nothing", "x: {script: x, needs: [{job: nobody, optional: true}]}", "test: x<-"},
		{
			"need that stays out", "x: {script: x, needs: [y]}\ny: {script: x, rules: [{if: $NONE}]}",
			"1:24 'x' job needs 'y' job, but 'y' does not exist in the pipeline. This might be because of the only, " +
				"except, or rules keywords. To need a job that sometimes does not exist in the pipeline, use " +
				"needs:optional.",
		},
		{
			"parallel", "x: {stage: build, script: x, parallel: 3}\ny: {script: x, needs: [x]}",
			"build: x 1/3 x 2/3 x 3/3 | test: y<-x 1/3,x 2/3,x 3/3",
		},
		{
			"one of parallel", "x: {stage: build, script: x, parallel: 3}\ny: {script: x, needs: ['x 2/3']}",
			"build: x 1/3 x 2/3 x 3/3 | test: y<-x 2/3",
		},
		{
			"matrix",
			"x: {stage: build, script: x, parallel: {matrix: [{A: [1, 2], B: [c, d]}]}}\ny: {script: x, needs: " +
				"[{job: x, parallel: {matrix: [{A: 1, B: [c, d]}]}}]}",
			"build: x: [1, c] x: [1, d] x: [2, c] x: [2, d] | test: y<-x: [1, c],x: [1, d]",
		},
		{
			"two of a matrix",
			"x: {stage: build, script: x, parallel: {matrix: [{A: [1, 2]}]}}\ny: {script: x, needs: [{job: x, " +
				"parallel: {matrix: [{A: 1}]}}, {job: x, parallel: {matrix: [{A: 2}]}}]}",
			"build: x: [1] x: [2] | test: y<-x: [1],x: [2]",
		},
		{
			"needs of rules",
			"x: {stage: build, script: x}\ny: {script: x, needs: [x], rules: [{if: $CI_COMMIT_BRANCH, needs: []}]}",
			"build: x | test: y<-",
		},
		{
			"only pre", "x: {stage: .pre, script: x}",
			"Pipeline will not run for the selected trigger. The rules configuration prevented any jobs from being added to the pipeline.",
		},
		{"bridge", "x: {trigger: {include: child.yml}}", "test: x"},
		{"mirror", "x: {needs: {pipeline: acme/other}}", "test: x<-"},
		{"mirror with a script", "x: {needs: {pipeline: acme/other}, script: x}", "1:12 jobs:x:needs:need job can't be blank"},
		{"hooks without script", "x: {script: [], hooks: {pre_get_sources_script: a}}", "1:1 jobs:x script can't be blank"},
	} {
		p, err := build(c.source, Sources{}, push(""))
		got := errorText(err)
		if err == nil {
			got = graph(p)
		}
		if got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
	}
}

func graph(p *Pipeline) string {
	stages := make([]string, len(p.Stages))
	for i, stage := range p.Stages {
		stages[i] = stage + ":"
	}
	for _, j := range p.Jobs {
		stages[j.StageIndex] += " " + j.Name
		if j.HasNeeds {
			needs := make([]string, len(j.Needs))
			for i, n := range j.Needs {
				needs[i] = n.Job
			}
			stages[j.StageIndex] += "<-" + strings.Join(needs, ",")
		}
	}
	return strings.Join(stages, " | ")
}

func TestNeedsAreBounded(t *testing.T) {
	t.Parallel()
	source := "x: {stage: build, script: x, parallel: %d}\ny: {script: x, needs: [x]}"
	if _, err := build(fmt.Sprintf(source, 50), Sources{}, push("")); err != nil {
		t.Error(errorText(err))
	}
	_, err := build(fmt.Sprintf(source, 51), Sources{}, push(""))
	if got := errorText(err); got != "2:1 y: one job can only need 50 others, but you have listed 51" {
		t.Error(got)
	}
}

func TestExtendsAndReferencesAreBounded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		link, last string
		n          int
		want       string
	}{
		{".x%d: {extends: .x%d}\n", "a: {extends: .x0}", 10, "<nil>"},
		{".x%d: {extends: .x%d}\n", "a: {extends: .x0}", 11, "13:1 a: nesting too deep in `extends`"},
		{".x%d: {extends: .x%d}\n", "a: {extends: .x0}", 5000, "13:1 .x12: nesting too deep in `extends`"},
		{".x%d: {script: !reference [.x%d, script]}\n", "a: {script: !reference [.x0, script]}", 9, "<nil>"},
		{
			".x%d: {script: !reference [.x%d, script]}\n", "a: {script: !reference [.x0, script]}", 11,
			`11:16 !reference [".x11", "script"] is nested too deeply; 10 levels are allowed`,
		},
	} {
		var file strings.Builder
		for i := range c.n {
			fmt.Fprintf(&file, c.link, i, i+1)
		}
		fmt.Fprintf(&file, ".x%d: {script: [end]}\n%s\n", c.n, c.last)
		_, err := build(file.String(), Sources{}, push(""))
		if got, _, _ := strings.Cut(errorText(err), "\n"); got != c.want {
			t.Errorf("%d times %s: %s, want %s", c.n, c.link, got, c.want)
		}
	}
}

// References whose paths lead through each other end with an error.
func TestReferencesThroughEachOther(t *testing.T) {
	t.Parallel()
	_, err := build(".a: !reference [.b, x]\n.b: !reference [.a, x]\na: {script: x}", Sources{}, push(""))
	if !strings.Contains(errorText(err), `!reference [".b", "x"] is part of a circular chain`) {
		t.Error(errorText(err))
	}
}

func TestBridges(t *testing.T) {
	t.Parallel()
	p := mustBuild(
		t,
		"default: {image: i, interruptible: true}\na: {trigger: b/c}\nb: {needs: {pipeline: $UP}, variables: {UP: "+
			"acme/up}}\nc: {script: x}",
	)
	a, b, c := p.Jobs[0], p.Jobs[1], p.Jobs[2]
	if !a.IsBridge() || !b.IsBridge() || c.IsBridge() || a.Image != nil || !a.Interruptible || b.CrossNeeds[0].Pipeline != "acme/up" {
		t.Errorf("%+v\n%+v\n%+v", a, b, c)
	}
}

func TestDescribed(t *testing.T) {
	t.Parallel()
	c, err := Load(
		[]byte("a: {script: x, when: manual, rules: [{if: $NONE}]}\nb: {script: x, needs: [a], only: [main], except: "+
			"[tags]}\nc: {script: x, allow_failure: true}"),
		Sources{}, push(""),
	)
	if err != nil {
		t.Fatal(errorText(err))
	}
	var got []string
	for _, j := range c.Jobs() {
		got = append(got, fmt.Sprint(j.Name, " ", j.When, " ", j.AllowFailure, " ", len(j.Needs), j.Only, j.Except))
	}
	if want := "a manual true 0 [] []|b on_success false 1 [main] [tags]|c on_success true 0 [branches tags] []"; strings.Join(
		got, "|",
	) != want {
		t.Error(strings.Join(got, "|"))
	}
}

func TestSkips(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]bool{
		"fix [skip ci]": true, "[CI SKIP] x": true, "[ci-skip]": true, "x\n\n[skip_ci]": true, "skip ci": false,
		"[skip  ci]": false, "": false,
	} {
		if SkipsCI(message) != want {
			t.Errorf("%q: %v", message, !want)
		}
	}
}

func TestWarnings(t *testing.T) {
	t.Parallel()
	p := mustBuild(
		t,
		"a: {script: one, script: two}\nb: {script: x, rules: [{if: $X}, {when: always}]}\nc: {script: x, retry: {when: always}}",
	)
	var got []string
	for _, w := range p.Warnings {
		got = append(got, fmt.Sprintf("%d:%d %s", w.Line, w.Column, w.Message))
	}
	want := "1:18 The key script is defined twice; the last one is used\n3:23 jobs:c:retry has no max, so the job is never retried\n" +
		"2:34 jobs:b may allow multiple pipelines to run for a single action due to `rules:when` clause with no `workflow:rules`"
	if strings.Join(got, "\n") != want {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
}

func TestMergedYAML(t *testing.T) {
	t.Parallel()
	source := "include: a.yml\n.b: {script: [b], variables: {YES: 'yes', N: 1, NUL: null, S: '1', M: \"a\\nb\"}}\na: " +
		"{extends: .b, before_script: [!reference [.b, script]]}\n"
	sources := files(map[string]string{"a.yml": "c: {script: c}"})
	c, err := Load([]byte(source), sources, push(""))
	if err != nil {
		t.Fatal(errorText(err))
	}
	merged, err := c.MergedYAML()
	if err != nil {
		t.Fatal(err)
	}
	again, err := Load([]byte(merged), Sources{}, push(""))
	if err != nil {
		t.Fatalf("%s\n%s", errorText(err), merged)
	}
	first, _ := c.Compile(push(""))
	second, err := again.Compile(push(""))
	if err != nil {
		t.Fatal(errorText(err))
	}
	for i := range first.Jobs {
		if one, two := outline(first.Jobs[i]), outline(second.Jobs[i]); one != two {
			t.Errorf("%s is %s after a round", one, two)
		}
	}
	if strings.Contains(merged, "include") || strings.Contains(merged, "extends") || strings.Contains(merged, "reference") {
		t.Error(merged)
	}
}
