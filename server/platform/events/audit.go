package events

import (
	"context"
	"encoding/json"
	"strconv"

	"svc/server/platform/reqctx"
	"svc/store"
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

// Source is a group or project, as members and tokens name it, as the place of a change.
func Source(kind string, id int64, path string) Entity {
	if kind == model.SourceProject {
		return Entity{Type: "Project", ID: id, Path: path}
	}
	return Entity{Type: "Group", ID: id, Path: path}
}

// Account is the place of a change of a user who is known by the id alone; often it is the caller.
func Account(ctx context.Context, st *store.Store, id int64) (Entity, error) {
	if actor := reqctx.Of(ctx).Actor; actor != nil && actor.User.ID == id {
		return User(id, actor.User.Username), nil
	}
	u, err := st.Users.Get(ctx, id)
	return User(id, u.Username), err
}

// Target is what was changed; its id is a number, or a name where there is none.
type Target struct {
	Type    string
	ID      any
	Details string // its name
}

// Itself is the entity of a change as its target.
func (e Entity) Itself() Target { return Target{Type: e.Type, ID: e.ID, Details: e.Path} }

// Change is one administrative change.
type Change struct {
	Type    string // such as member_created: a word that does not change; empty for no change at all
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

// System is the service itself.
var System = &Author{ID: -1, Name: "System"}

// Audit writes changes: by whom, from which address, and for sudo and impersonation who was really there.
func (r *Recorder) Audit(ctx context.Context, changes ...Change) error {
	return Audit(ctx, r.store, changes...)
}

// Audited makes a change and writes it down, in one transaction.
func Audited(ctx context.Context, st *store.Store, write func(ctx context.Context) (Change, error)) error {
	return AuditedAll(ctx, st, func(ctx context.Context) ([]Change, error) {
		c, err := write(ctx)
		return []Change{c}, err
	})
}

// AuditedAll is Audited for what changes several things.
func AuditedAll(ctx context.Context, st *store.Store, write func(ctx context.Context) ([]Change, error)) error {
	return st.Tx(ctx, func(ctx context.Context) error {
		changes, err := write(ctx)
		if err != nil {
			return err
		}
		return Audit(ctx, st, changes...)
	})
}

// Audit is Recorder.Audit for who has the store alone. All changes are one statement.
func Audit(ctx context.Context, st *store.Store, changes ...Change) error {
	info := reqctx.Of(ctx)
	rows := make([]model.AuditEvent, 0, len(changes))
	for _, c := range changes {
		if c.Type == "" {
			continue
		}
		row, err := auditRow(info, c)
		if err != nil {
			return err
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return nil
	}
	return st.AuditEvents.Create(ctx, rows)
}

func auditRow(info *reqctx.Info, c Change) (model.AuditEvent, error) {
	details := map[string]any{"target_id": c.Target.ID, "target_type": c.Target.Type, "target_details": c.Target.Details, "entity_path": c.Entity.Path, "author_class": "User"}
	put := func(name string, value any) {
		if value != nil && value != "" {
			details[name] = value
		}
	}
	row := model.AuditEvent{EntityType: c.Entity.Type, EntityID: c.Entity.ID, EntityPath: c.Entity.Path, EventType: c.Type, TargetType: c.Target.Type, TargetDetails: c.Target.Details}
	by := c.Author
	switch {
	case by != nil:
	case info.Actor != nil:
		by = &Author{ID: info.Actor.User.ID, Name: info.Actor.User.Name}
	case !info.IP.IsValid(): // no request: the command line, or work in the background
		by = System
	}
	if by != nil {
		row.AuthorID, row.AuthorName = by.ID, by.Name
		put("author_email", by.Email)
	}
	put("author_name", row.AuthorName)
	switch {
	case info.Actor == nil:
	case info.Actor.Real != nil:
		details["as_user"], details["real_author_id"], details["real_author_name"] = row.AuthorID, info.Actor.Real.ID, info.Actor.Real.Name
	case info.Actor.Posing:
		details["as_user"], details["impersonation_token_id"] = row.AuthorID, info.Actor.TokenID
		if maker := info.Actor.Maker; maker != nil { // older tokens do not say whose they are
			details["real_author_id"], details["real_author_name"] = maker.ID, maker.Name
		}
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
	row.Details = string(text)
	return row, err
}
