package conformance

import (
	"context"
	"strings"
)

var thousandLetters = strings.Repeat("abcdefghij", 100)

// variables has the CI/CD variables of the instance.
func variables() Area {
	return Area{Name: "instance variables", Scenarios: []Scenario{{Name: "a variable", Cases: variableCases}}}
}

var variableCases = []Case{
	{
		Promise: "An administrator creates a variable.", Send: "POST /admin/ci/variables", Status: 201, Refused: onlyAdmins,
		JSON: `{"key":"<key_prefix>_A","value":"one","protected":true}`,
		Has:  `{"key":"<key_prefix>_A","value":"one","variable_type":"env_var","protected":true,"masked":false,"raw":"*"}`,
	},
	{
		Promise: "A key that is in use is 400.",
		Send:    "POST /admin/ci/variables", JSON: `{"key":"<key_prefix>_A","value":"two"}`, Status: 400,
	},
	{Promise: "A variable needs a value.", Send: "POST /admin/ci/variables", JSON: `{"key":"<key_prefix>_B"}`, Status: 400},
	{
		Promise: "A key has only letters, digits and underscores.", Send: "POST /admin/ci/variables",
		JSON: `{"key":"<key_prefix>-B","value":"x"}`, Status: 400,
	},
	{
		Promise: "A key has at most 255 characters.", Send: "POST /admin/ci/variables",
		JSON: `{"key":"<key_prefix>_` + thousandLetters + `","value":"x"}`, Status: 400,
	},
	{
		Promise: "A value has at most 10,000 characters.", Send: "POST /admin/ci/variables",
		JSON: `{"key":"<key_prefix>_B","value":"` + strings.Repeat(thousandLetters, 10) + `x"}`, Status: 400,
	},
	{
		Promise: "The type of a variable must be known.", Send: "POST /admin/ci/variables",
		JSON: `{"key":"<key_prefix>_B","value":"x","variable_type":"secret"}`, Status: 400,
	},
	{Promise: "An administrator lists the variables.", Send: "GET /admin/ci/variables", Status: 200, Reads: true},
	{Promise: "The list is for administrators.", As: Owner, Send: "GET /admin/ci/variables", Status: 403},
	{Promise: "The list needs a token.", As: Anonymous, Send: "GET /admin/ci/variables", Status: 401, Reads: true},
	{
		Promise: "An administrator reads a variable.", Send: "GET /admin/ci/variables/<key_prefix>_A", Status: 200, Refused: onlyAdmins,
		Has: `{"key":"<key_prefix>_A","value":"one"}`,
	},
	{Promise: "A missing variable is 404.", Send: "GET /admin/ci/variables/<key_prefix>_NONE", Status: 404, Reads: true},
	{
		Promise: "An administrator changes a variable.", Send: "PUT /admin/ci/variables/<key_prefix>_A", Status: 200, Refused: onlyAdmins,
		JSON: `{"value":"two","variable_type":"file"}`, Has: `{"key":"<key_prefix>_A","value":"two","variable_type":"file"}`,
	},
	{Promise: "Changing a missing variable is 404.", Send: "PUT /admin/ci/variables/<key_prefix>_NONE", JSON: `{"value":"x"}`, Status: 404},
	{
		Promise: "A type that is not known is refused.", Send: "PUT /admin/ci/variables/<key_prefix>_A",
		JSON: `{"value":"x","variable_type":"secret"}`, Status: 400,
	},
	{Promise: "An administrator deletes a variable.", Send: "DELETE /admin/ci/variables/<key_prefix>_A", Status: 204, Refused: onlyAdmins},
	{Promise: "A variable that is deleted is gone.", Send: "GET /admin/ci/variables/<key_prefix>_A", Status: 404},
	{Promise: "Deleting a missing variable is 404.", Send: "DELETE /admin/ci/variables/<key_prefix>_A", Status: 404},
}

// storageMoves has the moves of all repositories of a storage. A move that would touch repositories of others is never
// started: the good case needs an installation with one storage, where nothing can move.
func storageMoves() Area {
	area := Area{Name: "storage moves"}
	for _, kind := range []string{"project", "snippet", "group"} {
		path := "POST /" + kind + "_repository_storage_moves"
		area.Scenarios = append(area.Scenarios, Scenario{Name: "moves of " + kind + " repositories", Prepare: findStorage, Cases: []Case{
			{
				Promise: "An administrator schedules the moves of a storage.", Send: path, Status: 202,
				JSON: `{"source_storage_name":"<only_storage>"}`, Has: `{"message":"202 Accepted"}`, Refused: onlyAdmins,
			},
			{Promise: "A move needs the storage that it starts from.", Send: path, JSON: `{"destination_storage_name":"x"}`, Status: 400},
			{Promise: "An unknown storage is 400.", Send: path, JSON: `{"source_storage_name":"<prefix>-nowhere"}`, Status: 400},
			{
				Promise: "An unknown destination is 400.", Send: path, Status: 400,
				JSON: `{"source_storage_name":"<project_storage>","destination_storage_name":"<prefix>-nowhere"}`,
			},
		}})
	}
	return area
}

// findStorage sets <only_storage> if the installation has one storage: then a project has nowhere to move to.
func findStorage(ctx context.Context, s *Session) error {
	storage, err := s.values.get("project_storage")
	if err != nil || storage == "" {
		s.values.lack("only_storage", "the installation does not name the storage of a project")
		return nil
	}
	r, err := s.request(Case{Send: "POST /projects/<public_project>/repository_storage_moves", JSON: `{}`})
	if err != nil {
		return err
	}
	a, err := s.send(ctx, r)
	switch {
	case err != nil:
		return err
	case a.Status == 400:
		s.values.set("only_storage", storage)
	default:
		s.values.lack("only_storage", "the installation has several storages, so that the repositories of others would move")
	}
	return nil
}
