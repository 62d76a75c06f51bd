package present

import (
	"encoding/json"
	"strconv"

	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// FeatureFlag presents a feature flag with its strategies.
func FeatureFlag(f model.FeatureFlagRow) gen.FeatureFlag {
	return gen.FeatureFlag{
		Name: f.Name, Description: f.Description, Active: f.Active, Version: "new_version_flag",
		CreatedAt: wire.NewTime(f.CreatedAt), UpdatedAt: wire.NewTime(f.UpdatedAt),
		Scopes: []gen.FeatureFlagScope{}, Strategies: All(f.Strategies, featureFlagStrategy),
	}
}

func featureFlagStrategy(s model.FeatureFlagStrategyRow) gen.FeatureFlagStrategy {
	shown := gen.FeatureFlagStrategy{
		ID: s.ID, Name: s.Name, Parameters: map[string]string{},
		Scopes: All(s.Scopes, func(scope model.FeatureFlagScope) gen.FeatureFlagScope {
			return gen.FeatureFlagScope{ID: scope.ID, EnvironmentScope: scope.EnvironmentScope}
		}),
	}
	_ = json.Unmarshal([]byte(s.Parameters), &shown.Parameters) // the service has written it
	if l := s.UserList; l != nil {
		shown.UserList = &gen.FeatureFlagStrategyUserList{ID: l.ID, Iid: l.IID, Name: l.Name, UserXids: l.UserXIDs}
	}
	return shown
}

// FeatureFlagUserList presents a user list of a project.
func FeatureFlagUserList(p model.Project, l model.FeatureFlagUserList) gen.FeatureFlagUserList {
	path := "/" + p.FullPath + "/-/feature_flags_user_lists/" + strconv.FormatInt(l.IID, 10)
	return gen.FeatureFlagUserList{
		ID: l.ID, Iid: l.IID, ProjectID: l.ProjectID, Name: l.Name, UserXids: l.UserXIDs,
		CreatedAt: wire.NewTime(l.CreatedAt), UpdatedAt: wire.NewTime(l.UpdatedAt), Path: path, EditPath: path + "/edit",
	}
}

// FeatureFlagsClient presents a decrypted instance ID and the address that belongs to it.
func (p Presenter) FeatureFlagsClient(c model.FeatureFlagClient) gen.FeatureFlagsClient {
	return gen.FeatureFlagsClient{
		URL:        p.Base + "/api/v4/feature_flags/unleash/" + strconv.FormatInt(c.ProjectID, 10),
		InstanceID: c.InstanceID, CreatedAt: wire.NewTime(c.CreatedAt), UpdatedAt: wire.NewTime(c.UpdatedAt),
	}
}
