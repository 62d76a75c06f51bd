package contract

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"svc/tests/harness"
)

// The names in the sources of code that checks permissions outside of the tables of abilities.
var (
	judging             = regexp.MustCompile(`^(May|CheckMay|Reads|Sees)[A-Z]`)
	permissionFunctions = []string{
		"Manages", "FindPushable", "Allows", "CheckVariables", "Protection", "RefAccess", "Merge", "Snippet", "ChangeAlert",
		"FindWithAccess", "ReadableArchive", "StopAs", // in domain/ci
		"NewMember", "RequestAccess", "UpdateInvitation", // in domain/member
		"PipelineProjects", // in domain/mergerequest
	}
	roleNames = []string{"NoAccess", "Guest", "Reporter", "Developer", "Maintainer", "Owner"}
	// columns with the user to whom a row belongs
	ownerColumns = []string{"AuthorID", "OwnerID", "CreatorID"}
	// the fields of areas that hold a note.Service
	noting = []string{"notes", "noteService", "discussion"}
	// the fields of areas that hold the service of a domain
	domains = map[string]string{"epics": "epic", "issues": "issue", "snippets": "snippet"}
)

// sources has the functions of a package, by name.
type sources map[string]*ast.FuncDecl

func readSources(t *testing.T, dir string) sources {
	t.Helper()
	found, err := parseSources(dir)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func parseSources(dir string) (sources, error) {
	found := sources{}
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") != strings.Contains(dir, "tests") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
				found[f.Name.Name] = f
			}
		}
	}
	return found, nil
}

// operation reports whether a function implements an operation of the OpenAPI document.
func operation(f *ast.FuncDecl) bool {
	if f.Recv == nil {
		return false
	}
	for _, p := range f.Type.Params.List {
		if s, ok := p.Type.(*ast.SelectorExpr); ok && strings.HasSuffix(s.Sel.Name, "RequestObject") {
			return true
		}
	}
	return false
}

// judged reports whether a function checks the caller in code, itself or through a function of its package.
func (s sources) judged(name string, seen map[string]bool) bool {
	if seen[name] {
		return false
	}
	seen[name] = true
	found := false
	ast.Inspect(s[name].Body, func(n ast.Node) bool {
		used := ""
		switch e := n.(type) {
		case *ast.BinaryExpr:
			found = found || compares(e)
		case *ast.SelectorExpr:
			used = e.Sel.Name
			found = found || judgedInDomain(e) || used == "Admin" || judging.MatchString(used) ||
				slices.Contains(permissionFunctions, used) || slices.Contains(noting, receiver(e))
			if ofStore(e) {
				return false // a query, not a function of the package with the same name
			}
		case *ast.Ident:
			used = e.Name
		}
		if f := s[used]; !found && f != nil && !operation(f) {
			found = s.judged(used, seen)
		}
		return !found
	})
	return found
}

// domainSources has the functions of the domains.
var domainSources = sync.OnceValue(func() map[string]sources {
	found := map[string]sources{}
	for field, domain := range domains {
		functions, err := parseSources(filepath.Join("../../server/domain", domain))
		if err != nil || len(functions) == 0 {
			panic("no domain " + domain)
		}
		found[field] = functions
	}
	return found
})

// judgedInDomain reports whether a selector calls a function of a domain that checks the caller in code.
func judgedInDomain(e *ast.SelectorExpr) bool {
	functions := domainSources()[receiver(e)]
	return functions[e.Sel.Name] != nil && functions.judged(e.Sel.Name, map[string]bool{})
}

// ofStore reports whether a selector names a query, such as s.store.Issues.Create.
func ofStore(e *ast.SelectorExpr) bool {
	table, ok := e.X.(*ast.SelectorExpr)
	return ok && receiver(table) == "store"
}

// compares reports whether a comparison is about a role, or about the user to whom something belongs.
func compares(e *ast.BinaryExpr) bool {
	if !slices.Contains([]token.Token{token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ}, e.Op) {
		return false
	}
	for _, side := range []ast.Expr{e.X, e.Y} {
		s, ok := side.(*ast.SelectorExpr)
		if ok && (receiver(s) == "model" && slices.Contains(roleNames, s.Sel.Name) || slices.Contains(ownerColumns, s.Sel.Name)) {
			return true
		}
	}
	return false
}

// receiver returns the last name before the selector.
func receiver(s *ast.SelectorExpr) string {
	switch x := s.X.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return x.Sel.Name
	}
	return ""
}

// judgedInCode returns the operations whose permission does not depend on the table alone.
func judgedInCode(t *testing.T) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	areas, err := filepath.Glob("../../server/api/*")
	if err != nil || len(areas) == 0 {
		t.Fatalf("no areas: %v", err)
	}
	for _, area := range areas {
		s := readSources(t, area)
		for name, f := range s {
			if operation(f) && s.judged(name, map[string]bool{}) {
				found[strings.ToLower(name[:1])+name[1:]] = true
			}
		}
	}
	for _, r := range harness.Routes() { // operations that read a token of their own
		if runner, _ := r.Op.Extensions["x-runner"].(bool); runner {
			found[r.Op.OperationID] = true
		}
	}
	return found
}

// testNames returns the names of all tests.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	folders, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		if !folder.IsDir() {
			continue
		}
		for name := range readSources(t, filepath.Join("..", "..", "tests", folder.Name())) {
			found[name] = strings.HasPrefix(name, "Test")
		}
	}
	return found
}

// Every operation that checks permissions in code is in judged.txt, with the tests of its permissions besides the one
// that calls all of them. If every role is refused in the same way, because a token or a file decides, the line must
// name a test of its own.
func TestOperationsWithPermissionsInCodeAreListed(t *testing.T) {
	t.Parallel()
	listed, tests, judged := readJudged(t), testNames(t), judgedInCode(t)
	for name := range judged {
		if _, ok := listed[name]; !ok && !writes() {
			t.Errorf("%s is judged by code, but tests/contract/judged.txt does not have it: add the line and run make golden", name)
		}
	}
	for name, line := range listed {
		if !judged[name] {
			t.Errorf("%s stands in tests/contract/judged.txt, but is not judged by code any more", name)
		}
		if line.statuses[0] >= "400" && len(slices.Compact(slices.Clone(line.statuses))) == 1 && len(line.tests) == 0 && !writes() {
			t.Errorf("%s: every role gets %s, so that a test of its own has to be named", name, line.statuses[0])
		}
		for _, test := range line.tests {
			if !tests[test] {
				t.Errorf("%s: there is no test %s", name, test)
			}
		}
	}
}
