// Package integrations implements the API operations on integrations with chats, mails, wikis and issue trackers.
//
//	service.go   construction, and what the operations share
//	project.go   integrations of projects
//	older.go     integrations of projects under their older path
//	group.go     integrations of groups
//	present.go   what callers see
package integrations

import (
	"context"
	"encoding/json"

	"svc/gen"
	"svc/server/domain/webhook"
	"svc/server/platform/access"
)

// Integrations implements the operations on integrations.
type Integrations struct {
	access *access.Access
	hooks  *webhook.Service
}

// New returns the operations on integrations.
func New(a *access.Access, hooks *webhook.Service) *Integrations {
	return &Integrations{access: a, hooks: hooks}
}

func (s *Integrations) project(ctx context.Context, ref string) (webhook.Owner, error) {
	row, err := s.access.Project(ctx, ref, access.AdminIntegration)
	return webhook.OfProject(row.Project), err
}

func (s *Integrations) group(ctx context.Context, ref string) (webhook.Owner, error) {
	g, _, err := s.access.Group(ctx, ref, access.AdminGroupIntegration)
	return webhook.OfGroup(g), err
}

// list returns the integrations that a project or a group uses.
func (s *Integrations) list(ctx context.Context, in webhook.Owner) ([]gen.IntegrationBasic, error) {
	used, err := s.hooks.Integrations(ctx, in)
	shown := make([]gen.IntegrationBasic, len(used))
	for i, one := range used {
		shown[i] = presentBasic(one)
	}
	return shown, err
}

// set sets up an integration with the members of a body that were sent.
func (s *Integrations) set(
	ctx context.Context, in webhook.Owner, slug gen.IntegrationSlug, body gen.IntegrationUpdate,
) (webhook.Integration, error) {
	encoded, err := json.Marshal(body)
	if err != nil {
		return webhook.Integration{}, err
	}
	var given map[string]any
	if err := json.Unmarshal(encoded, &given); err != nil {
		return webhook.Integration{}, err
	}
	return s.hooks.SetIntegration(ctx, in, string(slug), given)
}
