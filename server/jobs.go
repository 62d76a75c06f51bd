package server

import (
	"context"
	"time"

	"svc/server/domain/account"
	"svc/server/domain/bulkimport"
	"svc/server/domain/ci/artifacts"
	"svc/server/domain/ci/engine"
	"svc/server/domain/ci/launch"
	"svc/server/domain/deletion"
	"svc/server/domain/group"
	"svc/server/domain/group/export"
	"svc/server/domain/issue"
	"svc/server/domain/key"
	"svc/server/domain/member"
	"svc/server/domain/project"
	projectexport "svc/server/domain/project/export"
	"svc/server/domain/relationexport"
	"svc/server/domain/repository/branch"
	"svc/server/domain/repository/commit"
	"svc/server/domain/repository/contribution"
	"svc/server/domain/repository/fetch"
	"svc/server/domain/repository/lfs"
	"svc/server/domain/repository/lifecycle"
	"svc/server/domain/repository/push"
	"svc/server/domain/repository/remote"
	"svc/server/domain/site"
	"svc/server/domain/site/acme"
	"svc/server/domain/webhook"
	"svc/server/domain/webhook/announce"
	"svc/server/platform/access"
	"svc/server/platform/maintenance"
	"svc/server/platform/worker"
	"svc/server/transport/middleware/limit"
	"svc/store/clock"
)

// pushFollowUps returns what happens after a push, in order, in the transaction that writes the event of the push.
func (s *services) pushFollowUps() push.FollowUps {
	return push.FollowUps{
		Each: []push.FollowUp{
			s.queuePipelines,       // queues the job that creates the pipeline of each pushed ref
			s.hookAnnouncer.Pushed, // announces to webhooks
			s.updateMergeRequests,  // stores the new heads of merge requests and queues their checks
			s.deleteReleases,       // deletes the releases of tags that were deleted through the API
		},
		Once: []push.FollowUp{
			s.repositories.Pushed, // queues the maintenance of the repository
			s.measurer.Pushed,     // stores the path of the readme and marks the repository for measuring
			s.countContributors,   // queues the job that counts the lines of contributors
			s.markMirrors,         // marks the mirrors that the project pushes to
		},
	}
}

// queuePipelines queues the pipelines of a push. The launcher is created after the pusher.
func (s *services) queuePipelines(ctx context.Context, p push.Result) error {
	return s.launcher.QueuePush(ctx, launch.Push{
		Project: p.Project, UserID: p.UserID, Batch: p.Batch, Changes: p.Changes, Options: p.Options,
	})
}

// updateMergeRequests updates the merge requests of the pushed branches. The merger is created after the pusher.
func (s *services) updateMergeRequests(ctx context.Context, p push.Result) error {
	return s.merger.Pushed(ctx, p)
}

// deleteReleases deletes the releases of deleted tags. The release service is created after the pusher.
func (s *services) deleteReleases(ctx context.Context, p push.Result) error {
	return s.releases.Pushed(ctx, p)
}

// markMirrors marks the mirrors of a project for an update. The service for mirrors is created after the pusher.
func (s *services) markMirrors(ctx context.Context, p push.Result) error {
	return s.remotes.Pushed(ctx, p)
}

// countContributors queues the job that counts the lines of the contributors of a project, once for many pushes.
func (s *services) countContributors(ctx context.Context, p push.Result) error {
	return s.worker.EnqueueOnce(ctx, contribution.CountJob{ProjectID: p.ProjectID})
}

