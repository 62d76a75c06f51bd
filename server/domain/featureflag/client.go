package featureflag

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"strconv"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

// Feature is a feature flag in the form that programs read.
type Feature struct {
	Name, Description string
	Enabled           bool
	Strategies        []Strategy
}

// Strategy is a strategy in the form that programs read.
type Strategy struct {
	Name       string
	Parameters map[string]string
}

// AuthorizeClient refuses a program that does not send the instance ID of a project whose feature flags are enabled: 401.
func (s *Service) AuthorizeClient(ctx context.Context, projectID int64, instanceID string) error {
	digest, err := s.store.FeatureFlags.ClientDigest(ctx, projectID)
	if err != nil {
		return err
	}
	if digest == nil || subtle.ConstantTimeCompare(digest, secret.Digest(instanceID)) != 1 {
		return apierr.Unauthorized()
	}
	return nil
}

// Features returns the flags of a project that have a strategy for an environment, with these strategies.
func (s *Service) Features(ctx context.Context, projectID int64, environment string) ([]Feature, error) {
	rows, err := s.store.FeatureFlags.OfProject(ctx, projectID)
	if err != nil {
		return nil, err
	}
	features := []Feature{}
	for _, row := range rows {
		feature := Feature{Name: row.Name, Enabled: row.Active}
		if row.Description != nil {
			feature.Description = *row.Description
		}
		for _, strategy := range row.Strategies {
			if !appliesTo(strategy.Scopes, environment) {
				continue
			}
			shown, err := forProgram(strategy)
			if err != nil {
				return nil, err
			}
			feature.Strategies = append(feature.Strategies, shown)
		}
		if len(feature.Strategies) > 0 {
			features = append(features, feature)
		}
	}
	return features, nil
}

// appliesTo reports whether one of the scopes matches an environment.
func appliesTo(scopes []model.FeatureFlagScope, environment string) bool {
	for _, scope := range scopes {
		if store.Matches(scope.EnvironmentScope, environment) {
			return true
		}
	}
	return false
}

// forProgram returns a strategy in the form that programs know: they do not know user lists.
func forProgram(row model.FeatureFlagStrategyRow) (Strategy, error) {
	if row.UserList != nil {
		return Strategy{Name: withUserIDs, Parameters: map[string]string{"userIds": row.UserList.UserXIDs}}, nil
	}
	shown := Strategy{Name: row.Name, Parameters: map[string]string{}}
	return shown, json.Unmarshal([]byte(row.Parameters), &shown.Parameters)
}

// Client returns the instance ID of a project in plain text.
func (s *Service) Client(ctx context.Context, projectID int64) (model.FeatureFlagClient, error) {
	row, err := s.store.FeatureFlags.Client(ctx, projectID)
	if err != nil {
		return row, apierr.OrNotFound(err)
	}
	return s.decrypt(row)
}

// ResetClient gives a project a new instance ID. The old one is not valid any more.
func (s *Service) ResetClient(ctx context.Context, p model.Project) (model.FeatureFlagClient, error) {
	var row model.FeatureFlagClient
	err := events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		var err error
		row, err = s.store.FeatureFlags.ReplaceClient(ctx, s.newClient(p.ID))
		return events.Change{
			Type: "feature_flags_instance_id_reset", Entity: events.Project(p), Message: "Reset instance ID of feature flags",
			Target: events.Target{Type: "Operations::FeatureFlagsClient", ID: p.ID, Details: "instance ID"},
		}, err
	})
	if err != nil {
		return row, err
	}
	return s.decrypt(row)
}

// newClient returns a row with a new random instance ID.
func (s *Service) newClient(projectID int64) model.FeatureFlagClient {
	var random [20]byte
	rand.Read(random[:]) // never fails
	plain := hex.EncodeToString(random[:])
	return model.FeatureFlagClient{
		ProjectID: projectID, Digest: secret.Digest(plain), Sealed: s.vault.Seal([]byte(plain), sealOwner(projectID)), InstanceID: plain,
	}
}

// decrypt returns a row with its instance ID in plain text.
func (s *Service) decrypt(row model.FeatureFlagClient) (model.FeatureFlagClient, error) {
	plain, err := s.vault.Open(row.Sealed, sealOwner(row.ProjectID))
	row.InstanceID = string(plain)
	return row, err
}

// sealOwner is the owner under which the vault encrypts an instance ID.
func sealOwner(projectID int64) string { return "project " + strconv.FormatInt(projectID, 10) }
