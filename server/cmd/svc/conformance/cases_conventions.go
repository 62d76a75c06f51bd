package conformance

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// conventions has what is the same for all operations: lists, conditions, encodings and errors.
func conventions() Area {
	return Area{Name: "conventions", Scenarios: []Scenario{
		{Name: "offset pagination", Cases: offsetCases},
		{Name: "keyset pagination", Cases: keysetCases},
		{Name: "conditional requests", Cases: conditionCases},
		{Name: "encodings", Cases: encodingCases},
		{Name: "errors", Cases: errorCases},
		{Name: "moved projects", Cases: movedCases},
	}}
}

// The group has six members: the administrator who created it, and one for each role.
var offsetCases = []Case{
	{
		Promise: "A page of a list has the headers of pagination.",
		Send:    "GET /groups/<group>/members?per_page=2", Status: 200, Has: `[{},{}]`,
		Headers: Header{
			"X-Page": "1", "X-Per-Page": "2", "X-Next-Page": "2", "X-Prev-Page": "", "X-Total": "6", "X-Total-Pages": "3", "Link": "*",
		},
		Then: linksTo("first", "next", "last"),
	},
	{
		Promise: "The page in the middle leads to both neighbours.",
		Send:    "GET /groups/<group>/members?per_page=2&page=2", Status: 200,
		Headers: Header{"X-Page": "2", "X-Next-Page": "3", "X-Prev-Page": "1"}, Then: linksTo("first", "prev", "next", "last"),
	},
	{
		Promise: "The last page has no next page.",
		Send:    "GET /groups/<group>/members?per_page=2&page=3", Status: 200,
		Headers: Header{"X-Page": "3", "X-Next-Page": ""}, Then: linksTo("first", "prev", "last"),
	},
	{
		Promise: "A page after the last one is an empty list.",
		Send:    "GET /groups/<group>/members?page=50", Status: 200, Has: `[]`,
	},
	{
		Promise: "Following the next links reads every row once.",
		Do: func(ctx context.Context, s *Session) error {
			return s.readPages(ctx, "GET /groups/<group>/members?per_page=2", "id", 6)
		},
		Operation: "listGroupMembers",
	},
	{
		Promise: "per_page above 100 counts as 100.",
		Send:    "GET /users?per_page=1000", Status: 200, Headers: Header{"X-Per-Page": "100"}, Reads: true,
	},
	{
		Promise: "The default of per_page is 20.",
		Send:    "GET /users", Status: 200, Headers: Header{"X-Per-Page": "20", "X-Page": "1"}, Reads: true,
	},
	{Promise: "per_page must be a number.", Send: "GET /projects?per_page=many", Status: 400, Reads: true},
	{Promise: "per_page must not be 0.", Send: "GET /projects?per_page=0", Status: 400, Reads: true},
	{Promise: "page must be a number.", Send: "GET /projects?page=first", Status: 400, Reads: true},
	{Promise: "sort must be asc or desc.", Send: "GET /projects?sort=up", Status: 400, Reads: true},
	{Promise: "order_by must be a column of the list.", Send: "GET /projects?order_by=color", Status: 400, Reads: true},
	{
		Promise: "A list is sorted as the request says.",
		Send:    "GET /users?search=<prefix>&order_by=username&sort=asc", Status: 200, Then: sortedBy("username", false),
	},
	{
		Promise: "A list is sorted in the other direction.",
		Send:    "GET /users?search=<prefix>&order_by=username&sort=desc", Status: 200, Then: sortedBy("username", true),
	},
}

