package syntax

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestInclude(t *testing.T) {
	t.Parallel()
	sources := files(map[string]string{
		"a.yml":                   "variables: {FROM: a, A: a}\nshared: {script: from a, tags: [a]}\n.hidden: {image: one}",
		"ci/b.yml":                "shared: {script: from b}\nonly-b: {script: b}",
		"ci/c.yaml":               "c: {script: c}",
		"ci/c.txt":                "no YAML",
		"nest.yml":                "include: /a.yml\nnested: {script: n}",
		"loop.yml":                "include: loop2.yml\nx: {script: x}",
		"loop2.yml":               "include: [a.yml, loop.yml]",
		"bad.yml":                 "x:\n  script: y\n bad",
		"text.yml":                "just a text",
		"empty.yml":               "  \n",
		"wrong.yml":               "wrong:\n  script: x\n  foo: 1\n",
		"acme/ci@main:t.yml":      "include: rel.yml\nt: {script: t}",
		"acme/ci@main:rel.yml":    "rel: {script: from acme/ci}",
		"acme/ci@:default.yml":    "d: {script: d}",
		"acme/ci@v1:sub/main.yml": "s: {script: s}",
		"input.yml": "spec:\n  inputs:\n    stage: {default: test}\n    name:\n---\n'$[[ inputs.name " +
			"]]-job':\n  stage: $[[ inputs.stage ]]\n  script: echo $[[ inputs.name ]]",
		"acme/other@HEAD:/../x.yml": "x: {script: x}",
	})
	context := push("WHERE=ci NAME=b SECRET=hush")
	context.Files = func(project, _ string) ([]string, error) {
		if project != "" {
			return nil, ErrNoProject
		}
		return []string{"a.yml", "ci/b.yml", "ci/c.yaml", "ci/c.txt"}, nil
	}
	for _, c := range []struct{ include, want string }{
		{"a.yml", "shared: from a | main: m"},
		{"[a.yml, ci/b.yml]", "shared: from b | only-b: b | main: m"},
		{"[ci/b.yml, a.yml]", "shared: from a | only-b: b | main: m"},
		{"{local: /a.yml}", "shared: from a | main: m"},
		{"$WHERE/$NAME.yml", "shared: from b | only-b: b | main: m"},
		{"ci/*.yml", "shared: from b | only-b: b | main: m"},
		{"'ci/**.yml'", "shared: from b | only-b: b | main: m"},
		{"'**.yml'", "shared: from b | only-b: b | main: m"},
		{"'**/*.yml'", "shared: from b | only-b: b | main: m"},
		{"'ci/**/*.yml'", "1:10 Local file `ci/**/*.yml` does not have any matching files!"},
		{"'ci/**'", "shared: from b | only-b: b | c: c | main: m"},
		{"nest.yml", "shared: from a | nested: n | main: m"},
		{"{project: acme/ci, ref: main, file: t.yml}", "rel: from acme/ci | t: t | main: m"},
		{"{project: acme/ci, file: [default.yml]}", "d: d | main: m"},
		{"{project: acme/ci, ref: v1, file: /sub/main.yml}", "s: s | main: m"},
		{"{local: input.yml, inputs: {name: hello}}", "hello-job: echo hello | main: m"},
		{"{template: Pages.yml}", "pages: test -d public | main: m"},
		{"{template: Pages.gitlab-ci.yml}", "pages: test -d public | main: m"},
		{"[{local: a.yml, rules: [{if: $NONE}]}]", "main: m"},
		{"[{local: a.yml, rules: [{if: $WHERE}]}]", "shared: from a | main: m"},
		{"[{local: a.yml, rules: [{exists: [ci/c.txt]}]}]", "shared: from a | main: m"},
		{"[{local: a.yml, rules: [{exists: [ci/d.txt]}]}]", "main: m"},
		{"[{local: a.yml, rules: [{if: $WHERE, when: never}]}]", "main: m"},

		{"loop.yml", "loop2.yml:1:18 Include `loop.yml` includes itself"},
		{"none.yml", "1:10 Local file `none.yml` does not exist!"},
		{"$SECRET.yml", "1:10 Local file `$SECRET.yml` does not exist!"},
		{"nothing/*.yml", "1:10 Local file `nothing/*.yml` does not have any matching files!"},
		{"ci/c.txt", "1:10 Included file `ci/c.txt` does not have YAML extension!"},
		{"../../etc/passwd.yml", "1:10 Local file `../../etc/passwd.yml` does not exist!"},
		{"empty.yml", "1:10 Local file `empty.yml` is empty!"},
		{"text.yml", "text.yml:1:1 Included file `text.yml` does not have valid YAML syntax!"},
		{"bad.yml", "bad.yml:3:2 (<unknown>): did not find expected key while parsing a block mapping at line 3 column 2"},
		{"wrong.yml", "wrong.yml:1:1 jobs:wrong config contains unknown keys: foo"},
		{
			"{project: no/project, file: a.yml}",
			"1:10 Project `no/project` not found or access denied! Make sure any includes in the pipeline " +
				"configuration are correctly defined.",
		},
		{"{project: acme/ci, ref: noref, file: a.yml}", "1:10 Project `acme/ci` reference `noref` does not exist!"},
		{"{project: acme/ci, ref: main, file: none.yml}", "1:10 Project `acme/ci` file `none.yml` does not exist!"},
		{"{local: input.yml}", "input.yml:4:5 `name` input: required value has not been provided"},
		{"{local: input.yml, inputs: {name: a, other: b}}", "1:38 unknown input arguments: other"},
		{"{local: input.yml, inputs: {name: [a]}}", "1:44 `name` input: provided value is not a string"},
	} {
		p, err := build("include: "+c.include+"\nmain: {script: m}", sources, context)
		got := ""
		if err != nil {
			got = errorText(err)
		} else {
			var all []string
			for _, j := range p.Jobs {
				all = append(all, j.Name+": "+strings.Join(j.Script, "; "))
			}
			got = strings.Join(all, " | ")
		}
		if got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.include, got, c.want)
		}
	}
}

