package access

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// The abilities in a project.
const (
	ReadProject            Ability = "read_project"
	ReadProjectMember      Ability = "read_project_member"
	ReadProjectUser        Ability = "read_project_user"
	ReadCode               Ability = "read_code"
	PushCode               Ability = "push_code"
	CommentCode            Ability = "comment_code"
	ReadProtection         Ability = "read_protection"
	StarProject            Ability = "star_project"
	ForkProject            Ability = "fork_project"
	LeaveProject           Ability = "leave_project"
	RequestProjectAccess   Ability = "request_project_access"
	AdminProject           Ability = "admin_project"
	AdminProjectMember     Ability = "admin_project_member"
	ReadProjectToken       Ability = "read_project_token"
	ReadProjectApplicants  Ability = "read_project_applicants" // users who request access or are invited
	AdminProjectToken      Ability = "admin_project_token"
	ShareProject           Ability = "share_project"
	RevokeProjectToken     Ability = "revoke_project_token"
	RotateSelfInProject    Ability = "rotate_self_in_project"
	ArchiveProject         Ability = "archive_project"
	TransferProject        Ability = "transfer_project"
	RemoveFork             Ability = "remove_fork"
	RemoveProject          Ability = "remove_project"
	LinkFork               Ability = "link_fork"
	AdminAttribute         Ability = "admin_project_attribute"
	ReadPipeline           Ability = "read_pipeline"
	ReadJob                Ability = "read_job"
	ReadEnvironment        Ability = "read_environment"
	AdminEnvironment       Ability = "admin_environment"
	UpdateJob              Ability = "update_job"
	CreatePipeline         Ability = "create_pipeline"
	UpdatePipeline         Ability = "update_pipeline"
	DestroyPipeline        Ability = "destroy_pipeline"
	ReadPipelineVariable   Ability = "read_pipeline_variable" // maintainers, and the user who started the pipeline
	ReadPipelineSchedule   Ability = "read_pipeline_schedule"
	CreatePipelineSchedule Ability = "create_pipeline_schedule"
	UpdatePipelineSchedule Ability = "update_pipeline_schedule" // maintainers, and the owner of the schedule
	OwnPipelineSchedule    Ability = "own_pipeline_schedule"
	ReadTrigger            Ability = "read_trigger"
	AdminTrigger           Ability = "admin_trigger"
	TriggerPipeline        Ability = "trigger_pipeline" // anybody with a trigger token; the operation checks the owner of the token
	CreateProjectRunner    Ability = "create_project_runner"
	AdminProjectRunner     Ability = "admin_project_runner"
	AssignProjectRunner    Ability = "assign_project_runner"
	AdminJobTokenScope     Ability = "admin_job_token_scope"
	ChangeJobTokenScope    Ability = "change_job_token_scope"
	ReadArtifact           Ability = "read_artifact"
	AdminArtifact          Ability = "admin_artifact"
	ReadProjectVariable    Ability = "read_project_variable"
	AdminProjectVariable   Ability = "admin_project_variable"
	ReadResourceGroup      Ability = "read_resource_group"
	UpdateResourceGroup    Ability = "update_resource_group"
	ReadClusterAgent       Ability = "read_cluster_agent"
	AdminClusterAgent      Ability = "admin_cluster_agent"
	ReadIssue              Ability = "read_issue"
	CreateIssue            Ability = "create_issue"
	UpdateIssue            Ability = "update_issue" // reporters, the author and the assignees
	FollowIssue            Ability = "follow_issue" // subscriptions and to-do items, which belong to the caller
	DestroyIssue           Ability = "destroy_issue"
	AdminIssue             Ability = "admin_issue" // links, time and order
	ReadLabel              Ability = "read_label"
	FollowLabel            Ability = "follow_label"
	AdminLabel             Ability = "admin_label"
	ReadMilestone          Ability = "read_milestone"
	AdminMilestone         Ability = "admin_milestone"
	PromoteLabel           Ability = "promote_label"     // reporters of the project who are also reporters of its group
	PromoteMilestone       Ability = "promote_milestone" // as PromoteLabel
	ReadBoard              Ability = "read_board"
	AdminBoard             Ability = "admin_board"
	ReadBadge              Ability = "read_badge"
	AdminBadge             Ability = "admin_badge"
	ReadMergeRequest       Ability = "read_merge_request"
	CreateMergeRequest     Ability = "create_merge_request" // developers, and other users from a fork
	UpdateMergeRequest     Ability = "update_merge_request" // developers, the author and the assignees
	ReadNote               Ability = "read_note"            // notes and emoji; ReadsNoteable also checks the item that they are about
	CreateNote             Ability = "create_note"
	AdminNote              Ability = "admin_note"   // the author of the note, and maintainers
	ResolveNote            Ability = "resolve_note" // developers, and the author of the merge request
	AwardEmoji             Ability = "award_emoji"

	ReadProjectNotifications   Ability = "read_project_notifications"
	UpdateProjectNotifications Ability = "update_project_notifications"
	ReadProjectEvents          Ability = "read_project_events"
	ReadProjectAuditEvents     Ability = "read_project_audit_events" // maintainers see all events, others only their own
	ReadProjectAuditEvent      Ability = "read_project_audit_event"
	ReadErrorTracking          Ability = "read_error_tracking"
	AdminErrorTracking         Ability = "admin_error_tracking"
	ReadAlertIntegration       Ability = "read_alert_integration"
	AdminAlertIntegration      Ability = "admin_alert_integration"
	TestAlertIntegration       Ability = "test_alert_integration"
	ReadAlert                  Ability = "read_alert"
	UpdateAlert                Ability = "update_alert"
	ReadPages                  Ability = "read_pages" // the site itself, on its own host
	ReadPagesDomain            Ability = "read_pages_domain"
	UpdatePagesDomain          Ability = "update_pages_domain"
	AdminProjectMove           Ability = "admin_project_storage_move"
	ReadTrackedError           Ability = "read_tracked_error"
	UpdateTrackedError         Ability = "update_tracked_error"
	MergeMergeRequest          Ability = "merge_merge_request"   // users whom the rules of the branch allow; others get 401
	DestroyMergeRequest        Ability = "destroy_merge_request" // owners, and the author
	FollowMergeRequest         Ability = "follow_merge_request"
	AdminMergeRequest          Ability = "admin_merge_request" // time tracking
	ApproveMergeRequest        Ability = "approve_merge_request"
	RunMergeRequestPipeline    Ability = "run_merge_request_pipeline" // developers of the source or the target project
	ReadProjectSnippet         Ability = "read_project_snippet"
	CreateProjectSnippet       Ability = "create_project_snippet"
	UpdateProjectSnippet       Ability = "update_project_snippet" // maintainers, and the author
	AdminProjectSnippet        Ability = "admin_project_snippet"
	ReadWiki                   Ability = "read_wiki"
	CreateWiki                 Ability = "create_wiki" // includes changing pages
)

