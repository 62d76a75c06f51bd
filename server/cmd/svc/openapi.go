package main

import (
	"errors"
	"flag"
	"fmt"
	"io"

	"svc/gen"
	"svc/openapi/view"
)

const openapiUsage = `svc openapi prints the OpenAPI document of the service.

  --json       print JSON instead of YAML
  --view NAME  full (default), sdk (for generators of clients) or 3.1 (the full document as OpenAPI 3.1)
  --url URL    URL of the instance, for servers; without it they are paths
`

// printDocument prints the OpenAPI document in one of its forms.
func printDocument(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("svc openapi", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	asJSON := flags.Bool("json", false, "")
	name := flags.String("view", "full", "")
	url := flags.String("url", "", "")
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		_, err := io.WriteString(out, openapiUsage)
		return err
	case err != nil:
		return fmt.Errorf("%w\n\n%s", err, openapiUsage)
	case flags.NArg() > 0:
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
