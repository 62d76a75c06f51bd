package changelogs

import (
	"strings"
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/repository/changelog"
	"svc/server/domain/repository/changelog/section"
	"svc/server/platform/apierr"
	"svc/store/git"
	"svc/store/model"
)

// readRequest reads the parameters that both operations share.
func readRequest(now time.Time, version string, date, configFile, configRef, from, to, trailer *string) (section.Request, error) {
	r := section.Request{
		Version: version, Date: now.UTC(), ConfigFile: valueOr(configFile, ""), ConfigRef: valueOr(configRef, ""),
		From: valueOr(from, ""), To: valueOr(to, ""), Trailer: valueOr(trailer, "Changelog"),
	}
	if _, ok := changelog.ParseVersion(version); !ok {
		return r, apierr.BadParameter("version is invalid")
	}
	if text := valueOr(date, ""); text != "" {
		var err error
		if r.Date, err = wire.ParseTime(text); err != nil {
			return r, apierr.BadParameter("date is invalid")
		}
	}
	var ok bool
	if r.ConfigFile, ok = git.CleanPath(r.ConfigFile); !ok {
		return r, apierr.BadParameter("config_file is invalid")
	}
	return r, nil
}

// valueOr returns a parameter, or the default if the parameter is missing or empty.
func valueOr(value *string, usual string) string {
	if value == nil || *value == "" {
		return usual
	}
	return *value
}

// readTarget reads where to commit the section.
func readTarget(row model.ProjectRow, b *gen.ChangelogCreate) (section.Target, error) {
	t := section.Target{
		Branch:  valueOr(b.Branch, row.Project.DefaultBranch),
		Message: valueOr(b.Message, "Add changelog for version "+b.Version),
	}
	var ok bool
	if t.File, ok = git.CleanPath(valueOr(b.File, "CHANGELOG.md")); !ok || t.File == "" {
		return t, apierr.BadParameter("file is invalid")
	}
	if strings.TrimSpace(t.Message) == "" {
		return t, apierr.BadParameter("message is invalid")
	}
	return t, nil
}
