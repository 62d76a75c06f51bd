package topics

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

// ListTopics lists topics.
// GET /topics
func (t *Topics) ListTopics(ctx context.Context, req gen.ListTopicsRequestObject) (gen.ListTopicsResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadTopic); err != nil {
		return nil, err
	}
	p := req.Params
	window, err := pagination.OffsetOnly(ctx, t.pages, "Topic", p.Page, p.PerPage, p.Pagination)
	if err != nil {
		return nil, err
	}
	f := store.TopicFilter{Search: wire.Value(p.Search), WithoutProjects: wire.Value(p.WithoutProjects)}
	rows, total, err := t.store.Topics.List(ctx, f, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListTopics200JSONResponse{
		Body: present.All(rows, t.show.Topic), Headers: gen.ListTopics200ResponseHeaders(window.Headers(total)),
	}, nil
}

// GetTopic returns a topic.
// GET /topics/{id}
func (t *Topics) GetTopic(ctx context.Context, req gen.GetTopicRequestObject) (gen.GetTopicResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadTopic); err != nil {
		return nil, err
	}
	row, err := t.store.Topics.Get(ctx, req.ID)
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	return gen.GetTopic200JSONResponse(t.show.Topic(row)), nil
}
