package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"svc/gen"
)

// list is one list of the API: its path, in which {group}, {project} and so on stand for IDs, the rows that the floor reads
// instead, and the type of its elements.
type list struct {
	path, rows string
	decode     func(answer []byte) (any, error)
}

// of makes the decoder of a list, so that the floor encodes the same type as svc.
func of[T any](path, rows string) list {
	return list{path: path, rows: rows, decode: func(answer []byte) (any, error) {
		var found []T
		return found, json.Unmarshal(answer, &found)
	}}
}

// withUser joins the user that each row of a table names, which the answer shows.
func withUser(table, column string) string {
	return fmt.Sprintf("%[1]s JOIN users ON users.id = %[1]s.%[2]s", table, column)
}

// lists returns the lists of database rows. Lists of git objects have rows of their own.
func lists() []list { return append(planningLists(), otherLists()...) }

// planningLists returns the lists about issues, merge requests and what belongs to them.
func planningLists() []list {
	issues := withUser("issues", "author_id") + " JOIN projects ON projects.id = issues.project_id " +
		"LEFT JOIN milestones ON milestones.id = issues.milestone_id LEFT JOIN issue_assignees ON issue_assignees.issue_id = issues.id " +
		"LEFT JOIN users assignees ON assignees.id = issue_assignees.user_id"
	notes := withUser("notes", "author_id") + " JOIN issues ON issues.id = notes.noteable_id"
	merges := withUser("merge_requests", "author_id") + " JOIN projects ON projects.id = merge_requests.project_id"
	labels := "labels LEFT JOIN label_priorities ON label_priorities.label_id = labels.id " +
		"LEFT JOIN subscriptions ON subscriptions.target_type = 'Label' AND subscriptions.target_id = labels.id"
	return []list{
		of[gen.Issue]("/issues?scope=all", issues),
		of[gen.Issue]("/groups/{group}/issues", issues),
		of[gen.Issue]("/projects/{project}/issues", issues),
		of[gen.Note]("/projects/{project}/issues/1/notes", notes),
		of[gen.NoteDiscussion]("/projects/{project}/issues/1/discussions", notes),
		of[gen.LinkedIssue]("/projects/{project}/issues/1/links", issues),
		of[gen.UserBasic]("/projects/{project}/issues/1/participants",
			"users JOIN (SELECT DISTINCT author_id FROM notes WHERE noteable_type = 'Issue') AS writers ON writers.author_id = users.id"),
		of[gen.ResourceLabelEvent]("/projects/{project}/issues/1/resource_label_events",
			withUser("resource_events", "user_id")+" JOIN labels ON labels.id = resource_events.label_id"),
		of[gen.MergeRequestListed]("/merge_requests?scope=all", merges),
		of[gen.MergeRequestListed]("/projects/{project}/merge_requests", merges),
		of[gen.Note]("/projects/{project}/merge_requests/1/notes", withUser("notes", "author_id")),
		of[gen.DraftNote]("/projects/{project}/merge_requests/1/draft_notes", "draft_notes"),
		of[gen.ApprovalRule]("/projects/{project}/approval_rules",
			"approval_rules JOIN approval_rule_users u ON u.rule_id = approval_rules.id JOIN users ON users.id = u.user_id"),
		of[gen.Label]("/projects/{project}/labels", labels),
		of[gen.GroupLabel]("/groups/{group}/labels", labels),
		of[gen.Milestone]("/projects/{project}/milestones", "milestones"),
		of[gen.Milestone]("/groups/{group}/milestones", "milestones"),
		of[gen.Issue]("/projects/{project}/milestones/1/issues", issues),
		of[gen.Board]("/projects/{project}/boards", "boards LEFT JOIN board_lists ON board_lists.board_id = boards.id"),
		of[gen.Event]("/projects/{project}/events", withUser("events", "author_id")),
		of[gen.Todo]("/todos", withUser("todos", "author_id")+
			" JOIN projects ON projects.id = todos.project_id JOIN issues ON issues.id = todos.target_id"),
	}
}