var keysetCases = []Case{
	{
		Promise: "A keyset page has a link to the next page and no other headers of pagination.",
		Send:    "GET /users?pagination=keyset&order_by=id&sort=asc&per_page=2&search=<prefix>", Status: 200, Has: `[{},{}]`,
		Headers: Header{"Link": "*", "X-Page": "", "X-Total": "", "X-Next-Page": ""}, Then: linksTo("next"),
	},
	{
		Promise: "Following the keyset links reads every row once.",
		Do: func(ctx context.Context, s *Session) error {
			return s.readPages(ctx, "GET /users?pagination=keyset&order_by=id&sort=asc&per_page=2&search=<prefix>", "id", 6)
		},
		Operation: "listUsers",
	},
	{
		Promise: "The keyset pages of a repository tree have every entry once.",
		Do: func(ctx context.Context, s *Session) error {
			return s.readPages(ctx, "GET /projects/<project>/repository/tree?pagination=keyset&per_page=1&recursive=true", "path", 5)
		},
		Operation: "listProjectRepositoryTree",
	},
	{
		Promise: "Projects have keyset pages by ID.", Reads: true,
		Send: "GET /projects?pagination=keyset&order_by=id&sort=desc&per_page=3", Status: 200,
		Headers: Header{"X-Page": "", "X-Total": ""}, Then: sortedBy("id", true),
	},
	{
		Promise: "A list without keyset pagination says so.", Reads: true,
		Send: "GET /namespaces?pagination=keyset", Status: 405,
	},
	{
		Promise: "An order without keyset pagination is refused.", Reads: true,
		Send: "GET /projects?pagination=keyset&order_by=name&sort=asc", Status: 405,
	},
	{Promise: "pagination must be a known method.", Send: "GET /projects?pagination=random", Status: 400, Reads: true},
}

var conditionCases = []Case{
	{
		Promise: "A JSON answer has an ETag, and the same request with it is 304 without a body.",
		Send:    "GET /projects/<project>", Status: 200, Headers: Header{"ETag": "*"}, Reads: true,
		Then: func(ctx context.Context, s *Session, a *Answer) error {
			again := a.Request
			again.Header = again.Header.Clone()
			again.Header.Set("If-None-Match", a.Header.Get("ETag"))
			b, err := s.send(ctx, again)
			if err == nil && (b.Status != http.StatusNotModified || len(b.Body) > 0) {
				err = fmt.Errorf("with If-None-Match the status is %d, with a body of %d bytes; expected 304 without a body",
					b.Status, len(b.Body))
			}
			return err
		},
	},
	{
		Promise: "Another ETag gets the whole answer.", Send: "GET /projects/<project>", Reads: true,
		Header: Header{"If-None-Match": `"something-else"`}, Status: 200, Has: `{"id":"*"}`,
	},
	{
		Promise: "HEAD has the headers of GET and no body.", Send: "HEAD /projects/<project_with_code>/repository/tree", Reads: true,
		Status: 200, Headers: Header{"Content-Type": "*"},
		Then: func(_ context.Context, _ *Session, a *Answer) error {
			if len(a.Body) > 0 {
				return errors.New("there is a body")
			}
			return nil
		},
	},
	{
		Promise: "HEAD of something that does not exist is 404.", Send: "HEAD /projects/<missing>", Status: 404, Reads: true,
	},
	{
		Promise: "A delete with If-Unmodified-Since keeps what was changed since then.",
		Send:    "DELETE /projects/<project>/repository/branches/feature%2Fone", As: Owner,
		Header: Header{"If-Unmodified-Since": "Mon, 01 Jan 2001 00:00:00 GMT"}, Status: 412,
	},
}

