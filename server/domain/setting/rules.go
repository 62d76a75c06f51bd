package setting

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"svc/server/domain/ci/syntax"
	"svc/store/git"
	"svc/store/setting"
)

// rules check the settings of the application as a whole.
var rules = []func(v *setting.Values, broken fieldErrors){
	checkNumbers, checkRegistration, checkVisibilities, checkGit, checkPages, checkChoices,
}

// bounds are the least and the largest value of a number.
type bounds struct{ least, most int64 }

const (
	maxDay      = 24 * 60 * 60
	maxNumber   = 1<<31 - 1
	maxMiB      = 1 << 20
	maxDomains  = 1000
	maxLongText = 10000
)

// checkNumbers checks that numbers are in their bounds.
func checkNumbers(v *setting.Values, broken fieldErrors) {
	check := func(name string, value int64, in bounds) {
		switch {
		case value < in.least:
			broken.add(name, fmt.Sprintf("must be greater than or equal to %d", in.least))
		case value > in.most:
			broken.add(name, fmt.Sprintf("must be less than or equal to %d", in.most))
		}
	}
	optional := func(name string, value *int64, in bounds) {
		if value != nil {
			check(name, *value, in)
		}
	}
	check("default_projects_limit", v.DefaultProjectsLimit, bounds{0, maxNumber})
	check("minimum_password_length", v.MinimumPasswordLength, bounds{8, 128})
	optional("max_login_attempts", v.MaxLoginAttempts, bounds{1, maxNumber})
	optional("failed_login_attempts_unlock_period_in_minutes", v.UnlockPeriodMinutes, bounds{1, maxDay})
	check("session_expire_delay", v.SessionExpireDelay, bounds{1, 366 * 24 * 60})
	optional("max_personal_access_token_lifetime", v.MaxPersonalTokenLifetime, bounds{1, 36500})
	check("default_project_creation", v.DefaultProjectCreation, bounds{0, 2})
	check("default_branch_protection", v.DefaultBranchProtection, bounds{0, 3})
	check("deletion_adjourned_period", v.DeletionAdjournedPeriod, bounds{0, 90})
	check("max_artifacts_size", v.MaxArtifactsSize, bounds{0, maxMiB})
	check("max_attachment_size", v.MaxAttachmentSize, bounds{0, maxMiB})
	check("max_pages_size", v.MaxPagesSize, bounds{1, maxMiB})
	check("max_import_size", v.MaxImportSize, bounds{0, maxMiB})
	optional("receive_max_input_size", v.ReceiveMaxInputSize, bounds{0, maxMiB})
	for name, value := range limits(v) {
		check(name, value, bounds{0, maxNumber})
	}
	for name, value := range map[string]int64{
		"throttle_unauthenticated_api_period_in_seconds":   v.ThrottleUnauthenticatedAPIPeriod,
		"throttle_authenticated_api_period_in_seconds":     v.ThrottleAuthenticatedAPIPeriod,
		"throttle_unauthenticated_api_requests_per_period": v.ThrottleUnauthenticatedAPIRequests,
		"throttle_authenticated_api_requests_per_period":   v.ThrottleAuthenticatedAPIRequests,
	} {
		check(name, value, bounds{1, map[bool]int64{true: maxDay, false: maxNumber}[strings.HasSuffix(name, "seconds")]})
	}
}

// limits returns the numbers of requests that operations allow, by name.
func limits(v *setting.Values) map[string]int64 {
	return map[string]int64{
		"notes_create_limit": v.NotesCreateLimit, "users_get_by_id_limit": v.UsersGetByIDLimit,
		"project_jobs_api_rate_limit": v.ProjectJobsAPIRateLimit, "group_export_limit": v.GroupExportLimit,
		"group_import_limit": v.GroupImportLimit, "group_download_export_limit": v.GroupDownloadExportLimit,
		"raw_blob_request_limit": v.RawBlobRequestLimit,
	}
}

var domainFormat = regexp.MustCompile(`\A[a-zA-Z0-9*]([a-zA-Z0-9*.-]{0,252}[a-zA-Z0-9*])?\z`)

