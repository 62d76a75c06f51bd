package launch

import (
	"context"
	"strings"

	"svc/server/domain/ci/syntax"
	"svc/server/domain/ci/variables"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// Facts returns the values of the predefined variables of a pipeline. The caller adds those of a job.
func Facts(server variables.Server, project model.Project, p model.Pipeline, user *model.User) variables.Facts {
	c := Commit(p)
	f := variables.Facts{
		Server: server,
		Project: variables.Project{
			ID: project.ID, NamespaceID: project.NamespaceID, Name: project.Name, FullPath: project.FullPath,
			Visibility: project.Visibility.String(), DefaultBranch: project.DefaultBranch, ConfigPath: DefaultFiles[0],
		},
		Commit: variables.Commit{
			SHA: p.SHA, BeforeSHA: p.BeforeSHA, Ref: p.Ref, Tag: p.Tag, Protected: p.Protected, Message: c.Message,
			Author: c.Author.Name + " <" + c.Author.Email + ">", Time: c.Committer.When,
		},
		Pipeline: variables.Pipeline{
			ID: p.ID, IID: p.IID, Source: p.Source, Created: p.CreatedAt, Triggered: p.Source == "trigger",
			DeployFreeze: p.DeployFreeze,
		},
	}
	if project.Description != nil {
		f.Project.Description = *project.Description
	}
	if project.CiConfigPath != nil && *project.CiConfigPath != "" {
		f.Project.ConfigPath = *project.CiConfigPath
	}
	if p.Name != nil {
		f.Pipeline.Name = *p.Name
	}
	if user != nil {
		f.User = &variables.User{ID: user.ID, Login: user.Username, Name: user.Name, Email: user.Email}
	}
	return f
}

// knownLater holds the variables that are unknown until the pipeline is created.
var knownLater = map[string]bool{"CI_PIPELINE_ID": true, "CI_PIPELINE_URL": true, "CI_PIPELINE_CREATED_AT": true, "CI_PIPELINE_NAME": true}

// context returns the values that the rules and variables of the CI file are evaluated with.
func (w *launching) context(ctx context.Context) syntax.Context {
	facts := Facts(w.Server, w.Project.Project, w.newPipeline().Pipeline, &w.User)
	facts.Commit.TagMessage, facts.Project.Languages = w.message, w.stored.Languages
	facts.Pipeline.OpenMergeRequests = w.open
	facts = WithMergeRequest(facts, w.merge)
	if w.Schedule != nil {
		facts.Pipeline.ScheduleDescription = w.Schedule.Description
	}
	var predefined []variables.Variable
	for _, v := range variables.Predefined(facts) {
		if !knownLater[v.Key] {
			predefined = append(predefined, v)
		}
	}
	return syntax.Context{
		Source: w.Source, Ref: w.Ref, Tag: w.Tag, Project: w.Project.Project.FullPath, Predefined: predefined, Inputs: w.Inputs,
		Given: func(environment string) []variables.Variable {
			s := w.stored.Sources(w.protected, environment)
			s.Pipeline = PipelineVariables(w.Variables)
			return s.AboveFile()
		},
		Changed: w.files.changed(ctx), Files: w.files.list(ctx),
	}
}

// PipelineVariables converts the variables that a pipeline was started with.
func PipelineVariables(rows []model.PipelineVariable) []variables.Variable {
	list := make([]variables.Variable, len(rows))
	for i, row := range rows {
		list[i] = variables.Variable{Key: row.Key, Value: row.Value, Raw: row.Raw, File: row.VariableType == model.VariableFile}
	}
	return list
}

// Stored holds the variables of the instance, of the groups above a project and of the project, and the languages of
// the project.
type Stored struct {
	Languages []string // of the project, the largest share first
	instance  []variables.Stored
	groups    [][]variables.Stored // the outermost group first
	project   []variables.Stored
}

// ReadStored reads the stored variables and languages of a project in two statements.
func ReadStored(ctx context.Context, st *store.Store, project model.Project) (Stored, error) {
	var s Stored
	languages, err := st.Projects.Languages(ctx, project.ID)
	if err != nil {
		return s, err
	}
	for _, l := range languages {
		s.Languages = append(s.Languages, l.Name)
	}
	all, err := st.ProjectVariables.ListEffective(ctx, project.ID, project.NamespaceID)
	for i, v := range all {
		one := variables.Stored{
			Variable: variables.Variable{
				Key: v.Key, Value: v.Value, Raw: v.Raw, Masked: v.Masked, File: v.VariableType == model.VariableFile,
			},
			Protected: v.Protected, Scope: v.EnvironmentScope,
		}
		switch v.Of {
		case store.OwnerInstance:
			s.instance = append(s.instance, one)
		case store.OwnerProject:
			s.project = append(s.project, one)
		default:
			if i == 0 || all[i-1].GroupID != v.GroupID {
				s.groups = append(s.groups, nil)
			}
			last := &s.groups[len(s.groups)-1]
			*last = append(*last, one)
		}
	}
	return s, err
}

// Sources returns the stored variables that a job may see, by origin.
func (s Stored) Sources(protectedRef bool, environment string) variables.Sources {
	seen := variables.Sources{
		Instance: variables.Visible(s.instance, protectedRef, environment),
		Project:  variables.Visible(s.project, protectedRef, environment),
	}
	for _, group := range s.groups {
		seen.Groups = append(seen.Groups, variables.Visible(group, protectedRef, environment))
	}
	return seen
}

// tagMessage returns the message of an annotated tag, or "".
func tagMessage(ctx context.Context, repo git.Repo, name string) string {
	ref := "refs/tags/" + name
	id, err := repo.Ref(ref)
	if err != nil {
		return ""
	}
	tags, err := repo.ReadTags(ctx, []git.Ref{{Name: ref, ID: id}})
	if err != nil || len(tags) == 0 {
		return "" // an unreadable tag has no message
	}
	return strings.TrimSpace(tags[0].Message)
}
