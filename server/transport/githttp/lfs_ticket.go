package githttp

import (
	"svc/server/domain/repository/lfs"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store/clock"
	"svc/store/git"

	"github.com/labstack/echo/v4"
)

// ticket returns the ticket that the SSH server has issued to the client, or nil. It is valid for Git LFS only.
func (h *Handler) ticket(c echo.Context) (*lfs.Ticket, error) {
	_, password, ok := c.Request().BasicAuth()
	if !ok || !lfs.IsTicket(password) {
		return nil, nil
	}
	t, good := h.large.Tickets.Read(password, clock.Now(c.Request().Context()))
	if !good || c.Get(lfsRequest) == nil {
		return nil, apierr.Unauthorized()
	}
	return &t, nil
}

// ticketUser returns the caller who has the ticket's SSH key now.
func (h *Handler) ticketUser(c echo.Context, t lfs.Ticket, service git.Service) (*reqctx.Actor, error) {
	actor, err := h.auth.AnySSHKey(c.Request().Context(), t.Key)
	if err != nil {
		return nil, err
	}
	reqctx.Of(c.Request().Context()).Actor = actor // so that a refusal does not treat the caller as anonymous
	if service == git.ReceivePack && !t.Upload {
		err = apierr.Forbidden("This credential is for downloads only")
	}
	return actor, err
}
