// Command write writes the reference of the API as Markdown, one page or more for each area, into the folder that its
// argument names. It does not import the operations, so that make generate works while an operation is missing.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"svc/gen"
	"svc/openapi/reference"
	"svc/server/platform/access"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: write FOLDER")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "write:", err)
		os.Exit(1)
	}
}

// run writes all pages, and removes those that were there.
func run(folder string) error {
	ref, err := reference.New(gen.SpecJSON, reference.Options{BaseURL: "http://127.0.0.1:8080", WhoMay: access.WhoMay})
	if err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join(folder, "*.md"))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, path := range old {
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	for _, page := range ref.Pages {
		if err := os.WriteFile(filepath.Join(folder, page.Name+".md"), page.Text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
