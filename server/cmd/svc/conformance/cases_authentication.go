package conformance

import "context"

// authentication has the ways to send a token, sudo and scopes.
func authentication() Area {
	return Area{Name: "authentication", Scenarios: []Scenario{
		{Name: "ways to send a token", Cases: tokenCases},
		{Name: "scopes", Prepare: prepareScopes, Cases: scopeCases},
		{Name: "sudo", Prepare: prepareSudo, Cases: sudoCases},
		{Name: "revoked tokens", Cases: revokedTokenCases},
	}}
}

var tokenCases = []Case{
	{
		Promise: "The header PRIVATE-TOKEN authenticates.", As: Owner, Send: "GET /user", Status: 200, Has: `{"id":<owner_id>}`,
	},
	{
		Promise: "The header Authorization: Bearer authenticates.", As: Anonymous, Header: Header{"Authorization": "Bearer <owner_token>"},
		Send: "GET /user", Status: 200, Has: `{"id":<owner_id>}`,
	},
	{
		Promise: "The query parameter private_token authenticates.", As: Anonymous, Send: "GET /user?private_token=<owner_token>",
		Status: 200, Has: `{"id":<owner_id>}`,
	},
	{
		Promise: "The query parameter access_token authenticates.", As: Anonymous, Send: "GET /user?access_token=<owner_token>",
		Status: 200, Has: `{"id":<owner_id>}`,
	},
	{
		Promise: "An unknown token is refused.", As: Anonymous, Header: Header{"PRIVATE-TOKEN": "no-such-token"}, Reads: true,
		Send: "GET /user", Status: 401, Has: `{"message":"401 Unauthorized"}`,
	},
	{
		Promise: "An unknown token is refused even where no token is needed.", As: Anonymous, Reads: true,
		Header: Header{"Authorization": "Bearer no-such-token"}, Send: "GET /projects", Status: 401,
	},
	{
		Promise: "A public project can be read without a token.", As: Anonymous, Send: "GET /projects/<public_project>", Status: 200,
		Has: `{"id":<public_project>}`, Lacks: "runners_token",
	},
}

// prepareScopes creates tokens of the owner with one scope each.
func prepareScopes(ctx context.Context, s *Session) error {
	for _, scope := range []string{"read_user", "read_api", "read_repository", "create_runner"} {
		if err := s.createToken(ctx, "owner", scope, scope+"_token"); err != nil {
			return err
		}
	}
	return nil
}

var scopeCases = []Case{
	{
		Promise: "A token with read_user reads the current user.", As: "read_user", Send: "GET /user", Status: 200,
		Refused: map[Caller]int{"read_repository": 403},
	},
	{
		Promise: "A token with too little scope gets insufficient_scope.",
		As:      "read_user", Send: "GET /projects/<project>/jobs", Status: 403,
		Has: `{"error":"insufficient_scope","error_description":"*","scope":"*"}`,
	},
	{Promise: "A token with read_api reads.", As: "read_api", Send: "GET /projects/<project>", Status: 200},
	{
		Promise: "A token with read_api does not write.", As: "read_api", Send: "POST /projects/<project>/labels",
		JSON: `{"name":"x","color":"#112233"}`, Status: 403, Has: `{"error":"insufficient_scope"}`,
	},
	{
		Promise: "A token with create_runner creates runners and reads nothing.", As: "create_runner", Send: "GET /user", Status: 403,
		Has: `{"error":"insufficient_scope"}`,
	},
}

// prepareSudo creates a second administrator with two tokens, with and without the scope sudo.
func prepareSudo(ctx context.Context, s *Session) error {
	if err := s.createUser(ctx, "second", `"force_random_password":true,"admin":true`); err != nil {
		return err
	}
	made, err := s.Call(ctx, Admin, "POST /users/<second_id>/personal_access_tokens",
		`{"name":"<prefix>-sudo","scopes":["api","sudo"],"expires_at":"<next_month>"}`, 201)
	if err != nil {
		return err
	}
	s.values.set("sudo_token", made.Member("token"))
	return nil
}

var sudoCases = []Case{
	{
		Promise: "The header Sudo acts as another user.", As: "sudo", Header: Header{"Sudo": "<developer_username>"},
		Send: "GET /user", Status: 200, Has: `{"id":<developer_id>}`,
	},
	{
		Promise: "The query parameter sudo acts as another user, by ID.", As: "sudo", Send: "GET /user?sudo=<developer_id>", Status: 200,
		Has: `{"id":<developer_id>}`,
	},
	{
		Promise: "The request runs with the permissions of the other user.", As: "sudo", Header: Header{"Sudo": "<outsider_id>"},
		Send: "GET /projects/<project>", Status: 404,
	},
	{
		Promise: "Only administrators use sudo.", As: Owner, Header: Header{"Sudo": "<developer_id>"}, Send: "GET /user", Status: 403,
		Has: `{"message":"403 Forbidden - Must be admin to use sudo"}`,
	},
	{
		Promise: "The token needs the scope sudo.", As: "second", Header: Header{"Sudo": "<developer_id>"}, Send: "GET /user", Status: 403,
		Has: `{"error":"insufficient_scope","error_description":"*","scope":"sudo"}`,
	},
	{
		Promise: "An unknown user is 404 with the message of the contract.", As: "sudo", Header: Header{"Sudo": "<prefix>-nobody"},
		Send: "GET /user", Status: 404, Has: `{"message":"404 User with ID or username '<prefix>-nobody' Not Found"}`,
	},
}

var revokedTokenCases = []Case{
	{
		Promise: "A token is created.", Send: "POST /users/<reporter_id>/personal_access_tokens",
		JSON: `{"name":"<prefix>-short","scopes":["api"]}`, Status: 201, Has: `{"active":true,"revoked":false,"token":"*"}`,
		Keep: map[string]string{"short_token": "token", "short_id": "id"},
	},
	{Promise: "A new token works.", As: "short", Send: "GET /user", Status: 200, Has: `{"id":<reporter_id>}`},
	{
		Promise: "A token is revoked.",
		Send:    "DELETE /personal_access_tokens/<short_id>", Status: 204, Refused: map[Caller]int{Anonymous: 401},
	},
	{Promise: "A revoked token is refused.", As: "short", Send: "GET /user", Status: 401},
}
