package topics

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/avatar"
	"svc/server/domain/topic"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
)

// CreateTopic creates a topic.
// POST /topics
func (t *Topics) CreateTopic(ctx context.Context, req gen.CreateTopicRequestObject) (gen.CreateTopicResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminTopic); err != nil {
		return nil, err
	}
	c, err := changeFrom(&req.Body.Name, &req.Body.Title, req.Body.Description, req.Body.Avatar)
	if err != nil {
		return nil, err
	}
	row, err := t.topics.Create(ctx, c)
	if err != nil {
		return nil, err
	}
	return gen.CreateTopic201JSONResponse(t.show.Topic(row)), nil
}

// UpdateTopic changes a topic.
// PUT /topics/{id}
func (t *Topics) UpdateTopic(ctx context.Context, req gen.UpdateTopicRequestObject) (gen.UpdateTopicResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminTopic); err != nil {
		return nil, err
	}
	c, err := changeFrom(req.Body.Name, req.Body.Title, req.Body.Description, req.Body.Avatar)
	if err != nil {
		return nil, err
	}
	row, err := t.topics.Apply(ctx, req.ID, c)
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	return gen.UpdateTopic200JSONResponse(t.show.Topic(row)), nil
}

// changeFrom reads the members of a body.
func changeFrom(name, title *string, description wire.Optional[string], picture wire.Optional[[]byte]) (topic.Change, error) {
	c := topic.Change{Name: name, Title: title}
	if description.IsSet() {
		text := description.Ptr()
		c.Description = &text
	}
	var err error
	c.Picture, err = avatar.Read(picture)
	return c, err
}

// DeleteTopic deletes a topic.
// DELETE /topics/{id}
func (t *Topics) DeleteTopic(ctx context.Context, req gen.DeleteTopicRequestObject) (gen.DeleteTopicResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminTopic); err != nil {
		return nil, err
	}
	err := t.topics.Delete(ctx, req.ID, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	return gen.DeleteTopic204Response{}, nil
}

// MergeTopics merges two topics.
// POST /topics/merge
func (t *Topics) MergeTopics(ctx context.Context, req gen.MergeTopicsRequestObject) (gen.MergeTopicsResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminTopic); err != nil {
		return nil, err
	}
	row, err := t.topics.Merge(ctx, req.Body.SourceTopicID, req.Body.TargetTopicID)
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	return gen.MergeTopics201JSONResponse(t.show.Topic(row)), nil
}
