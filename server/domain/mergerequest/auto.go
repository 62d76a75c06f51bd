package mergerequest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"svc/server/domain/ci/engine"
	"svc/server/domain/mergerequest/mergestatus"
	"svc/server/domain/webhook/announce"
	"svc/server/platform/events"
	"svc/store/model"
)

// ScheduleAutoMerge schedules a merge for when the pipeline succeeds, on behalf of a user who may merge. It returns
// false if there is no running pipeline to wait for.
func (m *Merger) ScheduleAutoMerge(ctx context.Context, mr model.MergeRequest, userID int64, o Options) (bool, error) {
	if mr.HeadPipelineID == nil {
		return false, nil
	}
	o.SHA = mr.HeadSHA
	data, err := json.Marshal(o)
	if err != nil {
		return false, err
	}
	waits := false
	err = m.Store.Tx(ctx, func(ctx context.Context) error {
		// Without the lock, the pipeline could end now, unnoticed.
		p, err := m.Store.Pipelines.Lock(ctx, *mr.HeadPipelineID)
		if err != nil || !mergestatus.Active(p.Status) || p.SHA != mr.HeadSHA {
			return ignoreNotFound(err)
		}
		now, err := m.Store.MergeRequests.Lock(ctx, mr.ID)
		if err != nil || now.HeadSHA != mr.HeadSHA || now.State != model.Opened {
			return ignoreNotFound(err)
		}
		waits = true
		watch, err := m.Issuables.Hooks.WatchMergeRequest(ctx, model.Project{ID: mr.ProjectID}, mr.ID)
		if err != nil {
			return err
		}
		set := map[string]any{
			"auto_merge": true, "auto_merge_user_id": userID, "auto_merge_options": string(data), "merge_error": nil,
		}
		if _, err := m.Store.MergeRequests.Update(ctx, mr.ID, set); err != nil || now.AutoMerge {
			return err
		}
		text := "enabled an automatic merge when the pipeline for " + mr.HeadSHA + " succeeds"
		if err := m.addSystemNote(ctx, mr, userID, "merge", text); err != nil {
			return err
		}
		if err := watch.Announce(ctx, announce.MergeRequestChange{UserID: userID}); err != nil {
			return err
		}
		return m.Events.Notify(ctx, events.Notification{
			Event: events.MergeWhenSucceeds, ProjectID: mr.ProjectID, AuthorID: userID,
			TargetType: model.OnMergeRequest, TargetID: mr.ID,
		})
	})
	return waits, err
}

// CancelAutoMerge cancels an automatic merge. It returns false if there is none.
func (m *Merger) CancelAutoMerge(ctx context.Context, mr model.MergeRequest, userID int64, why string) (bool, error) {
	waited := false
	err := m.Store.Tx(ctx, func(ctx context.Context) error {
		now, err := m.Store.MergeRequests.Lock(ctx, mr.ID)
		if waited = err == nil && now.AutoMerge && now.State == model.Opened; err != nil || !waited {
			return err
		}
		watch, err := m.Issuables.Hooks.WatchMergeRequest(ctx, model.Project{ID: mr.ProjectID}, mr.ID)
		if err != nil {
			return err
		}
		set := map[string]any{"auto_merge": false, "auto_merge_user_id": nil, "auto_merge_options": nil}
		if _, err := m.Store.MergeRequests.Update(ctx, mr.ID, set); err != nil {
			return err
		}
		if err := m.addSystemNote(ctx, mr, userID, "merge", why); err != nil {
			return err
		}
		return watch.Announce(ctx, announce.MergeRequestChange{UserID: userID})
	})
	return waited, err
}

// PipelineConcluded merges a merge request whose pipeline has succeeded, or cancels the automatic merge. If it runs
// again, it finds nothing to do.
func (m *Merger) PipelineConcluded(ctx context.Context, job engine.PipelineEnded) error {
	mr, err := m.Store.MergeRequests.Find(ctx, job.MergeRequestID)
	if err != nil || !mr.AutoMerge || mr.State != model.Opened || mr.AutoMergeUserID == nil {
		return ignoreNotFound(err)
	}
	p, err := m.Store.Pipelines.Find(ctx, job.PipelineID)
	if err != nil || mr.HeadPipelineID == nil || *mr.HeadPipelineID != p.ID || mergestatus.Active(p.Status) {
		return ignoreNotFound(err)
	}
	giveUp := func(why string) error {
		_, err := m.CancelAutoMerge(ctx, mr, *mr.AutoMergeUserID, "aborted the automatic merge because "+why)
		return err
	}
	user, row, ok, err := m.readAs(ctx, *mr.AutoMergeUserID, mr.ProjectID)
	if err != nil {
		return err
	}
	var o Options
	if mr.AutoMergeOptions == nil || json.Unmarshal([]byte(*mr.AutoMergeOptions), &o) != nil || !ok {
		return giveUp("the user who enabled it may no longer merge")
	}
	if p.Status != "success" {
		return giveUp("the pipeline did not succeed")
	}
	err = m.Accept(ctx, row, user, actorFor(user), mr.ID, o)
	var refused *RefusedError
	if errors.As(err, &refused) && refused.Kind == Waits {
		return nil // the approval that completes it tries again
	}
	if errors.As(err, &refused) {
		return giveUp(refusalTexts[refused.Kind])
	}
	if err != nil {
		return fmt.Errorf("merge merge request %d: %w", mr.ID, err)
	}
	return nil
}

// refusalTexts are the texts of system notes about a merge that was refused.
var refusalTexts = map[Refusal]string{
	NotAllowed:  "the user who enabled it may no longer merge",
	NotNow:      "the merge request is not mergeable",
	HeadMoved:   "the source branch was updated",
	CannotMerge: "the branches cannot be merged",
	TargetMoved: "the target branch changes too often",
}
