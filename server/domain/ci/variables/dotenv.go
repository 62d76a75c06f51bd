package variables

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// DotenvLimits are the limits of a dotenv report.
type DotenvLimits struct {
	Size      int64 // in bytes
	Variables int64
}

// MaxDotenv is the largest size of a dotenv report in bytes, whatever the limit of the plan is.
const MaxDotenv = 1 << 20

// NewDotenvLimits returns the limits of the plan. 0 means the largest size, and any number of variables.
func NewDotenvLimits(size, variables int64) DotenvLimits {
	if size == 0 || size > MaxDotenv {
		size = MaxDotenv
	}
	return DotenvLimits{Size: size, Variables: variables}
}

// ParseDotenv reads a dotenv report with lines of the form KEY=value. Quotes around a value are removed. Comments and
// multi-line values are not supported, and $NAME is not expanded.
func ParseDotenv(data []byte, most DotenvLimits) ([]Variable, error) {
	if int64(len(data)) > most.Size {
		return nil, fmt.Errorf("dotenv artifact is too large: more than %d bytes", most.Size)
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
	if most.Variables > 0 && int64(len(list)) > most.Variables {
		return nil, fmt.Errorf("dotenv artifact has more than %d variables", most.Variables)
	}
	return list, nil
}
