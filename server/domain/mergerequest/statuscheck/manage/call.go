package manage

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"

	"svc/server/domain/mergerequest/statuscheck"
	"svc/server/domain/webhook/payload"
	"svc/server/platform/outbound"
	"svc/store"
	"svc/store/model"
)

// CallJob is the job that asks the service of a check about a merge request.
type CallJob struct {
	MergeRequestID int64  `json:"merge_request_id"`
	CheckID        int64  `json:"check_id"`
	SHA            string `json:"sha"`
	UserID         int64  `json:"user_id"` // who caused it
}

// Kind returns the name of the job in the queue.
func (CallJob) Kind() string { return "status_check" }

// Start queues the requests to the services of all checks that apply to a merge request and that were not asked about its head
// yet. It is called when a merge request is opened and after each push.
func Start(
	ctx context.Context, st *store.Store, enqueue func(ctx context.Context, job Payload) error, mr model.MergeRequest, userID int64,
) error {
	results, err := statuscheck.Load(ctx, st, mr)
	if err != nil || len(results[mr.ID]) == 0 {
		return err
	}
	s := New(Dependencies{Store: st, Enqueue: enqueue})
	return st.Tx(ctx, func(ctx context.Context) error {
		responses, err := st.StatusChecks.Responses(ctx, []int64{mr.ID})
		if err != nil {
			return err
		}
		known := map[int64]bool{}
		for _, r := range responses {
			known[r.CheckID] = r.SHA == mr.HeadSHA
		}
		for _, r := range results[mr.ID] {
			if known[r.Check.ID] {
				continue
			}
			if err := s.ask(ctx, mr, r.Check.ID, userID); err != nil {
				return err
			}
		}
		return nil
	})
}

// ask marks a check as pending and queues the request to its service.
func (s *Service) ask(ctx context.Context, mr model.MergeRequest, checkID, userID int64) error {
	if err := s.put(ctx, mr, checkID, model.CheckPending); err != nil {
		return err
	}
	return s.Enqueue(ctx, CallJob{MergeRequestID: mr.ID, CheckID: checkID, SHA: mr.HeadSHA, UserID: userID})
}

// body is what a service gets: the body of the webhook for merge requests, and the check.
type body struct {
	payload.MergeRequest
	Check checkBody `json:"external_approval_rule"`
}

type checkBody struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	URL  string `json:"external_url"`
}

// Call runs the job. If the service cannot be reached, the check fails when its time is over.
func (s *Service) Call(ctx context.Context, job CallJob) error {
	mr, err := s.Store.MergeRequests.Find(ctx, job.MergeRequestID)
	if store.IsNotFound(err) || err == nil && (mr.State != model.Opened || mr.HeadSHA != job.SHA) {
		return nil // it is gone, or another job asks about the newer head
	}
	if err != nil {
		return err
	}
	check, err := s.Store.StatusChecks.Get(ctx, mr.ProjectID, job.CheckID)
	if store.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	content, err := s.Bodies.MergeRequestBody(ctx, mr, job.UserID)
	if store.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	request, err := s.request(check, body{MergeRequest: content, Check: checkBody{check.ID, check.Name, check.ExternalURL}})
	if err != nil {
		return err
	}
	response, err := s.Client.Post(ctx, request)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil || response.Status >= http.StatusBadRequest {
		s.Logger.WarnContext(ctx, "an external status check cannot be asked", "check", check.ID, "status", response.Status, "error", err)
	}
	return nil
}

// request builds the request to the service of a check. With a shared secret, the body is signed.
func (s *Service) request(check model.ExternalStatusCheck, content body) (outbound.Request, error) {
	text, err := json.Marshal(content)
	if err != nil {
		return outbound.Request{}, err
	}
	to, err := outbound.Parse(check.ExternalURL)
	if err != nil {
		return outbound.Request{}, err
	}
	header := http.Header{}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "User-Agent": s.UserAgent, "X-Gitlab-Event": "External Status Check Hook",
		"X-Gitlab-Instance": s.URL,
	} {
		header.Set(name, value)
	}
	if check.Sealed != nil {
		key, err := s.Vault.Open(check.Sealed, sealOwner(check.ProjectID))
		if err != nil {
			return outbound.Request{}, err
		}
		mac := hmac.New(sha256.New, key)
		mac.Write(text)
		header.Set("X-Gitlab-Signature", hex.EncodeToString(mac.Sum(nil)))
	}
	return outbound.Request{URL: to, Header: header, Body: text}, nil
}
