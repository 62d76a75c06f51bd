package conformance

import "context"

// users has accounts, their tokens, memberships and runners.
func users() Area {
	return Area{Name: "users", Scenarios: []Scenario{
		{Name: "reading users", Cases: userReadCases},
		{Name: "accounts", Cases: accountCases},
		{Name: "tokens of users", Cases: userTokenCases},
		{Name: "memberships and activity", Cases: membershipCases},
		{Name: "two-factor authentication", Prepare: prepareTwoFactor, Cases: twoFactorCases},
		{Name: "runners of users", Prepare: prepareScopes, Cases: userRunnerCases},
	}}
}

// onlyAdmins are the refusals of operations for administrators.
var onlyAdmins = map[Caller]int{Anonymous: 401, Owner: 403}

var userReadCases = []Case{
	{
		Promise: "The current user is read with private members.", As: Owner, Send: "GET /user", Status: 200,
		Has: `{"id":<owner_id>,"username":"<owner_username>","state":"active","email":"<owner_username>@example.com","avatar_url":null,
			"two_factor_enabled":false,"can_create_group":"*","web_url":"*"}`,
		Refused: map[Caller]int{Anonymous: 401},
	},
	{
		Promise: "A user sees others in the form for everyone.", As: Outsider, Send: "GET /users?username=<owner_username>", Status: 200,
		Has:   `[{"id":<owner_id>,"username":"<owner_username>","name":"Conformance owner","state":"active","locked":false,"web_url":"*"}]`,
		Lacks: "0.email 0.is_admin 0.two_factor_enabled",
	},
	{
		Promise: "An administrator sees the form for administrators.", Send: "GET /users?username=<owner_username>", Status: 200,
		Has: `[{"id":<owner_id>,"email":"<owner_username>@example.com","is_admin":false,"identities":[],"projects_limit":"*"}]`,
	},
	{Promise: "The username is found in any case.", Send: "GET /users?username=CONFORMANCE-NOBODY", Status: 200, Has: `[]`, Reads: true},
	{
		Promise: "search finds users by name and username.", As: Outsider, Send: "GET /users?search=<prefix>-guest", Status: 200,
		Has: `[{"id":<guest_id>}]`, Then: length(1),
	},
	{Promise: "Only administrators filter by two_factor.", As: Outsider, Send: "GET /users?two_factor=sometimes", Status: 400},
	{Promise: "created_after must be a time.", Send: "GET /users?created_after=soon", Status: 400, Reads: true},
	{
		Promise: "A user is read by a signed-in user.", As: Outsider, Send: "GET /users/<owner_id>", Status: 200,
		Has:   `{"id":<owner_id>,"bio":"*","bot":false,"followers":"*","following":"*"}`,
		Lacks: "email is_admin",
	},
	{Promise: "A missing user is 404.", Send: "GET /users/<missing>", Status: 404, Has: `{"message":"404 User Not Found"}`, Reads: true},
	{Promise: "The ID of a user must be a number.", Send: "GET /users/first", Status: 404, Reads: true},
	{
		Promise: "The administrator is an administrator.",
		Send:    "GET /user", Status: 200, Has: `{"id":<admin_id>,"is_admin":true}`, Reads: true,
	},
}