// expiries returns what the job that deletes expired rows does, in order.
func (s *services) expiries() []maintenance.Expiry {
	return []maintenance.Expiry{
		// Sessions, mailed tokens, statuses, unconfirmed addresses, idle bot users, locks after wrong passwords.
		{Name: "accounts", Run: func(ctx context.Context, now time.Time) error { return account.Expire(ctx, s.store, now) }},
		// Memberships, invitations, shares of groups and projects.
		{Name: "members", Run: func(ctx context.Context, now time.Time) error {
			return member.New(s.store, s.hookAnnouncer).Expire(ctx, now)
		}},
		// Activity events that are older than three years.
		{Name: "events", Run: s.recorder.Expire},
		// Counters of rate limits.
		{Name: "rate limits", Run: func(ctx context.Context, now time.Time) error { return limit.Expire(ctx, s.store, now) }},
		// Numbers of fetches.
		{Name: "fetches", Run: func(ctx context.Context, now time.Time) error { return fetch.Expire(ctx, s.store, now) }},
		// Errors of error tracking that did not occur for a long time.
		{Name: "tracked errors", Run: s.errorTracking.Expire},
		// Messages for webhooks and their delivery log.
		{Name: "webhook deliveries", Run: s.hooks.Expire},
		// Codes, tokens and grants of OAuth.
		{Name: "oauth", Run: func(ctx context.Context, _ time.Time) error { return s.provider.Expire(ctx) }},
	}
}

// jobs returns all background jobs.
func (s *services) jobs() *worker.Jobs {
	jobs := worker.NewJobs()
	jobs.NoJobsAtStart, jobs.Tracer = s.testing.NoJobsAtStart, s.tracer
	maintenance.Register(jobs, s.store, s.expiries())
	s.addAPIJobs(jobs)
	s.addRepositoryJobs(jobs)
	s.addLFSJobs(jobs)
	s.addPipelineJobs(jobs)
	s.addArtifactJobs(jobs)
	s.addMergeRequestJobs(jobs)
	s.addGroupExportJobs(jobs)
	s.addProjectExportJobs(jobs)
	s.addSiteJobs(jobs)
	s.addMailJobs(jobs)
	s.addHookJobs(jobs)
	worker.Handle(jobs, s.incidents.Run)
	return jobs
}

// unlessHeld returns a job that removes files, and that does nothing while a backup copies files. The next round of the
// job removes them.
func unlessHeld[J any](s *services, run func(ctx context.Context, job J) error) func(ctx context.Context, job J) error {
	return func(ctx context.Context, job J) error {
		if held, err := s.store.Instance.RemovalsHeld(ctx, clock.Now(ctx)); held || err != nil {
			return err
		}
		return run(ctx, job)
	}
}

// addAPIJobs adds the jobs that continue operations of the API.
func (s *services) addAPIJobs(jobs *worker.Jobs) {
	worker.Handle(jobs, s.accounts.RunDeletion, worker.Long)
	worker.Handle(jobs, s.deletions().Run, worker.Long)
	worker.Every(jobs, 10*time.Minute, deletion.Job{})
	worker.Handle(jobs, branch.DeleteMerged(s.store, s.pusher), worker.Long)
	worker.Handle(jobs, contribution.Count(s.store, s.storages.repositories), worker.Later)
	worker.Handle(jobs, issue.RunNotifyDue(s.store, s.recorder), worker.Upkeep)
	worker.Every(jobs, 12*time.Hour, issue.NotifyDue{})
	worker.Handle(jobs, key.New(s.store, s.hookAnnouncer).ReadSubkeys, worker.Upkeep)
	worker.Every(jobs, 24*time.Hour, key.Subkeys{})
}

// deletions returns the worker that deletes what was marked for deletion.
func (s *services) deletions() *deletion.Worker {
	permissions, writer := access.New(s.store), commit.New(s.store, s.pusher, s.cfg.URL)
	return deletion.NewWorker(
		s.store, project.NewService(s.store, permissions, s.repositories, writer, s.recorder, s.hookAnnouncer),
		group.NewService(s.store, permissions, s.groupExports, s.hookAnnouncer),
	)
}

