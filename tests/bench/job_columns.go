package main

import (
	"context"

	"svc/store/model"
)

// jobsQuery selects a page of jobs below an id, with the columns of their pipelines and users that the API shows.
const jobsQuery = "SELECT j.id, j.status, j.stage, j.name, j.ref, j.tag, j.coverage, j.allow_failure, +j.created_at, " +
	"+j.queued_at, +j.started_at, +j.finished_at, +j.erased_at, " +
	"j.failure_reason, +j.artifacts_expire_at, j.tags, j.log_size, p.id, p.iid, p.project_id, p.sha, p.ref, p.status, " +
	"p.source, +p.created_at, +p.updated_at, p.commit_data, " +
	"u.id, u.username, u.name, u.state, u.kind, +u.locked_at, u.avatar, u.private_profile, u.bio, u.location, " +
	"u.public_email, u.skype, u.linkedin, u.twitter, u.discord, u.website_url, u.organization, " +
	"u.job_title, u.pronouns, u.time_zone, u.followers, u.following, +u.created_at " +
	"FROM jobs j JOIN pipelines p ON p.id = j.pipeline_id JOIN users u ON u.id = j.user_id " +
	"WHERE j.project_id = 1 AND NOT j.bridge AND j.id < ? ORDER BY j.id DESC LIMIT 20"

// jobs returns a page of jobs with ids below behind.
func (q *queries) jobs(ctx context.Context, behind int64) ([]model.JobRow, error) {
	found, err := q.jobsStmt.QueryContext(ctx, behind)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	rows := make([]model.JobRow, 0, 20)
	for found.Next() {
		rows = append(rows, model.JobRow{User: &model.User{}})
		row := &rows[len(rows)-1]
		j, p, u := &row.Job, &row.Pipeline, row.User
		if err := found.Scan(&j.ID, &j.Status, &j.Stage, &j.Name, &j.Ref, &j.Tag, &j.Coverage, &j.AllowFailure,
			at(&j.CreatedAt), atPtr(&j.QueuedAt), atPtr(&j.StartedAt), atPtr(&j.FinishedAt), atPtr(&j.ErasedAt),
			&j.FailureReason, atPtr(&j.ArtifactsExpireAt), &j.Tags, &j.LogSize, &p.ID, &p.IID, &p.ProjectID, &p.SHA, &p.Ref,
			&p.Status, &p.Source, at(&p.CreatedAt), at(&p.UpdatedAt), &p.CommitData,
			&u.ID, &u.Username, &u.Name, &u.State, &u.Kind, atPtr(&u.LockedAt), &u.Avatar, &u.PrivateProfile, &u.Bio,
			&u.Location, &u.PublicEmail, &u.Skype, &u.Linkedin, &u.Twitter, &u.Discord, &u.WebsiteURL, &u.Organization,
			&u.JobTitle, &u.Pronouns, &u.TimeZone, &u.Followers, &u.Following, at(&u.CreatedAt)); err != nil {
			return nil, err
		}
	}
	return rows, found.Err()
}
