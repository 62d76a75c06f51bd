package changelog

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/Masterminds/semver/v3"
	"go.yaml.in/yaml/v4"
)

// MaxConfig is the maximum size of a configuration in bytes. It bounds the time for parsing.
const MaxConfig = 128 << 10

const (
	maxCategories = 1000
	maxGroups     = 20
	maxRegex      = 1000
	maxDateFormat = 200
)

// Config is the changelog configuration of a project. The zero value is the default.
type Config struct {
	Categories    []Category // in the order of the file
	DateFormat    string
	Template      *Template // nil for the built-in template
	IncludeGroups []string  // full paths of groups whose members are always credited
	tags          *regexp.Regexp
}

// Category is the title for a value of the trailer.
type Category struct{ Value, Title string }

// ParseConfig parses a configuration file. Errors are of type *Error.
func ParseConfig(data []byte) (Config, error) {
	var c Config
	if len(data) > MaxConfig {
		return c, failed("The configuration has more than %d bytes", MaxConfig)
	}
	var document yaml.Node
	if err := yaml.Unmarshal(data, &document); err != nil {
		return c, failed("The configuration is not valid YAML: %s", syntaxError(err))
	}
	if len(document.Content) == 0 {
		return c, nil
	}
	root := resolveAlias(document.Content[0])
	if isNull(root) {
		return c, nil
	}
	if root.Kind != yaml.MappingNode {
		return c, failed("The configuration must be a Hash")
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		value := resolveAlias(root.Content[i+1])
		if isNull(value) {
			continue
		}
		if err := c.set(root.Content[i].Value, value); err != nil {
			return Config{}, err
		}
	}
	return c, nil
}

// set sets one key. Unknown keys are ignored.
func (c *Config) set(key string, value *yaml.Node) (err error) {
	switch key {
	case "categories":
		c.Categories, err = categories(value)
	case "include_groups":
		c.IncludeGroups, err = groups(value)
	case "date_format":
		if c.DateFormat, err = text(key, value); err == nil && len(c.DateFormat) > maxDateFormat {
			err = failed("The %q configuration key is longer than %d characters", key, maxDateFormat)
		}
	case "template":
		var source string
		if source, err = text(key, value); err == nil {
			c.Template, err = ParseTemplate(source)
		}
	case "tag_regex":
		var source string
		if source, err = text(key, value); err == nil {
			c.tags, err = tagRegex(source)
		}
	}
	return err
}

// syntaxError returns the line and the message of a syntax error.
func syntaxError(err error) string {
	var failure *yaml.LoadError
	if errors.As(err, &failure) {
		return fmt.Sprintf("line %d: %s", failure.Mark.Line, failure.Message)
	}
	return err.Error()
}

// resolveAlias returns the node that an alias refers to. Only nodes that are read are expanded, so aliases cannot blow up a
// small file.
func resolveAlias(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias // never an alias itself
	}
	return n
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

func text(key string, n *yaml.Node) (string, error) {
	if n.Kind != yaml.ScalarNode {
		return "", failed("The %q configuration key must be a String", key)
	}
	return n.Value, nil
}

func categories(n *yaml.Node) ([]Category, error) {
	if n.Kind != yaml.MappingNode {
		return nil, failed(`The "categories" configuration key must be a Hash`)
	}
	if len(n.Content) > 2*maxCategories {
		return nil, failed(`The "categories" configuration key has more than %d entries`, maxCategories)
	}
	var all []Category
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, title := resolveAlias(n.Content[i]), resolveAlias(n.Content[i+1])
		if key.Kind != yaml.ScalarNode || title.Kind != yaml.ScalarNode {
			return nil, failed(`The "categories" configuration key must be a Hash of Strings`)
		}
		category := Category{Value: key.Value, Title: strings.TrimSpace(title.Value)}
		if isNull(title) {
			category.Title = key.Value
		}
		all = append(all, category)
	}
	return all, nil
}

func groups(n *yaml.Node) ([]string, error) {
	if n.Kind != yaml.SequenceNode {
		return nil, failed(`The "include_groups" configuration key must be an Array`)
	}
	if len(n.Content) > maxGroups {
		return nil, failed(`The "include_groups" configuration key has more than %d entries`, maxGroups)
	}
	var paths []string
	for _, item := range n.Content {
		path, err := text("include_groups", resolveAlias(item))
		if err != nil {
			return nil, failed(`The "include_groups" configuration key must be an Array of Strings`)
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// tagRegex compiles an RE2 pattern, which matches in linear time.
func tagRegex(source string) (*regexp.Regexp, error) {
	if len(source) > maxRegex {
		return nil, failed(`The "tag_regex" configuration key is longer than %d characters`, maxRegex)
	}
	pattern, err := regexp.Compile(source)
	if err != nil {
		return nil, failed(
			`The "tag_regex" configuration key is not a valid regular expression: %s`,
			strings.TrimPrefix(err.Error(), "error parsing regexp: "),
		)
	}
	return pattern, nil
}

// tagVersion returns the version in the name of a tag.
func (c Config) tagVersion(name string) (*semver.Version, bool) {
	if c.tags == nil {
		return ParseVersion(name)
	}
	match := c.tags.FindStringSubmatch(name)
	if match == nil {
		return nil, false
	}
	part := func(group string) string {
		if i := c.tags.SubexpIndex(group); i >= 0 {
			return match[i]
		}
		return ""
	}
	version := part("major") + "." + part("minor") + "." + part("patch")
	if pre := part("pre"); pre != "" {
		version += "-" + pre
	}
	if meta := part("meta"); meta != "" {
		version += "+" + meta
	}
	v, err := semver.StrictNewVersion(version)
	return v, err == nil
}
