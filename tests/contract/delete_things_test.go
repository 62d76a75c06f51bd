package contract

import (
	"encoding/json"
	"fmt"
)

const (
	label    = `{"name":"%s","color":"#fff"}`
	badge    = `{"link_url":"https://example.com/%s","image_url":"https://example.com/badge.svg"}`
	hook     = `{"url":"https://ci.example.com/%s"}`
	wikiPage = `{"title":"%s","content":"x"}`
	snippet  = `{"title":"%s","visibility":"private","files":[{"file_path":"a.txt","content":"x"}]}`
	deploy   = `{"name":"%s","scopes":["read_repository"]}`
)

// things has, for every conditional delete, a function that makes one more thing to delete.
var things = map[string]func(*deletionFixture) deletable{
	"deleteAdminCiVariable": func(w *deletionFixture) deletable { return w.variable("/admin/ci/variables") },
	"deleteFeature": func(w *deletionFixture) deletable {
		name := fmt.Sprintf("switch_%d", w.h.Group().ID)
		w.send(w.root, "POST", "/features/"+name, `{"value":true}`)
		return w.at("/features/%s", name)
	},
	"deleteProjectAlias": func(w *deletionFixture) deletable {
		return w.below("/project_aliases", "name", fmt.Sprintf(`{"project_id":%d,"name":"%%s"}`, w.project.ID))
	},
	"deleteMemberRole":       resource(instance, "member_roles", `{"name":"%s","base_access_level":20,"admin_web_hook":true}`),
	"deleteGroupMemberRole":  resource(inGroup, "member_roles", `{"name":"%s","base_access_level":20,"admin_web_hook":true}`),
	"deleteTopic":            resource(instance, "topics", `{"name":"%s","title":"Topic"}`),
	"deleteApplication":      resource(instance, "applications", `{"name":"%s","redirect_uri":"https://example.com","scopes":"api"}`),
	"deleteBroadcastMessage": resource(instance, "broadcast_messages", `{"message":"%s"}`),
	"deleteGroupCustomAttribute": func(w *deletionFixture) deletable {
		return w.attribute(w.inGroup("custom_attributes"))
	},
	"deleteGroupServiceAccount":                      resource(inGroup, "service_accounts", `{"name":"%s"}`),
	"deleteGroupServiceAccountPersonalAccessToken":   accountToken(inGroup),
	"deleteProjectServiceAccount":                    resource(inProject, "service_accounts", `{"name":"%s"}`),
	"deleteProjectServiceAccountPersonalAccessToken": accountToken(inProject),
	"deleteGroup":              func(w *deletionFixture) deletable { return w.at("/groups/%d", w.h.Group().ID) },
	"deleteGroupAccessRequest": func(w *deletionFixture) deletable { return w.accessRequest(w.inGroup("")) },
	"deleteGroupAccessToken":   resource(inGroup, "access_tokens", newToken()),
	"deleteGroupBadge":         resource(inGroup, "badges", badge),
	"deleteGroupBoard":         resource(inGroup, "boards", `{"name":"%s"}`),
	"deleteGroupBoardList":     func(w *deletionFixture) deletable { return w.list(w.inGroup("")) },
	"deleteGroupDeployToken":   resource(inGroup, "deploy_tokens", deploy),
	"deleteGroupEpic": func(w *deletionFixture) deletable {
		return w.below(w.inGroup("epics"), "iid", `{"title":"%s"}`)
	},
	"deleteGroupEpicIssue": func(w *deletionFixture) deletable {
		epic := w.below(w.inGroup("epics"), "iid", `{"title":"%s"}`).path
		issue := text(w.add(w.inProject("issues"), `{"title":"%s"}`)["id"])
		return w.at("%s/issues/%s", epic, text(w.add(epic+"/issues/"+issue, "")["id"]))
	},
	"deleteGroupEpicRelatedEpic": func(w *deletionFixture) deletable {
		epic, other := w.below(w.inGroup("epics"), "iid", `{"title":"%s"}`).path, w.add(w.inGroup("epics"), `{"title":"%s"}`)
		body := fmt.Sprintf(`{"target_group_id":%s,"target_epic_iid":%s}`, text(other["group_id"]), text(other["iid"]))
		return w.at("%s/related_epics/%s", epic, text(w.add(epic+"/related_epics", body)["id"]))
	},
	"deleteGroupEpicNote":           func(w *deletionFixture) deletable { return w.note(w.epic()) },
	"deleteGroupEpicDiscussionNote": func(w *deletionFixture) deletable { return w.threadNote(w.epic()) },
	"deleteGroupEpicAwardEmoji": func(w *deletionFixture) deletable {
		return w.award(w.below(w.inGroup("epics"), "iid", `{"title":"%s"}`).path)
	},
	"unassignGroupEpicEpic": func(w *deletionFixture) deletable {
		epic := w.below(w.inGroup("epics"), "iid", `{"title":"%s"}`).path
		return w.below(epic+"/epics", "id", `{"title":"%s"}`)
	},
	"deleteGroupHook":        resource(inGroup, "hooks", hook),
	"deleteGroupIntegration": func(w *deletionFixture) deletable { return w.integration(w.inGroup("integrations/discord")) },
	"deleteGroupInvitation":  func(w *deletionFixture) deletable { return w.invitation(w.inGroup("invitations")) },
	"deleteGroupLabel":       resource(inGroup, "labels", label),
	"deleteGroupLabels": func(w *deletionFixture) deletable {
		return w.at("%s?name=%s", w.inGroup("labels"), w.add(w.inGroup("labels"), label)["name"])
	},
	"deleteGroupMember":    func(w *deletionFixture) deletable { return w.member(w.inGroup("")) },
	"deleteGroupMilestone": resource(inGroup, "milestones", `{"title":"%s"}`),
	"deleteGroupShare":     func(w *deletionFixture) deletable { return w.share(w.inGroup("share")) },
	"deleteGroupUpload":    func(w *deletionFixture) deletable { return w.upload(w.inGroup("uploads"), false) },
	"deleteGroupUploadBySecret": func(w *deletionFixture) deletable {
		return w.upload(w.inGroup("uploads"), true)
	},
	"deleteGroupVariable": func(w *deletionFixture) deletable { return w.variable(w.inGroup("variables")) },
	"deleteGroupWiki":     func(w *deletionFixture) deletable { return w.below(w.inGroup("wikis"), "slug", wikiPage) },
	"deleteHook":          resource(instance, "hooks", hook),
	"deletePersonalAccessToken": func(w *deletionFixture) deletable {
		return w.at("/personal_access_tokens/%s", text(w.personalToken()["id"]))
	},
	"deletePersonalAccessTokenSelf": func(w *deletionFixture) deletable {
		return deletable{caller: w.h.NewUser(), path: "/personal_access_tokens/self"}
	},
	"deleteProject":              func(w *deletionFixture) deletable { return w.at("/projects/%d", w.newProject().ID) },
	"deleteProjectAccessRequest": func(w *deletionFixture) deletable { return w.accessRequest(w.inProject("")) },
	"deleteProjectAccessToken":   resource(inProject, "access_tokens", newToken()),
	"deleteProjectAlertManagementAlertMetricImage": func(w *deletionFixture) deletable {
		return w.metricImage()
	},
	"deleteProjectAlertIntegration": resource(inProject, "alert_integrations", `{"type":"http","name":"%s"}`),
	"deleteProjectBadge":            resource(inProject, "badges", badge),
	"deleteProjectHook":             resource(inProject, "hooks", hook),
	"deleteProjectIntegration":      func(w *deletionFixture) deletable { return w.integration(w.inProject("integrations/slack")) },
	"deleteProjectService":          func(w *deletionFixture) deletable { return w.integration(w.inProject("services/mattermost")) },
	"deleteProjectBoard":            resource(inProject, "boards", `{"name":"%s"}`),
	"deleteProjectBoardList":        func(w *deletionFixture) deletable { return w.list(w.inProject("")) },
	"deleteProjectClusterAgent":     resource(inProject, "cluster_agents", `{"name":"%s"}`),
	"deleteProjectClusterAgentToken": func(w *deletionFixture) deletable {
		agent := w.add(w.inProject("cluster_agents"), `{"name":"%s"}`)["id"]
		return w.below(w.inProject("cluster_agents/"+text(agent)+"/tokens"), "id", `{"name":"%s"}`)
	},
	"deleteProjectDeployment": resource(inProject, "deployments",
		`{"environment":"%s","sha":"main","ref":"main","tag":false,"status":"failed"}`),
	"deleteProjectCustomAttribute": func(w *deletionFixture) deletable { return w.attribute(w.inProject("custom_attributes")) },
	"deleteProjectDeployKey":       (*deletionFixture).deployKey,
	"deleteProjectDeployToken":     resource(inProject, "deploy_tokens", deploy),
	"deleteProjectEnvironment": func(w *deletionFixture) deletable {
		made := w.below(w.inProject("environments"), "id", `{"name":"%s"}`)
		w.send(w.root, "POST", made.path+"/stop", `{"force":true}`)
		return made
	},
	"deleteProjectErrorTrackingClientKey": resource(inProject, "error_tracking/client_keys", `{}`),
	"deleteProjectForkRelation": func(w *deletionFixture) deletable {
		fork := w.newProject()
		w.send(w.root, "POST", fmt.Sprintf("/projects/%d/fork/%d", fork.ID, w.project.ID), "{}")
		return w.at("/projects/%d/fork", fork.ID)
	},
	"deleteProjectInvitation":          func(w *deletionFixture) deletable { return w.invitation(w.inProject("invitations")) },
	"deleteProjectIssue":               func(w *deletionFixture) deletable { return w.at("%s", w.issue()) },
	"deleteProjectIssueAwardEmoji":     func(w *deletionFixture) deletable { return w.award(w.issue()) },
	"deleteProjectIssueDiscussionNote": func(w *deletionFixture) deletable { return w.threadNote(w.issue()) },
	"deleteProjectIssueLink": func(w *deletionFixture) deletable {
		other := w.add(w.inProject("issues"), `{"title":"%s"}`)
		body := fmt.Sprintf(`{"target_project_id":%d,"target_issue_iid":%s}`, w.project.ID, text(other["iid"]))
		on := w.issue() + "/links"
		w.add(on, body)
		links := w.root.Send("GET", on, "")
		var shown []map[string]any
		if err := json.Unmarshal([]byte(links.Body), &shown); err != nil || len(shown) != 1 {
			w.t.Fatalf("links: %d %s", links.Status, links.Body)
		}
		return w.at("%s/%s", on, text(shown[0]["issue_link_id"]))
	},
	"deleteProjectMergeRequestDraftNote": func(w *deletionFixture) deletable {
		return w.below(w.mergeRequest()+"/draft_notes", "id", `{"note":"%s"}`)
	},
	"deleteProjectSnippetAwardEmoji":     func(w *deletionFixture) deletable { return w.award(w.snippet()) },
	"deleteProjectSnippetDiscussionNote": func(w *deletionFixture) deletable { return w.threadNote(w.snippet()) },
	"deleteProjectSnippetNote":           func(w *deletionFixture) deletable { return w.note(w.snippet()) },
	"deleteProjectSnippetNoteAwardEmoji": func(w *deletionFixture) deletable { return w.award(w.note(w.snippet()).path) },
	"deleteProjectIssueNote":             func(w *deletionFixture) deletable { return w.note(w.issue()) },
	"deleteProjectIssueNoteAwardEmoji":   func(w *deletionFixture) deletable { return w.award(w.note(w.issue()).path) },
	"deleteProjectJobTokenScopeAllowlist": func(w *deletionFixture) deletable {
		body := fmt.Sprintf(`{"target_project_id":%d}`, w.newProject().ID)
		return w.below(w.inProject("job_token_scope/allowlist"), "target_project_id", body)
	},
	"deleteProjectJobTokenScopeGroupsAllowlist": func(w *deletionFixture) deletable {
		body := fmt.Sprintf(`{"target_group_id":%d}`, w.h.Group().ID)
		return w.below(w.inProject("job_token_scope/groups_allowlist"), "target_group_id", body)
	},
	"deleteProjectLabel": resource(inProject, "labels", label),
	"deleteProjectLabels": func(w *deletionFixture) deletable {
		return w.at("%s?name=%s", w.inProject("labels"), w.add(w.inProject("labels"), label)["name"])
	},
	"deleteProjectMember":                     func(w *deletionFixture) deletable { return w.member(w.inProject("")) },
	"deleteProjectMergeRequest":               func(w *deletionFixture) deletable { return w.at("%s", w.mergeRequest()) },
	"deleteProjectMergeRequestAwardEmoji":     func(w *deletionFixture) deletable { return w.award(w.mergeRequest()) },
	"deleteProjectMergeRequestDiscussionNote": func(w *deletionFixture) deletable { return w.threadNote(w.mergeRequest()) },
	"deleteProjectMergeRequestNote":           func(w *deletionFixture) deletable { return w.note(w.mergeRequest()) },
	"deleteProjectMergeRequestNoteAwardEmoji": func(w *deletionFixture) deletable {
		return w.award(w.note(w.mergeRequest()).path)
	},
	"deleteProjectMilestone": resource(inProject, "milestones", `{"title":"%s"}`),
	"deleteProjectPages":     (*deletionFixture).site,
	"deleteProjectPagesDomain": func(w *deletionFixture) deletable {
		return w.below(w.inProject("pages/domains"), "domain", `{"domain":"%s.example.com"}`)
	},
	"deleteProjectPipeline":         (*deletionFixture).pipeline,
	"deleteProjectPipelineSchedule": resource(inProject, "pipeline_schedules", `{"description":"%s","ref":"main","cron":"0 1 * * *"}`),
	"deleteProjectPackage": func(w *deletionFixture) deletable {
		return w.at("%s/%d", w.inProject("packages"), w.packageFile().PackageID)
	},
	"deleteProjectPackagePackageFile": func(w *deletionFixture) deletable {
		made := w.packageFile()
		return w.at("%s/%d/package_files/%d", w.inProject("packages"), made.PackageID, made.ID)
	},
	"deleteProjectPackagesProtectionRule": resource(inProject, "packages/protection/rules",
		`{"package_name_pattern":"%s","package_type":"npm","minimum_access_level_for_push":"owner"}`),
	"deleteGroupProtectedBranch": func(w *deletionFixture) deletable {
		return w.below(w.inGroup("protected_branches"), "name", `{"name":"%s"}`)
	},
	"deleteGroupPushRule": func(w *deletionFixture) deletable {
		path := fmt.Sprintf("/groups/%d/push_rule", w.h.Group().ID)
		w.add(path, `{}`)
		return w.at("%s", path)
	},
	"deleteProjectApprovalRule": resource(inProject, "approval_rules", `{"name":"%s","approvals_required":0}`),
	"deleteProjectFeatureFlag": func(w *deletionFixture) deletable {
		name := fmt.Sprintf("flag_%d", w.h.Group().ID)
		w.add(w.inProject("feature_flags"), fmt.Sprintf(`{"name":%q}`, name))
		return w.at("%s/%s", w.inProject("feature_flags"), name)
	},
	"deleteProjectFeatureFlagsUserList": func(w *deletionFixture) deletable {
		return w.below(w.inProject("feature_flags_user_lists"), "iid", `{"name":"%s","user_xids":"1"}`)
	},
	"deleteProjectProtectedEnvironment": func(w *deletionFixture) deletable {
		return w.below(w.inProject("protected_environments"), "name", `{"name":"%s","deploy_access_levels":[{"access_level":40}]}`)
	},
	"deleteGroupProtectedEnvironment": func(w *deletionFixture) deletable {
		group := w.h.Group()
		path := fmt.Sprintf("/groups/%d/protected_environments", group.ID)
		w.send(w.root, "POST", path, `{"name":"production","deploy_access_levels":[{"access_level":40}]}`)
		return w.at("%s/production", path)
	},
	"deleteProjectSecureFile": resource(inProject, "secure_files", `{"name":"%s","file":"c2VjcmV0"}`),
	"deleteProjectTerraformState": func(w *deletionFixture) deletable {
		path := w.inProject(fmt.Sprintf("terraform/state/state-%d", w.h.Group().ID))
		if got := w.root.JSON("POST", path, `{"serial":1}`); got.Status != 200 {
			w.t.Fatal(got.Status, got.Body)
		}
		return w.at("%s", path)
	},
	"deleteProjectTerraformStateVersion": func(w *deletionFixture) deletable {
		path := w.inProject(fmt.Sprintf("terraform/state/state-%d", w.h.Group().ID))
		if got := w.root.JSON("POST", path, `{"serial":1}`); got.Status != 200 {
			w.t.Fatal(got.Status, got.Body)
		}
		return w.at("%s/versions/1", path)
	},
	"deleteProjectExternalStatusCheck": resource(
		inProject, "external_status_checks", `{"name":"%s","external_url":"https://example.com/%s"}`,
	),
	"deleteProjectRemoteMirror": resource(inProject, "remote_mirrors", `{"url":"https://ci.example.com/acme/web.git"}`),
	"deleteProjectFreezePeriod": resource(inProject, "freeze_periods", `{"freeze_start":"0 1 * * *","freeze_end":"0 2 * * *"}`),
	"deleteProjectMergeRequestApprovalRule": func(w *deletionFixture) deletable {
		return w.below(w.mergeRequest()+"/approval_rules", "id", `{"name":"%s","approvals_required":0}`)
	},
	"deleteProjectPushRule": func(w *deletionFixture) deletable {
		path := fmt.Sprintf("/projects/%d/push_rule", w.newProject().ID)
		w.add(path, `{}`)
		return w.at("%s", path)
	},
	"deleteProjectProtectedBranch": func(w *deletionFixture) deletable {
		return w.below(w.inProject("protected_branches"), "name", `{"name":"%s"}`)
	},
	"deleteProjectProtectedTag": func(w *deletionFixture) deletable {
		return w.below(w.inProject("protected_tags"), "name", `{"name":"%s"}`)
	},
	"deleteProjectRelease": func(w *deletionFixture) deletable { return w.release() },
	"deleteProjectReleaseAssetsLink": func(w *deletionFixture) deletable {
		return w.below(w.release().path+"/assets/links", "id", `{"name":"%s","url":"https://files.example.com/a"}`)
	},
	"deleteProjectRepositoryBranch": func(w *deletionFixture) deletable {
		return w.at("%s/%s", w.inProject("repository/branches"), w.branch())
	},
	"deleteProjectRepositoryCommitDiscussionNote": func(w *deletionFixture) deletable {
		return w.threadNote(w.inProject("repository/commits/" + w.tip))
	},
	"deleteProjectRepositoryFile": func(w *deletionFixture) deletable {
		name := w.branch()
		made := w.at("%s/%s", w.inProject("repository/files"), name)
		made.body = fmt.Sprintf(`{"branch":%q,"commit_message":"Remove"}`, name)
		return made
	},
	"deleteProjectRepositoryTag": func(w *deletionFixture) deletable {
		return w.below(w.inProject("repository/tags"), "name", `{"tag_name":"%s","ref":"main"}`)
	},
	"deleteProjectRunner": func(w *deletionFixture) deletable {
		body := fmt.Sprintf(`{"runner_type":"project_type","project_id":%d,"run_untagged":true,"description":"%%s"}`, w.newProject().ID)
		id := text(w.add("/user/runners", body)["id"])
		return w.below(w.inProject("runners"), "id", `{"runner_id":`+id+`}`)
	},
	"deleteProjectShare":   func(w *deletionFixture) deletable { return w.share(w.inProject("share")) },
	"deleteProjectSnippet": resource(inProject, "snippets", snippet),
	"deleteProjectTrigger": resource(inProject, "triggers", `{"description":"%s"}`),
	"deleteProjectUpload":  func(w *deletionFixture) deletable { return w.upload(w.inProject("uploads"), false) },
	"deleteProjectUploadBySecret": func(w *deletionFixture) deletable {
		return w.upload(w.inProject("uploads"), true)
	},
	"deleteProjectVariable": func(w *deletionFixture) deletable { return w.variable(w.inProject("variables")) },
	"deleteProjectWiki":     func(w *deletionFixture) deletable { return w.below(w.inProject("wikis"), "slug", wikiPage) },
	"deleteRunner":          func(w *deletionFixture) deletable { return w.at("/runners/%s", text(w.runner()["id"])) },
	"unregisterRunner": func(w *deletionFixture) deletable {
		return deletable{w.h.Anonymous(), "/runners", fmt.Sprintf(`{"token":%q}`, w.runner()["token"])}
	},
	"unregisterRunnerManager": func(w *deletionFixture) deletable {
		body := fmt.Sprintf(`{"token":%q,"system_id":"s_1"}`, w.runner()["token"])
		w.send(w.h.Anonymous(), "POST", "/runners/verify", body)
		return deletable{w.h.Anonymous(), "/runners/managers", body}
	},
	"deleteSnippet": resource(instance, "snippets", snippet),
	"deleteCurrentUserEmail": func(w *deletionFixture) deletable {
		return w.own("/user/emails", `{"email":"`+w.name()+`@example.com"}`)
	},
	"deleteCurrentUserGpgKey": func(w *deletionFixture) deletable {
		return w.own("/user/gpg_keys", bodyOf(w.t, "GPGKeyCreate"))
	},
	"deleteCurrentUserKey":      func(w *deletionFixture) deletable { return w.own("/user/keys", bodyOf(w.t, "KeyCreate")) },
	"deleteUser":                func(w *deletionFixture) deletable { return w.at("/users/%d", w.newUser().ID) },
	"deleteUserCustomAttribute": func(w *deletionFixture) deletable { return w.attribute(w.ofUser("custom_attributes")) },
	"deleteUserEmail": func(w *deletionFixture) deletable {
		return w.below(w.ofUser("emails"), "id", `{"email":"%s@example.com"}`)
	},
	"deleteUserGpgKey": func(w *deletionFixture) deletable {
		return w.whole(w.ofUser("gpg_keys"), bodyOf(w.t, "GPGKeyCreate"))
	},
	"deleteUserIdentity": func(w *deletionFixture) deletable {
		path := fmt.Sprintf("/users/%d", w.newUser().ID)
		w.send(w.root, "PUT", path, fmt.Sprintf(`{"provider":"saml","extern_uid":%q}`, w.name()))
		return w.at("%s/identities/saml", path)
	},
	"deleteUserImpersonationToken": func(w *deletionFixture) deletable {
		return w.below(w.ofUser("impersonation_tokens"), "id", newToken())
	},
	"deleteUserKey": func(w *deletionFixture) deletable {
		return w.whole(w.ofUser("keys"), bodyOf(w.t, "KeyCreate"))
	},
}
