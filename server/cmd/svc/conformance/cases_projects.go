package conformance

import (
	"context"
	"errors"
)

// pagesDomains has the domains of static sites.
func pagesDomains() Area {
	return Area{Name: "pages domains", Scenarios: []Scenario{{Name: "a domain", Cases: domainCases}}}
}

// maintainers are the refusals of what needs the role Maintainer in a private project.
var maintainers = map[Caller]int{Anonymous: 401, Outsider: 404, Guest: 403, Reporter: 403, Developer: 403}

// above are the callers who can do what a maintainer can.
var above = []Caller{Owner, Admin}

var domainCases = []Case{
	{
		Promise: "A maintainer adds a domain.", As: Maintainer, Send: "POST /projects/<project>/pages/domains", Status: 201,
		JSON: `{"domain":"<prefix>.example.com"}`, Has: `{"domain":"<prefix>.example.com","url":"*"}`, Refused: maintainers,
	},
	{
		Promise: "A domain that is in use is 400.", As: Maintainer, Send: "POST /projects/<project>/pages/domains", Status: 400,
		JSON: `{"domain":"<prefix>.example.com"}`,
	},
	{Promise: "A domain is required.", As: Maintainer, Send: "POST /projects/<project>/pages/domains", JSON: `{}`, Status: 400},
	{
		Promise: "A domain must be a domain.", As: Maintainer, Send: "POST /projects/<project>/pages/domains",
		JSON: `{"domain":"no domain!"}`, Status: 400,
	},
	{
		Promise: "A certificate must be a certificate.", As: Maintainer, Send: "POST /projects/<project>/pages/domains", Status: 400,
		JSON: `{"domain":"tls.<prefix>.example.com","certificate":"none","key":"none"}`,
	},
	{
		Promise: "The domains of a project are listed.",
		Allowed: above, As: Maintainer, Send: "GET /projects/<project>/pages/domains", Status: 200,
		Has: `[{"domain":"<prefix>.example.com"}]`, Refused: maintainers, Then: length(1),
	},
	{Promise: "The domains of a missing project are 404.", Send: "GET /projects/<missing>/pages/domains", Status: 404, Reads: true},
	{
		Promise: "A domain is read.",
		Allowed: above, As: Maintainer, Send: "GET /projects/<project>/pages/domains/<prefix>.example.com", Status: 200,
		Has: `{"domain":"<prefix>.example.com","url":"*"}`, Refused: maintainers,
	},
	{
		Promise: "A missing domain is 404.", As: Maintainer, Send: "GET /projects/<project>/pages/domains/other.example.com", Status: 404,
	},
	{
		Promise: "A domain is changed.", As: Maintainer, Send: "PUT /projects/<project>/pages/domains/<prefix>.example.com", Status: 200,
		JSON: `{"auto_ssl_enabled":false}`, Has: `{"domain":"<prefix>.example.com","auto_ssl_enabled":false}`, Refused: maintainers,
	},
	{
		Promise: "Changing a missing domain is 404.", As: Maintainer, Send: "PUT /projects/<project>/pages/domains/other.example.com",
		JSON: `{"auto_ssl_enabled":false}`, Status: 404,
	},
	{
		Promise: "A broken certificate is refused.", As: Maintainer, Send: "PUT /projects/<project>/pages/domains/<prefix>.example.com",
		JSON: `{"certificate":"none","key":"none"}`, Status: 400,
	},
	{Promise: "An administrator lists all domains.", Send: "GET /pages/domains", Status: 200, Reads: true},
	{Promise: "The list of all domains is for administrators.", As: Owner, Send: "GET /pages/domains", Status: 403},
	{Promise: "The list of all domains needs a token.", As: Anonymous, Send: "GET /pages/domains", Status: 401, Reads: true},
	{
		Promise: "A domain is deleted.", As: Maintainer, Send: "DELETE /projects/<project>/pages/domains/<prefix>.example.com", Status: 204,
		Refused: maintainers,
	},
	{
		Promise: "A domain that is deleted is gone.", As: Maintainer,
		Send: "DELETE /projects/<project>/pages/domains/<prefix>.example.com", Status: 404,
	},
}

// groupExports has the export and import of groups.
func groupExports() Area {
	return Area{Name: "group export and import", Scenarios: []Scenario{{Name: "an export", Cases: exportCases}}}
}

// owners are the refusals of what needs the role Owner in a private group.
var owners = map[Caller]int{Anonymous: 401, Outsider: 404, Guest: 403, Reporter: 403, Developer: 403, Maintainer: 403}