// Administrators is above every role. It marks abilities in a project that only administrators have.
const Administrators model.Access = 100

// Need lists the conditions for an ability in a project.
type Need struct {
	Role     model.Access // the least role; NoAccess means that seeing the project is enough
	Archived bool         // the ability also exists in an archived project, which is read-only
	Code     bool         // the caller must also be able to read the repository
	Jobs     bool         // the caller must also be able to read pipelines and jobs
}

// InProject maps each ability in a project to its conditions.
var InProject = map[Ability]Need{
	ReadProject:            {model.NoAccess, true, false, false},
	ReadProjectMember:      {model.NoAccess, true, false, false},
	ReadProjectUser:        {model.NoAccess, true, false, false},
	ReadCode:               {model.NoAccess, true, true, false},
	PushCode:               {model.Developer, false, true, false},
	CommentCode:            {model.NoAccess, false, true, false},
	ReadProtection:         {model.Maintainer, true, false, false},
	StarProject:            {model.NoAccess, true, false, false},
	ForkProject:            {model.NoAccess, true, true, false},
	LeaveProject:           {model.NoAccess, true, false, false},
	RequestProjectAccess:   {model.NoAccess, false, false, false},
	AdminProject:           {model.Maintainer, false, false, false},
	AdminProjectMember:     {model.Maintainer, false, false, false},
	ReadProjectToken:       {model.Maintainer, true, false, false},
	ReadProjectApplicants:  {model.Maintainer, true, false, false},
	AdminProjectToken:      {model.Maintainer, false, false, false},
	ShareProject:           {model.Maintainer, false, false, false},
	RevokeProjectToken:     {model.Maintainer, true, false, false},
	RotateSelfInProject:    {model.NoAccess, false, false, false},
	ArchiveProject:         {model.Owner, true, false, false},
	TransferProject:        {model.Owner, false, false, false},
	RemoveFork:             {model.Owner, false, false, false},
	RemoveProject:          {model.Owner, true, false, false},
	LinkFork:               {Administrators, false, false, false},
	AdminAttribute:         {Administrators, true, false, false},
	ReadPipeline:           {model.NoAccess, true, false, true},
	ReadJob:                {model.NoAccess, true, false, true},
	ReadEnvironment:        {model.NoAccess, true, false, true},
	AdminEnvironment:       {model.Developer, false, false, true},
	UpdateJob:              {model.Developer, false, false, true},
	CreatePipeline:         {model.Developer, false, false, true},
	UpdatePipeline:         {model.Developer, false, false, true},
	DestroyPipeline:        {model.Owner, false, false, true},
	ReadPipelineVariable:   {model.Developer, true, false, true},
	ReadPipelineSchedule:   {model.NoAccess, true, false, true},
	CreatePipelineSchedule: {model.Developer, false, false, true},
	UpdatePipelineSchedule: {model.Developer, false, false, true},
	OwnPipelineSchedule:    {model.Maintainer, false, false, true},
	ReadTrigger:            {model.Maintainer, true, false, true},
	AdminTrigger:           {model.Maintainer, false, false, true},
	TriggerPipeline:        {model.NoAccess, true, false, false},
	CreateProjectRunner:    {model.Owner, false, false, false},
	AdminProjectRunner:     {model.Maintainer, true, false, false},
	AssignProjectRunner:    {model.Maintainer, false, false, false},
	AdminJobTokenScope:     {model.Maintainer, true, false, false},
	ChangeJobTokenScope:    {model.Maintainer, false, false, false},
	ReadArtifact:           {model.NoAccess, true, false, true},
	AdminArtifact:          {model.Maintainer, false, false, true},
	ReadProjectVariable:    {model.Maintainer, true, false, false},
	AdminProjectVariable:   {model.Maintainer, false, false, false},
	ReadResourceGroup:      {model.Developer, true, false, true},
	UpdateResourceGroup:    {model.Developer, false, false, true},
	ReadClusterAgent:       {model.Developer, true, false, false},
	AdminClusterAgent:      {model.Maintainer, false, false, false},
	ReadIssue:              {model.NoAccess, true, false, false},
	CreateIssue:            {model.NoAccess, false, false, false},
	UpdateIssue:            {model.NoAccess, false, false, false},
	FollowIssue:            {model.NoAccess, true, false, false},
	DestroyIssue:           {model.Owner, false, false, false},
	AdminIssue:             {model.Reporter, false, false, false},
	ReadLabel:              {model.NoAccess, true, false, false},
	FollowLabel:            {model.NoAccess, true, false, false},
	AdminLabel:             {model.Reporter, false, false, false},
	ReadMilestone:          {model.NoAccess, true, false, false},
	AdminMilestone:         {model.Reporter, false, false, false},
	PromoteLabel:           {model.Reporter, false, false, false},
	PromoteMilestone:       {model.Reporter, false, false, false},
	ReadBoard:              {model.NoAccess, true, false, false},
	AdminBoard:             {model.Reporter, false, false, false},
	ReadBadge:              {model.NoAccess, true, false, false},
	AdminBadge:             {model.Maintainer, false, false, false},
	ReadMergeRequest:       {model.NoAccess, true, false, false},
	CreateMergeRequest:     {model.NoAccess, false, false, false},
	UpdateMergeRequest:     {model.NoAccess, false, false, false},
	ReadNote:               {model.NoAccess, true, false, false},
	CreateNote:             {model.NoAccess, false, false, false},
	AdminNote:              {model.NoAccess, false, false, false},
	ResolveNote:            {model.NoAccess, false, false, false},
	AwardEmoji:             {model.NoAccess, false, false, false},

	ReadProjectNotifications:   {model.NoAccess, true, false, false},
	UpdateProjectNotifications: {model.NoAccess, true, false, false},
	ReadProjectEvents:          {model.NoAccess, true, false, false},
	ReadProjectAuditEvents:     {model.Developer, true, false, false},
	ReadProjectAuditEvent:      {model.Maintainer, true, false, false},
	ReadErrorTracking:          {model.Maintainer, true, false, false},
	AdminErrorTracking:         {model.Maintainer, false, false, false},
	ReadAlertIntegration:       {model.Maintainer, true, false, false},
	AdminAlertIntegration:      {model.Maintainer, false, false, false},
	TestAlertIntegration:       {model.Developer, false, false, false},
	ReadAlert:                  {model.Developer, true, false, false},
	UpdateAlert:                {model.Developer, false, false, false},
	ReadPages:                  {model.NoAccess, true, false, false},
	ReadPagesDomain:            {model.Maintainer, true, false, false},
	UpdatePagesDomain:          {model.Maintainer, false, false, false},
	AdminProjectMove:           {Administrators, true, false, false},
	ReadTrackedError:           {model.Developer, true, false, false},
	UpdateTrackedError:         {model.Developer, false, false, false},
	MergeMergeRequest:          {model.NoAccess, false, false, false},
	DestroyMergeRequest:        {model.NoAccess, false, false, false},
	FollowMergeRequest:         {model.NoAccess, true, false, false},
	AdminMergeRequest:          {model.Developer, false, false, false},
	ApproveMergeRequest:        {model.Developer, false, false, false},
	RunMergeRequestPipeline:    {model.NoAccess, false, false, false},
	ReadProjectSnippet:         {model.NoAccess, true, false, false},
	CreateProjectSnippet:       {model.Reporter, false, false, false},
	UpdateProjectSnippet:       {model.NoAccess, false, false, false},
	AdminProjectSnippet:        {Administrators, true, false, false},
	ReadWiki:                   {model.NoAccess, true, false, false},
	CreateWiki:                 {model.Developer, false, false, false},
}

