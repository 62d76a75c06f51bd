// Package planningpages shows what plans the work on issues and merge requests: the milestones, iterations, epics, labels and
// boards of projects and groups.
//
//	pages.go            routes, and the project or group of a page
//	milestones.go       the list of milestones
//	milestone.go        one milestone with its issues and merge requests
//	milestone_write.go  creating, changing and deleting milestones
//	iterations.go       the iterations of groups
//	epics.go            the epics of groups; epic_notes.go has their comments
//	labels.go           labels
//	boards.go           boards, to read
package planningpages
