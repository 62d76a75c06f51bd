package queue

import (
	"context"
	"strings"

	"svc/server/domain/ci/identity"
	"svc/server/domain/ci/protectedenvironment"
	"svc/server/domain/ci/syntax"
	"svc/server/domain/ci/variables"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
	"svc/store/secret"
)

// Sign makes a signed token of claims.
type Sign func(ctx context.Context, claims []byte) (string, error)

// addIdentities adds the tokens of the keyword id_tokens to the variables of the job. Their audiences may contain the
// other variables.
func (w *preparation) addIdentities(ctx context.Context, all []variables.Variable) ([]variables.Variable, error) {
	if len(w.spec.IDTokens) == 0 {
		return all, nil
	}
	in, err := w.identity(ctx)
	if err != nil {
		return nil, err
	}
	set := variables.NewSet(variables.NewLayer(all))
	for _, wanted := range w.spec.IDTokens {
		audience, err := expandAudience(set, wanted)
		if err != nil {
			return nil, err
		}
		claims, err := identity.Claims(in, secret.UUID(), audience)
		if err != nil {
			return nil, err
		}
		token, err := w.sign(ctx, claims)
		if err != nil {
			return nil, err
		}
		all = append(all, variables.Variable{Key: wanted.Variable, Value: token, Masked: true, Raw: true})
	}
	return all, nil
}

// identity collects what all tokens of the job say.
func (w *preparation) identity(ctx context.Context) (identity.Input, error) {
	in := identity.Input{
		Facts: w.known, Now: clock.Now(ctx),
		Source: identity.Project{ID: w.project.ID, NamespaceID: w.project.NamespaceID, FullPath: w.project.FullPath},
	}
	row, err := w.store.Projects.Get(ctx, w.project.ID, "", &store.Reader{UserID: w.user.ID})
	if err != nil && !store.IsNotFound(err) {
		return in, err
	}
	if role := max(row.Direct, row.Inherited); role > model.NoAccess {
		in.Role = strings.ToLower(role.String())
	}
	if name := w.job.Environment; name != nil {
		rules, err := protectedenvironment.Load(ctx, w.store, w.project.ID, *name)
		if err != nil {
			return in, err
		}
		in.EnvironmentProtected = rules.Protects(*name)
	}
	merge := w.known.MergeRequest
	if merge == nil || merge.SourceProjectID == 0 || merge.SourceProjectID == w.project.ID {
		return in, nil
	}
	fork, err := w.store.Projects.Get(ctx, merge.SourceProjectID, "", &store.Reader{Admin: true})
	if err != nil {
		return in, brokenIfMissing(err)
	}
	in.Source = identity.Project{ID: fork.Project.ID, NamespaceID: fork.Project.NamespaceID, FullPath: fork.Project.FullPath}
	return in, nil
}

// expandAudience returns the audience of a token with its variables replaced: a text stays a text, and a list a list.
func expandAudience(set *variables.Set, token syntax.IDToken) (any, error) {
	expanded := make([]string, len(token.Audience))
	for i, audience := range token.Audience {
		var err error
		if expanded[i], err = set.Expand(audience); err != nil {
			return nil, err
		}
	}
	if token.Single {
		return expanded[0], nil
	}
	return expanded, nil
}
