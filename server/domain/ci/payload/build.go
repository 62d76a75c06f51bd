package payload

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"svc/server/domain/ci/status"
	"svc/server/domain/ci/syntax"
	"svc/server/domain/ci/variables"
)

// Input holds everything that a payload is built from.
type Input struct {
	ID      int64
	Token   string
	Job     syntax.Job
	Info    JobInfo // New sets Name and Stage
	Git     GitInfo // New sets Depth, and Refspecs if it is nil
	Timeout time.Duration
	// Variables holds the variables of all sources, merged. New expands them.
	Variables    []variables.Variable
	Dependencies []Dependency
	Credentials  []Credential
	GitFetch     bool // the project allows runners to reuse a clone
	GitDepth     int  // depth setting of the project; 0 for the whole history
	// SeparateCaches gives protected refs caches of their own.
	SeparateCaches bool
	// FileKey returns a digest of files for a cache key, or "" if none of the files exists. It may be nil.
	FileKey func(files []string) (string, error)
	// TokenPrefixes are token prefixes that the runner masks in logs.
	TokenPrefixes []string
}

// New builds the payload of a job.
func New(in Input) (Payload, error) {
	resolved, err := variables.ResolveForRunner(in.Variables)
	if err != nil {
		return Payload{}, err
	}
	caches, err := in.caches()
	if err != nil {
		return Payload{}, err
	}
	set := variables.NewSet(variables.NewLayer(in.Variables))
	p := Payload{
		ID: in.ID, Token: in.Token, AllowGitFetch: in.GitFetch,
		JobInfo: in.Info, GitInfo: in.gitInfo(set),
		RunnerInfo: RunnerInfo{Timeout: seconds(in.Timeout)},
		Variables:  list(resolved, variable), Steps: in.steps(), Services: list(in.Job.Services, service),
		Artifacts: artifacts(in.Job.Artifacts), Cache: caches,
		Credentials:  list(in.Credentials, identity[Credential]),
		Dependencies: list(in.Dependencies, identity[Dependency]),
		Features: Features{
			TraceSections: true, TokenMaskPrefixes: list(in.TokenPrefixes, identity[string]),
			FailureReasons: list(status.RunnerReasons, func(r status.Reason) string { return string(r) }),
		},
		Hooks: []Hook{},
	}
	p.JobInfo.Name, p.JobInfo.Stage = in.Job.Name, in.Job.Stage
	if in.Job.Image != nil {
		converted := image(*in.Job.Image)
		p.Image = &converted
	}
	if hook := in.Job.Hooks.PreGetSources; len(hook) > 0 {
		p.Hooks = append(p.Hooks, Hook{Name: "pre_get_sources_script", Script: hook})
	}
	return p, nil
}

// list converts a slice. The result is never nil, because runners expect lists.
func list[A, B any](all []A, convert func(A) B) []B {
	converted := make([]B, len(all))
	for i := range all {
		converted[i] = convert(all[i])
	}
	return converted
}

func identity[A any](a A) A { return a }

func seconds(d time.Duration) int { return int(d / time.Second) }

func variable(v variables.Variable) Variable {
	return Variable{Key: v.Key, Value: v.Value, Public: v.Public, File: v.File, Masked: v.Masked, Raw: v.Raw}
}

// maxDepth is a limit for GIT_DEPTH that is safe for git.
const maxDepth = 1 << 30

// gitInfo adds the refspecs and the depth. The variable GIT_DEPTH overrides the project's depth.
func (in Input) gitInfo(set *variables.Set) GitInfo {
	git := in.Git
	git.Depth = in.GitDepth
	if given, ok, err := set.Get("GIT_DEPTH"); ok && err == nil {
		if n, err := strconv.Atoi(strings.TrimSpace(given)); err == nil && n >= 0 && n < maxDepth {
			git.Depth = n
		}
	}
	pipeline := fmt.Sprintf("refs/pipelines/%d", in.Info.PipelineID)
	kind, track := "heads", "remotes/origin"
	if git.RefType == "tag" {
		kind, track = "tags", "tags"
	}
	switch {
	case git.Refspecs != nil: // set by the caller, for merge requests
	case git.Depth > 0:
		git.Refspecs = []string{
			fmt.Sprintf("+%s:%s", git.SHA, pipeline),
			fmt.Sprintf("+refs/%s/%s:refs/%s/%s", kind, git.Ref, track, git.Ref),
		}
	default:
		git.Refspecs = []string{
			fmt.Sprintf("+%s:%s", git.SHA, pipeline), "+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*",
		}
	}
	return git
}

// steps returns the scripts in order: before_script with script, the release, and after_script, which always runs.
func (in Input) steps() []Step {
	timeout := seconds(in.Timeout)
	script := append(append([]string{}, in.Job.BeforeScript...), in.Job.Script...)
	steps := []Step{{Name: "script", Script: script, Timeout: timeout, When: "on_success"}}
	if in.Job.Release != nil {
		steps = append(steps, Step{Name: "release", Script: releaseScript(in.Job.Release), Timeout: timeout, When: "on_success"})
	}
	if len(in.Job.AfterScript) > 0 {
		steps = append(steps, Step{Name: "after_script", Script: in.Job.AfterScript, Timeout: timeout, When: "always", AllowFailure: true})
	}
	return steps
}

func image(i syntax.Image) Image {
	converted := Image{Name: i.Name, Entrypoint: i.Entrypoint, PullPolicy: i.PullPolicy}
	option := func(executor, key, value string) {
		if value == "" {
			return
		}
		if converted.ExecutorOpts == nil {
			converted.ExecutorOpts = map[string]map[string]string{}
		}
		if converted.ExecutorOpts[executor] == nil {
			converted.ExecutorOpts[executor] = map[string]string{}
		}
		converted.ExecutorOpts[executor][key] = value
	}
	option("docker", "platform", i.Platform)
	option("docker", "user", i.User)
	option("kubernetes", "user", i.KubeUser)
	return converted
}

func service(s syntax.Service) Image {
	converted := image(s.Image)
	converted.Alias, converted.Command = s.Alias, s.Command
	if len(s.Variables) > 0 {
		converted.Variables = list(s.Variables, variable)
	}
	return converted
}
