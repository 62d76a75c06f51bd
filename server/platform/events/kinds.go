package events

import (
	"context"

	"svc/store"
	"svc/store/model"
)

// Application is a change of a program that acts for users, where it belongs.
func Application(in Entity, row model.OAuthApplication, kind, message string) Change {
	return Change{Type: kind, Entity: in, Target: Target{Type: "Application", ID: row.ID, Details: row.Name}, Message: message}
}

// AccessToken is a change of a token.
func AccessToken(in Entity, row model.PersonalAccessToken, kind, message string) Change {
	return Change{Type: kind, Entity: in, Target: Target{Type: "PersonalAccessToken", ID: row.ID, Details: row.Name}, Message: message}
}

// OfUser is a change of an account itself.
func OfUser(u model.User, kind, message string) Change {
	in := User(u.ID, u.Username)
	return Change{Type: kind, Entity: in, Target: in.Itself(), Message: message}
}

// OfProject is a change of a project itself.
func OfProject(p model.Project, kind, message string) Change {
	in := Project(p)
	return Change{Type: kind, Entity: in, Target: in.Itself(), Message: message}
}

// MoveProject puts a project into another namespace, and writes it down.
func MoveProject(ctx context.Context, st *store.Store, p model.Project, namespaceID int64, limit *int64) error {
	return Audited(ctx, st, func(ctx context.Context) (Change, error) {
		if err := st.Projects.Move(ctx, p.ID, namespaceID, limit); err != nil {
			return Change{}, err
		}
		after, err := st.Projects.Get(ctx, p.ID, "", &store.Reader{Admin: true})
		c := OfProject(after.Project, "project_transferred", "Moved project")
		c.Field, c.From, c.To = "full_path", p.FullPath, after.Project.FullPath
		return c, err
	})
}

// Snippet is where changes of a snippet belong: its project, else its author.
func Snippet(row model.SnippetRow) Entity {
	if row.Project != nil {
		return Project(*row.Project)
	}
	return User(row.Author.ID, row.Author.Username)
}
