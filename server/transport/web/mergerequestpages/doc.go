// Package mergerequestpages shows merge requests and lets people write, review and merge them. What merge requests share with
// issues is in package issuablepages.
//
//	pages.go     routes
//	list.go      the merge requests of a project or a group
//	heading.go   what all pages of a merge request show
//	overview.go  a merge request with its comments
//	status.go    what blocks a merge, in words, and the form that merges
//	actions.go   approve, merge, rebase, run a pipeline
//	commits.go   the commits and the pipelines of a merge request
//	changes.go   the changed files with the threads on their lines
//	lines.go     comments on lines
//	new.go       choosing branches and writing a merge request
//	edit.go      changing and deleting a merge request
//	form.go      the form of a merge request
package mergerequestpages
