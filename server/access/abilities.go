// Package access decides who may do what.
package access

// Ability is something that a caller may or may not do; the YAML names it in x-ability.
type Ability string

// Role is the least standing that an ability needs on the instance.
type Role int

// The roles on the instance.
const (
	Anyone Role = iota
	SignedIn
	Administrator
)

// The abilities on the instance.
const (
	ReadDocument          Ability = "read_document"
	ReadProbe             Ability = "read_probe"
	ReadMetadata          Ability = "read_metadata"
	ReadSelf              Ability = "read_self"
	ReadOwnToken          Ability = "read_own_token"
	RevokeOwnToken        Ability = "revoke_own_token"
	AdminInstanceVariable Ability = "admin_instance_variable"
	CreateGroup           Ability = "create_group"
	ReadNamespace         Ability = "read_namespace"
	ReadUserMembership    Ability = "read_user_membership"
)

// Instance is the one table of who may do what on the instance.
var Instance = map[Ability]Role{
	ReadDocument:          Anyone,
	ReadProbe:             Anyone,
	ReadMetadata:          SignedIn,
	ReadSelf:              SignedIn,
	ReadOwnToken:          SignedIn,
	RevokeOwnToken:        SignedIn,
	AdminInstanceVariable: Administrator,
	CreateGroup:           SignedIn,
	ReadNamespace:         SignedIn,
	ReadUserMembership:    Administrator,
}
