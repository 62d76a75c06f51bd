package notify

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"svc/server/domain/discussion/mention"
	"svc/server/platform/access"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

// recipient is a user who gets a mail, the address, and the reason.
type recipient struct {
	user    model.User
	address string
	reason  string
}

// The reasons, strongest first. A mail names only the strongest.
var reasons = []string{"mentioned", "assigned", "review_requested", "author", "commented", "triggered", "subscribed", "member"}

// watching is the reason given to people who only watch the project.
const watching = "watching"

// notForWatchers are events that users who only watch the project do not hear of: most of them are too frequent.
var notForWatchers = []string{events.PushToMergeRequest, events.IssueDue, events.SuccessPipeline, events.NewRelease}

// recipients returns the users who want to hear of an event and may see the item now. It needs only a few statements,
// however many users they are.
func (t *Notifier) recipients(ctx context.Context, s notification) ([]recipient, error) {
	why, err := t.involved(ctx, s)
	if err != nil {
		return nil, err
	}
	said := map[int64]bool{}
	if s.on.IID != 0 {
		if said, err = t.store.Noteables.SubscriptionStates(ctx, s.on.Type, s.on.ID); err != nil {
			return nil, err
		}
	}
	for id, follows := range said {
		if follows && why[id] == "" {
			why[id] = "subscribed"
		}
	}
	var ids []int64
	if s.pipeline == nil && s.Event != events.MovedProject { // only users who are involved hear of these
		if ids, err = t.store.Notifications.Watchers(ctx, s.project); err != nil {
			return nil, err
		}
	}
	for id := range why {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	ids = slices.DeleteFunc(ids, func(id int64) bool {
		follows, spoken := said[id]
		return id == s.AuthorID || (spoken && !follows)
	})
	slices.Sort(ids)
	wanted, err := t.store.Notifications.Resolve(ctx, s.project, ids)
	if err != nil {
		return nil, err
	}
	ids = slices.DeleteFunc(ids, func(id int64) bool {
		follows := said[id]
		return !wants(wanted[id], s.Event, why[id], follows)
	})
	return t.reachable(ctx, s, ids, wanted, why)
}

// wants reports whether a user wants to hear of an event. why is how the user is involved, or "".
func wants(r store.Resolved, event, why string, follows bool) bool {
	switch r.Level {
	case model.LevelDisabled:
		return false
	case model.LevelMention:
		return why == "mentioned" || follows
	}
	flag := flagged(r, event)
	part := why != "" && event != events.SuccessPipeline
	switch r.Level {
	case model.LevelWatch:
		return part || !slices.Contains(notForWatchers, event)
	case model.LevelCustom:
		if event == events.FailedPipeline || event == events.FixedPipeline || event == events.MovedProject {
			return flag // these are on unless the user turned them off
		}
		return part || flag
	}
	return part
}

// flagged reports whether the settings of the level custom include an event.
func flagged(r store.Resolved, event string) bool {
	flags := map[string]bool{events.FailedPipeline: true, events.FixedPipeline: true, events.MovedProject: true}
	if r.Level != model.LevelCustom || json.Unmarshal([]byte(r.Events), &flags) != nil {
		return false
	}
	return flags[event]
}

// involved returns the users who are involved in an event, each with the strongest reason.
func (t *Notifier) involved(ctx context.Context, s notification) (map[int64]string, error) {
	why := map[int64]string{}
	add := func(id int64, reason string) {
		if old := why[id]; old == "" || slices.Index(reasons, reason) < slices.Index(reasons, old) {
			why[id] = reason
		}
	}
	switch {
	case s.pipeline != nil:
		if s.pipeline.UserID != nil {
			add(*s.pipeline.UserID, "triggered")
		}
		return why, nil
	case s.release != nil:
		return why, nil // only the settings of users count
	case s.Event == events.MovedProject:
		members, err := t.store.Members.UserIDsOfProject(ctx, s.project)
		for _, id := range members {
			add(id, "member")
		}
		return why, err
	}
	people, err := t.store.Noteables.Participants(ctx, s.on)
	if err != nil {
		return nil, err
	}
	for _, p := range people {
		if p.How == "mentioned" {
			p.How = "commented" // they were mentioned in an earlier text, not in this one
		}
		add(p.UserID, p.How)
	}
	for _, id := range s.Before {
		add(id, "assigned") // they hear that they are no longer assigned
	}
	names := mention.Mentions(s.body)
	fresh := s.note != nil || s.Event == events.NewIssue || s.Event == events.NewMergeRequest
	if len(names) == 0 || !fresh {
		return why, nil
	}
	named, err := t.store.Users.ByUsername(ctx, names)
	for _, u := range named {
		add(u.ID, "mentioned")
	}
	return why, err
}

// usersPerQuery is how many users one statement reads.
const usersPerQuery = 500

// reachable keeps users who can see the item and have a confirmed address.
func (t *Notifier) reachable(
	ctx context.Context, s notification, ids []int64, wanted map[int64]store.Resolved, why map[int64]string,
) ([]recipient, error) {
	var to []recipient
	for some := range slices.Chunk(ids, usersPerQuery) {
		users, err := t.store.Users.ByID(ctx, some)
		if err != nil {
			return nil, err
		}
		var people []model.User
		var elsewhere []int64
		for _, id := range some {
			u, ok := users[id]
			if !ok || u.Kind != model.UserHuman || u.ConfirmedAt == nil {
				continue
			}
			people = append(people, u)
			if wanted[id].Email != "" {
				elsewhere = append(elsewhere, id)
			}
		}
		rows, err := t.roles(ctx, s.project, some)
		if err != nil {
			return nil, err
		}
		further, err := t.store.Emails.ConfirmedOf(ctx, elsewhere)
		if err != nil {
			return nil, err
		}
		for _, u := range people {
			row, sees := rows[u.ID]
			if !sees || !s.readable(row, u) {
				continue
			}
			r := recipient{user: u, address: u.Email, reason: why[u.ID]}
			for _, address := range further[u.ID] {
				if strings.EqualFold(address, wanted[u.ID].Email) {
					r.address = address
				}
			}
			if r.reason == "" {
				r.reason = watching
			}
			to = append(to, r)
		}
	}
	return to, nil
}

// roles returns the project with the role of each user, without the users who cannot see the project.
func (t *Notifier) roles(ctx context.Context, project model.Project, ids []int64) (map[int64]model.ProjectRow, error) {
	readers, err := t.store.Projects.Readers(ctx, project.ID, ids, nil)
	rows := make(map[int64]model.ProjectRow, len(readers))
	for _, r := range readers {
		if access.ReaderSees(project, r) {
			rows[r.UserID] = r.Row(project)
		}
	}
	return rows, err
}

// readable reports whether a user may see the item of the story.
func (s notification) readable(row model.ProjectRow, u model.User) bool {
	switch {
	case s.on.Type == model.OnSnippet:
		snippet := model.Snippet{AuthorID: s.on.AuthorID, Visibility: s.on.Visibility}
		reader := &store.Reader{UserID: u.ID, Admin: u.Admin, External: u.External}
		return row.ReadsSnippets() && access.ReadsSnippet(snippet, &row, reader)
	case s.pipeline != nil:
		return row.ReadsJobs()
	case s.release != nil:
		return row.ReadsReleases() && row.ReadsCode()
	case s.on.Type != "" && !access.ReadsNoteable(row, s.on, u.ID):
		return false
	}
	return s.note == nil || !s.note.Internal || access.ReadsInternal(row)
}