// otherLists returns the other lists.
func otherLists() []list {
	members := withUser("members", "user_id") + " JOIN users makers ON makers.id = members.created_by_id"
	return []list{
		of[gen.UserListed]("/users", "users"),
		of[gen.Group]("/groups", "namespaces"),
		of[gen.Group]("/groups/{group}/subgroups", "namespaces"),
		of[gen.Project]("/groups/{group}/projects", "projects JOIN namespaces ON namespaces.id = projects.namespace_id"),
		of[gen.Namespace]("/namespaces", "namespaces LEFT JOIN users ON users.namespace_id = namespaces.id"),
		of[gen.Member]("/projects/{project}/members", members),
		of[gen.Member]("/groups/{group}/members", members),
		of[gen.Member]("/projects/{project}/members/all", members),
		of[gen.Invitation]("/projects/{project}/invitations", withUser("invitations", "created_by_id")),
		of[gen.AccessRequest]("/groups/{other}/access_requests", withUser("access_requests", "user_id")),
		of[gen.ProjectHook]("/projects/{project}/hooks", "hooks"),
		of[gen.GroupHook]("/groups/{group}/hooks", "hooks"),
		of[gen.SystemHook]("/hooks", "hooks"),
		of[gen.Variable]("/projects/{project}/variables", "project_variables"),
		of[gen.Variable]("/groups/{group}/variables", "group_variables"),
		of[gen.InstanceVariable]("/admin/ci/variables", "instance_variables"),
		of[gen.Trigger]("/projects/{project}/triggers", withUser("pipeline_triggers", "owner_id")),
		of[gen.DeployToken]("/projects/{project}/deploy_tokens", "deploy_tokens"),
		of[gen.ResourceAccessToken]("/projects/{project}/access_tokens",
			"personal_access_tokens JOIN members ON members.user_id = personal_access_tokens.user_id"),
		of[gen.PersonalAccessToken]("/personal_access_tokens", "personal_access_tokens"),
		of[gen.ProtectedBranch]("/projects/{project}/protected_branches", "protected_branches"),
		of[gen.ProtectedTag]("/projects/{project}/protected_tags", "protected_tags"),
		of[gen.Badge]("/projects/{project}/badges", "badges"),
		of[gen.PipelineListed]("/projects/{project}/pipelines", "pipelines"),
		of[gen.Job]("/projects/{project}/jobs", "jobs JOIN pipelines ON pipelines.id = jobs.pipeline_id"),
		of[gen.Environment]("/projects/{project}/environments", "environments"),
		of[gen.FreezePeriod]("/projects/{project}/freeze_periods", "freeze_periods"),
		of[gen.PipelineSchedule]("/projects/{project}/pipeline_schedules", withUser("pipeline_schedules", "owner_id")),
		of[gen.RunnerBasic]("/runners/all", "runners"),
		of[gen.Snippet]("/projects/{project}/snippets", withUser("snippets", "author_id")),
		of[gen.Snippet]("/snippets", withUser("snippets", "author_id")),
		of[gen.AuditEvent]("/audit_events", "audit_events"),
		of[gen.Topic]("/topics", "topics"),
		of[gen.BroadcastMessage]("/broadcast_messages", "broadcast_messages"),
		of[gen.Feature]("/features", "features"),
		of[gen.Application]("/applications", "oauth_applications"),
		of[gen.ServiceAccount]("/service_accounts", "users"),
		of[gen.CustomAttribute]("/projects/{project}/custom_attributes", "project_custom_attributes"),
		of[gen.ClusterAgent]("/projects/{project}/cluster_agents", "cluster_agents"),
		of[gen.AlertIntegration]("/projects/{project}/alert_integrations", "alert_integrations"),
		of[gen.ErrorTrackingClientKey]("/projects/{project}/error_tracking/client_keys", "error_tracking_keys"),
	}
}

// listSets returns the lists of each row that compares lists.
func listSets() map[string]func() []list {
	return map[string]func() []list{"lists": lists, "issues": issueLists}
}

// answeredLists is the lists of a row as the floor serves them.
type answeredLists struct {
	Row   string         `json:"row"`
	Lists []answeredList `json:"lists"`
}

// answeredList is the answer of svc to a list, and how many rows to read for it.
type answeredList struct {
	Path   string          `json:"path"`
	Rows   int             `json:"rows"`
	Answer json.RawMessage `json:"answer"`
}

// benchLists compares lists of 20 rows with the floor, which reads as many rows in one statement and encodes the same
// answer.
func benchLists(ctx context.Context, o options, kind, folder string, rep *report) error {
	return benchAlone(ctx, o, kind, folder, "lists", rep, func(b *ciBench) error {
		return b.measureLists(ctx, o, "lists", "lists of 20 rows", func(context.Context) error { return nil })
	})
}

// measureLists compares the lists of a row. fill adds more rows than they need.
func (b *ciBench) measureLists(ctx context.Context, o options, row, holds string, fill func(ctx context.Context) error) error {
	ids, err := b.fillLists()
	if err != nil {
		return err
	}
	if err := fill(ctx); err != nil {
		return err
	}
	if b.kind == postgres { // which does so itself after a minute, if a table has enough rows
		if err := b.run(ctx, []string{"VACUUM (ANALYZE)"}); err != nil {
			return err
		}
	}
	served := answeredLists{Row: row}
	for _, l := range listSets()[row]() {
		answered, err := b.answerList(l, ids)
		if err != nil {
			return err
		}
		served.Lists = append(served.Lists, answered)
	}
	file := filepath.Join(b.folder, "lists.json")
	text, err := json.Marshal(served)
	if err != nil {
		return err
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return err
	}
	bare, err := startFloor(ctx, b.dataCopy, "-lists", file)
	if err != nil {
		return err
	}
	defer bare.stop()
	return b.compareLists(ctx, o, served.Lists, bare, holds)
}

// answerList asks svc for a list. A list without rows would be compared with nothing.
func (b *ciBench) answerList(l list, ids *strings.Replacer) (answeredList, error) {
	path := "/api/v4" + ids.Replace(l.path)
	var found []json.RawMessage
	if err := b.call(rawRequest(http.MethodGet, path, ""), http.StatusOK, &found); err != nil {
		return answeredList{}, err
	}
	if len(found) < 15 {
		return answeredList{}, fmt.Errorf("%s has only %d rows", path, len(found))
	}
	return answeredList{Path: path, Rows: len(found), Answer: append(json.RawMessage(nil), b.conn.body...)}, nil
}

func (b *ciBench) compareLists(ctx context.Context, o options, served []answeredList, bare *process, holds string) error {
	lines := make([]*line, len(served))
	for i, s := range served {
		lines[i] = &line{
			label: strings.TrimPrefix(s.Path, "/api/v4"), svc: [][]byte{rawRequest(http.MethodGet, s.Path, "")},
			floor: [][]byte{rawRequest(http.MethodGet, fmt.Sprintf("/lists/%d", i), "")},
		}
	}
	fmt.Fprintf(b.rep.out, "\n%s, %s; CPU with the database's\n", label(b.kind), holds)
	if err := b.measureLines(ctx, o, lines, b.svc, bare, b.rep); err != nil {
		return err
	}
	b.rep.within(lines, maxRatio, "lists ("+holds+")", b.kind)
	return nil
}
