package epic

import (
	"context"
	"errors"
	"fmt"
	"time"

	"svc/server/domain/issuable"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
)

// MaxLinks is the maximum number of links of an epic.
const MaxLinks = 1000

// linkWords are the texts of the system notes about new links.
var linkWords = map[string]string{
	model.RelatesTo:   "marked this epic as related to ",
	model.Blocks:      "marked this epic as blocking ",
	model.IsBlockedBy: "marked this epic as blocked by ",
}

// otherKind is what the other epic of a link is.
var otherKind = map[string]string{
	model.RelatesTo: model.RelatesTo, model.Blocks: model.IsBlockedBy, model.IsBlockedBy: model.Blocks,
}

// Link links an epic to another one and writes a system note on both. kind is what the epic is to the other one, such as
// model.IsBlockedBy.
func (s *Service) Link(ctx context.Context, found, other model.EpicRow, kind string) (model.EpicLink, error) {
	if other.Epic.ID == found.Epic.ID {
		return model.EpicLink{}, apierr.Refused("An epic cannot be linked to itself")
	}
	link := model.EpicLink{SourceID: found.Epic.ID, TargetID: other.Epic.ID, LinkType: kind}
	if kind == model.IsBlockedBy {
		link = model.EpicLink{SourceID: other.Epic.ID, TargetID: found.Epic.ID, LinkType: model.Blocks}
	}
	assigned := apierr.Conflict("Epic(s) already assigned")
	err := s.store.Tx(ctx, func(ctx context.Context) error {
		if _, err := s.store.EpicLinks.Between(ctx, found.Epic.ID, other.Epic.ID); !store.IsNotFound(err) {
			if err == nil {
				err = assigned
			}
			return err
		}
		for _, end := range []int64{found.Epic.ID, other.Epic.ID} {
			n, err := s.store.EpicLinks.Count(ctx, end)
			if err == nil && n >= MaxLinks {
				err = apierr.Refused(fmt.Sprintf("Maximum number of links (%d) exceeded", MaxLinks))
			}
			if err != nil {
				return err
			}
		}
		if err := s.store.EpicLinks.Create(ctx, &link); err != nil {
			return err
		}
		return s.noteBoth(ctx, found, other, "relate", linkWords[kind], linkWords[otherKind[kind]])
	})
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		err = assigned
	}
	return link, err
}

// Unlink removes a link between two epics and writes a system note on both. With unmodifiedSince, it fails if the link has
// changed since then.
func (s *Service) Unlink(ctx context.Context, found, other model.EpicRow, linkID int64, unmodifiedSince *time.Time) error {
	return s.store.Tx(ctx, func(ctx context.Context) error {
		if err := s.store.EpicLinks.Delete(ctx, linkID, unmodifiedSince); err != nil {
			return err
		}
		const words = "removed the relation with "
		return s.noteBoth(ctx, found, other, "unrelate", words, words)
	})
}

// noteBoth writes a system note about a link on both epics.
func (s *Service) noteBoth(ctx context.Context, found, other model.EpicRow, action, words, otherWords string) error {
	note := issuable.SimpleNote(action, words+visibleName(found, other))
	if err := s.addSystemNotes(ctx, found.Epic.ID, note); err != nil {
		return err
	}
	return s.addSystemNotes(ctx, other.Epic.ID, issuable.SimpleNote(action, otherWords+visibleName(other, found)))
}

// visibleName returns the name of an epic for the readers of another one. It hides the names of confidential epics and of
// epics of other groups, because not all of these readers can see them.
func visibleName(reads, other model.EpicRow) string {
	if other.Epic.Confidential || other.Epic.GroupID != reads.Epic.GroupID {
		return "another epic"
	}
	return fmt.Sprintf("&%d", other.Epic.IID)
}
