package syntax

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// bombs returns files that try to use much time or memory, with a part of the expected message.
func bombs() map[string][2]string {
	var laughs strings.Builder
	laughs.WriteString(".a0: &a0 [ha, ha, ha, ha, ha, ha, ha, ha, ha, ha]\n")
	for i := 1; i < 30; i++ {
		fmt.Fprintf(&laughs, ".a%d: &a%d [%s*a%d]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 9), i-1)
	}
	var references strings.Builder
	for i := range 9 {
		fmt.Fprintf(
			&references, ".r%d: {script: [%s]}\n", i,
			strings.TrimSuffix(strings.Repeat(fmt.Sprintf("!reference [.r%d, script], ", i+1), 10), ", "),
		)
	}
	references.WriteString(".r9: {script: [ha]}\nr: {script: !reference [.r0, script]}\n")
	var values strings.Builder
	for i := range 40 {
		fmt.Fprintf(&values, "  V%d: $V%d$V%d\n", i, i+1, i+1)
	}
	var jobs strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&jobs, "j%d: {script: x}\n", i)
	}
	var long strings.Builder
	for range 400 {
		long.WriteString("    - if: $LONG =~ /x$/\n")
	}
	slow := "variables: {LONG: " + strings.Repeat("a", 400_000) + "}\n.b:\n  rules:\n" + long.String()
	for i := range 100 {
		slow += fmt.Sprintf("j%d: {extends: .b, script: x}\n", i)
	}
	merges := ".a0: &a0 {x: 1}\n"
	for i := 1; i < 50; i++ {
		merges += fmt.Sprintf(".a%d: &a%d {<<: [*a%d, *a%d], k%d: *a%d, l%d: *a%d}\n", i, i, i-1, i-1, i, i-1, i, i-1)
	}
	return map[string][2]string{
		"a long file":    {strings.Repeat("#", MaxFile+1), "The file is longer than"},
		"billion laughs": {laughs.String() + "a: {script: x}", "The parsed YAML is too big"},
		"merges":         {merges + "a: {script: x}", "The parsed YAML is too big"},
		"long text repeated": {
			".a: &a " + strings.Repeat("x", 500_000) + "\n.b: [" + strings.Repeat("*a, ", 20) + "*a]\na: {script: x}",
			"The parsed YAML is too big",
		},
		"deep flow":   {strings.Repeat("[", 100_000), "nesting is more than 100 levels deep"},
		"deep maps":   {strings.Repeat("{a: ", 200), "nesting is more than 100 levels deep"},
		"deep blocks": {strings.Repeat("- ", 100_000) + "a", "nesting is more than 100 levels deep"},
		"references":  {references.String(), "The parsed YAML is too big"},
		"many jobs":   {jobs.String(), "The pipeline has 10000 jobs; the limit is 2000"},
		"jobs by parallel": {
			strings.ReplaceAll(strings.Join(strings.SplitAfterN(jobs.String(), "\n", 12)[:11], ""), "x}", "x, parallel: 200}"),
			"The pipeline has 2200 jobs; the limit is 2000",
		},
		"expanding variables": {
			"variables:\n" + values.String() + "  V40: xxxxxxxx\na: {script: x, rules: [{if: $V0}]}",
			"has more than 1048576 bytes after it is expanded",
		},
		"expanding names": {
			"variables:\n" + values.String() + "  V40: xxxxxxxx\na: {script: x, environment: $V0}",
			"has more than 1048576 bytes after it is expanded",
		},
		"rules over a long variable": {slow, "The rules are too complex"},
		"bad repetition": {
			"a: {script: x, rules: [{if: '$CI_COMMIT_BRANCH =~ /(((a{100}){100}){100}){100}/'}]}",
			"invalid expression syntax",
		},
		"variables": {"a:\n  script: x\n  variables:\n" + manyKeys(2000), "has more than 1000 variables"},
	}
}

func manyKeys(n int) string {
	var keys strings.Builder
	for i := range n {
		fmt.Fprintf(&keys, "    K%d: v\n", i)
	}
	return keys.String()
}

func TestBombs(t *testing.T) {
	t.Parallel()
	for name, bomb := range bombs() {
		start := time.Now()
		_, err := build(bomb[0], Sources{}, push(""))
		if got := errorText(err); !strings.Contains(got, bomb[1]) {
			t.Errorf("%s: %.300s, want %s", name, got, bomb[1])
		}
		if spent := time.Since(start); spent > 5*time.Second {
			t.Errorf("%s took %s", name, spent)
		} else {
			t.Logf("%s: %s", name, spent)
		}
	}
}

