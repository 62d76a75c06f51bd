package wiki

import (
	"context"
	"crypto/rand"
	"encoding/hex"

	"svc/server/domain/repository/lifecycle"
	"svc/server/domain/upload"
	"svc/server/platform/events"
	"svc/store/git"
	"svc/store/model"
)

// Branch is the branch that has the pages of every wiki.
const Branch = model.SideBranch

// Attachment is a file that pages of a wiki can link to.
type Attachment struct {
	Name string
	Path string // of the file in the repository
}

// Attach commits a file to a wiki, in a folder of its own.
func (s *Service) Attach(ctx context.Context, in Place, name string, content []byte) (Attachment, error) {
	var folder [16]byte
	rand.Read(folder[:]) // never fails
	a := Attachment{Name: upload.SafeName(name)}
	a.Path = "uploads/" + hex.EncodeToString(folder[:]) + "/" + a.Name
	person, err := s.writer.Caller(ctx)
	if err != nil {
		return a, err
	}
	if err := s.prepare(ctx, in); err != nil {
		return a, err
	}
	message := "Upload file " + a.Name
	_, err = s.repositories.Write(ctx, in.Repository, lifecycle.Edit{
		Author: person, Message: message,
		Changes: func(git.Repo, string) ([]git.Change, error) {
			return []git.Change{{Action: git.ActionCreate, Path: a.Path, Content: content}}, nil
		},
		Record: func(ctx context.Context, _ string) error {
			return events.Audit(ctx, s.store, events.Change{
				Type: "wiki_attachment_created", Entity: in.entity, Message: message,
				Target: events.Target{Type: "WikiAttachment", ID: a.Path, Details: a.Name},
			})
		},
	})
	return a, Explain(err)
}
