package oauth

import (
	"maps"
	"strconv"
	"time"

	"svc/store/model"

	"github.com/ory/fosite"
)

// session describes the user and the grant of a code or token for fosite. It is rebuilt from columns and never stored
// as such.
type session struct {
	user        model.Caller
	grantID     int64 // 0 for the token of a password grant
	redirectURI string
	challenge   string
	nonce       string
	ticket      []byte
	signedInAt  time.Time
	issuedAt    time.Time // when the access token was issued
	expires     map[fosite.TokenType]time.Time
}

// SetExpiresAt sets when a code or token expires.
func (s *session) SetExpiresAt(kind fosite.TokenType, at time.Time) {
	if s.expires == nil {
		s.expires = map[fosite.TokenType]time.Time{}
	}
	s.expires[kind] = at
}

// GetExpiresAt returns when a code or token expires; the zero time means never.
func (s *session) GetExpiresAt(kind fosite.TokenType) time.Time { return s.expires[kind] }

// GetUsername returns the username.
func (s *session) GetUsername() string { return s.user.Username }

// GetSubject returns the id of the user.
func (s *session) GetSubject() string { return strconv.FormatInt(s.user.ID, 10) }

// Clone copies the session.
func (s *session) Clone() fosite.Session {
	other := *s
	other.expires = maps.Clone(s.expires)
	return &other
}

func sessionOf(r fosite.Requester) *session {
	s, _ := r.GetSession().(*session) // no other type is ever stored there
	return s
}
