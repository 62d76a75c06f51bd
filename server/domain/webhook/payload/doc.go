// Package payload builds the JSON bodies that webhooks send. Every builder is a method of Instance that takes an input
// struct of rows and returns a struct whose JSON has the members, types and spellings of times that receivers expect.
// The package makes no queries: package load reads what an input needs.
//
//	event.go                  the table of events: flags, triggers, headers; the names of system events
//	instance.go               the instance, and URLs
//	spelling.go               how times and texts are written
//	object.go                 objects that many bodies contain: user, project, repository, commit, label
//	change.go                 the member changes, and how two rows are compared
//	push.go                   pushes of branches and tags, repository_update
//	issue.go                  issues
//	merge_request.go          merge requests
//	merge_request_change.go   what changed in a merge request
//	note.go                   comments on commits, issues, merge requests and snippets
//	emoji.go                  emoji reactions
//	wiki_page.go              wiki pages
//	pipeline.go               pipelines
//	job.go                    jobs
//	deployment.go             deployments
//	feature_flag.go           feature flags
//	release.go                releases
//	milestone.go              milestones
//	token.go                  tokens that are about to expire
//	group.go                  members, subgroups and projects of groups
//	system.go                 users, keys, groups, projects and members, for system hooks
package payload
