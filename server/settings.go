package server

import (
	"context"
	"fmt"
	"time"

	"svc/server/platform/config"
	"svc/server/transport/middleware/limit"
	"svc/store"
	"svc/store/setting"
)

// settingDefaults returns the settings of an instance on which no administrator has set anything: those that the service
// was started with, and the usual ones.
func settingDefaults(cfg config.Config) store.SettingDefaults {
	v := setting.Defaults()
	v.SignupEnabled = cfg.Registration != "off"
	v.RequireAdminApprovalAfterUserSignup = cfg.Registration != "open"
	lifetime, push := int64(cfg.MaxTokenLifetime), int64(cfg.MaxPushSize)
	v.MaxPersonalTokenLifetime = &lifetime
	if push > 0 {
		v.ReceiveMaxInputSize = &push
	}
	v.MaxArtifactsSize, v.MaxAttachmentSize = int64(cfg.MaxArtifactSize), int64(cfg.MaxAttachmentSize)
	v.MaxPagesSize, v.MaxImportSize = int64(cfg.MaxPagesSize), int64(cfg.MaxImportSize)
	v.DefaultArtifactsExpireIn = "0"
	if cfg.ArtifactDays > 0 {
		v.DefaultArtifactsExpireIn = fmt.Sprintf("%d days", cfg.ArtifactDays)
	}
	throttle(&v.ThrottleUnauthenticatedAPI, &v.ThrottleUnauthenticatedAPIRequests, cfg.ThrottleUnauthenticated)
	throttle(&v.ThrottleAuthenticatedAPI, &v.ThrottleAuthenticatedAPIRequests, cfg.ThrottleAuthenticated)
	period := int64(cfg.ThrottlePeriod / time.Second)
	v.ThrottleUnauthenticatedAPIPeriod, v.ThrottleAuthenticatedAPIPeriod = period, period
	v.NotesCreateLimit, v.UsersGetByIDLimit = int64(cfg.LimitNotes), int64(cfg.LimitUsers)
	v.ProjectJobsAPIRateLimit = int64(cfg.LimitJobs)
	v.GroupExportLimit, v.GroupImportLimit = int64(cfg.LimitExport), int64(cfg.LimitImport)
	v.GroupDownloadExportLimit = int64(cfg.LimitExportDownload)
	plan := setting.DefaultPlanLimits()
	plan.CIInstanceLevelVariables = int64(cfg.MaxInstanceVariables)
	return store.SettingDefaults{Values: v, PlanLimits: plan}
}

// throttle sets a general rate limit to the number of requests that the service was started with; 0 means none.
func throttle(enabled *bool, requests *int64, number int) {
	if *enabled = number > 0; *enabled {
		*requests = int64(number)
	}
}

// putSettings puts the settings of the service into force, as defaults of those that administrators set.
func (s *services) putSettings(ctx context.Context, cfg config.Config) error {
	return s.store.Settings.SetDefaults(ctx, settingDefaults(cfg))
}

// limits returns the numbers of requests that the limits of single operations allow now.
func (s *services) limits() limit.Sizes {
	sizes, v := limit.Sizes(s.live.Get().Limits()), s.store.Settings.Current()
	sizes["notes"], sizes["users"], sizes["jobs"] = int(v.NotesCreateLimit), int(v.UsersGetByIDLimit), int(v.ProjectJobsAPIRateLimit)
	sizes["export"], sizes["import"] = int(v.GroupExportLimit), int(v.GroupImportLimit)
	sizes["export_download"] = int(v.GroupDownloadExportLimit)
	return sizes
}

// throttleOf returns a general rate limit as it is now.
func throttleOf(st *store.Store, name string, of func(v *setting.Values) (enabled bool, requests, seconds int64)) limit.Current {
	return func() limit.Rule {
		v := &st.Settings.Current().Values
		rule := limit.Rule{Name: name}
		if enabled, requests, seconds := of(v); enabled {
			rule.Max, rule.Window = int(requests), time.Duration(seconds)*time.Second
		}
		if v.RateLimitingResponseText != nil {
			rule.Text = *v.RateLimitingResponseText
		}
		return rule
	}
}
