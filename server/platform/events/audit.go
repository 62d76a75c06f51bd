package events

import (
	"context"
	"encoding/json"
	"strconv"

	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// Entity is the account, group, project or instance that a change belongs to. The people who manage the entity can read
// the change.
type Entity struct {
	Type string
	ID   int64
	Path string
}

// Instance is the entity of changes to the instance itself.
var Instance = Entity{Type: model.AuditInstance, ID: 1, Path: "svc_instance"}

// User returns the entity of changes to an account.
func User(id int64, username string) Entity { return Entity{Type: "User", ID: id, Path: username} }

// Group returns the entity of changes to a group.
func Group(n model.Namespace) Entity { return Entity{Type: "Group", ID: n.ID, Path: n.FullPath} }

// Project returns the entity of changes to a project.
func Project(p model.Project) Entity { return Entity{Type: "Project", ID: p.ID, Path: p.FullPath} }

// Source returns the entity of changes to a group or project, given in the form that members and tokens refer to it.
func Source(kind string, id int64, path string) Entity {
	if kind == model.SourceProject {
		return Entity{Type: "Project", ID: id, Path: path}
	}
	return Entity{Type: "Group", ID: id, Path: path}
}

// Account returns the entity of a user who is given by id only. Often that is the caller, which saves a query.
func Account(ctx context.Context, st *store.Store, id int64) (Entity, error) {
	if actor := reqctx.Of(ctx).Actor; actor != nil && actor.User.ID == id {
		return User(id, actor.User.Username), nil
	}
	u, err := st.Users.Get(ctx, id)
	return User(id, u.Username), err
}

// Target is the thing that was changed. Its id is a number, or a name if it has no number.
type Target struct {
	Type    string
	ID      any
	Details string // the name of the target
}

// AsTarget returns the entity as the target of a change.
func (e Entity) AsTarget() Target { return Target{Type: e.Type, ID: e.ID, Details: e.Path} }

// Change is one administrative change.
type Change struct {
	Type    string // a stable word such as member_created; empty if nothing changed
	Entity  Entity
	Target  Target
	Message string // what happened, in a sentence without names
	Field   string // the changed field, with its values in From and To; empty for an addition or a removal
	From    any
	To      any
	Add     string  // what was added
	Remove  string  // what was removed
	Author  *Author // the user who made the change, if not the caller
}

// Author is the user who made a change; id 0 is an unknown user.
type Author struct {
	ID          int64
	Name, Email string
}

// System is the author of changes that the service makes by itself.
var System = &Author{ID: -1, Name: "System"}

// Audit writes changes with their author and address, and for sudo and impersonation with the real user.
func (r *Recorder) Audit(ctx context.Context, changes ...Change) error {
	return Audit(ctx, r.store, changes...)
}

// Audited makes a change and writes its audit event, in one transaction.
func Audited(ctx context.Context, st *store.Store, write func(ctx context.Context) (Change, error)) error {
	return AuditedAll(ctx, st, func(ctx context.Context) ([]Change, error) {
		c, err := write(ctx)
		return []Change{c}, err
	})
}

// AuditedAll is Audited for several changes.
func AuditedAll(ctx context.Context, st *store.Store, write func(ctx context.Context) ([]Change, error)) error {
	return st.Tx(ctx, func(ctx context.Context) error {
		changes, err := write(ctx)
		if err != nil {
			return err
		}
		return Audit(ctx, st, changes...)
	})
}

// Audit is Recorder.Audit for callers that only have the store. It writes all changes in one statement.
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
	details := map[string]any{
		"target_id": c.Target.ID, "target_type": c.Target.Type, "target_details": c.Target.Details,
		"entity_path": c.Entity.Path, "author_class": "User",
	}
	put := func(name string, value any) {
		if value != nil && value != "" {
			details[name] = value
		}
	}
	row := model.AuditEvent{
		EntityType: c.Entity.Type, EntityID: c.Entity.ID, EntityPath: c.Entity.Path, EventType: c.Type,
		TargetType: c.Target.Type, TargetDetails: c.Target.Details,
	}
	by := c.Author
	switch {
	case by != nil:
	case info.Actor != nil:
		by = &Author{ID: info.Actor.User.ID, Name: info.Actor.User.Name}
	case !info.IP.IsValid(): // no request: the command line, or background work
		by = System
	}
	if by != nil {
		row.AuthorID, row.AuthorName = by.ID, by.Name
		put("author_email", by.Email)
	}
	put("author_name", row.AuthorName)
	switch {
	case info.Actor == nil:
	case info.Actor.SudoBy != nil:
		details["as_user"] = row.AuthorID
		details["real_author_id"], details["real_author_name"] = info.Actor.SudoBy.ID, info.Actor.SudoBy.Name
	case info.Actor.Impersonated:
		details["as_user"], details["impersonation_token_id"] = row.AuthorID, info.Actor.TokenID
		if maker := info.Actor.Impersonator; maker != nil { // older tokens do not record who created them
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
