package payload

import "svc/store/model"

// FeatureFlagInput is what the body of a feature flag is made of.
type FeatureFlagInput struct {
	Project model.Project
	User    model.User // who has switched the flag
	Flag    model.FeatureFlag
}

// FeatureFlag is the body of a feature flag that was switched on or off.
type FeatureFlag struct {
	ObjectKind       string                `json:"object_kind"`
	Project          Project               `json:"project"`
	User             User                  `json:"user"`
	UserURL          string                `json:"user_url"`
	ObjectAttributes FeatureFlagAttributes `json:"object_attributes"`
}

// FeatureFlagAttributes are the attributes of a feature flag.
type FeatureFlagAttributes struct {
	ID          int64   `json:"id"`
	Name        string  `json:"name"`
	Description *string `json:"description"`
	Active      bool    `json:"active"`
}

// FeatureFlag builds the body of a feature flag.
func (i Instance) FeatureFlag(in FeatureFlagInput) FeatureFlag {
	return FeatureFlag{
		ObjectKind: "feature_flag", Project: i.project(in.Project), User: i.user(in.User), UserURL: i.userURL(in.User),
		ObjectAttributes: FeatureFlagAttributes{
			ID: in.Flag.ID, Name: in.Flag.Name, Description: in.Flag.Description, Active: in.Flag.Active,
		},
	}
}