// features holds the abilities for which the caller must also be able to read a part of the project.
var features = map[Ability]func(model.ProjectRow) bool{
	ReadIssue: model.ProjectRow.ReadsIssues, CreateIssue: model.ProjectRow.ReadsIssues, UpdateIssue: model.ProjectRow.ReadsIssues,
	FollowIssue: model.ProjectRow.ReadsIssues, DestroyIssue: model.ProjectRow.ReadsIssues, AdminIssue: model.ProjectRow.ReadsIssues,
	ReadBoard: model.ProjectRow.ReadsIssues, AdminBoard: model.ProjectRow.ReadsIssues,
	ReadLabel: readsIssuesOrMergeRequests, FollowLabel: readsIssuesOrMergeRequests, AdminLabel: readsIssuesOrMergeRequests, PromoteLabel: readsIssuesOrMergeRequests,
	ReadMilestone: readsIssuesOrMergeRequests, AdminMilestone: readsIssuesOrMergeRequests, PromoteMilestone: readsIssuesOrMergeRequests,
	ReadMergeRequest: model.ProjectRow.ReadsMergeRequests, CreateMergeRequest: model.ProjectRow.ReadsMergeRequests,
	UpdateMergeRequest: model.ProjectRow.ReadsMergeRequests, MergeMergeRequest: model.ProjectRow.ReadsMergeRequests,
	ReadPages:           model.ProjectRow.ReadsPages,
	DestroyMergeRequest: model.ProjectRow.ReadsMergeRequests, FollowMergeRequest: model.ProjectRow.ReadsMergeRequests,
	AdminMergeRequest: model.ProjectRow.ReadsMergeRequests, ApproveMergeRequest: model.ProjectRow.ReadsMergeRequests,
	RunMergeRequestPipeline: model.ProjectRow.ReadsMergeRequests,
	ReadProjectSnippet:      model.ProjectRow.ReadsSnippets, CreateProjectSnippet: model.ProjectRow.ReadsSnippets,
	UpdateProjectSnippet: model.ProjectRow.ReadsSnippets,
	ReadWiki:             model.ProjectRow.ReadsWiki, CreateWiki: model.ProjectRow.ReadsWiki,
}

