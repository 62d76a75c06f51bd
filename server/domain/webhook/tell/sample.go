package tell

import (
	"context"
	"errors"
	"time"

	"svc/server/domain/webhook"
	"svc/server/domain/webhook/load"
	"svc/server/domain/webhook/payload"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// missing holds the error texts for projects without anything to send.
var missing = map[model.HookEvents]string{
	model.HookNotes:              "Ensure the project has notes.",
	model.HookEmoji:              "Ensure the project has notes.",
	model.HookIssues:             "Ensure the project has issues.",
	model.HookConfidentialIssues: "Ensure the project has issues.",
	model.HookMergeRequests:      "Ensure the project has merge requests.",
	model.HookJobs:               "Ensure the project has CI jobs.",
	model.HookPipelines:          "Ensure the project has CI pipelines.",
	model.HookWikiPages:          "Ensure the wiki is enabled and has pages.",
	model.HookReleases:           "Ensure the project has releases.",
	model.HookMilestones:         "Ensure the project has milestones.",
	model.HookVulnerabilities:    "Ensure the project has vulnerabilities.",
}

// Sample builds a body from the newest object of a project, for a test of a hook. A hook of a group uses the newest
// project below the group.
func (t *Teller) Sample(ctx context.Context, s webhook.Sample) (any, error) {
	user, err := t.store.Users.Get(ctx, s.UserID)
	if err != nil {
		return nil, err
	}
	var project model.Project
	if s.Project != nil {
		project = s.Project.Project
	} else if project, err = t.projectBelow(ctx, s.Group.ID); err != nil {
		return nil, err
	}
	switch s.Kind {
	case model.HookPush, model.HookTagPush:
		return t.samplePush(ctx, project, user, s.Kind)
	case model.HookProjects:
		return t.sampleProject(ctx, project)
	case model.HookAccessTokens:
		return t.sampleToken(project, user), nil
	}
	id, err := t.newest(ctx, s.Kind, project.ID)
	if err != nil {
		return nil, err
	}
	return t.sampleObject(ctx, s.Kind, project, user, id)
}

func (t *Teller) projectBelow(ctx context.Context, groupID int64) (model.Project, error) {
	id, err := t.store.HookSamples.ProjectBelow(ctx, groupID)
	if store.IsNotFound(err) {
		return model.Project{}, apierr.Unprocessable("Ensure the group has projects.")
	}
	if err != nil {
		return model.Project{}, err
	}
	return t.loader.Project(ctx, id)
}

// newest returns the newest object of a project, or the error of a test without one.
func (t *Teller) newest(ctx context.Context, kind model.HookEvents, projectID int64) (int64, error) {
	none := apierr.Unprocessable(missing[kind])
	if kind == model.HookVulnerabilities {
		return 0, none
	}
	id, err := t.store.HookSamples.Newest(ctx, kind, projectID)
	if store.IsNotFound(err) {
		return 0, none
	}
	return id, err
}

// sampleObject builds the body of an object of a project.
func (t *Teller) sampleObject(
	ctx context.Context, kind model.HookEvents, project model.Project, user model.User, id int64,
) (any, error) {
	switch kind {
	case model.HookIssues, model.HookConfidentialIssues:
		row, err := t.loader.Issue(ctx, id)
		return t.to.Issue(payload.IssueInput{Project: project, User: user, Issue: row}), err
	case model.HookMergeRequests:
		m, err := t.store.MergeRequests.Find(ctx, id)
		if err != nil {
			return nil, err
		}
		state, err := t.loader.MergeRequest(ctx, m.ProjectID, m.IID)
		if err != nil {
			return nil, err
		}
		return t.to.MergeRequest(payload.MergeRequestInput{MergeRequestState: state, User: user}), nil
	case model.HookNotes:
		n, err := t.store.Notes.Find(ctx, id)
		if err != nil {
			return nil, err
		}
		in := payload.NoteInput{Project: project, User: user, Note: n, Action: NoteCreated}
		in.Target, err = t.loader.NoteTarget(ctx, project, n)
		return t.to.Note(in), err
	case model.HookPipelines:
		p, err := t.store.Pipelines.Find(ctx, id)
		if err != nil {
			return nil, err
		}
		in, err := t.loader.Pipeline(ctx, p, project)
		return t.to.Pipeline(in), err
	case model.HookJobs:
		in, err := t.loader.Job(ctx, id, project)
		return t.to.Job(in), err
	}
	return t.sampleOther(ctx, kind, project, user, id)
}

// sampleOther builds the body of a release, a milestone, an emoji reaction or a wiki page.
func (t *Teller) sampleOther(
	ctx context.Context, kind model.HookEvents, project model.Project, user model.User, id int64,
) (any, error) {
	switch kind {
	case model.HookReleases:
		row, err := t.store.Releases.Find(ctx, id)
		if err != nil {
			return nil, err
		}
		in, err := t.loader.Release(ctx, project, row, "create")
		return t.to.Release(in), err
	case model.HookMilestones:
		row, err := t.store.Milestones.Get(ctx, store.OwnedByProject(project), id)
		return t.to.Milestone(payload.MilestoneInput{Project: &project, Milestone: row.Milestone, Action: "create"}), err
	case model.HookEmoji:
		award, err := t.store.AwardEmoji.Find(ctx, id)
		if err != nil {
			return nil, err
		}
		in := payload.EmojiInput{Project: project, User: user, Award: award, Action: "award"}
		in.Note, in.Target, err = t.loader.EmojiTarget(ctx, project, award)
		return t.to.Emoji(in), err
	}
	page, err := t.store.WikiPages.Get(ctx, id)
	return t.to.WikiPage(payload.WikiPageInput{
		Project: project, User: user, Title: page.Title, Format: page.Format, Slug: page.Slug, Action: "create",
	}), err
}

// sampleCommits is how many commits the sample of a push has.
const sampleCommits = 3

// samplePush builds a push of the last commits of the default branch, or of nothing if there are none.
func (t *Teller) samplePush(ctx context.Context, p model.Project, user model.User, kind model.HookEvents) (any, error) {
	in := payload.PushInput{Project: p, User: user, Change: git.Command{Old: git.Zero, New: git.Zero, Ref: "refs/heads/" + p.DefaultBranch}}
	if kind == model.HookTagPush {
		in.Change.Ref = "refs/tags/v1.0.0"
	}
	recorded := load.RecordedPush{}
	if !p.EmptyRepo {
		ids, err := t.newestCommits(ctx, p)
		if err != nil {
			return nil, err
		}
		if len(ids) > 0 {
			in.Change.New = ids[0]
		}
		if len(ids) > sampleCommits && kind == model.HookPush {
			in.Change.Old = ids[sampleCommits]
		}
	}
	recorded.Body = t.to.Push(in)
	return t.loader.CompletePush(ctx, t.to, recorded)
}

// newestCommits returns the newest commits of the default branch, one more than the sample of a push has.
func (t *Teller) newestCommits(ctx context.Context, p model.Project) ([]string, error) {
	repo, err := t.repos.OpenProject(p.RepositoryStorage, p.ID, p.EmptyRepo)
	if err != nil {
		return nil, err
	}
	head, err := repo.Ref("refs/heads/" + p.DefaultBranch)
	if errors.Is(err, git.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return repo.Log(ctx, git.LogFilter{From: head, FirstParent: true}, 0, sampleCommits+1)
}

func (t *Teller) sampleProject(ctx context.Context, p model.Project) (any, error) {
	row, err := t.store.Projects.Get(ctx, p.ID, "", &store.Reader{Admin: true})
	if err != nil {
		return nil, err
	}
	in, err := t.loader.SystemProject(ctx, payload.EventProjectCreate, row)
	return t.to.GroupProject(in), err
}

// sampleToken builds the body of an access token that does not exist.
func (t *Teller) sampleToken(p model.Project, user model.User) any {
	now := time.Now()
	expires := now.AddDate(0, 0, 7)
	return t.to.AccessToken(payload.AccessTokenInput{
		Project: &p, Token: model.PersonalAccessToken{UserID: user.ID, Name: "sample", CreatedAt: now, ExpiresAt: &expires},
	})
}