// addRepositoryJobs adds the jobs that fork, maintain, measure, move and remove repositories.
func (s *services) addRepositoryJobs(jobs *worker.Jobs) {
	worker.Handle(jobs, s.pusher.RecoverJob, worker.Later)
	worker.Every(jobs, 5*time.Minute, push.Recovery{})
	worker.Handle(jobs, s.measurer.Run, worker.Upkeep)
	worker.Every(jobs, time.Minute, lifecycle.MeasureJob{})
	worker.Handle(jobs, s.repositories.Fork)
	worker.Handle(jobs, s.remotes.RunImport, worker.Transfers)
	worker.Handle(jobs, s.remotes.RunPush, worker.Transfers)
	worker.Handle(jobs, s.remotes.RunPull, worker.Transfers)
	worker.Handle(jobs, s.remotes.RunSweep, worker.Upkeep)
	worker.Every(jobs, time.Minute, remote.SweepMirrors{})
	worker.Handle(jobs, s.bulkImports.RunEntity, worker.Transfers)
	worker.Handle(jobs, s.bulkImports.RunSweep, worker.Upkeep)
	worker.Every(jobs, time.Hour, bulkimport.SweepJob{})
	worker.Handle(jobs, s.repositories.Maintain, worker.Upkeep)
	worker.Handle(jobs, s.sideRepositories.Maintain, worker.Upkeep)
	worker.Handle(jobs, unlessHeld(s, s.repositories.Remove), worker.Upkeep)
	worker.Every(jobs, time.Minute, lifecycle.Remove{})
	worker.Handle(jobs, unlessHeld(s, s.repositories.Sweep), worker.Upkeep)
	worker.Every(jobs, 12*time.Hour, lifecycle.Sweep{})
	worker.Handle(jobs, s.repositories.Move, worker.Long)
	worker.Handle(jobs, s.repositories.MoveAll, worker.Long)
	worker.Handle(jobs, unlessHeld(s, s.repositories.FinishMoves), worker.Upkeep)
	worker.Every(jobs, time.Minute, lifecycle.FinishMovesJob{})
	worker.Handle(jobs, unlessHeld(s, s.repositories.Cleanup), worker.Upkeep) // FinishMoves does it later
}

// addLFSJobs adds the jobs that remove large files.
func (s *services) addLFSJobs(jobs *worker.Jobs) {
	worker.Handle(jobs, unlessHeld(s, s.lfs.Remove), worker.Upkeep)
	worker.Every(jobs, time.Hour, lfs.Removal{})
	worker.Handle(jobs, unlessHeld(s, s.lfs.Sweep), worker.Upkeep)
	worker.Every(jobs, 24*time.Hour, lfs.Sweep{})
}

// addPipelineJobs adds the jobs that create pipelines and move them forward.
func (s *services) addPipelineJobs(jobs *worker.Jobs) {
	worker.Handle(jobs, s.launcher.Pushed)
	worker.Handle(jobs, s.launcher.KeepCommit)
	worker.Handle(jobs, s.launcher.Bridge)
	worker.Handle(jobs, s.launcher.Scheduled)
	worker.Handle(jobs, s.launcher.Schedules)
	worker.Every(jobs, time.Minute, launch.Schedules{})
	worker.Handle(jobs, s.engine.Process)
	worker.Handle(jobs, s.engine.AssignResource)
	worker.Handle(jobs, s.engine.StartDelayed)
	worker.Handle(jobs, s.engine.UpdateBridge)
	worker.Handle(jobs, s.engine.Supersede)
	worker.Handle(jobs, s.engine.DropOverdue)
	worker.Every(jobs, time.Minute, engine.DropOverdue{})
	worker.Handle(jobs, s.engine.AutoStop)
	worker.Every(jobs, time.Minute, engine.AutoStop{})
}

