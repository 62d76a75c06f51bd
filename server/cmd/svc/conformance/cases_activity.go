package conformance

// notifications has the notification settings of a user.
func notifications() Area {
	return Area{Name: "notification settings", Scenarios: []Scenario{
		{Name: "settings of a user", Cases: notificationCases},
		{Name: "settings that are there", Cases: []Case{
			{Promise: "The global settings are read.", Send: "GET /notification_settings", Status: 200, Has: `{"level":"*"}`, Reads: true},
			{Promise: "They need a token.", As: Anonymous, Send: "GET /notification_settings", Status: 401, Reads: true},
			{Promise: "Those of a missing group are 404.", Send: "GET /groups/<missing>/notification_settings", Status: 404, Reads: true},
			{
				Promise: "Those of a missing project are 404.",
				Send:    "GET /projects/<missing>/notification_settings", Status: 404, Reads: true,
			},
		}},
	}}
}

var strangers = map[Caller]int{Anonymous: 401, Outsider: 404}

var notificationCases = []Case{
	{
		Promise: "A user reads the global settings.", As: Guest, Send: "GET /notification_settings", Status: 200,
		Has: `{"level":"participating","notification_email":"<guest_username>@example.com"}`, Refused: map[Caller]int{Anonymous: 401},
	},
	{
		Promise: "A user changes the global level.", As: Guest, Send: "PUT /notification_settings", JSON: `{"level":"watch"}`, Status: 200,
		Has: `{"level":"watch"}`, Refused: map[Caller]int{Anonymous: 401},
	},
	{Promise: "The level must be known.", As: Guest, Send: "PUT /notification_settings", JSON: `{"level":"loud"}`, Status: 400},
	{
		Promise: "The address must be one of the user's.", As: Guest, Send: "PUT /notification_settings",
		JSON: `{"notification_email":"somebody@else.example"}`, Status: 400,
	},
	{
		Promise: "A member reads the settings for a group.", As: Guest, Send: "GET /groups/<group>/notification_settings", Status: 200,
		Has: `{"level":"global"}`, Refused: strangers,
	},
	{
		Promise: "A member changes the settings for a group.", As: Guest, Send: "PUT /groups/<group>/notification_settings", Status: 200,
		JSON: `{"level":"custom","new_note":true}`, Has: `{"level":"custom","events":{"new_note":true}}`, Refused: strangers,
	},
	{
		Promise: "The level for a group must be known.", As: Guest, Send: "PUT /groups/<group>/notification_settings",
		JSON: `{"level":"loud"}`, Status: 400,
	},
	{
		Promise: "A member reads the settings for a project.",
		As:      Guest, Send: "GET /projects/<project>/notification_settings", Status: 200,
		Has: `{"level":"global"}`, Refused: strangers,
	},
	{
		Promise: "A member changes the settings for a project.",
		As:      Guest, Send: "PUT /projects/<project>/notification_settings", Status: 200,
		JSON: `{"level":"disabled"}`, Has: `{"level":"disabled"}`, Refused: strangers, Lacks: "events",
	},
	{
		Promise: "An event must be a boolean.", As: Guest, Send: "PUT /projects/<project>/notification_settings",
		JSON: `{"level":"custom","new_note":"often"}`, Status: 400,
	},
}

// events has the activity of users and projects.
func events() Area {
	return Area{Name: "events", Scenarios: []Scenario{
		{Name: "events of an issue", Cases: eventCases},
		{Name: "events that are there", Cases: eventReadCases},
	}}
}

var eventCases = []Case{
	{
		Promise: "An issue is created.",
		As:      Reporter, Send: "POST /projects/<project>/issues", JSON: `{"title":"<prefix> issue"}`, Status: 201,
		Keep: map[string]string{"issue_iid": "iid", "issue": "id"}, Refused: strangers,
	},
	{
		Promise: "The user's events have the issue.", As: Reporter, Send: "GET /events?action=created&target_type=issue", Status: 200,
		Until: true, Refused: map[Caller]int{Anonymous: 401},
		Has: `[{"id":"*","project_id":<project>,"action_name":"opened","target_id":<issue>,"target_iid":<issue_iid>,"target_type":"Issue",
			"author_id":<reporter_id>,"target_title":"<prefix> issue","author_username":"<reporter_username>","created_at":"*"}]`,
	},
	{
		Promise: "The events of a user are read by username.",
		As:      Developer, Send: "GET /users/<reporter_username>/events?target_type=issue",
		Status: 200, Until: true, Has: `[{"author_id":<reporter_id>,"target_type":"Issue"}]`,
	},
	{
		Promise: "Events of a project that a caller may not see are left out.", As: Outsider, Status: 200,
		Send: "GET /users/<reporter_id>/events?target_type=issue", Has: `[]`,
	},
	{
		Promise: "The events of a project have the push with its commits.", Allowed: readers,
		As: Reporter, Send: "GET /projects/<project>/events?action=pushed",
		Status: 200, Until: true, Refused: map[Caller]int{Anonymous: 404, Outsider: 404},
		Has: `[{"project_id":<project>,"push_data":{"commit_count":"*","ref_type":"*","ref":"*"}}]`,
	},
	{
		Promise: "Events are sorted by time, newest first.", As: Reporter, Send: "GET /projects/<project>/events", Status: 200,
		Then: sortedBy("created_at", true),
	},
	{
		Promise: "Events are sorted the other way.", As: Reporter, Send: "GET /projects/<project>/events?sort=asc", Status: 200,
		Then: sortedBy("created_at", false),
	},
	{Promise: "Events after tomorrow are none.", As: Reporter, Send: "GET /events?after=<tomorrow>", Status: 200, Has: `[]`},
}

