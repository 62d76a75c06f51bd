package contract

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"svc/gen"
	"svc/openapi/ordered"
	"svc/tests/harness"
)

// apiOperations is the number of operations of the API, with OAuth and probes. Operations of other protocols come in
// addition.
const apiOperations = 1043

func TestTheDocumentSeparatesTheAPIFromOtherProtocols(t *testing.T) {
	t.Parallel()
	if got := len(harness.Routes()); got != apiOperations {
		t.Errorf("the document has %d operations of the API; if that is right, change the number here", got)
	}
	protocols := map[string]int{}
	for _, r := range harness.ProtocolRoutes() {
		name, _ := r.Op.Extensions["x-protocol"].(string)
		protocols[name]++
		if r.Base != "" || r.Op.Summary == "" || r.Op.Description == "" || len(r.Op.Tags) != 1 {
			t.Errorf("%s needs servers: [{url: /}], a summary, a description and a tag", r.Op.OperationID)
		}
		checkExamples(t, r.Op.OperationID, r)
	}
	want := map[string]int{"git": 3, "git-lfs": 8, "alerts": 3, "packages": 27, "graphql": 2}
	if !maps.Equal(protocols, want) {
		t.Errorf("operations of other protocols are %v, not %v", protocols, want)
	}
}

// Every tag has a title, and is in one group, in the order of the groups.
func TestTagsHaveTitlesAndGroups(t *testing.T) {
	t.Parallel()
	var doc struct {
		Tags []struct {
			Name, Description string
			Title             string `json:"x-displayName"`
		}
		Groups []struct {
			Name string
			Tags []string
		} `json:"x-tagGroups"`
	}
	if err := json.Unmarshal(gen.SpecJSON, &doc); err != nil {
		t.Fatal(err)
	}
	var grouped, named []string
	titles := map[string]bool{}
	for _, g := range doc.Groups {
		grouped = append(grouped, g.Tags...)
	}
	for _, tag := range doc.Tags {
		named = append(named, tag.Name)
		if tag.Title == "" || titles[tag.Title] || !strings.HasSuffix(tag.Description, ".") {
			t.Errorf("the tag %s needs a title of its own and a description that ends with a full stop", tag.Name)
		}
		titles[tag.Title] = true
	}
	if !slices.Equal(grouped, named) {
		t.Errorf("tags are in the order\n%v\nbut the groups have\n%v", named, grouped)
	}
}

var extensionName = regexp.MustCompile(`^x-[a-zA-Z-]+$`)

// Readers find every extension of the published document in its description.
func TestEveryPublishedExtensionIsDescribed(t *testing.T) {
	t.Parallel()
	value, err := ordered.Parse(gen.SpecJSON)
	if err != nil {
		t.Fatal(err)
	}
	root, _ := value.(*ordered.Object)
	about, _ := root.Object("info").Get("description").(string)
	found := map[string]bool{}
	ordered.Walk(root, func(o *ordered.Object) {
		for _, name := range o.Names {
			if extensionName.MatchString(name) {
				found[name] = true
			}
		}
	})
	for name := range found {
		if !strings.Contains(about, "`"+name+"`") {
			t.Errorf("info.description does not describe %s", name)
		}
	}
	for _, m := range regexp.MustCompile("`(x-[a-zA-Z-]+)`").FindAllStringSubmatch(about, -1) {
		if !found[m[1]] && m[1] != "x-sunset" { // no operation has a known end yet
			t.Errorf("info.description describes %s, which the document does not have", m[1])
		}
	}
}
