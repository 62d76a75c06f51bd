package graphql

import (
	"context"
	"errors"
	"net/http"

	"svc/server/platform/apierr"
	"svc/server/transport/graphql/engine"
)

// payload is the answer of a mutation.
type payload = map[string]any

// mutation makes a resolver of a function that changes something for a signed-in caller. A broken rule is in the errors of
// the payload; what the caller may not see or do is an error of the answer.
func mutation(change func(ctx context.Context, in engine.Args) (payload, error)) engine.Resolver {
	return engine.One(func(ctx context.Context, call engine.Call, _ root) (any, error) {
		if _, err := signedIn(ctx); err != nil {
			return nil, err
		}
		in := call.Args.Input("input")
		out, err := change(ctx, in)
		var own *engine.Error
		var refused *apierr.Error
		switch {
		case err == nil:
		case errors.As(err, &own), hidden(err):
			return nil, err
		case errors.As(err, &refused) && refused.Status < http.StatusInternalServerError:
			out = payload{"errors": texts(err)}
		default:
			return nil, err
		}
		if out == nil {
			out = payload{}
		}
		if out["errors"] == nil {
			out["errors"] = []string{}
		}
		out["clientMutationId"] = in.TextPtr("clientMutationId")
		return out, nil
	})
}
