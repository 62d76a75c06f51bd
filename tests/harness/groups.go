package harness

import (
	"fmt"
	"sync/atomic"

	"svc/store/model"
)

var groups atomic.Int64

// Group makes a private group without members; edit changes it.
func (h *H) Group(edit ...func(*model.Namespace)) model.Namespace {
	h.T.Helper()
	g := model.DefaultNamespace(model.NamespaceGroup)
	n := groups.Add(1)
	g.Name, g.Path, g.Visibility = fmt.Sprintf("Group %d", n), fmt.Sprintf("group-%d", n), model.Private
	for _, f := range edit {
		f(&g)
	}
	if err := h.Store.Namespaces.Create(h.T.Context(), &g); err != nil {
		h.T.Fatal(err)
	}
	return g
}

// Member makes a user with a role in a group.
func (h *H) Member(g model.Namespace, role model.Access) *Caller {
	h.T.Helper()
	c := h.NewUser()
	h.Join(g, c.User, role)
	return c
}

// Join gives a user a role in a group.
func (h *H) Join(g model.Namespace, u model.User, role model.Access) {
	h.T.Helper()
	m := model.Member{SourceType: model.SourceGroup, SourceID: g.ID, UserID: u.ID, AccessLevel: role}
	if err := h.Store.Members.Add(h.T.Context(), &m); err != nil {
		h.T.Fatal(err)
	}
}

// External marks a user as external.
func External(u *model.User) { u.External = true }