// readsIssuesOrMergeRequests reports whether the user can read issues or merge requests, which labels and milestones are for.
func readsIssuesOrMergeRequests(r model.ProjectRow) bool {
	return r.ReadsIssues() || r.ReadsMergeRequests()
}

// Project returns a project, given by id or full path, if the caller has the ability in it. A project that the caller
// cannot see is a 404; a missing ability is a 403. A former path of the project redirects to its id.
func (a *Access) Project(ctx context.Context, ref string, ability Ability) (model.ProjectRow, error) {
	need, known := InProject[ability]
	if !known {
		return model.ProjectRow{}, apierr.Forbidden()
	}
	row, err := a.findProject(ctx, ref)
	switch {
	case err != nil:
		return model.ProjectRow{}, err
	case row.Role() < need.Role && !row.Admin:
		return model.ProjectRow{}, apierr.Forbidden()
	case need.Code && !row.ReadsCode(), need.Jobs && !row.ReadsJobs():
		return model.ProjectRow{}, apierr.Forbidden()
	case features[ability] != nil && !features[ability](row):
		return model.ProjectRow{}, apierr.Forbidden()
	case row.Project.Archived && !need.Archived:
		return model.ProjectRow{}, apierr.Forbidden()
	}
	return row, nil
}

func (a *Access) findProject(ctx context.Context, ref string) (model.ProjectRow, error) {
	reader := Reader(ctx)
	id, err := strconv.ParseInt(ref, 10, 64)
	byPath := err != nil
	if !byPath && id <= 0 {
		return model.ProjectRow{}, apierr.NotFound("Project")
	}
	row, err := a.store.Projects.Get(ctx, id, ref, reader)
	moved := false
	if store.IsNotFound(err) && byPath {
		row, err = a.store.Projects.GetByOldPath(ctx, ref, reader)
		moved = true
	}
	switch {
	case store.IsNotFound(err) || (err == nil && !SeesProject(row, reader)):
		return model.ProjectRow{}, apierr.NotFound("Project")
	case err != nil:
		return row, err
	}
	reaches, err := a.jobReaches(ctx, row.Project)
	switch {
	case err != nil:
		return model.ProjectRow{}, err
	case !reaches:
		return model.ProjectRow{}, apierr.NotFound("Project")
	case moved:
		return model.ProjectRow{}, redirectToID(ctx, row.Project.ID)
	}
	return row, nil
}

