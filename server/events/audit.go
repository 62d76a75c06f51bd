package events

import (
	"context"
	"encoding/json"
	"strconv"

	"svc/server/request"
	"svc/store/model"
)

// Entity is where a change belongs: whoever looks after it reads of the change.
type Entity struct {
	Type string
	ID   int64
	Path string
}

// Instance is where changes of the instance itself belong.
var Instance = Entity{Type: model.AuditInstance, ID: 1, Path: "svc_instance"}

// User is an account as the place of a change.
func User(id int64, username string) Entity { return Entity{Type: "User", ID: id, Path: username} }

// Group is a group as the place of a change.
func Group(n model.Namespace) Entity { return Entity{Type: "Group", ID: n.ID, Path: n.FullPath} }

// Project is a project as the place of a change.
func Project(p model.Project) Entity { return Entity{Type: "Project", ID: p.ID, Path: p.FullPath} }

// Target is what was changed; its id is a number, or a name where there is none.
type Target struct {
	Type    string
	ID      any
	Details string // its name
}

// Change is one administrative change.
type Change struct {
	Type    string // such as member_created: a word that does not change
	Entity  Entity
	Target  Target
	Message string // what happened, in a sentence without the names
	Field   string // what was changed, from what and to what; empty for what came or went
	From    any
	To      any
	Add     string  // what came
	Remove  string  // what went
	Author  *Author // who did it, where it is not the caller
}

// Author is who made a change; 0 is nobody who is known.
type Author struct {
	ID          int64
	Name, Email string
}

// Audit writes a change: by whom, from which address, and for sudo and impersonation who was really there.
func (r *Recorder) Audit(ctx context.Context, c Change) error {
	info := request.Of(ctx)
	details := map[string]any{"target_id": c.Target.ID, "target_type": c.Target.Type, "target_details": c.Target.Details, "entity_path": c.Entity.Path, "author_class": "User"}
	put := func(name string, value any) {
		if value != nil && value != "" {
			details[name] = value
		}
	}
	row := model.AuditEvent{EntityType: c.Entity.Type, EntityID: c.Entity.ID, EntityPath: c.Entity.Path, EventType: c.Type, TargetType: c.Target.Type, TargetDetails: c.Target.Details}
	by := c.Author
	if by == nil && info.Actor != nil {
		by = &Author{ID: info.Actor.User.ID, Name: info.Actor.User.Name}
	}
	if by != nil {
		row.AuthorID, row.AuthorName = by.ID, by.Name
		put("author_email", by.Email)
	}
	put("author_name", row.AuthorName)
	if info.Actor != nil && info.Actor.Real != nil {
		details["as_user"], details["real_author_id"], details["real_author_name"] = row.AuthorID, info.Actor.Real.ID, info.Actor.Real.Name
	}
	if info.IP.IsValid() {
		address := info.IP.String()
		row.IPAddress = &address
		details["ip_address"] = address
	}
	put("custom_message", c.Message)
	put("change", c.Field)
	put("add", c.Add)
	put("remove", c.Remove)
	put("event_name", c.Type)
	if c.Field != "" {
		details["from"], details["to"] = c.From, c.To
	}
	switch id := c.Target.ID.(type) {
	case int64:
		row.TargetID = strconv.FormatInt(id, 10)
	case string:
		row.TargetID = id
	}
	text, err := json.Marshal(details)
	if err != nil {
		return err
	}
	row.Details = string(text)
	return r.store.AuditEvents.Create(ctx, &row)
}
