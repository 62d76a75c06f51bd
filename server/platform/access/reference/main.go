// Command reference writes the table of abilities as Markdown into the file that its argument names. It does not import
// the operations, so that make generate works while an operation is missing.
package main

import (
	"bytes"
	"fmt"
	"os"

	"svc/server/platform/access"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: reference FILE")
		os.Exit(2)
	}
	var page bytes.Buffer
	err := access.WriteMarkdown(&page)
	if err == nil {
		err = os.WriteFile(os.Args[1], page.Bytes(), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
