package syntax

import (
	"strings"
	"testing"
)

// refused is a table of files and the expected errors: line, column and message of each.
var refused = []struct{ name, source, want string }{
	{"nothing", "", "1:1 Please provide content of the configuration file"},
	{"a comment", "# x\n", "1:1 Please provide content of the configuration file"},
	{"a text", "hello", "1:1 Invalid configuration format"},
	{"a list", "[a]", "1:1 Invalid configuration format"},
	{"no job", "stages: [a]", "1:1 jobs config should contain at least one visible job"},
	{"hidden only", ".a: {script: x}", "1:1 jobs config should contain at least one visible job"},

	{
		"bad indentation", "a:\n  script: x\n stage: y\n",
		"3:2 (<unknown>): did not find expected key while parsing a block mapping at line 3 column 2",
	},
	{"open list", "a: [1\nb: 2\n", "2:2 (<unknown>): did not find expected ',' or ']' while parsing a flow sequence at line 2 column 2"},
	{"colon", "a:\n  script: echo: x\n", "2:15 (<unknown>): mapping values are not allowed in this context at line 2 column 15"},
	{
		"tab", "a:\n\tscript: x\n",
		"2:1 (<unknown>): found character that cannot start any token while scanning for the next token at line 2 column 1",
	},
	{"unknown anchor", "a: *x\n", "1:4 (<unknown>): unknown anchor 'x' referenced at line 1 column 4"},
	{"alias in itself", "a: &x\n  b: *x\n", "2:6 (<unknown>): the alias x is used inside its own anchor at line 2 column 6"},
	{"key of a list", "? [a]\n: 1\n", "1:3 (<unknown>): a key must be a string at line 1 column 3"},
	{"tag", "a: !thing {script: x}", "1:4 (<unknown>): unknown tag !thing at line 1 column 4"},
	{"three documents", "spec: {}\n---\na: {script: x}\n---\nb: 1\n", "4:1 The file has more than two YAML documents"},
	{"two documents", "a: {script: x}\n---\nb: 1\n", "3:1 The file has two YAML documents, and the first one has no spec"},

	{"unknown key", "a:\n  script: x\n  foo: 1\n  bar: 2", "1:1 jobs:a config contains unknown keys: foo, bar"},
	{"no script", "a: {stage: test}\nb: {script: x}", "1:1 jobs a config should implement a script: or a trigger: keyword"},
	{
		"no job at all", "a: {}\nb: c",
		"1:1 jobs a config should implement a script: or a trigger: keyword\n2:1 jobs b config should implement a " +
			"script: or a trigger: keyword\n1:1 jobs config should contain at least one visible job",
	},
	{"blank script", "a: {script: []}", "1:1 jobs:a script can't be blank"},
	{"null script", "a:\n  script:\n", "1:1 jobs:a script can't be blank"},
	{
		"script of hashes", "a:\n  script:\n    - echo: x",
		"3:7 jobs:a:script config should be a string or a nested array of strings up to 10 levels deep",
	},
	{
		"deep script", "a: {script: [[[[[[[[[[[x]]]]]]]]]]]}",
		"1:13 jobs:a:script config should be a string or a nested array of strings up to 10 levels deep",
	},
	{
		"before_script", "a: {script: x, before_script: {a: b}}",
		"1:31 jobs:a:before_script config should be a string or a nested array of strings up to 10 levels deep",
	},
	{
		"stage", "stages: [build]\na: {script: x, stage: buidl}",
		"2:1 a job: chosen stage does not exist; available stages are .pre, build, .post",
	},
	{
		"default stage is not there", "stages: [build]\na: {script: x}",
		"2:1 a job: chosen stage does not exist; available stages are .pre, build, .post",
	},
	{"stage of hash", "a: {script: x, stage: {a: b}}", "1:23 jobs:a:stage config should be a string"},
	{"stages", "stages: build\na: {script: x}", "1:9 stages config should be an array of strings"},
	{
		"secrets", "a: {script: x, secrets: {}}",
		"1:25 jobs:a:secrets config is not supported: this service does not support external secret stores; use CI/CD variables",
	},

	{"image", "a: {script: x, image: [a]}", "1:23 jobs:a:image config should be a hash or a string"},
	{"image name", "a: {script: x, image: {entrypoint: [a]}}", "1:23 jobs:a:image name can't be blank"},
	{"image keys", "a: {script: x, image: {name: a, cmd: b}}", "1:33 jobs:a:image config contains unknown keys: cmd"},
	{
		"pull policy", "a: {script: x, image: {name: a, pull_policy: maybe}}",
		"1:46 jobs:a:image:pull_policy config contains unknown values: maybe",
	},
	{"services", "a: {script: x, services: a}", "1:26 jobs:a:services config should be a array"},
	{"service", "a: {script: x, services: [{alias: a}]}", "1:27 jobs:a:services:service name can't be blank"},
	{"variables", "variables: [a]\na: {script: x}", "1:12 variables config should be a hash of key value pairs"},
	{
		"variable list", "a: {script: x, variables: {A: [1]}}",
		"1:31 jobs:a:variables:A config variable definition must be either a string or a hash",
	},
	{
		"variable options", "variables: {A: {value: x, options: [y]}}\na: {script: x}",
		"1:16 variables:A config value must be present in options",
	},
	{
		"variable description in a job", "a: {script: x, variables: {A: {value: x, description: y}}}",
		"1:31 jobs:a:variables:A config uses invalid data keys: description",
	},
	{
		"circular variables", "variables: {A: $B, B: x$A}\na: {script: x}",
		`1:12 variables config circular variable reference detected: ["A", "B"]`,
	},
	{
		"circular variables of a job", "variables: {A: $B}\na: {script: x, variables: {B: $A}}",
		`2:1 a: circular variable reference detected: ["A", "B"]`,
	},

	{
		"when", "a: {script: x, when: sometimes}",
		"1:22 jobs:a when should be one of: on_success, on_failure, always, manual, delayed, never",
	},
	{"delayed", "a: {script: x, when: delayed}", "1:1 jobs:a start in should be a duration"},
	{"start_in", "a: {script: x, start_in: 1h}", "1:26 jobs:a start in must be blank"},
	{"start_in text", "a: {script: x, when: delayed, start_in: soon}", "1:41 jobs:a start in should be a duration"},
	{"start_in long", "a: {script: x, when: delayed, start_in: 8 days}", "1:41 jobs:a start in should not exceed the limit"},
	{"allow_failure", "a: {script: x, allow_failure: maybe}", "1:31 jobs:a:allow_failure config should be a hash or a boolean value"},
	{
		"exit codes", "a: {script: x, allow_failure: {exit_codes: [a]}}",
		"1:45 jobs:a:allow_failure exit codes should be an array of integers or an integer",
	},
	{"retry", "a: {script: x, retry: 3}", "1:23 jobs:a:retry config must be less than or equal to 2"},
	{"retry text", "a: {script: x, retry: often}", "1:23 jobs:a:retry config has to be either an integer or a hash"},
	{"retry max", "a: {script: x, retry: {max: -1}}", "1:29 jobs:a:retry max must be greater than or equal to 0"},
	{"retry when", "a: {script: x, retry: {max: 1, when: [bad_luck]}}", "1:38 jobs:a:retry when contains unknown values: bad_luck"},
	{"timeout", "a: {script: x, timeout: later}", "1:25 jobs:a timeout should be a duration"},
	{"timeout long", "a: {script: x, timeout: 2 months}", "1:25 jobs:a timeout should not exceed the limit"},
	{"interruptible", "a: {script: x, interruptible: maybe}", "1:31 jobs:a:interruptible config should be a boolean value"},
	{"tags", "a: {script: x, tags: linux}", "1:22 jobs:a:tags config should be an array of strings"},
	{"coverage", "a: {script: x, coverage: abc}", "1:26 jobs:a:coverage config must be a regular expression"},
	{"coverage that is none", "a: {script: x, coverage: '/(/'}", "1:26 jobs:a:coverage config must be a regular expression"},

	{"rules", "a: {script: x, rules: maybe}", "1:23 jobs:a:rules config should be an array containing hashes and arrays of hashes"},
	{"rule of text", "a: {script: x, rules: [b]}", "1:24 jobs:a:rules:rule config should be a hash"},
	{"empty rule", "a: {script: x, rules: [{}]}", "1:24 jobs:a:rules:rule config can't be blank"},
	{"rule if", "a: {script: x, rules: [{if: $A ==}]}", "1:29 jobs:a:rules:rule if invalid expression syntax"},
	{"rule when", "a: {script: x, rules: [{when: explode}]}", "1:31 jobs:a:rules:rule when unknown value: explode"},
	{"rule keys", "a: {script: x, rules: [{unless: $A}]}", "1:25 jobs:a:rules:rule config contains unknown keys: unless"},
	{"rule delayed", "a: {script: x, rules: [{when: delayed}]}", "1:24 jobs:a:rules:rule start in should be a duration"},
	{"rule changes", "a: {script: x, rules: [{changes: {compare_to: main}}]}", "1:34 jobs:a:rules:rule:changes paths can't be blank"},
	{
		"rules and only", "a: {script: x, rules: [{when: always}], only: [main]}",
		"1:47 jobs:a config key may not be used with `rules`: only",
	},
	{"workflow when", "workflow: {rules: [{when: manual}]}\na: {script: x}", "1:27 workflow:rules:rule when unknown value: manual"},
	{"workflow keys", "workflow: {on: push}\na: {script: x}", "1:12 workflow config contains unknown keys: on"},
	{
		"auto_cancel", "workflow: {auto_cancel: {on_new_commit: yes}}\na: {script: x}",
		"1:41 workflow:auto_cancel on new commit should be one of: conservative, interruptible, none, disabled",
	},
	{"only", "a: {script: x, only: {}}", "1:22 jobs:a:only config can't be blank"},
	{
		"only regexp", "a: {script: x, only: [/(/]}",
		"1:22 jobs:a:only config should be an array of strings or regular expressions using re2 syntax",
	},
	{"only variables", "a: {script: x, except: {variables: ['$A =']}}", "1:36 jobs:a:except variables invalid expression syntax"},
	{
		"kubernetes", "a: {script: x, only: {kubernetes: active}}",
		"1:35 jobs:a:only kubernetes is not supported: this service does not support Kubernetes clusters",
	},

	{"undefined need", "a: {script: x, needs: [b]}", "1:24 a job: undefined need: b"},
	{"undefined need in a rule", "a: {script: x, rules: [{when: always, needs: [b]}]}", "1:47 a job: undefined need: b"},
	{
		"need of a project in a rule", "a: {script: x, rules: [{when: always, needs: [{project: p, job: b, ref: c}]}]}",
		"1:47 jobs:a:rules:rule:needs config uses invalid types: cross_dependency",
	},
	{
		"later need", "a: {script: x, stage: build, needs: [b]}\nb: {script: x}",
		"1:38 a job: need b is not defined in current or prior stages",
	},
	{"double need", "a: {script: x, needs: [b, b]}\nb: {script: x}", "1:1 a has the following needs duplicated: b."},
	{"needs of number", "a: {script: x, needs: [{artifacts: true}]}", "1:24 jobs:a:needs:need job can't be blank"},
	{"need of a project", "a: {script: x, needs: [{project: p, job: b}]}", "1:24 jobs:a:needs:need ref can't be blank"},
	{"need of a pipeline", "a: {script: x, needs: [{pipeline: other/p}]}", "1:24 jobs:a:needs:need job can't be blank"},
	{
		"circular needs", "a: {script: x, needs: [b]}\nb: {script: x, needs: [c]}\nc: {script: x, needs: [b]}",
		"1:1 The pipeline has circular dependencies: b -> c -> b",
	},
	{"need itself", "a: {script: x, needs: [a]}", "1:1 The pipeline has circular dependencies: a -> a"},
	{"undefined dependency", "a: {script: x, dependencies: [b]}", "1:1 a job: undefined dependency: b"},
	{
		"later dependency", "a: {script: x, stage: build, dependencies: [b]}\nb: {script: x}",
		"1:1 a job: dependency b is not defined in current or prior stages",
	},
	{
		"dependency without need", "a: {script: x, needs: [], dependencies: [b]}\nb: {script: x, stage: build}",
		"1:1 jobs:a dependencies the b should be part of needs",
	},

	{"extends unknown", "a: {extends: .b}", "1:14 a: unknown keys in `extends` (.b)"},
	{"extends circle", "a: {extends: b}\nb: {extends: a}", "1:1 a: circular dependency detected in `extends`"},
	{"extends itself", "a: {extends: a}", "1:1 a: circular dependency detected in `extends`"},
	{"extends text", ".b: x\na: {extends: .b}", "2:14 a: invalid base hashes in `extends` (.b)"},
	{"reference", "a: {script: !reference [.b, script]}", `1:13 !reference [".b", "script"] could not be found`},
	{
		"reference circle", "a: {script: !reference [b, script]}\nb: {script: !reference [a, script]}",
		"1:13 !reference [\"b\", \"script\"] is part of a circular chain\n2:13 !reference [\"a\", \"script\"] is part of a circular chain",
	},
	{"reference to oneself", "a: {script: [!reference [a, script]]}", `1:14 !reference ["a", "script"] is part of a circular chain`},
	{"reference to nothing", "a: {script: !reference []}", "1:13 !reference [] could not be found"},
	{"reference text", "a: {script: !reference b}", "1:13 !reference must be followed by a list with the name of a job and its keys"},

	{"parallel", "a: {script: x, parallel: 0}", "1:26 jobs:a:parallel config must be greater than or equal to 1"},
	{"parallel many", "a: {script: x, parallel: 201}", "1:26 jobs:a:parallel config must be less than or equal to 200"},
	{"parallel text", "a: {script: x, parallel: many}", "1:26 jobs:a:parallel config should be an integer or a hash"},
	{"matrix", "a: {script: x, parallel: {matrix: {A: 1}}}", "1:35 jobs:a:parallel:matrix config should be an array of hashes"},
	{
		"matrix many", "a: {script: x, parallel: {matrix: [{A: [1,2,3,4,5,6], B: [1,2,3,4,5,6], C: [1,2,3,4,5,6]}]}}",
		"1:35 jobs:a:parallel:matrix config generates too many jobs (maximum is 200)",
	},

	{"environment", "a: {script: x, environment: [b]}", "1:29 jobs:a:environment config should be a hash or a string"},
	{"environment name", "a: {script: x, environment: {url: b}}", "1:29 jobs:a:environment name can't be blank"},
	{
		"environment action", "a: {script: x, environment: {name: b, action: go}}",
		"1:47 jobs:a:environment action should be one of: start, stop, prepare, verify, access",
	},
	{"on_stop", "a: {script: x, environment: {name: b, on_stop: c}}", "1:1 a job: on_stop job c is not defined"},
	{
		"on_stop elsewhere", "a: {script: x, environment: {name: b, on_stop: c}}\nc: {script: x}",
		"1:1 a job: on_stop job c does not have environment defined",
	},
	{
		"on_stop action", "a: {script: x, environment: {name: b, on_stop: c}}\nc: {script: x, environment: b}",
		"1:1 a job: on_stop job c needs to have action stop defined",
	},
	{"artifacts", "a: {script: x, artifacts: [a]}", "1:27 jobs:a:artifacts config should be a hash"},
	{
		"artifacts when", "a: {script: x, artifacts: {when: never}}",
		"1:34 jobs:a:artifacts when should be one of: on_success, on_failure, always",
	},
	{"expire_in", "a: {script: x, artifacts: {expire_in: some day}}", "1:39 jobs:a:artifacts expire in should be a duration"},
	{"expose_as", "a: {script: x, artifacts: {expose_as: a}}", "1:27 jobs:a:artifacts expose as can't be used without paths"},
	{"reports", "a: {script: x, artifacts: {reports: {gossip: a}}}", "1:38 jobs:a:artifacts:reports config contains unknown keys: gossip"},
	{
		"coverage report", "a: {script: x, artifacts: {reports: {coverage_report: {path: a}}}}",
		"1:55 jobs:a:artifacts:reports:coverage_report coverage format can't be blank",
	},
	{"caches", "a: {script: x, cache: [{}, {}, {}, {}, {}]}", "1:23 jobs:a:cache config no more than 4 caches can be created"},
	{"cache policy", "a: {script: x, cache: {policy: push-pull}}", "1:32 jobs:a:cache policy should be one of: pull-push, push, pull"},
	{"cache key", "a: {script: x, cache: {key: {prefix: a}}}", "1:29 jobs:a:cache:key config missing required keys: files"},
	{"default", "default: {script: x}\na: {script: x}", "1:11 default config contains unknown keys: script"},
	{"default image", "default: {image: [a]}\na: {script: x}\nb: {script: x}", "1:18 default:image config should be a hash or a string"},
	{"default twice", "image: a\ndefault: {image: b}\na: {script: x}", "1:8 root image is defined in top-level and `default:` entry"},
	{"inherit", "a: {script: x, inherit: {default: [script]}}", "1:35 jobs:a:inherit:default config contains unknown values: script"},
	{"trigger", "a: {trigger: {}}", "1:14 jobs:a:trigger project can't be blank"},
	{"trigger and script", "a: {trigger: b/c, script: x}", "1:1 jobs:a config contains unknown keys: script"},
	{
		"trigger artifact", "a: {trigger: {include: [{artifact: a.yml}]}}",
		"1:25 jobs:a:trigger:include job must specify the job where to fetch the artifact from",
	},
	{"trigger both", "a: {trigger: {project: p, include: a.yml}}", "1:14 jobs:a:trigger config contains unknown keys: project"},
	{"release", "a: {script: x, release: {tag_name: v1}}", "1:25 jobs:a:release description can't be blank"},
	{"release tag", "a: {script: x, release: {description: One}}", "1:25 jobs:a:release tag name can't be blank"},
	{
		"release ref", "a: {script: x, release: {tag_name: v1, description: One, ref: 'a b'}}",
		"1:63 jobs:a:release ref must be a valid ref",
	},
	{
		"release time", "a: {script: x, release: {tag_name: v1, description: One, released_at: soon}}",
		"1:71 jobs:a:release released at must be a valid datetime",
	},
	{
		"release key", "a: {script: x, release: {tag_name: v1, description: One, files: [a]}}",
		"1:58 jobs:a:release config contains unknown keys: files",
	},
	{"id_tokens without aud", "a: {script: x, id_tokens: {T: {}}}", "1:31 jobs:a:id_tokens:T config missing required keys: aud"},
	{
		"id_tokens with more", "a: {script: x, id_tokens: {T: {aud: me, sub: x}}}",
		"1:41 jobs:a:id_tokens:T config contains unknown keys: sub",
	},
	{"id_tokens as a list", "a: {script: x, id_tokens: [T]}", "1:27 jobs:a:id_tokens config should be a hash"},
	{"id_tokens with a bad name", "a: {script: x, id_tokens: {a-b: {aud: me}}}", "1:28 jobs:a:id_tokens:a-b is not a name of a variable"},
	{"id_tokens with a blank aud", "a: {script: x, id_tokens: {T: {aud: ''}}}", "1:31 jobs:a:id_tokens:T aud should not be blank"},
	{"id_tokens for nobody", "a: {script: x, id_tokens: {T: {aud: []}}}", "1:31 jobs:a:id_tokens:T config missing required keys: aud"},
	{
		"environment kubernetes", "a: {script: x, environment: {name: b, kubernetes: {agent: c}}}",
		"1:51 jobs:a:environment kubernetes is not supported: this service does not support Kubernetes clusters",
	},
	{
		"pages path_prefix", "a: {script: x, pages: {path_prefix: pr}}",
		"1:37 jobs:a:pages path_prefix is not supported: a project has one site, without a prefix",
	},
	{
		"pages path_prefix of a variable", "a: {script: x, variables: {P: pr}, pages: {path_prefix: $P}}",
		"1:1 jobs:a:pages path_prefix is not supported: a project has one site, without a prefix",
	},
	{
		"pages expire_in", "a: {script: x, pages: {expire_in: 1 day}}",
		"1:35 jobs:a:pages expire_in is not supported: a site stays until it is replaced or deleted; use never",
	},
	{
		"keywords that are not read", "a: {script: x, identity: google_cloud, dast_configuration: {}, run: []}",
		"1:1 jobs:a config contains unknown keys: identity, dast_configuration, run",
	},
	{"include", "include: [[a]]\na: {script: x}", "1:11 include config should be a string, a hash, or an array of these"},
	{
		"include twice", "include: {local: a, template: b}\na: {script: x}",
		"1:31 Each include must use only one of: local, project, template, remote, component",
	},
	{
		"include remote", "include: https://example.com/a.yml\na: {script: x}",
		"1:10 Remote file `https://example.com/a.yml` cannot be included: this service does not fetch files from " +
			"other sites; use project and file",
	},
	{
		"include component", "include: {component: a/b@1}\na: {script: x}",
		"1:10 Component `a/b@1` cannot be included: this service does not support components; use project and file",
	},
	{"include template", "include: {template: Cobol.yml}\na: {script: x}", "1:10 Template file `Cobol.yml` is not a valid location!"},
	{"include missing", "include: a.yml\na: {script: x}", "1:10 Local file `a.yml` does not exist!"},
	{"include text file", "include: a.txt\na: {script: x}", "1:10 Included file `a.txt` does not have YAML extension!"},
	{
		"include project without file", "include: {project: a/b}\na: {script: x}",
		"1:10 include config must specify the file where to fetch the config from",
	},
}