var exportCases = []Case{
	{
		Promise: "There is no archive before an export.", As: Owner, Send: "GET /groups/<group>/export/download", Status: 404,
		Refused: owners,
	},
	{
		Promise: "An owner starts an export.",
		As:      Owner, Send: "POST /groups/<group>/export", Status: 202, Has: `{"message":"202 Accepted"}`,
		Refused: owners,
	},
	{Promise: "The export of a missing group is 404.", As: Owner, Send: "POST /groups/<missing>/export", Status: 404},
	{
		Promise: "The archive can be downloaded when it is ready.", As: Owner, Send: "GET /groups/<group>/export/download", Status: 200,
		Until: true, Headers: Header{"Content-Disposition": "*"},
		Then: func(_ context.Context, s *Session, a *Answer) error {
			if len(a.Body) == 0 {
				return errors.New("the archive is empty")
			}
			s.values.set("archive", string(a.Body))
			return nil
		},
	},
	{Promise: "The archive of a missing group is 404.", As: Owner, Send: "GET /groups/<missing>/export/download", Status: 404},
	{
		Promise: "A group is imported.", Send: "POST /groups/import", Status: 202, Refused: map[Caller]int{Anonymous: 401},
		File: &File{
			Field: "file", Name: "export.tar.gz", Content: "<archive>",
			Fields: map[string]string{"name": "Imported", "path": "<prefix>-imported"},
		},
	},
	{
		Promise: "The imported group appears and is private.", Send: "GET /groups/<prefix>-imported", Status: 200, Until: true,
		Has: `{"name":"Imported","visibility":"private"}`,
	},
	{
		Promise: "An import needs a file.", Send: "POST /groups/import", Status: 400,
		File: &File{Fields: map[string]string{"name": "Imported", "path": "<prefix>-imported-2"}},
	},
	{
		Promise: "A file that is no archive is 400.", Send: "POST /groups/import", Status: 400,
		File: &File{
			Field: "file", Name: "export.tar.gz", Content: "nothing",
			Fields: map[string]string{"name": "Imported", "path": "<prefix>-imported-3"},
		},
	},
}

// errorTracking has the settings and client keys of error tracking.
func errorTracking() Area {
	return Area{Name: "error tracking", Scenarios: []Scenario{{Name: "settings and keys", Cases: errorTrackingCases}}}
}

var errorTrackingCases = []Case{
	{
		Promise: "There are no settings at first.", As: Maintainer, Send: "GET /projects/<project>/error_tracking/settings", Status: 404,
		Refused: maintainers,
	},
	{
		Promise: "PATCH needs settings that exist.", As: Maintainer, Send: "PATCH /projects/<project>/error_tracking/settings",
		JSON: `{"active":true}`, Status: 404,
	},
	{
		Promise: "A maintainer creates the settings.", As: Maintainer, Send: "PUT /projects/<project>/error_tracking/settings", Status: 200,
		JSON: `{"active":true,"integrated":true}`, Has: `{"active":true,"integrated":true}`, Refused: maintainers,
	},
	{
		Promise: "PUT needs both members.", As: Maintainer, Send: "PUT /projects/<project>/error_tracking/settings",
		JSON: `{"active":true}`, Status: 400,
	},
	{
		Promise: "A maintainer reads the settings.",
		Allowed: above, As: Maintainer, Send: "GET /projects/<project>/error_tracking/settings", Status: 200,
		Has: `{"active":true,"integrated":true}`, Refused: maintainers,
	},
	{
		Promise: "The settings of a missing project are 404.",
		Send:    "GET /projects/<missing>/error_tracking/settings", Status: 404, Reads: true,
	},
	{
		Promise: "A maintainer changes one setting.",
		As:      Maintainer, Send: "PATCH /projects/<project>/error_tracking/settings", Status: 200,
		JSON: `{"active":false}`, Has: `{"active":false,"integrated":true}`, Refused: maintainers,
	},
	{
		Promise: "A setting must be a boolean.", As: Maintainer, Send: "PATCH /projects/<project>/error_tracking/settings",
		JSON: `{"active":"sometimes"}`, Status: 400,
	},
	{
		Promise: "A maintainer creates a client key.",
		As:      Maintainer, Send: "POST /projects/<project>/error_tracking/client_keys", Status: 201,
		Has: `{"id":"*","active":true,"public_key":"*"}`, Keep: map[string]string{"client_key": "id"}, Refused: maintainers,
	},
	{Promise: "A key for a missing project is 404.", Send: "POST /projects/<missing>/error_tracking/client_keys", Status: 404},
	{
		Promise: "The client keys are listed.",
		Allowed: above, As: Maintainer, Send: "GET /projects/<project>/error_tracking/client_keys", Status: 200,
		Has: `[{"id":<client_key>}]`, Refused: maintainers,
	},
	{
		Promise: "A client key is deleted.", As: Maintainer, Send: "DELETE /projects/<project>/error_tracking/client_keys/<client_key>",
		Status: 200, Refused: maintainers,
	},
	{
		Promise: "A client key that is deleted is gone.", As: Maintainer, Status: 404,
		Send: "DELETE /projects/<project>/error_tracking/client_keys/<client_key>",
	},
}
