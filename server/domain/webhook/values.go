package webhook

import (
	"context"

	"svc/server/platform/apierr"
	"svc/store/model"
)

// SetHeader sets a custom header of a hook.
func (s *Service) SetHeader(ctx context.Context, in Owner, id int64, p Pair) error {
	_, err := s.edit(ctx, in, id, func(_ context.Context, _ *model.Hook, open *Secrets) error {
		open.Headers = open.Headers.merge(Pairs{p})
		if !open.Headers.valid() {
			return errValue
		}
		return nil
	})
	return err
}

// DeleteHeader deletes a custom header of a hook.
func (s *Service) DeleteHeader(ctx context.Context, in Owner, id int64, key string) error {
	_, err := s.edit(ctx, in, id, func(_ context.Context, _ *model.Hook, open *Secrets) error {
		if !open.Headers.Has(key) {
			return apierr.NotFound("Custom header")
		}
		open.Headers = open.Headers.without(key)
		return nil
	})
	return err
}

// SetVariable sets a URL variable of a hook. If this changes the URL, the custom headers are removed, as with any other
// change of the URL.
func (s *Service) SetVariable(ctx context.Context, in Owner, id int64, p Pair) error {
	_, err := s.edit(ctx, in, id, func(ctx context.Context, h *model.Hook, open *Secrets) error {
		return s.apply(ctx, h, open, Change{Variables: &Pairs{p}})
	})
	return err
}

// DeleteVariable deletes a URL variable that the URL of the hook does not use.
func (s *Service) DeleteVariable(ctx context.Context, in Owner, id int64, key string) error {
	_, err := s.edit(ctx, in, id, func(_ context.Context, h *model.Hook, open *Secrets) error {
		if !open.Variables.Has(key) {
			return apierr.NotFound("URL variable")
		}
		open.Variables = open.Variables.without(key)
		if _, complete := interpolate(h.URL, open.Variables); !complete {
			return apierr.UnprocessableParameter("Could not unset variable")
		}
		return nil
	})
	return err
}
