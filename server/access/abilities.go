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

	// Keys.
	AdminKey     Ability = "admin_key"
	CreateOwnKey Ability = "create_own_key"
	DeleteOwnKey Ability = "delete_own_key"
	ReadOwnKey   Ability = "read_own_key"
	ReadUserKey  Ability = "read_user_key"

	// Profiles.
	AdminUserEmail       Ability = "admin_user_email"
	CreateOwnEmail       Ability = "create_own_email"
	DeleteOwnEmail       Ability = "delete_own_email"
	FollowUser           Ability = "follow_user"
	ReadOwnEmail         Ability = "read_own_email"
	ReadOwnPreferences   Ability = "read_own_preferences"
	ReadOwnStatus        Ability = "read_own_status"
	ReadUserFollows      Ability = "read_user_follows"
	ReadUserStatus       Ability = "read_user_status"
	UpdateOwnPreferences Ability = "update_own_preferences"
	UpdateOwnStatus      Ability = "update_own_status"
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

	AdminKey:     Administrator,
	CreateOwnKey: SignedIn,
	DeleteOwnKey: SignedIn,
	ReadOwnKey:   SignedIn,
	ReadUserKey:  Anyone,

	AdminUserEmail:       Administrator,
	CreateOwnEmail:       SignedIn,
	DeleteOwnEmail:       SignedIn,
	FollowUser:           SignedIn,
	ReadOwnEmail:         SignedIn,
	ReadOwnPreferences:   SignedIn,
	ReadOwnStatus:        SignedIn,
	ReadUserFollows:      SignedIn,
	ReadUserStatus:       Anyone,
	UpdateOwnPreferences: SignedIn,
	UpdateOwnStatus:      SignedIn,
}
