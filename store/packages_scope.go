package store

import (
	"strings"
	"time"

	"svc/store/model"

	"gorm.io/gorm"
)

// PackageScope selects the projects of a list of packages, and the reader who sees the list.
type PackageScope struct {
	ProjectID    *int64 // one project, in which the reader may read packages
	GroupID      *int64 // projects in a group and below it; neither means all
	Direct       bool   // only projects of the group itself
	TopPath      string // only projects in the top-level namespace with this path; empty for all
	Reader       *Reader
	JobProjectID int64              // the project of the job whose token the reader uses; 0 for none
	DeployToken  *model.DeployToken // the token of a client that is no user
}

// narrow limits a query of packages to the projects of the scope in which the reader may read packages.
func (s PackageScope) narrow(q *gorm.DB) *gorm.DB {
	if s.ProjectID != nil {
		return q.Where("packages.project_id = ?", *s.ProjectID)
	}
	text, args := s.readable(dayOf(q.NowFunc()))
	if s.GroupID != nil {
		args = append(args, *s.GroupID)
		if s.Direct {
			text += " AND r.namespace_id = ?"
		} else {
			text += " AND r.namespace_id IN (SELECT descendant_id FROM namespace_ancestors WHERE ancestor_id = ?)"
		}
	}
	if s.TopPath != "" {
		text += ` AND lower(r.full_path) LIKE ? ESCAPE '\'`
		args = append(args, likeEscaper.Replace(strings.ToLower(s.TopPath))+"/%")
	}
	return q.Where("packages.project_id IN (SELECT r.id FROM projects r WHERE r.package_registry_access_level <> 'disabled' AND "+
		text+")", args...)
}

// readable returns a condition for the projects r in which the reader may read packages. model.ProjectRow has the same
// rules for users, and access.Access for deploy tokens.
func (s PackageScope) readable(day time.Time) (string, []any) {
	public := packagesOpenTo(model.Public)
	switch {
	case s.DeployToken != nil && s.DeployToken.SourceType == model.SourceProject:
		return "(" + public + " OR r.id = ?)", []any{s.DeployToken.SourceID}
	case s.DeployToken != nil:
		return "(" + public + " OR r.namespace_id IN (SELECT descendant_id FROM namespace_ancestors WHERE ancestor_id = ?))",
			[]any{s.DeployToken.SourceID}
	case s.Reader == nil:
		return public, nil
	case s.Reader.Admin:
		return s.reachedByJob()
	}
	member, args := projectWithRole("r", s.Reader.UserID, model.Reporter, day)
	job, more := s.reachedByJob()
	return "(" + packagesOpenTo(widestVisible(s.Reader)) + " OR " + member + ") AND " + job, append(args, more...)
}

// packagesOpenTo returns a condition for the projects r whose packages a reader may read without a role, if the reader
// sees projects from a visibility on.
func packagesOpenTo(widest model.Visibility) string {
	return "(r.package_registry_access_level = 'public' OR r.package_registry_access_level <> 'private' AND " +
		atLeast("r.visibility", widest) + ")"
}

// reachedByJob returns a condition for the projects r whose packages the job of the reader may read: its own, those that
// the user sees without a role, and those that allow its project.
func (s PackageScope) reachedByJob() (string, []any) {
	if s.JobProjectID == 0 {
		return "TRUE", nil
	}
	open := model.Internal
	if s.Reader.External {
		open = model.Public
	}
	text := "(r.id = ? OR " + packagesOpenTo(open) +
		" OR NOT coalesce((SELECT inbound_enabled FROM job_token_scopes WHERE project_id = r.id), true)" +
		" OR EXISTS (SELECT 1 FROM job_token_projects WHERE project_id = r.id AND allowed_id = ?)" +
		" OR EXISTS (SELECT 1 FROM job_token_groups g JOIN namespace_ancestors a ON a.ancestor_id = g.group_id" +
		" JOIN projects p ON p.namespace_id = a.descendant_id WHERE g.project_id = r.id AND p.id = ?))"
	return text, []any{s.JobProjectID, s.JobProjectID, s.JobProjectID}
}
