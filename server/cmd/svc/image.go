package main

import (
	"context"
	_ "embed"
	"fmt"
	"log/slog"
	"net"

	"svc/server"
	"svc/server/domain/account"
	"svc/server/domain/fixture"
	"svc/server/domain/fixture/image"
	"svc/server/domain/seed"
	"svc/server/platform/config"
	"svc/store"
	"svc/store/clock"
)

// preparedSeed is the seed whose data folder is part of the program, because most tests use it.
const preparedSeed = 1

// preparedImage is the data folder of an instance with that seed. A test compares it with what the seed gives;
// make golden writes it.
//
//go:embed seed.image
var preparedImage []byte

// makeKnown gives an ephemeral instance with test data secrets that everybody knows, so that two starts give the same data.
// It does that only if other machines cannot reach the instance. Secrets in the settings stay.
func makeKnown(cfg *config.Config, data *testData) (known bool) {
	host, _, err := net.SplitHostPort(cfg.Listen)
	if err != nil || data == nil || !cfg.Ephemeral {
		return false
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return false
	}
	if cfg.SecretKey == "" {
		cfg.SecretKey = knownKey
	}
	if cfg.RootPassword == "" {
		cfg.RootPassword = fixture.RootPassword
	}
	if cfg.RootToken == "" {
		cfg.RootToken = fixture.RootToken
	}
	return true
}

var (
	knownKey      = fixture.Secret("secret key")
	knownInstance = fixture.Secret("instance")[:26]
)

// writePrepared writes the prepared data folder, if it is the one that the settings want.
func writePrepared(cfg config.Config, data *testData) (written bool, err error) {
	if data.seed == nil || cfg.Seed != preparedSeed || cfg.SecretKey != knownKey || cfg.BlobURL != "" || len(cfg.Storages) > 0 ||
		len(preparedImage) == 0 {
		return false, nil
	}
	prepared, err := image.Unpack(preparedImage)
	if err != nil {
		return false, fmt.Errorf("read the prepared data: %w", err)
	}
	return true, prepared.Write(cfg.Data)
}

// usePrepared sets the secrets of the administrator in a prepared instance, if the settings have others.
func usePrepared(ctx context.Context, cfg config.Config, st *store.Store, data *testData) (firstStart, error) {
	f := firstStart{data: data, root: &account.Root{Username: "root", Password: cfg.RootPassword, Token: cfg.RootToken}}
	root, err := st.Users.GetByUsername(ctx, f.root.Username)
	if err != nil {
		return f, err
	}
	if cfg.RootPassword != fixture.RootPassword {
		if err := account.NewPassword(ctx, st, root.ID, cfg.RootPassword); err != nil {
			return f, err
		}
	}
	if cfg.RootToken == fixture.RootToken {
		return f, nil
	}
	return f, account.ReplaceToken(ctx, st, fixture.RootToken, cfg.RootToken)
}

// holdClock stops the clock of an instance with test data at the first time of the data, and returns a function that lets
// it run.
func holdClock(st *store.Store, data *testData) (release func()) {
	c := st.Clock()
	if c == nil || data == nil {
		return func() {}
	}
	release = c.Hold()
	c.Set(data.document.Begin())
	return release
}

// buildImage makes the data folder of an instance with a seed, as svc serve --ephemeral does.
func buildImage(ctx context.Context, number int) (*image.Image, error) {
	cfg, err := config.Load([]string{"--ephemeral", "--seed", fmt.Sprint(number)}, nil)
	if err != nil {
		return nil, err
	}
	doc, made := seed.Document(uint64(number), seed.Small)
	data := &testData{document: doc, seed: &made}
	forget, err := ephemeral(&cfg)
	if err != nil {
		return nil, err
	}
	defer forget()
	makeKnown(&cfg, data)
	st, _, err := openMigrated(ctx, cfg)
	if err != nil {
		return nil, err
	}
	defer st.Close()
	defer holdClock(st, data)()
	if err := st.Instance.Begin(ctx, knownInstance); err != nil {
		return nil, err
	}
	if _, err := setKey(ctx, &cfg, st); err != nil {
		return nil, err
	}
	ops, err := server.LoadOperations()
	if err != nil {
		return nil, err
	}
	s, err := server.New(cfg, st, ops, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	if _, err := createFirst(clock.With(ctx, st.Clock()), cfg, s.Fixtures(), data); err != nil {
		return nil, err
	}
	return image.Take(ctx, st, cfg.Data)
}
