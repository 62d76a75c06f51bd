// Package draftnotes implements the API operations on draft notes of merge requests: notes of a review that only their
// author sees until they are published.
package draftnotes

import (
	"context"

	"svc/gen"
	"svc/server/domain/discussion/note"
	"svc/server/domain/discussion/review"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
)

// DraftNotes are the operations on draft notes.
type DraftNotes struct {
	store   *store.Store
	notes   *note.Service
	reviews *review.Service
	pages   pagination.MaxOffset
}

// New returns the draft note operations.
func New(st *store.Store, notes *note.Service, reviews *review.Service, pages pagination.MaxOffset) *DraftNotes {
	return &DraftNotes{store: st, notes: notes, reviews: reviews, pages: pages}
}

// find returns a merge request that the caller can read, in a project where the caller has the ability.
func (d *DraftNotes) find(ctx context.Context, ref string, iid int64, ability access.Ability) (note.Item, error) {
	return d.notes.Find(ctx, ref, model.OnMergeRequest, iid, ability)
}

// findDraft returns a draft of the caller and its merge request.
func (d *DraftNotes) findDraft(
	ctx context.Context, ref string, iid, id int64, ability access.Ability,
) (note.Item, model.DraftNote, error) {
	item, err := d.find(ctx, ref, iid, ability)
	if err != nil {
		return item, model.DraftNote{}, err
	}
	row, err := d.reviews.Draft(ctx, item, id)
	return item, row, err
}

// position reads a position in a diff; nil if none was sent.
func position(p *gen.NotePositionCreate) (*string, error) {
	if p == nil {
		return nil, nil // nothing was sent
	}
	text, err := present.EncodePosition(*p)
	if err != nil {
		return nil, apierr.BadParameter(err.Error())
	}
	return &text, nil
}
