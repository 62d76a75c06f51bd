package gitssh

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"

	"svc/server/domain/repository/lfs"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store/clock"
	"svc/store/git"
)

// lfsCommand is the command that LFS clients send first.
const lfsCommand = "git-lfs-authenticate"

// WithLFS also answers git-lfs-authenticate. LFS clients then transfer files over HTTP, at the base URL.
func (s *Server) WithLFS(tickets lfs.Tickets, base string) *Server {
	s.tickets, s.base = tickets, base
	return s
}

// parseLFS reads the command of an LFS client: a path and an operation.
func parseLFS(command string) (service git.Service, project string, ok bool) {
	rest, ok := strings.CutPrefix(command, lfsCommand+" ")
	end := strings.LastIndexByte(rest, ' ')
	if !ok || end < 0 {
		return "", "", false
	}
	switch rest[end+1:] {
	case "download":
		service = git.UploadPack
	case "upload":
		service = git.ReceivePack
	default:
		return "", "", false
	}
	project, ok = projectPath(rest[:end])
	return service, project, ok
}

// lfsCredentials is the LFS URL of a project, with a credential.
type lfsCredentials struct {
	Href      string            `json:"href"`
	Header    map[string]string `json:"header"`
	ExpiresIn int               `json:"expires_in"` // seconds
}

// authenticate responds with a ticket for the large files of one project.
func (s *Server) authenticate(
	ctx context.Context, actor *reqctx.Actor, mark string, service git.Service, path string, to io.Writer,
	say func(string),
) error {
	row, err := s.project(ctx, path, service, say)
	if err != nil {
		return err
	}
	if !row.Project.LfsEnabled {
		return &apierr.Error{Status: http.StatusUnprocessableEntity, Body: apierr.Body{Message: "Git LFS is not enabled for this project"}}
	}
	ticket, err := s.tickets.Issue(lfs.Ticket{Key: mark, ProjectID: row.Project.ID, Upload: service == git.ReceivePack}, clock.Now(ctx))
	if err != nil {
		return err
	}
	basic := base64.StdEncoding.EncodeToString([]byte(actor.User.Username + ":" + ticket))
	return json.NewEncoder(to).Encode(lfsCredentials{
		Href:      s.base + "/" + row.Project.FullPath + ".git/info/lfs",
		Header:    map[string]string{"Authorization": "Basic " + basic},
		ExpiresIn: int(lfs.TicketTime / time.Second),
	})
}
