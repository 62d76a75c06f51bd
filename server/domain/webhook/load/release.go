package load

import (
	"context"

	"svc/server/domain/webhook/payload"
	"svc/store/model"
)

// Release loads the commit of a release.
func (l *Loader) Release(ctx context.Context, p model.Project, r model.ReleaseRow, action string) (payload.ReleaseInput, error) {
	in := payload.ReleaseInput{
		Project: p, ID: r.Release.ID, Tag: r.Release.Tag, Description: r.Release.Description, CreatedAt: r.Release.CreatedAt,
		ReleasedAt: r.Release.ReleasedAt, Action: action,
	}
	if r.Release.Name != nil {
		in.Name = *r.Release.Name
	}
	for _, link := range r.Links {
		in.Links = append(in.Links, payload.ReleaseLink{
			ID: link.ID, External: true, LinkType: link.LinkType, Name: link.Name, URL: link.URL,
		})
	}
	var err error
	in.Commit, err = l.commitOrNil(ctx, p, r.Release.SHA)
	return in, err
}
