package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// readFile reads the YAML file. It works on nodes because they keep line numbers and the text of a value as written.
func readFile(table []setting, path given) (givens, Mistakes) {
	var wrong Mistakes
	values := givens{}
	content, err := os.ReadFile(path.text)
	if err != nil {
		var reason *fs.PathError
		if errors.As(err, &reason) {
			err = reason.Err
		}
		wrong.add(path.label, "cannot read the file %q (%v), correct the name or remove the setting", path.text, err)
		return values, wrong
	}

	decoder := yaml.NewDecoder(bytes.NewReader(content))
	var document yaml.Node
	if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
		return values, nil
	} else if err != nil {
		wrong.add(path.label, "the file %q is not valid YAML (%s)", path.text, syntaxError(err))
		return values, wrong
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		wrong.add(path.label, "the file %q contains more than one YAML document, keep one", path.text)
	}
	root := document.Content[0]
	if root.Kind == yaml.ScalarNode && root.Tag == "!!null" {
		return values, wrong
	}
	if root.Kind != yaml.MappingNode {
		wrong.add(path.label, "the file %q must contain lines of the form key: value", path.text)
		return values, wrong
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		wrong = append(wrong, values.addEntry(table, path.text, root.Content[i], root.Content[i+1])...)
	}
	return values, wrong
}

func (g givens) addEntry(table []setting, file string, name, value *yaml.Node) Mistakes {
	var wrong Mistakes
	label := fmt.Sprintf("%s (%s, line %d)", name.Value, file, name.Line)
	key := strings.ReplaceAll(name.Value, "_", "-")
	at := slices.IndexFunc(table, func(s setting) bool { return s.key == key })
	if at < 0 {
		wrong.add(label, "unknown setting, --help lists all settings")
		return wrong
	}
	if key == "config" {
		wrong.add(label, "a settings file cannot refer to another one, remove the line")
		return wrong
	}
	if earlier, twice := g[key]; twice {
		wrong.add(label, "already set as %s, remove one", earlier.label)
		return wrong
	}
	list := table[at].kind == reflect.Slice
	text, ok := nodeText(value, list)
	switch {
	case !ok && list:
		wrong.add(label, "the value must be a list, or a string separated by commas")
	case !ok:
		wrong.add(label, "the value must be a single value, not a list or a mapping")
	case value.Tag != "!!null":
		g[key] = given{label: label, text: text}
	}
	return wrong
}

// nodeText returns a scalar as written, and a list joined by commas if the setting allows a list.
func nodeText(node *yaml.Node, list bool) (string, bool) {
	if node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	if node.Kind == yaml.ScalarNode {
		return node.Value, true
	}
	if node.Kind != yaml.SequenceNode || !list {
		return "", false
	}
	parts := make([]string, 0, len(node.Content))
	for _, item := range node.Content {
		part, ok := nodeText(item, false)
		if !ok {
			return "", false
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ","), true
}

// syntaxError returns the place and the message of a syntax error.
func syntaxError(err error) string {
	var failure *yaml.LoadError
	if errors.As(err, &failure) {
		return fmt.Sprintf("line %d, column %d: %s", failure.Mark.Line, failure.Mark.Column, failure.Message)
	}
	return err.Error()
}
