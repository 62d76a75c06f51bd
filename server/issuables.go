package server

import (
	"svc/server/domain/discussion/award"
	"svc/server/domain/discussion/note"
	"svc/server/domain/discussion/quickaction"
	"svc/server/domain/epic"
	"svc/server/domain/issue"
	"svc/server/domain/label"
	"svc/server/domain/mergerequest"
	"svc/server/domain/milestone"
)

// issuableServices are the services for issues and merge requests and what belongs to them. The API and the pages use them.
type issuableServices struct {
	awards        *award.Service
	epics         *epic.Service
	issues        *issue.Service
	mergeRequests *mergerequest.Service
	notes         *note.Service
	viewer        *mergerequest.Viewer
	labels        *label.Service
	milestones    *milestone.Service
}

// newIssuableServices creates the services for issues and merge requests.
func newIssuableServices(d dependencies) issuableServices {
	awards := award.New(d.store, d.hookAnnouncer)
	quickActions := quickaction.New(d.store, d.access, d.issuables, awards)
	epics := epic.NewService(d.store, d.access, d.issuables)
	issues := issue.NewService(d.store, d.issuables, d.recorder, quickActions, epics, d.show.Paid)
	mergeRequests := mergerequest.NewService(d.merger, d.access, quickActions)
	return issuableServices{
		awards: awards, epics: epics, issues: issues, mergeRequests: mergeRequests,
		notes: note.New(note.Dependencies{
			Store: d.store, Access: d.access, Events: d.recorder, Pusher: d.pusher, Issuables: d.issuables, Issues: issues,
			MergeRequests: mergeRequests, QuickActions: quickActions,
		}),
		viewer: mergerequest.NewViewer(d.merger), labels: label.NewService(d.store),
		milestones: milestone.NewService(d.store, d.recorder, d.hookAnnouncer),
	}
}
