package members

import (
	"encoding/json"
	"net/http"

	"svc/gen"
)

// created is the response of adding members: one member, or the result for several.
type created struct{ body any }

// VisitCreateGroupMemberResponse writes the response.
func (c created) VisitCreateGroupMemberResponse(w http.ResponseWriter) error { return c.write(w) }

// VisitCreateProjectMemberResponse writes the response.
func (c created) VisitCreateProjectMemberResponse(w http.ResponseWriter) error { return c.write(w) }

func (c created) write(w http.ResponseWriter) error {
	data, err := json.Marshal(c.body)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusCreated)
	_, err = w.Write(append(data, '\n'))
	return err
}

// batch presents the result of adding several users.
func batch(refused map[string]string) gen.MemberBatch {
	if len(refused) == 0 {
		return gen.MemberBatch{Status: gen.MemberBatchStatusSuccess}
	}
	return gen.MemberBatch{Status: gen.MemberBatchStatusError, Message: &refused}
}
