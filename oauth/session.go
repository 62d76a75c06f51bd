package oauth

import (
	"maps"
	"strconv"
	"time"

	"svc/store/model"

	"github.com/ory/fosite"
)

// session is for whom a code or token is, as it travels through fosite. It is rebuilt from columns; nothing of it is
// stored as such.
type session struct {
	user        model.Caller
	grantID     int64 // 0 for the token of a password
	redirectURI string
	challenge   string
	nonce       string
	ticket      []byte
	signedInAt  time.Time
	issuedAt    time.Time // when the access token was made
	expires     map[fosite.TokenType]time.Time
}

// SetExpiresAt notes when a code or token ends.
func (s *session) SetExpiresAt(kind fosite.TokenType, at time.Time) {
	if s.expires == nil {
		s.expires = map[fosite.TokenType]time.Time{}
	}
	s.expires[kind] = at
}

// GetExpiresAt is when a code or token ends; the zero time is never.
func (s *session) GetExpiresAt(kind fosite.TokenType) time.Time { return s.expires[kind] }

// GetUsername is the user's name.
func (s *session) GetUsername() string { return s.user.Username }

// GetSubject is the user's id.
func (s *session) GetSubject() string { return strconv.FormatInt(s.user.ID, 10) }

// Clone copies the session.
func (s *session) Clone() fosite.Session {
	other := *s
	other.expires = maps.Clone(s.expires)
	return &other
}

func sessionOf(r fosite.Requester) *session {
	s, _ := r.GetSession().(*session) // no other type is ever put there
	return s
}
