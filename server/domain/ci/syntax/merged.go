package syntax

import (
	"bytes"
	"fmt"

	"go.yaml.in/yaml/v4"
)

// MergedYAML returns the configuration as one file, with includes, extends and references resolved.
func (c *Config) MergedYAML() (string, error) {
	var out bytes.Buffer
	dumper, err := yaml.NewDumper(&out, yaml.WithIndent(2))
	if err == nil {
		err = dumper.Dump(printer{}.node(c.merged))
	}
	if err == nil {
		err = dumper.Close()
	}
	if err != nil {
		return "", fmt.Errorf("write the merged file: %w", err)
	}
	return out.String(), nil
}

// printer converts values to YAML nodes. Shared values become shared nodes.
type printer map[*value]*yaml.Node

func (p printer) node(v *value) *yaml.Node {
	if made, ok := p[v]; ok {
		return made
	}
	n := &yaml.Node{Kind: yaml.ScalarNode, Value: v.text}
	p[v] = n
	switch v.kind {
	case null:
		n.Tag, n.Value = "!!null", "null"
	case boolean:
		n.Tag, n.Value = "!!bool", fmt.Sprint(isTrue(v))
	case integer:
		n.Tag = "!!int"
	case decimal:
		n.Tag = "!!float"
	case text:
		n.Tag = "!!str"
	case list, tagged:
		n.Kind, n.Tag = yaml.SequenceNode, "!!seq"
		for _, item := range v.items {
			n.Content = append(n.Content, p.node(item))
		}
	case dict:
		n.Kind, n.Tag = yaml.MappingNode, "!!map"
		for _, e := range v.entries {
			n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: e.key}, p.node(e.value))
		}
	}
	return n
}
