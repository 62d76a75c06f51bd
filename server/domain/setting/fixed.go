package setting

import (
	"slices"
	"strings"

	"svc/store/secret"
)

// fixed are the settings that have only one value here, as JSON. They are shown, and refused with another value.
var fixed = map[string]string{
	"password_authentication_enabled_for_web":           "true",
	"email_confirmation_setting":                        `"hard"`,
	"require_two_factor_authentication":                 "false",
	"two_factor_grace_period":                           "48",
	"require_admin_two_factor_authentication":           "false",
	"allow_project_creation_for_guest_and_below":        "true",
	"group_owners_can_manage_default_branch_protection": "true",
	"keep_latest_artifact":                              "true",
	"protected_ci_variables":                            "false",
	"personal_access_token_prefix":                      `"` + secret.TokenPrefix + `"`,
	"require_personal_access_token_expiry":              "true",
	"disable_personal_access_tokens":                    "false",
	"service_access_tokens_expiration_enforced":         "true",
	"dsa_key_restriction":                               "-1",
	"gravatar_enabled":                                  "false",
	"user_oauth_applications":                           "true",
	"enforce_terms":                                     "false",
	"dns_rebinding_protection_enabled":                  "true",
	"allow_local_requests_from_web_hooks_and_services":  "false",
	"allow_local_requests_from_system_hooks":            "false",
	"housekeeping_enabled":                              "true",
	"push_event_hooks_limit":                            "3",
	"push_event_activities_limit":                       "3",
	"maintenance_mode":                                  "false",
	"silent_mode_enabled":                               "false",
	"usage_ping_enabled":                                "false",
	"version_check_enabled":                             "false",
	"snowplow_enabled":                                  "false",
	"sentry_enabled":                                    "false",
	"prometheus_metrics_enabled":                        "true",
}

// refused are settings of features that this service has, or that people rely on, but that cannot be set here. To keep
// them without an effect would promise something.
var refused = set(
	"user_default_internal_regex", "default_branch_protection_defaults", "max_export_size", "max_decompressed_archive_size",
	"max_import_remote_file_size", "snippet_size_limit", "wiki_page_max_content_bytes", "max_yaml_size_bytes", "max_yaml_depth",
	"ci_max_includes", "ci_max_total_yaml_size_bytes", "diff_max_patch_bytes", "diff_max_files", "diff_max_lines",
	"shared_runners_minutes", "runner_token_expiration_interval", "group_runner_token_expiration_interval",
	"project_runner_token_expiration_interval", "disabled_oauth_sign_in_sources", "disable_admin_oauth_scopes",
	"custom_http_clone_url_root", "help_page_support_url", "help_page_hide_commercial_content", "terms",
	"default_preferred_language", "first_day_of_week", "time_tracking_limit_to_hours", "html_emails_enabled",
	"email_additional_text", "email_author_in_body", "commit_email_hostname", "mirror_available", "mirror_max_capacity",
	"mirror_max_delay", "mirror_capacity_threshold", "outbound_local_requests_whitelist", "outbound_local_requests_allowlist_raw",
	"housekeeping_optimize_repository_period", "search_rate_limit", "search_rate_limit_unauthenticated", "issues_create_limit",
	"projects_api_rate_limit_unauthenticated", "pipeline_limit_per_project_user_sha", "gitlab_shell_operation_limit",
	"project_import_limit", "project_export_limit", "project_download_export_limit",
	"delayed_project_deletion", "delayed_group_deletion", "container_registry_token_expire_delay", "maintenance_mode_message",
)

// refusedThrottles begin the names of rate limits that this service does not have.
var refusedThrottles = []string{
	"throttle_unauthenticated_", "throttle_authenticated_", "throttle_protected_paths_",
}

// keptDefaults are settings without an effect that are shown even if nobody has set them, as JSON.
var keptDefaults = map[string]string{
	"admin_mode": "false", "auto_devops_enabled": "false", "auto_devops_domain": "null", "bulk_import_enabled": "true",
	"project_export_enabled": "true", "polling_interval_multiplier": `"1.0"`, "repository_checks_enabled": "false",
	"repository_size_limit": "0", "repository_storages_weighted": `{"default":100}`, "shared_runners_text": "null",
	"deactivate_dormant_users": "false", "deactivate_dormant_users_period": "90", "delete_inactive_projects": "false",
}

// keptFamilies begin the names of settings of other services and features, which this service does not have. They are
// kept and returned, so that programs that manage settings find what they have set.
var keptFamilies = []string{
	"plantuml_", "kroki_", "diagramsnet_", "sourcegraph_", "gitpod_", "akismet_", "recaptcha_", "asset_proxy_", "elasticsearch_",
	"eks_", "external_auth", "slack_app_", "mailgun_", "spam_check_", "geo_", "duo_", "jira_connect_", "security_",
	"sidekiq_job_limiter_", "gitaly_timeout_", "inactive_projects_", "snowplow_", "container_registry_import_",
}

// maxKept is the largest size of a setting that is kept without an effect, in bytes.
const maxKept = 10000

// isNamed reports whether a setting without an effect is known.
func isNamed(name string) bool {
	return fixed[name] != "" || isRefused(name) || isKept(name)
}

// isRefused reports whether a setting cannot be set here.
func isRefused(name string) bool { return refused[name] || hasPrefix(name, refusedThrottles) }

// isKept reports whether a setting is kept without an effect.
func isKept(name string) bool { return keptDefaults[name] != "" || hasPrefix(name, keptFamilies) }

// isSecret reports whether a setting that is kept would be a secret of another service.
func isSecret(name string) bool {
	ends := []string{"_secret", "_token", "_key", "_password", "_access_key_id"}
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(name, end) })
}

func hasPrefix(name string, beginnings []string) bool {
	return slices.ContainsFunc(beginnings, func(b string) bool { return strings.HasPrefix(name, b) })
}

func set(names ...string) map[string]bool {
	all := make(map[string]bool, len(names))
	for _, name := range names {
		all[name] = true
	}
	return all
}
