package events

import "svc/store/model"

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

// OfGroup returns a change of a group itself.
func OfGroup(g model.Namespace, kind, message string) Change {
	in := Group(g)
	return Change{Type: kind, Entity: in, Target: in.AsTarget(), Message: message}
}

// Snippet returns the entity of changes to a snippet: its project, or else its author.
func Snippet(row model.SnippetRow) Entity {
	if row.Project != nil {
		return Project(*row.Project)
	}
	return User(row.Author.ID, row.Author.Username)
}
