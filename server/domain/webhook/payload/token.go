package payload

import (
	"time"

	"svc/store/model"
)

// AccessTokenInput is what the body of an access token that is about to expire is made of.
type AccessTokenInput struct {
	Project  *model.Project   // of a project access token
	Group    *model.Namespace // of a group access token
	Token    model.PersonalAccessToken
	Interval string // seven_days, thirty_days or sixty_days
}

// AccessToken is the body of an access token that is about to expire.
type AccessToken struct {
	ObjectKind       string                `json:"object_kind"`
	Group            *Group                `json:"group,omitempty"`
	Project          *Project              `json:"project,omitempty"`
	ObjectAttributes AccessTokenAttributes `json:"object_attributes"`
	EventName        string                `json:"event_name"`
}

// AccessTokenAttributes are the attributes of an access token.
type AccessTokenAttributes struct {
	UserID     int64   `json:"user_id"` // the bot user
	CreatedAt  string  `json:"created_at"`
	ID         int64   `json:"id"`
	Name       string  `json:"name"`
	ExpiresAt  *string `json:"expires_at"`
	LastUsedAt *string `json:"last_used_at"`
	Interval   string  `json:"interval,omitempty"`
}

// The steps at which the expiry of a token is announced.
const (
	IntervalSevenDays  = "seven_days"
	IntervalThirtyDays = "thirty_days"
	IntervalSixtyDays  = "sixty_days"
)

// AccessToken builds the body of an access token that is about to expire.
func (i Instance) AccessToken(in AccessTokenInput) AccessToken {
	t := in.Token
	return AccessToken{
		ObjectKind: "access_token", Group: groupOrNull(in.Group), Project: i.projectOrNull(in.Project),
		ObjectAttributes: AccessTokenAttributes{
			UserID: t.UserID, CreatedAt: stamp(t.CreatedAt), ID: t.ID, Name: t.Name, ExpiresAt: written(t.ExpiresAt, day),
			LastUsedAt: written(t.LastUsedAt, stamp), Interval: in.Interval,
		},
		EventName: "expiring_access_token",
	}
}

// DeployTokenInput is what the body of a deploy token that is about to expire is made of.
type DeployTokenInput struct {
	Project  *model.Project
	Group    *model.Namespace
	Token    model.DeployToken
	Interval string
}

// DeployToken is the body of a deploy token that is about to expire.
type DeployToken struct {
	ObjectKind       string                `json:"object_kind"`
	Group            *Group                `json:"group,omitempty"`
	Project          *Project              `json:"project,omitempty"`
	ObjectAttributes DeployTokenAttributes `json:"object_attributes"`
	EventName        string                `json:"event_name"`
}

// DeployTokenAttributes are the attributes of a deploy token.
type DeployTokenAttributes struct {
	ID              int64   `json:"id"`
	Name            string  `json:"name"`
	ExpiresAt       *string `json:"expires_at"`
	CreatedAt       string  `json:"created_at"`
	Revoked         bool    `json:"revoked"`
	DeployTokenType string  `json:"deploy_token_type"` // project_type or group_type
	Interval        string  `json:"interval,omitempty"`
}

// DeployToken builds the body of a deploy token that is about to expire.
func (i Instance) DeployToken(in DeployTokenInput) DeployToken {
	t, kind := in.Token, "project_type"
	if in.Group != nil {
		kind = "group_type"
	}
	return DeployToken{
		ObjectKind: "deploy_token", Group: groupOrNull(in.Group), Project: i.projectOrNull(in.Project),
		ObjectAttributes: DeployTokenAttributes{
			ID: t.ID, Name: t.Name, ExpiresAt: written(t.ExpiresAt, stamp), CreatedAt: stamp(t.CreatedAt), Revoked: t.Revoked,
			DeployTokenType: kind, Interval: in.Interval,
		},
		EventName: "expiring_deploy_token",
	}
}

const week = 7 * 24 * time.Hour

// FirstStep is the time before the expiry of a token at which the first step begins.
const FirstStep = 60 * 24 * time.Hour

// ExpiryInterval returns the step at which the expiry of a token is announced, or an empty text if none is due. early says
// whether the steps of 30 and 60 days are on. A step is due for one week, so that a service that was down for some days
// does not miss it, and that a new token with a short life gets only the steps that it lives for.
func ExpiryInterval(expires, now time.Time, early bool) string {
	const day = 24 * time.Hour
	switch left := expires.Sub(now); {
	case left <= 0:
	case left <= week:
		return IntervalSevenDays
	case !early:
	case left > 30*day-week && left <= 30*day:
		return IntervalThirtyDays
	case left > FirstStep-week && left <= FirstStep:
		return IntervalSixtyDays
	}
	return ""
}
