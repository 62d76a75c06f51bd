package lint

import (
	"svc/gen"
	"svc/server/domain/ci/launch"
	"svc/server/domain/ci/syntax"
)

// presentLint presents the result of a validation.
func presentLint(found launch.LintResult, jobs bool) gen.Lint {
	answer := gen.Lint{
		Valid: len(found.Errors) == 0, Status: gen.LintStatusValid, Errors: list(found.Errors),
		Warnings: list(found.Warnings), Includes: []gen.LintInclude{},
	}
	if !answer.Valid {
		answer.Status = gen.LintStatusInvalid
	} else {
		answer.MergedYaml = &found.Merged
	}
	for _, file := range found.Read {
		one := gen.LintInclude{
			Type: gen.LintIncludeTypeLocal, Location: file.Path, ContextProject: &found.Project, ContextSha: &file.SHA,
		}
		if file.Project != "" {
			one.Type, one.ContextProject = gen.LintIncludeTypeFile, &file.Project
		}
		answer.Includes = append(answer.Includes, one)
	}
	if jobs {
		all := make([]gen.LintJob, len(found.Jobs))
		for i, j := range found.Jobs {
			all[i] = job(j)
		}
		answer.Jobs = &all
	}
	return answer
}

func job(j syntax.JobDescription) gen.LintJob {
	shown := gen.LintJob{
		Name: j.Name, Stage: j.Stage, BeforeScript: list(j.BeforeScript), Script: list(j.Script),
		AfterScript: list(j.AfterScript), TagList: list(j.Tags), Only: refs(j.Only), Except: refs(j.Except),
		When: j.When, AllowFailure: j.AllowFailure,
	}
	if j.Environment != nil {
		shown.Environment = &j.Environment.Name
	}
	if j.HasNeeds {
		needs := make([]gen.LintNeed, len(j.Needs))
		for i, need := range j.Needs {
			needs[i] = gen.LintNeed{Name: need.Job, Artifacts: need.Artifacts, Optional: need.Optional}
		}
		shown.Needs = &needs
	}
	return shown
}

func refs(given []string) *gen.LintRefs {
	if given == nil {
		return nil
	}
	return &gen.LintRefs{Refs: given}
}

func list(texts []string) []string { return append([]string{}, texts...) }
