package present

import (
	"encoding/json"
	"regexp"
	"strconv"
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// HookSecrets says which secrets a hook has, without their values.
type HookSecrets struct {
	Token, SigningToken bool
	Headers, Variables  []string // their names
}

func hookKeys(names []string) []gen.HookKeyOnly {
	keys := make([]gen.HookKeyOnly, len(names))
	for i, name := range names {
		keys[i].Key = name
	}
	return keys
}

// hookPause returns the end of the pause of a hook, if it pauses now.
func hookPause(h model.Hook, now time.Time) *time.Time {
	if h.State(now) == model.HookTemporarilyDisabled {
		return h.DisabledUntil
	}
	return nil
}

// ProjectHook presents a hook of a project.
func ProjectHook(h model.Hook, s HookSecrets, now time.Time) gen.ProjectHook {
	e := h.Events
	return gen.ProjectHook{
		ID: h.ID, ProjectID: *h.ProjectID, URL: h.URL, Name: h.Name, Description: h.Description, CreatedAt: wire.NewTime(h.CreatedAt),
		PushEvents: e.Has(model.HookPush), TagPushEvents: e.Has(model.HookTagPush),
		MergeRequestsEvents:    e.Has(model.HookMergeRequests),
		RepositoryUpdateEvents: e.Has(model.HookRepositoryUpdate), IssuesEvents: e.Has(model.HookIssues),
		ConfidentialIssuesEvents: e.Has(model.HookConfidentialIssues), NoteEvents: e.Has(model.HookNotes),
		ConfidentialNoteEvents: e.Has(model.HookConfidentialNotes), PipelineEvents: e.Has(model.HookPipelines),
		WikiPageEvents: e.Has(model.HookWikiPages), DeploymentEvents: e.Has(model.HookDeployments),
		FeatureFlagEvents: e.Has(model.HookFeatureFlags), JobEvents: e.Has(model.HookJobs),
		ReleasesEvents: e.Has(model.HookReleases), MilestoneEvents: e.Has(model.HookMilestones),
		EmojiEvents: e.Has(model.HookEmoji), ResourceAccessTokenEvents: e.Has(model.HookAccessTokens),
		ResourceDeployTokenEvents: e.Has(model.HookDeployTokens),
		VulnerabilityEvents:       e.Has(model.HookVulnerabilities),
		EnableSslVerification:     h.EnableSSLVerification, AlertStatus: gen.HookStatus(h.State(now)),
		DisabledUntil: wire.TimePtr(hookPause(h, now)), URLVariables: hookKeys(s.Variables), CustomHeaders: hookKeys(s.Headers),
		PushEventsBranchFilter: h.PushEventsBranchFilter, CustomWebhookTemplate: h.CustomWebhookTemplate,
		BranchFilterStrategy: gen.HookBranchFilterStrategy(h.BranchFilterStrategy),
		TokenPresent:         s.Token, SigningTokenPresent: s.SigningToken,
	}
}

// GroupHook presents a hook of a group.
func GroupHook(h model.Hook, s HookSecrets, now time.Time) gen.GroupHook {
	e := h.Events
	return gen.GroupHook{
		ID: h.ID, GroupID: *h.GroupID, URL: h.URL, Name: h.Name, Description: h.Description, CreatedAt: wire.NewTime(h.CreatedAt),
		PushEvents: e.Has(model.HookPush), TagPushEvents: e.Has(model.HookTagPush),
		MergeRequestsEvents:    e.Has(model.HookMergeRequests),
		RepositoryUpdateEvents: e.Has(model.HookRepositoryUpdate), IssuesEvents: e.Has(model.HookIssues),
		ConfidentialIssuesEvents: e.Has(model.HookConfidentialIssues), NoteEvents: e.Has(model.HookNotes),
		ConfidentialNoteEvents: e.Has(model.HookConfidentialNotes), PipelineEvents: e.Has(model.HookPipelines),
		WikiPageEvents: e.Has(model.HookWikiPages), DeploymentEvents: e.Has(model.HookDeployments),
		FeatureFlagEvents: e.Has(model.HookFeatureFlags), JobEvents: e.Has(model.HookJobs),
		ReleasesEvents: e.Has(model.HookReleases), MilestoneEvents: e.Has(model.HookMilestones),
		EmojiEvents: e.Has(model.HookEmoji), ResourceAccessTokenEvents: e.Has(model.HookAccessTokens),
		ResourceDeployTokenEvents: e.Has(model.HookDeployTokens),
		VulnerabilityEvents:       e.Has(model.HookVulnerabilities), SubgroupEvents: e.Has(model.HookSubgroups),
		MemberEvents: e.Has(model.HookMembers), ProjectEvents: e.Has(model.HookProjects),
		EnableSslVerification: h.EnableSSLVerification, AlertStatus: gen.HookStatus(h.State(now)),
		DisabledUntil: wire.TimePtr(hookPause(h, now)), URLVariables: hookKeys(s.Variables), CustomHeaders: hookKeys(s.Headers),
		PushEventsBranchFilter: h.PushEventsBranchFilter, CustomWebhookTemplate: h.CustomWebhookTemplate,
		BranchFilterStrategy: gen.HookBranchFilterStrategy(h.BranchFilterStrategy),
		TokenPresent:         s.Token, SigningTokenPresent: s.SigningToken,
	}
}

// SystemHook presents a system hook.
func SystemHook(h model.Hook, s HookSecrets, now time.Time) gen.SystemHook {
	e := h.Events
	return gen.SystemHook{
		ID: h.ID, URL: h.URL, Name: h.Name, Description: h.Description, CreatedAt: wire.NewTime(h.CreatedAt),
		PushEvents: e.Has(model.HookPush), TagPushEvents: e.Has(model.HookTagPush),
		MergeRequestsEvents:    e.Has(model.HookMergeRequests),
		RepositoryUpdateEvents: e.Has(model.HookRepositoryUpdate),
		EnableSslVerification:  h.EnableSSLVerification, AlertStatus: gen.HookStatus(h.State(now)),
		DisabledUntil: wire.TimePtr(hookPause(h, now)), URLVariables: hookKeys(s.Variables), CustomHeaders: hookKeys(s.Headers),
		PushEventsBranchFilter: h.PushEventsBranchFilter, CustomWebhookTemplate: h.CustomWebhookTemplate,
		BranchFilterStrategy: gen.HookBranchFilterStrategy(h.BranchFilterStrategy),
		TokenPresent:         s.Token, SigningTokenPresent: s.SigningToken,
	}
}

// noResponse is the status of a delivery that got no response.
const noResponse = "internal error"

// maxShownBody is the size above which the log does not show the body of a delivery.
const maxShownBody = 1 << 20

// HookEvent presents a delivery in the log of a hook.
func HookEvent(row model.HookDeliveryRow) gen.HookEvent {
	status := noResponse
	if row.ResponseStatus != 0 {
		status = strconv.FormatInt(row.ResponseStatus, 10)
	}
	shown := gen.HookEvent{
		ID: row.ID, URL: row.URL, Trigger: row.Message.TriggerName, ResponseBody: row.ResponseBody, ResponseStatus: status,
		ExecutionDuration: float32(row.Duration), RequestHeaders: headers(row.RequestHeaders),
		ResponseHeaders: headers(row.ResponseHeaders), RequestData: map[string]any{},
	}
	if row.DeliveredAt != nil {
		shown.CreatedAt = wire.NewTime(*row.DeliveredAt)
	}
	body := row.RequestBody
	if body == nil {
		body = row.Message.Body
	}
	switch {
	case body == nil:
	case len(*body) > maxShownBody:
		shown.RequestData["oversize"] = true
	case json.Unmarshal([]byte(*body), &shown.RequestData) != nil || shown.RequestData == nil: // a template may make a list
		shown.RequestData = map[string]any{}
	default:
		redactEmails(shown.RequestData)
	}
	return shown
}

func headers(stored string) map[string]string {
	all := map[string]string{}
	if json.Unmarshal([]byte(stored), &all) != nil {
		return map[string]string{}
	}
	return all
}

var email = regexp.MustCompile(`^[^@\s]+@[^@\s]+$`)

// redactEmails replaces every text that is a mail address.
func redactEmails(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for name, member := range v {
			v[name] = redactEmails(member)
		}
	case []any:
		for i, element := range v {
			v[i] = redactEmails(element)
		}
	case string:
		if email.MatchString(v) {
			return "[REDACTED]"
		}
	}
	return value
}
