package payload

import (
	"maps"

	"svc/store/model"
)

// MergeRequestChanges returns what changed between two states of a merge request. timeChange is the time that was
// added. Attributes that the service itself computes, such as merge_status, are left out, since some receivers ask
// whether nothing but the labels has changed.
func (i Instance) MergeRequestChanges(before, after MergeRequestState, timeChange int64) Changes {
	c := Changes{}
	old, now, target := before.Row.MergeRequest, after.Row.MergeRequest, after.target()
	compare(c, "title", old.Title, now.Title)
	comparePointers(c, "description", i.absoluteOrNull(target, old.Description), i.absoluteOrNull(target, now.Description))
	compare(c, "draft", old.Draft, now.Draft)
	compare(c, "state_id", stateID(old.State), stateID(now.State))
	compare(c, "target_branch", old.TargetBranch, now.TargetBranch)
	comparePointers(c, "milestone_id", old.MilestoneID, now.MilestoneID)
	comparePointers(c, "discussion_locked", old.DiscussionLocked, now.DiscussionLocked)
	comparePointers(c, "merge_error", old.MergeError, now.MergeError)
	comparePointers(c, "merge_user_id", mergeUser(old), mergeUser(now))
	comparePointers(c, "merge_commit_sha", old.MergeCommitSHA, now.MergeCommitSHA)
	comparePointers(c, "squash_commit_sha", old.SquashCommitSHA, now.SquashCommitSHA)
	compare(c, "merge_when_pipeline_succeeds", old.AutoMerge, now.AutoMerge)
	compareTimes(c, "prepared_at", old.PreparedAt, now.PreparedAt, stamp)
	if was, is := mergeParams(old), mergeParams(now); !maps.Equal(was, is) {
		c["merge_params"] = Change{was, is}
	}
	compareEfforts(c, effort{old.TimeEstimate, old.TotalTimeSpent}, effort{now.TimeEstimate, now.TotalTimeSpent}, timeChange)
	i.compareUsers(c, "assignees", before.Row.Assignees, after.Row.Assignees)
	i.compareUsers(c, "reviewers", reviewing(before), reviewing(after))
	compareLabels(c, before.Row.Labels, after.Row.Labels)
	compare(c, updatedAt, stamp(old.UpdatedAt), stamp(now.UpdatedAt))
	return c
}

// reviewing returns the reviewers as users.
func reviewing(s MergeRequestState) []*model.User {
	return each(s.Reviewers, func(r model.Reviewer) *model.User { return &r.User })
}
