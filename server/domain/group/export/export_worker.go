package export

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"svc/server/domain/archive"
	"svc/store"
	"svc/store/blob"
	"svc/store/clock"
	"svc/store/model"
)

// Export is the job that writes the export of a group.
type Export struct {
	ExportID int64 `json:"export_id"`
}

// Kind returns the name of the job in the queue.
func (Export) Kind() string { return "group_export" }

// RunExport writes the export of a group. It can be repeated after an interruption at any point, because the export
// refers to the file only once the file is complete.
func (s *Service) RunExport(ctx context.Context, job Export) error {
	e, err := s.store.GroupExports.Get(ctx, job.ExportID)
	if store.IsNotFound(err) || (err == nil && e.State != model.ExportScheduled && e.State != model.ExportStarted) {
		return nil // replaced, or done
	}
	if err != nil {
		return err
	}
	if err := s.store.GroupExports.Touch(ctx, e.ID); err != nil {
		return err
	}
	defer archive.ReportProgress(ctx, s.logger, func(ctx context.Context) error { return s.store.GroupExports.Touch(ctx, e.ID) })()
	err = s.export(ctx, e)
	if refused := explain(err); refused != nil {
		return s.store.GroupExports.Fail(ctx, e.ID, refused.Text)
	}
	return err
}

func (s *Service) export(ctx context.Context, e model.GroupExport) error {
	key := blob.ExportKey()
	if err := s.store.ScheduleBlobRemoval(ctx, key, clock.Now(ctx).UTC().Add(uploadTime)); err != nil {
		return err
	}
	read, write := io.Pipe()
	go func() { write.CloseWithError(s.pack(ctx, e, write)) }()
	sum := sha256.New()
	size, err := s.blobs.Put(ctx, key, io.TeeReader(read, sum))
	read.CloseWithError(err) // stops the goroutine that packs
	if err == nil {
		e.Key, e.Size, e.SHA256 = &key, size, hex.EncodeToString(sum.Sum(nil))
		e.ExpiresAt = clock.Now(ctx).UTC().Add(ExportLifetime)
		err = s.store.GroupExports.Finish(ctx, e)
	}
	if err != nil {
		s.discard(ctx, key)
	}
	if store.IsNotFound(err) {
		return nil // replaced meanwhile
	}
	return err
}

// pack writes a group and all its subgroups, as they are at one moment.
func (s *Service) pack(ctx context.Context, e model.GroupExport, to io.Writer) error {
	return s.store.Snapshot(ctx, func(ctx context.Context) error {
		if _, err := s.mayExport(ctx, e.GroupID, e.UserID); err != nil {
			return err
		}
		groups, err := s.store.Namespaces.Tree(ctx, e.GroupID, maxGroups+1)
		if err != nil {
			return err
		}
		if len(groups) > maxGroups {
			return bad("the export would contain more than %d groups", maxGroups)
		}
		p := archive.NewWriter(to, s.tempFolder, clock.Now(ctx))
		defer p.Discard()
		var ids strings.Builder
		for _, g := range groups {
			ids.WriteString(strconv.FormatInt(g.ID, 10) + "\n")
		}
		if err := errors.Join(p.Text(versionFile, version), p.Text(groupsFile, ids.String())); err != nil {
			return err
		}
		for i, g := range groups {
			if err := s.packGroup(ctx, p, groupOf(g, i == 0), g); err != nil {
				return fmt.Errorf("pack group %d: %w", g.ID, err)
			}
		}
		return p.Close()
	})
}

// mayExport returns the group, and checks that the user who requested the export is still an active owner.
func (s *Service) mayExport(ctx context.Context, groupID, userID int64) (model.Namespace, error) {
	u, err := s.store.Users.Get(ctx, userID)
	if err != nil {
		return model.Namespace{}, err
	}
	reader := &store.Reader{UserID: u.ID, Admin: u.Admin, External: u.External}
	g, role, err := s.store.Namespaces.GetGroup(ctx, groupID, "", reader)
	if err != nil {
		return g, err
	}
	if u.State != model.UserActive || role.Access < model.Owner {
		return g, bad("the user who requested the export may no longer export the group")
	}
	return g, nil
}

// packGroup writes a group and its parts.
func (s *Service) packGroup(ctx context.Context, p *archive.Writer, g Group, row model.Namespace) error {
	if err := p.JSON(inGroup(g.ID, ".json"), g); err != nil {
		return err
	}
	all := s.parts(ctx, row)
	for _, name := range partNames {
		if err := p.Lines(part(g.ID, name), all[name]); err != nil {
			return err
		}
	}
	if s.noWikis {
		return nil
	}
	return p.Bytes(inGroup(g.ID, wikiFile), func(to io.Writer) error { return s.wikis.PackGroupWiki(ctx, g.ID, to) })
}

// parts returns the parts of a group by name.
func (s *Service) parts(ctx context.Context, g model.Namespace) map[string]archive.Records {
	return map[string]archive.Records{
		labelsPart: pages(func(last *model.Label) ([]model.Label, error) {
			return s.store.Labels.ListAfterName(ctx, g.ID, last.Name, batchSize)
		},
			func(l model.Label) any { return labelOf(l) }),
		milestonesPart: pages(func(last *model.Milestone) ([]model.Milestone, error) {
			return s.store.Milestones.ListAfterIID(ctx, g.ID, last.IID, batchSize)
		}, func(m model.Milestone) any {
			return Milestone{
				IID: m.IID, Title: m.Title, Description: m.Description, State: m.State, StartDate: archive.DayOf(m.StartDate),
				DueDate: archive.DayOf(m.DueDate),
			}
		}),
		membersPart: pages(func(last *model.MemberAddress) ([]model.MemberAddress, error) {
			return s.store.Members.ListAfterUser(ctx, g.ID, last.UserID, batchSize)
		}, func(m model.MemberAddress) any {
			return Member{
				AccessLevel: m.AccessLevel, ExpiresAt: archive.DayOf(m.ExpiresAt),
				User: User{ID: m.UserID, Username: m.Username, PublicEmail: m.PublicEmail},
			}
		}),
		badgesPart: allRows(func() ([]model.Badge, error) {
			rows, _, err := s.store.Badges.List(ctx, store.OwnedByGroup(g), nil, store.Page{Limit: maxBadges})
			return rows, err
		}, func(b model.Badge) any { return Badge{Name: b.Name, LinkURL: b.LinkURL, ImageURL: b.ImageURL} }),
		boardsPart: allRows(func() ([]model.BoardRow, error) {
			rows, _, err := s.store.Boards.List(ctx, store.OwnedByGroup(g), store.Page{Limit: maxBoards})
			return rows, err
		}, func(b model.BoardRow) any { return boardOf(b) }),
	}
}

// pages puts rows that are read page by page. Each page begins after the last row of the page before.
func pages[T any](after func(last *T) ([]T, error), show func(T) any) archive.Records {
	return func(put func(record any) error) error {
		var last T
		for {
			rows, err := after(&last)
			if err != nil {
				return err
			}
			for _, row := range rows {
				if err := put(show(row)); err != nil {
					return err
				}
			}
			if len(rows) < batchSize {
				return nil
			}
			last = rows[len(rows)-1]
		}
	}
}

// allRows puts rows that are few enough to be read at once.
func allRows[T any](all func() ([]T, error), show func(T) any) archive.Records {
	return func(put func(record any) error) error {
		rows, err := all()
		for _, row := range rows {
			err = errors.Join(err, put(show(row)))
		}
		return err
	}
}
