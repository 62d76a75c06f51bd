package variables

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

const (
	// MaxDotenv is how many bytes a dotenv report may have.
	MaxDotenv = 5 << 10
	// MaxDotenvVariables is how many variables it may have.
	MaxDotenvVariables = 150
)

// ParseDotenv reads a dotenv report: lines of KEY=value. A value may be in quotes, which are taken off; there are no
// comments and no values of several lines, and $NAME is text.
func ParseDotenv(data []byte) ([]Variable, error) {
	if len(data) > MaxDotenv {
		return nil, fmt.Errorf("dotenv artifact is too large: more than %d bytes", MaxDotenv)
	}
	if !utf8.Valid(data) {
		return nil, fmt.Errorf("dotenv artifact is not UTF-8")
	}
	var list []Variable
	for number, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		key, value, found := strings.Cut(line, "=")
		key = strings.TrimSpace(strings.TrimPrefix(key, "export "))
		if !found || !IsKey(key) {
			return nil, fmt.Errorf("dotenv artifact has an invalid format in line %d", number+1)
		}
		value = strings.TrimSpace(value)
		if len(value) >= 2 && (value[0] == '"' || value[0] == '\'') && value[len(value)-1] == value[0] {
			value = value[1 : len(value)-1]
		}
		list = append(list, Variable{Key: key, Value: value, Raw: true})
	}
	list = Merge(list)
	if len(list) > MaxDotenvVariables {
		return nil, fmt.Errorf("dotenv artifact has more than %d variables", MaxDotenvVariables)
	}
	return list, nil
}
