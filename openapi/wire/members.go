package wire

import "encoding/json"

// Members holds the members of an object that code reads by name instead of as a struct.
type Members map[string]json.RawMessage