func TestWhatIsRefused(t *testing.T) {
	t.Parallel()
	for _, c := range refused {
		_, err := build(c.source, Sources{}, push(""))
		if err == nil {
			t.Errorf("%s: not refused\n%s", c.name, c.source)
			continue
		}
		if got := errorText(err); got != c.want {
			t.Errorf("%s:\n%s\ngot  %s\nwant %s", c.name, c.source, got, c.want)
		}
	}
}

func TestErrorsAreGathered(t *testing.T) {
	t.Parallel()
	_, err := build("a: {script: x, foo: 1}\nb: {script: [], retry: 9}\nc: 1\n", Sources{}, push(""))
	want := "1:1 jobs:a config contains unknown keys: foo\n2:24 jobs:b:retry config must be less than or equal to 2\n" +
		"2:1 jobs:b script can't be blank\n3:1 jobs c config should implement a script: or a trigger: keyword"
	if got := errorText(err); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	many := strings.Repeat("x", 3)
	var file strings.Builder
	for i := range 1000 {
		file.WriteString(strings.Repeat("j", i/26+1) + string(rune('a'+i%26)) + ": " + many + "\n")
	}
	_, err = build(file.String(), Sources{}, push(""))
	if n := strings.Count(errorText(err), "\n") + 1; n != maxProblems {
		t.Errorf("%d errors are kept, want %d", n, maxProblems)
	}
}