var encodingCases = []Case{
	{
		Promise: "A project is found by its encoded path.", Reads: true,
		Send: "GET /projects/<project_path>", Status: 200, Has: `{"path_with_namespace":"<project_path>"}`,
	},
	{Promise: "A path that is not encoded is 404.", Send: "GET /projects/some-group/some-project", Status: 404, Reads: true},
	{
		Promise: "Parameters are accepted as JSON.", As: Owner,
		Send: "POST /projects/<project>/labels", JSON: `{"name":"json","color":"#112233"}`, Status: 201, Has: `{"name":"json"}`,
		Refused: map[Caller]int{Anonymous: 401, Outsider: 404, Guest: 403},
	},
	{
		Promise: "Parameters are accepted as a form.", As: Owner,
		Send: "POST /projects/<project>/labels", Form: "name=form&color=%23112233", Status: 201, Has: `{"name":"form"}`,
	},
	{
		Promise: "Parameters are accepted as multipart.", As: Owner, Send: "POST /projects/<project>/labels",
		File: &File{Fields: map[string]string{"name": "multipart", "color": "#112233"}}, Status: 201, Has: `{"name":"multipart"}`,
	},
	{
		Promise: "Parameters are accepted in the query of a POST.", As: Owner,
		Send: "POST /projects/<project>/labels?name=query&color=%23112233", Status: 201, Has: `{"name":"query"}`,
	},
	{
		Promise: "A list is accepted as name[]=.", As: Owner,
		Send: "GET /projects/<project>/repository/merge_base?refs[]=main&refs[]=v1.0.0", Status: 200, Has: `{"id":"<project_first_sha>"}`,
	},
	{
		Promise: "Members that the operation does not know are ignored.", As: Owner,
		Send: "POST /projects/<project>/labels", JSON: `{"name":"unknown","color":"#112233","no_such_member":{"a":[1]}}`, Status: 201,
		Lacks: "no_such_member",
	},
	{
		Promise: "Texts keep every letter.", As: Owner, Send: "POST /projects/<project>/labels",
		JSON: `{"name":"ключ 鍵 🗝","color":"#112233"}`, Status: 201, Has: `{"name":"ключ 鍵 🗝"}`,
	},
}

var errorCases = []Case{
	{Promise: "An unknown path is 404 with a JSON error.", Send: "GET /no_such_thing", Status: 404, Reads: true, Then: hasMessage},
	{Promise: "An unknown method is 405.", Send: "DELETE /version", Status: 405, Then: hasMessage},
	{
		Promise: "A request without a token is 401 with the message of the contract.", As: Anonymous, Reads: true,
		Send: "GET /user", Status: 401, Has: `{"message":"401 Unauthorized"}`,
	},
	{
		Promise: "What does not exist is 404 with a message that begins with the status.", Reads: true,
		Send: "GET /projects/<missing>", Status: 404, Has: `{"message":"404 Project Not Found"}`,
	},
	{
		Promise: "What a caller may not see is 404, as if it did not exist.", As: Outsider,
		Send: "GET /projects/<project>", Status: 404, Has: `{"message":"404 Project Not Found"}`,
		Refused: map[Caller]int{Anonymous: 404},
	},
	{Promise: "A body that is not JSON is 400.", As: Owner, Send: "POST /projects/<project>/labels", JSON: `{"name":`, Status: 400},
	{Promise: "A required parameter that is missing is 400.", As: Owner, Send: "POST /projects/<project>/labels", JSON: `{}`, Status: 400},
	{
		Promise: "A value of the wrong type is 400.", As: Owner, Send: "POST /projects/<project>/labels",
		JSON: `{"name":{"a":1},"color":"#112233"}`, Status: 400,
	},
	{
		Promise: "A resource that already exists is 409.", As: Owner, Send: "POST /groups/<group>/members",
		JSON: `{"user_id":<guest_id>,"access_level":10}`, Status: 409,
	},
	{
		Promise: "A query that is too long is 414.", Reads: true,
		Send: "GET /projects?search=" + strings.Repeat("x", 100_000), Status: 414,
	},
}

var movedCases = []Case{
	{
		Promise: "A project is created.", Send: "POST /projects", Status: 201,
		JSON: `{"name":"Old","path":"old-path","namespace_id":<group>,"visibility":"private"}`, Keep: map[string]string{"moved": "id"},
		Refused: map[Caller]int{Anonymous: 401, Guest: 403},
	},
	{Promise: "A project gets another path.", Send: "PUT /projects/<moved>", JSON: `{"path":"new-path"}`, Status: 200},
	{
		Promise: "The old path of a project redirects to its ID.", Send: "GET /projects/<group_path>%2Fold-path", Status: 301,
		Then: func(_ context.Context, s *Session, a *Answer) error {
			id, err := s.values.get("moved")
			if to := a.Header.Get("Location"); err == nil && !strings.HasSuffix(to, "/api/v4/projects/"+id) {
				err = fmt.Errorf("header Location is %q", to)
			}
			return err
		},
	},
}

