package main

import (
	"flag"
	"fmt"
	"io"

	"svc/gen"
	"svc/openapi/view"
)

// printDocument prints the OpenAPI document in one of its forms.
func printDocument(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("svc openapi", flag.ContinueOnError)
	asJSON := flags.Bool("json", false, "print JSON instead of YAML")
	name := flags.String("view", "full", "full, sdk (for generators of clients) or 3.1 (the full document as OpenAPI 3.1)")
	url := flags.String("url", "", "URL of the instance, for servers; without it they are paths")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("svc openapi takes no arguments, only flags: %q", flags.Arg(0))
	}
	forms := map[string]func(doc []byte, baseURL string) ([]byte, error){"full": view.Instance, "sdk": view.Lean, "3.1": view.V31}
	form, ok := forms[*name]
	if !ok {
		return fmt.Errorf("there is no view %q: use full, sdk or 3.1", *name)
	}
	data, err := form(gen.SpecJSON, *url)
	if err == nil && !*asJSON {
		data, err = view.YAML(data)
	}
	if err != nil {
		return err
	}
	if *asJSON {
		data = append(data, '\n')
	}
	_, err = out.Write(data)
	return err
}
