package model

import (
	"regexp"
	"strings"
	"time"
)

// Hook sends events of a project, of a group, or of the instance to another server. An integration is a hook that names
// the kind of its receiver; some integrations receive nothing and are only shown.
type Hook struct {
	ID                     int64
	ProjectID              *int64
	GroupID                *int64
	URL                    string `gorm:"column:url"` // with the names of its URL variables in braces
	Name                   *string
	Description            *string
	Events                 HookEvents
	EnableSSLVerification  bool `gorm:"column:enable_ssl_verification"`
	PushEventsBranchFilter *string
	BranchFilterStrategy   string
	CustomWebhookTemplate  *string
	Sealed                 []byte     // its secrets, encrypted
	Failures               int64      // failures in a row
	DisabledUntil          *time.Time // end of the pause after failures
	Slow                   bool       // its last delivery failed or took long
	LeasedUntil            *time.Time // a process delivers to it until then
	Integration            *string    // slug of an integration; nil for a hook
	Settings               *string    // of an integration: its settings that are not secret, as JSON
	Inactive               bool       // the integration is switched off; it then has no events
	CreatedAt              time.Time
	UpdatedAt              time.Time
}

// LostSecrets stands in the place of the sealed secrets of a hook whose secrets were removed, because the key that sealed
// them is lost.
const LostSecrets = "lost"

// IsSystem reports whether the hook belongs to the instance.
func (h Hook) IsSystem() bool { return h.ProjectID == nil && h.GroupID == nil }

// HookEvents is a set of kinds of events.
type HookEvents int64

// The kinds of events. Their values are stored, so they must never change.
const (
	HookPush HookEvents = 1 << iota
	HookTagPush
	HookMergeRequests
	HookRepositoryUpdate
	HookIssues
	HookConfidentialIssues
	HookNotes
	HookConfidentialNotes
	HookPipelines
	HookWikiPages
	HookDeployments
	HookFeatureFlags
	HookJobs
	HookReleases
	HookMilestones
	HookEmoji
	HookAccessTokens
	HookDeployTokens
	HookVulnerabilities
	HookSubgroups
	HookMembers
	HookProjects
	HookInstance // events of the instance; every system hook has it
)

// Has reports whether the set contains a kind.
func (e HookEvents) Has(kind HookEvents) bool { return e&kind != 0 }

// The strategies of branch filters.
const (
	FilterWildcard    = "wildcard"
	FilterRegex       = "regex"
	FilterAllBranches = "all_branches"
)

// HookMessage is something that is sent to hooks.
type HookMessage struct {
	ID          int64
	Chain       string // UUID of the request that caused it; shared by events that hooks cause
	TriggerName string // such as push_hooks
	Event       string // value of the header X-Gitlab-Event, except for system hooks
	Facts       *string
	Body        *string // the JSON body; nil until it is built from the facts
	CreatedAt   time.Time
}

// HookDelivery is a message for one hook. It waits until DeliveredAt is set; then it is a line of the delivery log.
type HookDelivery struct {
	ID              int64
	HookID          int64
	MessageID       int64
	Key             string  // UUID; a resend has the same
	URL             string  `gorm:"column:url"` // as shown in the log
	RequestHeaders  string  // JSON
	RequestBody     *string // if a template changed the body of the message
	ResponseHeaders string  // JSON
	ResponseBody    string
	ResponseStatus  int64 // 0 if there was no response
	Duration        float64
	DeliveredAt     *time.Time
}

// HookDeliveryRow is a delivery with its message.
type HookDeliveryRow struct {
	HookDelivery
	Message HookMessage `gorm:"embedded;embeddedPrefix:message_"`
	HasBody bool        `gorm:"-"` // the message has a body, although it was not read
}

// The states of hooks.
const (
	HookExecutable          = "executable"
	HookTemporarilyDisabled = "temporarily_disabled"
	HookDisabled            = "disabled"
)

// HookFailuresToDisable is the number of failures in a row after which a hook is disabled for good.
const HookFailuresToDisable = 40

// State returns whether deliveries are made to the hook. System hooks are always executable.
func (h Hook) State(now time.Time) string {
	switch {
	case h.IsSystem():
		return HookExecutable
	case h.Failures >= HookFailuresToDisable:
		return HookDisabled
	case h.DisabledUntil != nil && h.DisabledUntil.After(now):
		return HookTemporarilyDisabled
	}
	return HookExecutable
}

// WantsBranch reports whether the branch filter of the hook selects a branch. A regular expression that cannot be read
// selects nothing.
func (h Hook) WantsBranch(name string) bool {
	if h.PushEventsBranchFilter == nil || *h.PushEventsBranchFilter == "" || h.BranchFilterStrategy == FilterAllBranches {
		return true
	}
	filter := *h.PushEventsBranchFilter
	if h.BranchFilterStrategy != FilterRegex {
		filter = "^" + strings.ReplaceAll(regexp.QuoteMeta(filter), `\*`, ".*") + "$"
	}
	pattern, err := regexp.Compile(filter)
	return err == nil && pattern.MatchString(name)
}
