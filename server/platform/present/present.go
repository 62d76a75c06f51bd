// Package present turns rows into the JSON shapes of the API. The same row always gives the same JSON, and every member
// is set.
//
//	present.go           the presenter and its settings
//	agent.go             cluster agents
//	alert.go             alerts and alert integrations
//	application.go       OAuth applications
//	audit_event.go       audit events
//	avatar.go            URLs of avatars
//	badge.go             badges and their placeholders
//	blame.go             blamed lines of a file
//	branch.go            branches and tags
//	commit.go            commits
//	commit_author.go     email addresses of commit authors
//	commit_status.go     commit statuses
//	deploytoken.go       deploy tokens
//	draft_note.go        draft notes
//	environment.go       environments and deployments
//	error_tracking.go    error tracking
//	event.go             activity events
//	feature_flag.go      feature flags and their user lists
//	group.go             groups
//	issue.go             issues and to-do items
//	job.go               jobs and bridges, and pipelines inside other resources
//	key.go               SSH and GPG keys
//	label.go             labels and boards
//	member.go            members, access requests and invitations
//	merge_request.go     merge requests, their versions and approvals
//	milestone.go         milestones, time statistics and references
//	namespace.go         namespaces
//	note.go              notes, threads, suggestions and emoji reactions
//	pages_domain.go      domains of sites
//	pages_site.go        sites
//	pipeline.go          pipelines, schedules and triggers
//	position_input.go    reads positions in diffs, which notes and draft notes store
//	profile.go           a user's status, emails and preferences
//	project.go           projects
//	project_parts.go     starrers, shares and attributes of projects
//	project_settings.go  settings of projects
//	protection.go        protected branches and tags
//	release.go           releases and their links
//	repository.go        trees, diffs, comparisons and contributors
//	resource_event.go    resource events
//	resource_group.go    resource groups
//	runner.go            runners and the job token allowlist
//	secure_file.go       secure files
//	signature.go         signatures of commits
//	snippet.go           snippets and wiki pages
//	storage_move.go      storage moves
//	task.go              task lists in descriptions
//	token.go             access tokens
//	user.go              the current user, and users inside other resources
//	user_form.go         users, for other users and administrators
//	variable.go          CI/CD variables
package present

// Presenter holds the settings that the JSON depends on beside the row.
type Presenter struct {
	Base string // external base URL
	SSH  int    // port of git over SSH
	Paid bool   // show the members of the paid tiers
}

// All presents every row; the result is never nil.
func All[R, S any](rows []R, show func(R) S) []S {
	out := make([]S, len(rows))
	for i, row := range rows {
		out[i] = show(row)
	}
	return out
}
