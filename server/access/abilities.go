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
	ReadToken             Ability = "read_token"
	ReadUser              Ability = "read_user"
	RevokeOwnToken        Ability = "revoke_own_token"
	RevokeToken           Ability = "revoke_token"
	RotateOwnToken        Ability = "rotate_own_token"
	RotateToken           Ability = "rotate_token"
	AdminInstanceVariable Ability = "admin_instance_variable"
	CreateGroup           Ability = "create_group"
	AdminToken            Ability = "admin_token"
	CreateOwnToken        Ability = "create_own_token"

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
	AdminUser            Ability = "admin_user"
	ReadUserMembership   Ability = "read_user_membership"
)

// Instance is the one table of who may do what on the instance.
var Instance = map[Ability]Role{
	ReadDocument:          Anyone,
	ReadProbe:             Anyone,
	ReadMetadata:          SignedIn,
	ReadSelf:              SignedIn,
	ReadOwnToken:          SignedIn,
	ReadToken:             SignedIn,
	ReadUser:              Anyone, // the operations refuse anonymous callers with texts of their own
	RevokeOwnToken:        SignedIn,
	RevokeToken:           SignedIn,
	RotateOwnToken:        SignedIn,
	RotateToken:           SignedIn,
	AdminInstanceVariable: Administrator,
	CreateGroup:           SignedIn,
	AdminToken:            Administrator,
	CreateOwnToken:        SignedIn,

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
	AdminUser:            Administrator,
	ReadUserMembership:   Administrator,
}
