package announce

import (
	"context"
	"errors"

	"svc/server/domain/webhook"
	"svc/server/domain/webhook/load"
	"svc/server/domain/webhook/payload"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/clock"
	"svc/store/git"
	"svc/store/model"
)

// Sample builds a body from the newest object of a project, for a test of a hook. A hook of a group uses the newest
// project below the group.
func (a *Announcer) Sample(ctx context.Context, s webhook.Sample) (any, error) {
	user, err := a.store.Users.Get(ctx, s.UserID)
	if err != nil {
		return nil, err
	}
	var project model.Project
	if s.Project != nil {
		project = s.Project.Project
	} else if project, err = a.projectBelow(ctx, s.Group.ID); err != nil {
		return nil, err
	}
	switch s.Kind {
	case model.HookPush, model.HookTagPush:
		return a.samplePush(ctx, project, user, s.Kind)
	case model.HookProjects:
		return a.sampleProject(ctx, project)
	case model.HookAccessTokens:
		return a.sampleToken(ctx, project, user), nil
	}
	id, err := a.newest(ctx, s.Kind, project.ID)
	if err != nil {
		return nil, err
	}
	return a.sampleObject(ctx, s.Kind, project, user, id)
}

func (a *Announcer) projectBelow(ctx context.Context, groupID int64) (model.Project, error) {
	id, err := a.store.HookSamples.ProjectBelow(ctx, groupID)
	if store.IsNotFound(err) {
		return model.Project{}, apierr.Unprocessable("Ensure the group has projects.")
	}
	if err != nil {
		return model.Project{}, err
	}
	return a.loader.Project(ctx, id)
}

// newest returns the newest object of a project, or the error of a test without one.
func (a *Announcer) newest(ctx context.Context, kind model.HookEvents, projectID int64) (int64, error) {
	none := apierr.Unprocessable(events.HookKindOf(kind).Missing)
	if kind == model.HookVulnerabilities {
		return 0, none
	}
	id, err := a.store.HookSamples.Newest(ctx, kind, projectID)
	if store.IsNotFound(err) {
		return 0, none
	}
	return id, err
}

// sampleObject builds the body of an object of a project.
func (a *Announcer) sampleObject(
	ctx context.Context, kind model.HookEvents, project model.Project, user model.User, id int64,
) (any, error) {
	switch kind {
	case model.HookIssues, model.HookConfidentialIssues:
		row, err := a.loader.Issue(ctx, id)
		return a.to.Issue(payload.IssueInput{Project: project, User: user, Issue: row}), err
	case model.HookMergeRequests:
		m, err := a.store.MergeRequests.Find(ctx, id)
		if err != nil {
			return nil, err
		}
		state, err := a.loader.MergeRequest(ctx, m.ProjectID, m.IID)
		if err != nil {
			return nil, err
		}
		return a.to.MergeRequest(payload.MergeRequestInput{MergeRequestState: state, User: user}), nil
	case model.HookNotes:
		n, err := a.store.Notes.Find(ctx, id)
		if err != nil {
			return nil, err
		}
		in := payload.NoteInput{Project: project, User: user, Note: n, Action: NoteCreated}
		in.Target, err = a.loader.NoteTarget(ctx, project, n)
		return a.to.Note(in), err
	case model.HookPipelines:
		p, err := a.store.Pipelines.Find(ctx, id)
		if err != nil {
			return nil, err
		}
		in, err := a.loader.Pipeline(ctx, p, project)
		return a.to.Pipeline(in), err
	case model.HookJobs:
		in, err := a.loader.Job(ctx, id, project)
		return a.to.Job(in), err
	}
	return a.sampleOther(ctx, kind, project, user, id)
}

// sampleOther builds the body of a release, a milestone, an emoji reaction or a wiki page.
func (a *Announcer) sampleOther(
	ctx context.Context, kind model.HookEvents, project model.Project, user model.User, id int64,
) (any, error) {
	switch kind {
	case model.HookReleases:
		row, err := a.store.Releases.Find(ctx, id)
		if err != nil {
			return nil, err
		}
		in, err := a.loader.Release(ctx, project, row, "create")
		return a.to.Release(in), err
	case model.HookMilestones:
		row, err := a.store.Milestones.Get(ctx, store.OwnedByProject(project), id)
		return a.to.Milestone(payload.MilestoneInput{Project: &project, Milestone: row.Milestone, Action: "create"}), err
	case model.HookEmoji:
		award, err := a.store.AwardEmoji.Find(ctx, id)
		if err != nil {
			return nil, err
		}
		in := payload.EmojiInput{Project: project, User: user, Award: award, Action: "award"}
		in.Note, in.Target, err = a.loader.EmojiTarget(ctx, project, award)
		return a.to.Emoji(in), err
	}
	page, err := a.store.WikiPages.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	content, version, err := a.loader.WikiPage(ctx, project, page.Slug)
	return a.to.WikiPage(payload.WikiPageInput{
		Project: project, User: user, Title: page.Title, Format: page.Format, Slug: page.Slug, Content: content, Version: version,
		Action: "create",
	}), err
}

// sampleCommits is how many commits the sample of a push has.
const sampleCommits = 3

// samplePush builds a push of the last commits of the default branch, or of nothing if there are none.
func (a *Announcer) samplePush(ctx context.Context, p model.Project, user model.User, kind model.HookEvents) (any, error) {
	in := payload.PushInput{Project: p, User: user, Change: git.Command{Old: git.Zero, New: git.Zero, Ref: "refs/heads/" + p.DefaultBranch}}
	if kind == model.HookTagPush {
		in.Change.Ref = "refs/tags/v1.0.0"
	}
	recorded := load.RecordedPush{}
	if !p.EmptyRepo {
		ids, err := a.newestCommits(ctx, p)
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
	recorded.Body = a.to.Push(in)
	return a.loader.CompletePush(ctx, a.to, recorded)
}

// newestCommits returns the newest commits of the default branch, one more than the sample of a push has.
func (a *Announcer) newestCommits(ctx context.Context, p model.Project) ([]string, error) {
	repo, err := a.repos.OpenProject(p.RepositoryStorage, p.ID, p.EmptyRepo)
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

func (a *Announcer) sampleProject(ctx context.Context, p model.Project) (any, error) {
	row, err := a.store.Projects.Get(ctx, p.ID, "", &store.Reader{Admin: true})
	if err != nil {
		return nil, err
	}
	in, err := a.loader.SystemProject(ctx, payload.EventProjectCreate, row)
	return a.to.GroupProject(in), err
}

// sampleToken builds the body of an access token that does not exist.
func (a *Announcer) sampleToken(ctx context.Context, p model.Project, user model.User) any {
	now := clock.Now(ctx)
	expires := now.AddDate(0, 0, 7)
	return a.to.AccessToken(payload.AccessTokenInput{
		Project: &p, Token: model.PersonalAccessToken{UserID: user.ID, Name: "sample", CreatedAt: now, ExpiresAt: &expires},
	})
}
