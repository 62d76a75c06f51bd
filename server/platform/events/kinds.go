package events

import (
	"context"

	"svc/store"
	"svc/store/model"
)

// Application returns a change of an OAuth application that belongs to an entity.
func Application(in Entity, row model.OAuthApplication, kind, message string) Change {
	return Change{Type: kind, Entity: in, Target: Target{Type: "Application", ID: row.ID, Details: row.Name}, Message: message}
}

// AccessToken returns a change of an access token.
func AccessToken(in Entity, row model.PersonalAccessToken, kind, message string) Change {
	return Change{Type: kind, Entity: in, Target: Target{Type: "PersonalAccessToken", ID: row.ID, Details: row.Name}, Message: message}
}

// OfUser returns a change of an account itself.
func OfUser(u model.User, kind, message string) Change {
	in := User(u.ID, u.Username)
	return Change{Type: kind, Entity: in, Target: in.AsTarget(), Message: message}
}

// OfProject returns a change of a project itself.
func OfProject(p model.Project, kind, message string) Change {
	in := Project(p)
	return Change{Type: kind, Entity: in, Target: in.AsTarget(), Message: message}
}

// MoveProject moves a project to another namespace, and writes the audit event.
func MoveProject(ctx context.Context, st *store.Store, p model.Project, namespaceID int64, limit *int64) error {
	return Audited(ctx, st, func(ctx context.Context) (Change, error) {
		if err := st.Projects.Transfer(ctx, p.ID, namespaceID, limit); err != nil {
			return Change{}, err
		}
		after, err := st.Projects.Get(ctx, p.ID, "", &store.Reader{Admin: true})
		c := OfProject(after.Project, "project_transferred", "Moved project")
		c.Field, c.From, c.To = "full_path", p.FullPath, after.Project.FullPath
		return c, err
	})
}

// Snippet returns the entity of changes to a snippet: its project, or else its author.
func Snippet(row model.SnippetRow) Entity {
	if row.Project != nil {
		return Project(*row.Project)
	}
	return User(row.Author.ID, row.Author.Username)
}