var accountCases = []Case{
	{
		Promise: "An administrator creates a user.", Send: "POST /users", Status: 201, Keep: map[string]string{"account": "id"},
		JSON: `{"name":"Account","username":"<prefix>-account","email":"<prefix>-account@example.com","force_random_password":true,
			"skip_confirmation":true,"provider":"saml","extern_uid":"<prefix>","bio":"A test","note":"made by a test"}`,
		Has: `{"username":"<prefix>-account","name":"Account","bio":"A test","note":"made by a test","is_admin":false,
			"identities":[{"provider":"saml","extern_uid":"<prefix>"}]}`,
		Refused: onlyAdmins,
	},
	{
		Promise: "A username that is in use is 409.", Send: "POST /users", Status: 409,
		JSON: `{"name":"Account","username":"<prefix>-account","email":"<prefix>-other@example.com","force_random_password":true}`,
	},
	{
		Promise: "An address that is in use is 409.", Send: "POST /users", Status: 409,
		JSON: `{"name":"Account","username":"<prefix>-other","email":"<prefix>-account@example.com","force_random_password":true}`,
	},
	{
		Promise: "A user needs a name.", Send: "POST /users", Status: 400,
		JSON: `{"username":"<prefix>-other","email":"<prefix>-other@example.com","force_random_password":true}`,
	},
	{
		Promise: "A user needs a password, or a flag that replaces it.", Send: "POST /users", Status: 400,
		JSON: `{"name":"Other","username":"<prefix>-other","email":"<prefix>-other@example.com"}`,
	},
	{
		Promise: "An address must be an address.", Send: "POST /users", Status: 400,
		JSON: `{"name":"Other","username":"<prefix>-other","email":"nowhere","force_random_password":true}`,
	},
	{
		Promise: "An administrator changes a user.",
		Send:    "PUT /users/<account>", JSON: `{"name":"Renamed","location":"Here"}`, Status: 200,
		Has: `{"id":<account>,"name":"Renamed","location":"Here"}`, Refused: onlyAdmins,
	},
	{Promise: "Changing a missing user is 404.", Send: "PUT /users/<missing>", JSON: `{"name":"Nobody"}`, Status: 404},
	{Promise: "A value that is not allowed is 400.", Send: "PUT /users/<account>", JSON: `{"projects_limit":"many"}`, Status: 400},
	{
		Promise: "An address of another user is 404, as the contract says.", Send: "PUT /users/<account>",
		JSON: `{"email":"<owner_username>@example.com"}`, Status: 404,
	},
	{Promise: "An administrator deletes an identity.", Send: "DELETE /users/<account>/identities/saml", Status: 204, Refused: onlyAdmins},
	{Promise: "An identity that is gone is 404.", Send: "DELETE /users/<account>/identities/saml", Status: 404},
	{Promise: "The identity of a missing user is 404.", Send: "DELETE /users/<missing>/identities/saml", Status: 404},
	{Promise: "An administrator deletes a user.", Send: "DELETE /users/<account>?hard_delete=true", Status: 204, Refused: onlyAdmins},
	{Promise: "A user who is deleted is gone.", Send: "GET /users/<account>", Status: 404, Until: true},
	{Promise: "Deleting a missing user is 404.", Send: "DELETE /users/<missing>", Status: 404},
}

var userTokenCases = []Case{
	{
		Promise: "An administrator creates a token for a user.", Send: "POST /users/<guest_id>/personal_access_tokens", Status: 201,
		JSON:    `{"name":"<prefix>","scopes":["api","read_user"],"expires_at":"<tomorrow>"}`,
		Has:     `{"id":"*","name":"<prefix>","revoked":false,"active":true,"user_id":<guest_id>,"expires_at":"<tomorrow>","token":"*"}`,
		Refused: onlyAdmins,
	},
	{
		Promise: "A token needs scopes.", Send: "POST /users/<guest_id>/personal_access_tokens", JSON: `{"name":"<prefix>"}`, Status: 400,
	},
	{
		Promise: "A scope must be known.", Send: "POST /users/<guest_id>/personal_access_tokens",
		JSON: `{"name":"<prefix>","scopes":["everything"]}`, Status: 400,
	},
	{
		Promise: "The end of a token must be a date.", Send: "POST /users/<guest_id>/personal_access_tokens",
		JSON: `{"name":"<prefix>","scopes":["api"],"expires_at":"soon"}`, Status: 400,
	},
	{
		Promise: "A token for a missing user is 404.", Send: "POST /users/<missing>/personal_access_tokens",
		JSON: `{"name":"<prefix>","scopes":["api"]}`, Status: 404,
	},
	{
		Promise: "A user creates a token for agents.", As: Guest, Send: "POST /user/personal_access_tokens",
		JSON: `{"name":"<prefix>","scopes":["k8s_proxy"]}`, Status: 201, Refused: map[Caller]int{Anonymous: 401},
		Has: `{"id":"*","scopes":["k8s_proxy"],"user_id":<guest_id>,"token":"*","expires_at":"*"}`,
	},
	{
		Promise: "A user cannot create a token with another scope this way.", As: Guest, Send: "POST /user/personal_access_tokens",
		JSON: `{"name":"<prefix>","scopes":["api"]}`, Status: 400,
	},
	{
		Promise: "A user's own token needs a name.", As: Guest, Send: "POST /user/personal_access_tokens",
		JSON: `{"scopes":["k8s_proxy"]}`, Status: 400,
	},
}