var eventReadCases = []Case{
	{Promise: "The caller's own events are listed.", Send: "GET /events", Status: 200, Reads: true},
	{Promise: "The events of any user are listed.", Send: "GET /users/<admin_id>/events", Status: 200, Reads: true},
	{Promise: "The events of any project are listed.", Send: "GET /projects/<project>/events", Status: 200, Reads: true},
	{Promise: "target_type must be known.", Send: "GET /events?target_type=ship", Status: 400, Reads: true},
	{Promise: "before must be a date.", Send: "GET /events?before=lunch", Status: 400, Reads: true},
	{Promise: "The events of a missing user are 404.", Send: "GET /users/<missing>/events", Status: 404, Reads: true},
	{
		Promise: "The type of a user's events must be known.",
		Send:    "GET /users/<admin_id>/events?target_type=ship", Status: 400, Reads: true,
	},
	{Promise: "The events of a missing project are 404.", Send: "GET /projects/<missing>/events", Status: 404, Reads: true},
	{Promise: "The action of a project's events must be known.", Send: "GET /projects/<project>/events?sort=up", Status: 400, Reads: true},
}

// auditEvents has the records of administrative changes.
func auditEvents() Area {
	return Area{Name: "audit events", Scenarios: []Scenario{
		{Name: "of the instance", Cases: instanceAuditCases},
		{Name: "of a group and a project", Cases: auditCases},
	}}
}

var instanceAuditCases = []Case{
	{
		Promise: "An administrator lists the audit events.", Send: "GET /audit_events?per_page=5", Status: 200, Reads: true,
		Has:  `[{"id":"*","author_id":"*","entity_id":"*","entity_type":"*","details":{},"created_at":"*"}]`,
		Keep: map[string]string{"audit_event": "0.id"}, Then: sortedBy("id", true),
	},
	{Promise: "The list is for administrators.", As: Owner, Send: "GET /audit_events", Status: 403},
	{Promise: "The list needs a token.", As: Anonymous, Send: "GET /audit_events", Status: 401, Reads: true},
	{
		Promise: "Audit events have keyset pages.",
		Send:    "GET /audit_events?pagination=keyset&order_by=id&sort=desc&per_page=1", Status: 200,
		Headers: Header{"X-Page": ""}, Reads: true,
	},
	{Promise: "entity_type must be known.", Send: "GET /audit_events?entity_type=Ship", Status: 400, Reads: true},
	{Promise: "created_after must be a time.", Send: "GET /audit_events?created_after=soon", Status: 400, Reads: true},
	{
		Promise: "An audit event is read.", Send: "GET /audit_events/<audit_event>", Status: 200, Has: `{"id":<audit_event>}`, Reads: true,
	},
	{Promise: "An audit event is for administrators.", As: Owner, Send: "GET /audit_events/<audit_event>", Status: 403},
	{Promise: "An audit event needs a token.", As: Anonymous, Send: "GET /audit_events/<missing>", Status: 401, Reads: true},
	{Promise: "A missing audit event is 404.", Send: "GET /audit_events/<missing>", Status: 404, Reads: true},
}

var auditCases = []Case{
	{
		Promise: "The owner of a group lists its audit events.",
		Allowed: []Caller{Admin}, As: Owner, Send: "GET /groups/<group>/audit_events", Status: 200,
		Has:     `[{"id":"*","entity_id":<group>,"entity_type":"Group","created_at":"*"}]`,
		Keep:    map[string]string{"group_event": "0.id"},
		Refused: map[Caller]int{Anonymous: 401, Outsider: 404, Guest: 403},
	},
	{Promise: "A developer sees only own actions.", As: Developer, Send: "GET /groups/<group>/audit_events", Status: 200, Has: `[]`},
	{
		Promise: "created_before must be a time.", As: Owner, Send: "GET /groups/<group>/audit_events?created_before=soon", Status: 400,
	},
	{
		Promise: "The owner reads an audit event of the group.", Allowed: []Caller{Admin},
		As: Owner, Send: "GET /groups/<group>/audit_events/<group_event>", Status: 200,
		Has: `{"id":<group_event>}`, Refused: map[Caller]int{Anonymous: 401, Outsider: 404, Guest: 403},
	},
	{Promise: "A missing event of the group is 404.", As: Owner, Send: "GET /groups/<group>/audit_events/<missing>", Status: 404},
	{
		Promise: "A maintainer lists the audit events of a project.", Allowed: above,
		As: Maintainer, Send: "GET /projects/<project>/audit_events", Status: 200,
		Has:     `[{"id":"*","entity_id":<project>,"entity_type":"Project"}]`,
		Keep:    map[string]string{"project_event": "0.id"},
		Refused: map[Caller]int{Anonymous: 401, Outsider: 404, Guest: 403},
	},
	{
		Promise: "A maintainer reads an audit event of the project.", Allowed: above, As: Maintainer, Status: 200,
		Send: "GET /projects/<project>/audit_events/<project_event>", Has: `{"id":<project_event>}`,
		Refused: map[Caller]int{Anonymous: 401, Outsider: 404, Guest: 403},
	},
	{
		Promise: "A missing event of the project is 404.",
		As:      Maintainer, Send: "GET /projects/<project>/audit_events/<missing>", Status: 404,
	},
	{
		Promise: "The time must be a time in a project, too.", As: Maintainer,
		Send: "GET /projects/<project>/audit_events?created_after=soon", Status: 400,
	},
}
