package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"

	"svc/store"
	"svc/store/model"
	"svc/store/storetest"
)

func TestAllSecretsAreSealedAnewOrNone(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	ctx := store.Background(t.Context())
	u := storetest.User(t, st)
	instance, err := st.Instance.Get(ctx)
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(
		st.TwoFactors.Enable(ctx, u.ID, []byte("old factor"), 1, nil),
		st.Instance.Set(ctx, map[string]any{"key_check": []byte("old check")}),
	)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	counts, err := st.Instance.Reseal(ctx, func(purpose, owner string, sealed []byte) ([]byte, error) {
		seen[purpose] = owner
		return bytes.Replace(sealed, []byte("old"), []byte("new"), 1), nil
	})
	if err != nil || len(counts) < 8 {
		t.Fatalf("%v: %v", err, counts)
	}
	if seen["one-time passwords"] != fmt.Sprint("user ", u.ID) || seen["instance"] != instance.ID {
		t.Errorf("owners: %v", seen)
	}
	checkSealed(ctx, t, st, u, "new factor", "new check")
	_, err = st.Instance.Reseal(ctx, func(purpose, _ string, _ []byte) ([]byte, error) {
		if purpose == "instance" {
			return nil, errors.New("wrong key")
		}
		return []byte("lost"), nil
	})
	if err == nil {
		t.Error("an error was lost")
	}
	checkSealed(ctx, t, st, u, "new factor", "new check")
}

func checkSealed(ctx context.Context, t *testing.T, st *store.Store, u model.User, factor, check string) {
	t.Helper()
	row, err := st.TwoFactors.Get(ctx, u.ID)
	if err != nil || string(row.OtpSealed) != factor {
		t.Errorf("the second factor is %q, %v", row.OtpSealed, err)
	}
	if instance, err := st.Instance.Get(ctx); err != nil || string(instance.KeyCheck) != check {
		t.Errorf("the check of the key is %q, %v", instance.KeyCheck, err)
	}
}