// linksTo checks that the header Link has exactly these relations.
func linksTo(relations ...string) func(context.Context, *Session, *Answer) error {
	return func(_ context.Context, _ *Session, a *Answer) error {
		links := parseLinks(a.Header.Get("Link"))
		for _, relation := range relations {
			if links[relation] == "" {
				return fmt.Errorf("header Link has no relation %q: %s", relation, a.Header.Get("Link"))
			}
		}
		if len(links) != len(relations) {
			return fmt.Errorf("header Link has other relations than %v: %s", relations, a.Header.Get("Link"))
		}
		return nil
	}
}

// parseLinks returns the URLs of the header Link by relation.
func parseLinks(header string) map[string]string {
	links := map[string]string{}
	for part := range strings.SplitSeq(header, ",") {
		address, relation, ok := strings.Cut(part, ";")
		if ok {
			relation = strings.Trim(strings.TrimPrefix(strings.TrimSpace(relation), "rel="), `"`)
			links[relation] = strings.Trim(strings.TrimSpace(address), "<>")
		}
	}
	return links
}

// sortedBy checks that the rows of a list are in the order of a member.
func sortedBy(path string, descending bool) func(context.Context, *Session, *Answer) error {
	return func(_ context.Context, _ *Session, a *Answer) error {
		rows, _ := a.JSON.([]any)
		for i := 1; i < len(rows); i++ {
			before, _ := member(rows[i-1], path)
			after, _ := member(rows[i], path)
			wrong := less(after, before)
			if descending {
				wrong = less(before, after)
			}
			if wrong {
				return fmt.Errorf("the rows are not sorted by %s: %v is before %v", path, before, after)
			}
		}
		return nil
	}
}

func less(a, b any) bool {
	if x, ok := a.(float64); ok {
		y, _ := b.(float64)
		return x < y
	}
	return text(a) < text(b)
}

// hasMessage checks that an error has a message for people.
func hasMessage(_ context.Context, _ *Session, a *Answer) error {
	if a.Member("message") == "" && a.Member("error") == "" {
		return errors.New("the error has neither message nor error")
	}
	return nil
}

// readPages follows the next links of a list and checks that it has the given number of rows, each once.
func (s *Session) readPages(ctx context.Context, send, id string, want int) error {
	r, err := s.request(Case{Send: send})
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for pages := 0; pages <= want; pages++ {
		a, err := s.send(ctx, r)
		if err != nil {
			return err
		}
		rows, ok := a.JSON.([]any)
		if !ok || a.Status != http.StatusOK {
			return fmt.Errorf("page %d is not a list: status %d", pages+1, a.Status)
		}
		for _, row := range rows {
			value, _ := member(row, id)
			if seen[text(value)] {
				return fmt.Errorf("the row with %s %s comes twice", id, text(value))
			}
			seen[text(value)] = true
		}
		next := parseLinks(a.Header.Get("Link"))["next"]
		if next == "" {
			break
		}
		if r.Path, err = s.below(next); err != nil {
			return err
		}
	}
	if len(seen) != want {
		return fmt.Errorf("the pages have %d rows together, expected %d", len(seen), want)
	}
	return nil
}

// below returns the path of a URL below the URL of the installation.
func (s *Session) below(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	base := s.suite.client.base
	if u.Host != base.Host || u.Scheme != base.Scheme || !strings.HasPrefix(u.EscapedPath(), base.EscapedPath()) {
		return "", fmt.Errorf("the URL %s is not below %s", address, base)
	}
	u.Scheme, u.Host, u.Fragment = "", "", ""
	return strings.TrimPrefix(u.String(), base.EscapedPath()), nil
}
