package variables

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

const (
	// MaxDotenv is the largest size of a dotenv report, in bytes.
	MaxDotenv = 5 << 10
	// MaxDotenvVariables is the largest number of variables in a dotenv report.
	MaxDotenvVariables = 150
)

// ParseDotenv reads a dotenv report with lines of the form KEY=value. Quotes around a value are removed. Comments and
// multi-line values are not supported, and $NAME is not expanded.
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
