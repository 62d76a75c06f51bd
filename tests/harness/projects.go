package harness

import (
	"fmt"
	"sync/atomic"

	"svc/store/model"
)

var projects atomic.Int64

// Project makes a private project in a namespace, without members of its own; edit changes it.
func (h *H) Project(in int64, edit ...func(*model.Project)) model.Project {
	h.T.Helper()
	p := model.DefaultProject()
	n := projects.Add(1)
	p.NamespaceID, p.Name, p.Path = in, fmt.Sprintf("Project %d", n), fmt.Sprintf("project-%d", n)
	for _, f := range edit {
		f(&p)
	}
	if err := h.Store.Projects.Create(h.T.Context(), &p, nil); err != nil {
		h.T.Fatal(err)
	}
	return p
}

// ProjectMember makes a user with a role in a project.
func (h *H) ProjectMember(p model.Project, role model.Access) *Caller {
	h.T.Helper()
	c := h.NewUser()
	h.JoinProject(p, c.User, role)
	return c
}

// JoinProject gives a user a role in a project.
func (h *H) JoinProject(p model.Project, u model.User, role model.Access) {
	h.T.Helper()
	m := model.Member{SourceType: model.SourceProject, SourceID: p.ID, UserID: u.ID, AccessLevel: role}
	if err := h.Store.Members.Add(h.T.Context(), &m); err != nil {
		h.T.Fatal(err)
	}
}