func TestIncludeMerges(t *testing.T) {
	t.Parallel()
	p, err := build("include: a.yml\nshared: {tags: [b], variables: {Y: 2}}\nvariables: {V: main}", files(map[string]string{
		"a.yml": "variables: {V: a, W: a}\nshared: {script: from a, tags: [a], variables: {X: 1}}",
	}), push(""))
	if err != nil {
		t.Fatal(errorText(err))
	}
	shared := p.Jobs[0]
	if got := fmt.Sprint(shared.Script, shared.Tags, shared.Variables); got != "[from a] [b] [{V main false false "+
		"false true} {W a false false false true} {X 1 false false false true} {Y 2 false false false true}]" {
		t.Error(got)
	}
}

func TestIncludeRemoteAndFailures(t *testing.T) {
	t.Parallel()
	sources := Sources{Remote: func(url string) ([]byte, error) {
		if url == "https://example.com/a.yml" {
			return []byte("far: {script: away}"), nil
		}
		return nil, errors.New("no route")
	}}
	if p, err := build("include: https://example.com/a.yml\na: {script: x}", sources, push("")); err != nil || names(p) != "far a" {
		t.Errorf("%v %v", p, err)
	}
	_, err := build("include: {remote: https://example.org/b.yml}\na: {script: x}", sources, push(""))
	if got := errorText(err); got != "1:10 Remote file `https://example.org/b.yml` could not be fetched!" {
		t.Error(got)
	}
	down := errors.New("the disk is gone")
	_, err = build("include: a.yml\na: {script: x}", Sources{File: func(_, _, _ string) ([]byte, error) { return nil, down }}, push(""))
	var mistakes Errors
	if !errors.Is(err, down) || errors.As(err, &mistakes) {
		t.Errorf("a failure of ours is told as %v", err)
	}
}