// SeesProject reports whether a reader can see a project at all.
func SeesProject(row model.ProjectRow, r *store.Reader) bool {
	switch {
	case row.Project.Visibility == model.Public:
		return true
	case r == nil:
		return false
	case row.Project.Visibility == model.Internal && !r.External:
		return true
	}
	return row.Role() >= model.Guest
}

// redirectToID redirects a request that reads by a former path to the project's id. It refuses a request that writes,
// because the client may have meant the project that had the path before.
func redirectToID(ctx context.Context, id int64) error {
	info := reqctx.Of(ctx)
	if info.Method != http.MethodGet && info.Method != http.MethodHead {
		return apierr.MovedProject()
	}
	path := info.URL.EscapedPath()
	at := strings.Index(path, "/projects/") + len("/projects/")
	if at < len("/projects/") {
		return apierr.Moved("") // not a URL of the API
	}
	rest := ""
	if end := strings.IndexByte(path[at:], '/'); end >= 0 {
		rest = path[at+end:]
	}
	to := info.BaseURL + path[:at] + strconv.FormatInt(id, 10) + rest
	if info.URL.RawQuery != "" {
		to += "?" + info.URL.RawQuery
	}
	return apierr.Moved(to)
}

// NewPath returns the current path of a project by a former path, if the caller can see the project.
func (a *Access) NewPath(ctx context.Context, old string) (string, error) {
	reader := Reader(ctx)
	row, err := a.store.Projects.GetByOldPath(ctx, old, reader)
	if store.IsNotFound(err) || (err == nil && !SeesProject(row, reader)) {
		return "", apierr.NotFound("Project")
	}
	if err != nil {
		return "", err
	}
	reaches, err := a.jobReaches(ctx, row.Project)
	if err == nil && !reaches {
		err = apierr.NotFound("Project")
	}
	return row.Project.FullPath, err
}