// checkRegistration checks the rules for mail addresses of visitors.
func checkRegistration(v *setting.Values, broken fieldErrors) {
	for name, domains := range map[string][]string{"domain_allowlist": v.DomainAllowlist, "domain_denylist": v.DomainDenylist} {
		if len(domains) > maxDomains {
			broken.add(name, fmt.Sprintf("has too many domains (maximum is %d)", maxDomains))
		} else if slices.ContainsFunc(domains, func(d string) bool { return !domainFormat.MatchString(d) }) {
			broken.add(name, "must contain only domains such as example.com or *.example.com")
		}
	}
	if v.DomainDenylistEnabled && len(v.DomainDenylist) == 0 {
		broken.add("domain_denylist", "can't be blank if domain_denylist_enabled is true")
	}
	pattern := ""
	if v.EmailRestrictions != nil {
		pattern = *v.EmailRestrictions
	}
	if _, err := regexp.Compile(pattern); err != nil || len(pattern) > 1000 {
		broken.add("email_restrictions", "is not a valid regular expression")
	}
	if v.EmailRestrictionsEnabled && pattern == "" {
		broken.add("email_restrictions", "can't be blank if email_restrictions_enabled is true")
	}
}

// checkVisibilities refuses defaults that only administrators may use.
func checkVisibilities(v *setting.Values, broken fieldErrors) {
	for name, level := range map[string]string{
		"default_project_visibility": v.DefaultProjectVisibility, "default_group_visibility": v.DefaultGroupVisibility,
		"default_snippet_visibility": v.DefaultSnippetVisibility,
	} {
		if slices.Contains(v.RestrictedVisibilityLevels, level) {
			broken.add(name, "cannot be a restricted visibility level: "+level)
		}
	}
}

// checkGit checks the names of branches and files, the protocol and the types of keys.
func checkGit(v *setting.Values, broken fieldErrors) {
	if name := v.DefaultBranchName; name != nil && *name != "" && !git.ValidBranch(*name) {
		broken.add("default_branch_name", "is not a valid branch name")
	}
	if path := v.DefaultCIConfigPath; path != nil {
		if strings.HasPrefix(*path, "/") || strings.Contains(*path, "..") || strings.ContainsFunc(*path, unicode.IsControl) {
			broken.add("default_ci_config_path", "cannot include leading slash or directory traversal.")
		}
	}
	if !slices.Contains([]string{"", "all", "ssh", "http"}, v.EnabledGitAccessProtocol) {
		broken.add("enabled_git_access_protocol", "is not included in the list")
	}
	for name, in := range map[string]struct {
		value   int64
		allowed []int64
	}{
		"rsa_key_restriction":        {v.RSAKeyRestriction, []int64{-1, 0, 1024, 2048, 3072, 4096}},
		"ecdsa_key_restriction":      {v.ECDSAKeyRestriction, []int64{-1, 0, 256, 384, 521}},
		"ecdsa_sk_key_restriction":   {v.ECDSASKKeyRestriction, []int64{-1, 0, 256}},
		"ed25519_key_restriction":    {v.ED25519KeyRestriction, []int64{-1, 0, 256}},
		"ed25519_sk_key_restriction": {v.ED25519SKKeyRestriction, []int64{-1, 0, 256}},
	} {
		if !slices.Contains(in.allowed, in.value) {
			broken.add(name, "is not included in the list")
		}
	}
}

// checkPages checks texts and addresses that pages use.
func checkPages(v *setting.Values, broken fieldErrors) {
	for name, text := range map[string]*string{
		"sign_in_text": v.SignInText, "after_sign_up_text": v.AfterSignUpText, "help_page_text": v.HelpPageText,
	} {
		if text != nil && utf8.RuneCountInString(*text) > maxLongText {
			broken.add(name, fmt.Sprintf("is too long (maximum is %d characters)", maxLongText))
		}
	}
	if home := v.HomePageURL; home != nil && *home != "" && !isURL(*home) {
		broken.add("home_page_url", "must be a valid URL")
	}
	if after := v.AfterSignOutPath; after != nil && *after != "" && !isURL(*after) && !isPath(*after) {
		broken.add("after_sign_out_path", "must be a path or a valid URL")
	}
}

// isURL reports whether a text is an address of the web.
func isURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && len(text) <= 2000
}

// isPath reports whether a text is a path of this service.
func isPath(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Scheme == "" && u.Host == "" && strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "//") &&
		!strings.Contains(text, `\`) && len(text) <= 2000
}

// checkChoices checks the time for which artifacts are kept.
func checkChoices(v *setting.Values, broken fieldErrors) {
	if _, ok := syntax.ParseDuration(v.DefaultArtifactsExpireIn); !ok && v.DefaultArtifactsExpireIn != "0" {
		broken.add("default_artifacts_expire_in", "is not a correct duration")
	}
}