func TestIncludesAreBounded(t *testing.T) {
	t.Parallel()
	all := map[string]string{}
	var list []string
	for i := range 200 {
		name := fmt.Sprintf("f%d.yml", i)
		all[name] = fmt.Sprintf("j%d: {script: x}", i)
		list = append(list, name)
	}
	_, err := build("include: ["+strings.Join(list, ", ")+"]", files(all), push(""))
	if got := errorText(err); !strings.HasSuffix(got, "Maximum of 150 nested includes are allowed!") {
		t.Error(got)
	}
	p, err := build("include: ["+strings.Join(list[:150], ", ")+"]", files(all), push(""))
	if err != nil || len(p.Jobs) != 150 {
		t.Error(errorText(err))
	}
	// Each file includes the next one twice: 2^20 includes without a limit.
	for i := range 20 {
		all[fmt.Sprintf("d%d.yml", i)] = fmt.Sprintf("include: [d%d.yml, d%d.yml]", i+1, i+1)
	}
	all["d20.yml"] = "x: {script: x}"
	if _, err := build("include: d0.yml", files(all), push("")); !strings.Contains(errorText(err), "Maximum of 150") {
		t.Error(errorText(err))
	}
}

func TestInputs(t *testing.T) {
	t.Parallel()
	const header = `spec:
  inputs:
    word: {default: hello, options: [hello, bye]}
    count: {type: number, default: 2}
    on: {type: boolean, default: true}
    list: {type: array, default: [a, b]}
    code: {default: ABC-1, regex: '^[A-Z]+-\d$'}
    vars: {default: $CI_COMMIT_BRANCH}
---
`
	for _, c := range []struct{ job, inputs, want string }{
		{"script: 'echo $[[ inputs.word ]]'", "", "echo hello"},
		{"script: 'echo $[[inputs.word]] $[[ inputs.count ]]'", "word=bye", "echo bye 2"},
		{"script: '$[[ inputs.list ]]'", "", "a|b"},
		{"script: x, parallel: '$[[ inputs.count ]]'", "", "x"},
		{"script: x, interruptible: '$[[ inputs.on ]]'", "on=false", "x"},
		{"script: 'echo $[[ inputs.vars | expand_vars | truncate(1,2) ]]'", "", "echo ai"},
		{"script: 'echo $[[ inputs.word | posix_escape ]]'", "", "echo hello"},
		{"script: 'echo $[[ inputs.none ]]'", "", "10:13 unknown interpolation key: `inputs.none`"},
		{
			"script: 'echo $[[ inputs.word | shout ]]'", "",
			"10:13 no function matching `shout`: check that the function name, arguments, and types are correct",
		},
		{"script: 'echo $[[ inputs.list ]]'", "", "10:13 an array cannot be used inside a string:  inputs.list "},
		{"script: x", "word=hi", "0:0 `word` input: `hi` cannot be used because it is not in the list of allowed options"},
		{"script: x", "count=many", "0:0 `count` input: provided value is not a number"},
		{"script: x", "on=perhaps", "0:0 `on` input: provided value is not a boolean"},
		{"script: x", "code=abc", "0:0 `code` input: provided value does not match required RegEx pattern"},
		{"script: x", "none=1", "0:0 unknown input arguments: none"},
		{"script: 'echo $[[ open'", "", "echo $[[ open"},
	} {
		context := push("")
		context.Inputs = map[string]string{}
		for _, v := range pairs(c.inputs) {
			context.Inputs[v.Key] = v.Value
		}
		p, err := build(header+"a: {"+c.job+"}", Sources{}, context)
		got := errorText(err)
		if err == nil {
			got = strings.Join(p.Jobs[0].Script, "|")
		}
		if got != c.want {
			t.Errorf("%s %s:\ngot  %s\nwant %s", c.job, c.inputs, got, c.want)
		}
	}
}

func TestTemplatesCompile(t *testing.T) {
	t.Parallel()
	all := Templates()
	if len(all) < 4 {
		t.Errorf("%d templates", len(all))
	}
	for _, name := range all {
		if _, err := build("include: {template: "+name+".yml}\nown: {script: x}", Sources{}, push("")); err != nil {
			t.Errorf("%s: %s", name, errorText(err))
		}
	}
	if _, err := Template("../template.go"); !errors.Is(err, ErrNoTemplate) {
		t.Errorf("a path: %v", err)
	}
}
