package graphql

import (
	"context"
	"fmt"
	"strconv"

	"svc/server/platform/access"
	"svc/server/platform/reqctx"
	"svc/server/transport/graphql/engine"
)

// root is the parent of the fields of Query and Mutation.
type root = struct{}

func (h *Handler) queryTypes() map[string]engine.Resolvers {
	return map[string]engine.Resolvers{
		"Query": {
			"metadata":    engine.One(h.metadata),
			"memberRoles": empty(),
			"queryComplexity": engine.Seen(func(ctx context.Context, _ root) any {
				score, _ := ctx.Value(complexityKey{}).(complexity)
				return score
			}),
			"echo": engine.One(func(ctx context.Context, call engine.Call, _ root) (any, error) {
				name := "nil"
				if actor := reqctx.Of(ctx).Actor; actor != nil {
					name = strconv.Quote(actor.User.Username)
				}
				return fmt.Sprintf("%s says: %s", name, call.Args.Text("text")), nil
			}),
		},
		"Metadata": {
			"version":    engine.Value(func(root) any { return h.Build.Version }),
			"revision":   engine.Value(func(root) any { return h.Build.Revision }),
			"enterprise": engine.Value(func(root) any { return h.Paid }),
			"kas":        engine.Value(func(r root) any { return r }),
		},
		"Kas": {
			"enabled":     engine.Value(func(root) any { return false }),
			"externalUrl": engine.Value(func(root) any { return nil }),
			"version":     engine.Value(func(root) any { return nil }),
		},
		"QueryComplexity": {
			"score": engine.Value(func(c complexity) any { return c.Score }),
			"limit": engine.Value(func(c complexity) any { return c.Limit }),
		},
		"AccessLevel": accessLevels(),
		"MemberRole": {
			"id": engine.Value(noRole), "name": engine.Value(noRole), "description": engine.Value(noRole),
		},
	}
}

// noRole is never called, because there are no custom roles.
func noRole(any) any { return nil }

func (*Handler) metadata(ctx context.Context, _ engine.Call, r root) (any, error) {
	_, err := access.Allow(ctx, access.ReadMetadata)
	return r, err
}