var membershipCases = []Case{
	{
		Promise: "An administrator reads the memberships of a user.", Send: "GET /users/<developer_id>/memberships", Status: 200,
		Has:     `[{"source_id":<group>,"source_name":"*","source_type":"Namespace","access_level":"*"}]`,
		Refused: map[Caller]int{Anonymous: 401, Developer: 403},
	},
	{
		Promise: "Memberships are selected by type.", Send: "GET /users/<developer_id>/memberships?type=Project", Status: 200, Has: `[]`,
	},
	{Promise: "The type of memberships must be known.", Send: "GET /users/<admin_id>/memberships?type=Club", Status: 400, Reads: true},
	{Promise: "The memberships of a missing user are 404.", Send: "GET /users/<missing>/memberships", Status: 404, Reads: true},
	{
		Promise: "An administrator reads the activities of users, oldest first.",
		Send:    "GET /user/activities?from=<yesterday>", Status: 200,
		Has: `[{"username":"*","last_activity_on":"*","last_activity_at":"*"}]`, Reads: true, Then: sortedBy("last_activity_on", false),
		Until: true, // the service writes activities every few seconds
	},
	{Promise: "Only administrators read activities.", As: Owner, Send: "GET /user/activities", Status: 403},
	{Promise: "Activities need a token.", As: Anonymous, Send: "GET /user/activities", Status: 401, Reads: true},
	{Promise: "from must be a date.", Send: "GET /user/activities?from=then", Status: 400, Reads: true},
}

// prepareTwoFactor creates a user who turns two-factor authentication on with the pages of the service.
func prepareTwoFactor(ctx context.Context, s *Session) error {
	if err := s.createUser(ctx, "factor", `"password":"`+password+`"`); err != nil {
		return err
	}
	return s.turnOnTwoFactor(ctx, "factor")
}

var twoFactorCases = []Case{
	{
		Promise: "An administrator turns two-factor authentication off.",
		Send:    "PATCH /users/<two_factor_id>/disable_two_factor", Status: 204,
		Refused: onlyAdmins,
	},
	{Promise: "A user without two-factor authentication is 400.", Send: "PATCH /users/<guest_id>/disable_two_factor", Status: 400},
	{Promise: "Turning it off for a missing user is 404.", Send: "PATCH /users/<missing>/disable_two_factor", Status: 404},
	{Promise: "Administrators are not changed.", Send: "PATCH /users/<admin_id>/disable_two_factor", Status: 403},
}

var userRunnerCases = []Case{
	{
		Promise: "An owner creates a runner of a project.", As: Owner, Send: "POST /user/runners", Status: 201,
		JSON: `{"runner_type":"project_type","project_id":<project>,"description":"<prefix>-runner","tag_list":["<prefix>"],
			"paused":true}`,
		Has:     `{"id":"*","token":"*"}`,
		Refused: map[Caller]int{Anonymous: 401, Developer: 403, Maintainer: 403},
	},
	{
		Promise: "A token with create_runner suffices.", As: "create_runner", Send: "POST /user/runners", Status: 201,
		JSON:    `{"runner_type":"group_type","group_id":<group>,"description":"<prefix>-runner","tag_list":["<prefix>"],"paused":true}`,
		Refused: map[Caller]int{"read_api": 403},
	},
	{
		Promise: "Only administrators create runners of the instance.", As: Owner, Send: "POST /user/runners", Status: 403,
		JSON: `{"runner_type":"instance_type","description":"<prefix>-runner"}`,
	},
	{
		Promise: "A runner of a project needs the project.", As: Owner, Send: "POST /user/runners", Status: 400,
		JSON: `{"runner_type":"project_type","description":"<prefix>-runner"}`,
	},
	{
		Promise: "The type of a runner must be known.", As: Owner, Send: "POST /user/runners", Status: 400,
		JSON: `{"runner_type":"big_type","description":"<prefix>-runner"}`,
	},
	{
		Promise: "A maintenance note has at most 1024 characters.", As: Owner, Send: "POST /user/runners", Status: 400,
		JSON: `{"runner_type":"project_type","project_id":<project>,"description":"<prefix>-runner","tag_list":["a"],
			"maintenance_note":"` + thousandLetters + thousandLetters + `"}`,
	},
}