// The cost of many patterns over many files is also limited.
func TestManyPatterns(t *testing.T) {
	t.Parallel()
	context := push("")
	paths := make([]string, 100_000)
	for i := range paths {
		paths[i] = fmt.Sprintf("folder/%d/file.txt", i)
	}
	context.Files = func(string, string) ([]string, error) { return paths, nil }
	var file strings.Builder
	for i := range 50 {
		fmt.Fprintf(&file, "j%d: {script: x, rules: [{exists: ['**/%da*', '**/%db*', '**/%dc*']}]}\n", i, i, i, i)
	}
	_, err := build(file.String(), Sources{}, context)
	if got := errorText(err); !strings.Contains(got, "The rules are too complex") {
		t.Error(got)
	}
}

// RE2 quickly evaluates a pattern that other engines never finish.
func TestCatastrophicPattern(t *testing.T) {
	t.Parallel()
	context := push("")
	context.Predefined = append(context.Predefined, pairs("LONG="+strings.Repeat("a", 50_000)+"!")...)
	p, err := build(`{a: {script: x, rules: [{if: '$LONG =~ /^(a+)+$/'}, {when: manual}]}}`, Sources{}, context)
	if err != nil || p.Jobs[0].When != "manual" {
		t.Errorf("%v %v", p, err)
	}
}

// large returns a typical file with n jobs.
func large(n int) []byte {
	var file strings.Builder
	file.WriteString(
		"stages: [build, test, deploy]\nvariables: {A: 1, B: $A, C: three}\ndefault: {image: alpine, before_script: [echo hello]}\n",
	)
	file.WriteString(".base:\n  variables: {LEVEL: base}\n  cache: {key: $CI_COMMIT_REF_SLUG, paths: [a/, b/]}\n  " +
		"retry: {max: 2, when: [runner_system_failure]}\n")
	for i := range n {
		fmt.Fprintf(&file, `job-%d:
  extends: .base
  stage: %s
  script:
    - make part-%d
    - make check
  artifacts: {paths: [out/%d], expire_in: 1 week}
  tags: [linux]
  rules:
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH && $A =~ /^1$/
      changes: [src/%d/**/*, Makefile]
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
      when: manual
`, i, []string{"build", "test", "deploy"}[i%3], i, i, i)
	}
	return []byte(file.String())
}

func BenchmarkLarge(b *testing.B) {
	source := large(500)
	context := push("")
	context.Changed = func(string) ([]string, bool, error) { return []string{"Makefile", "src/1/a.go"}, true, nil }
	for b.Loop() {
		p, err := build(string(source), Sources{}, context)
		if err != nil || len(p.Jobs) != 500 {
			b.Fatal(errorText(err))
		}
	}
}

func FuzzFile(f *testing.F) {
	for _, c := range refused {
		f.Add([]byte(c.source))
	}
	f.Add(large(3))
	f.Add([]byte("include: [a.yml, 'b*.yml']\nx: {trigger: a/b}"))
	f.Add([]byte("spec: {inputs: {a: {default: 1, type: number}}}\n---\nx: {script: '$[[ inputs.a | truncate(0,1) ]]'}"))
	context := push("A=1")
	context.Files = func(string, string) ([]string, error) { return []string{"a.yml", "b.yml"}, nil }
	sources := files(map[string]string{"a.yml": "include: b.yml\ny: {script: y}", "b.yml": ".z: &z {script: z}\nw: {<<: *z}"})
	f.Fuzz(func(t *testing.T, source []byte) {
		c, err := Load(source, sources, context)
		if err != nil {
			if len(errorText(err)) == 0 {
				t.Fatal("an error without a text")
			}
			return
		}
		p, err := c.Compile(context)
		if err == nil && len(p.Jobs) == 0 {
			t.Fatal("a pipeline without jobs")
		}
		if err == nil {
			for _, j := range p.Jobs {
				if j.StageIndex >= len(p.Stages) || p.Stages[j.StageIndex] != j.Stage || j.When == "" || j.When == "never" {
					t.Fatalf("%+v", j)
				}
			}
		}
		if len(source) < 10_000 {
			if _, err := c.MergedYAML(); err != nil {
				t.Fatal(err)
			}
		}
	})
}
