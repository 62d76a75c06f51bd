package contract

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// functionsOf returns the functions that a file declares, with the types of their parameters and results.
func functionsOf(t *testing.T, path string) map[string]string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, d := range parsed.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			found[f.Name.Name] = typesOf(f.Type.Params) + " " + typesOf(f.Type.Results)
		}
	}
	return found
}

// typesOf returns the types of parameters or results, without their names.
func typesOf(list *ast.FieldList) string {
	var all []string
	if list != nil {
		for _, field := range list.List {
			for range max(1, len(field.Names)) {
				all = append(all, types.ExprString(field.Type))
			}
		}
	}
	return "(" + strings.Join(all, ", ") + ")"
}

// make check compiles only for the machine that it runs on. A function that has another name in the file for Linux would
// be noticed only when somebody builds the program for macOS.
func TestFilesForOtherSystemsDeclareTheFunctionsOfLinux(t *testing.T) {
	t.Parallel()
	pairs := 0
	for _, wing := range []string{"server", "store", "oauth"} {
		err := filepath.WalkDir(filepath.Join("../..", wing), func(path string, _ fs.DirEntry, err error) error {
			base, isOther := strings.CutSuffix(path, "_other.go")
			if err != nil || !isOther {
				return err
			}
			pairs++
			linux := functionsOf(t, base+"_linux.go")
			for name, signature := range functionsOf(t, path) {
				if linux[name] != signature {
					t.Errorf("%s declares %s%s, but the file for Linux %q", path, name, signature, linux[name])
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if pairs == 0 {
		t.Error("there are no files for other systems")
	}
}