// addArtifactJobs adds the jobs that expire and remove artifacts.
func (s *services) addArtifactJobs(jobs *worker.Jobs) {
	worker.Handle(jobs, s.artifacts.Expire, worker.Upkeep)
	worker.Every(jobs, 10*time.Minute, artifacts.ExpireJob{})
	worker.Handle(jobs, s.artifacts.Empty, worker.Upkeep)
	worker.Handle(jobs, unlessHeld(s, s.artifacts.RemoveBlobs), worker.Upkeep)
	worker.Every(jobs, time.Minute, artifacts.RemoveBlobsJob{})
}

// addMergeRequestJobs adds the jobs that follow pushes, pipelines and merges.
func (s *services) addMergeRequestJobs(jobs *worker.Jobs) {
	worker.Handle(jobs, s.merger.Refresh)
	worker.Handle(jobs, s.merger.RunTarget)
	worker.Handle(jobs, s.merger.RunCheck)
	worker.Handle(jobs, s.merger.AfterMerge)
	worker.Handle(jobs, s.merger.Rebase)
	worker.Handle(jobs, s.merger.PipelineConcluded)
	worker.Handle(jobs, s.merger.CloseMentioned)
	worker.Handle(jobs, s.merger.DeleteRef)
}

// addGroupExportJobs adds the jobs that export and import groups.
func (s *services) addGroupExportJobs(jobs *worker.Jobs) {
	worker.Handle(jobs, s.groupExports.RunExport, worker.Long)
	worker.Handle(jobs, s.groupExports.RunImport, worker.Long)
	worker.Handle(jobs, s.groupExports.Resume, worker.Upkeep)
	worker.Every(jobs, time.Minute, export.ResumeJob{})
}

// addProjectExportJobs adds the jobs that export and import projects, and those that export relations.
func (s *services) addProjectExportJobs(jobs *worker.Jobs) {
	worker.Handle(jobs, s.projectExports.RunExport, worker.Long)
	worker.Handle(jobs, s.projectExports.RunImport, worker.Transfers)
	worker.Handle(jobs, s.projectExports.Resume, worker.Upkeep)
	worker.Every(jobs, time.Minute, projectexport.ResumeJob{})
	worker.Handle(jobs, s.relationExports.RunExport, worker.Long)
	worker.Handle(jobs, s.relationExports.Resume, worker.Upkeep)
	worker.Every(jobs, time.Minute, relationexport.ResumeJob{})
}

// addSiteJobs adds the jobs that publish sites, verify domains and obtain certificates.
func (s *services) addSiteJobs(jobs *worker.Jobs) {
	worker.Handle(jobs, s.sitePublisher.Publish, worker.Long)
	worker.Handle(jobs, s.domainVerifier.Run, worker.Network)
	worker.Every(jobs, time.Hour, site.VerifyDomainsJob{})
	worker.Handle(jobs, s.certificates.Round, worker.Network)
	worker.Every(jobs, time.Minute, acme.Round{})
	worker.Handle(jobs, s.certificates.Order, worker.Network)
}

// addHookJobs adds the jobs that deliver to webhooks.
func (s *services) addHookJobs(jobs *worker.Jobs) {
	worker.Handle(jobs, s.hooks.Deliver, worker.Webhooks)
	worker.Handle(jobs, s.hooks.DeliverSlow, worker.SlowWebhooks)
	worker.Handle(jobs, s.hooks.Sweep, worker.Upkeep)
	worker.Handle(jobs, s.statusChecks.Call, worker.Network)
	worker.Every(jobs, time.Minute, webhook.SweepJob{})
	worker.Handle(jobs, s.hookAnnouncer.RunExpiring(s.cfg.WebhookEarlyExpiry), worker.Upkeep)
	worker.Every(jobs, 12*time.Hour, announce.ExpiringJob{})
}

// addMailJobs adds the jobs that write and send mail.
func (s *services) addMailJobs(jobs *worker.Jobs) {
	worker.Handle(jobs, s.mailer.Run, worker.Mail)
	worker.Handle(jobs, s.accountMails.Run)
	worker.Handle(jobs, s.notifier.Run, worker.Later)
}
