package app

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/backup"
	"ostler.example/internal/config"
	"ostler.example/ledger"
)

// sealFile holds the keys that secrets in the ledger are sealed with, unless the
// configuration names a secret in its place. It lies beside the ledger and in no backup of
// it: whoever finds a backup finds no secret.
const sealFile = "seal.key"

// openSeal reads the keys of a data folder, of which one is made on first use. A line is a
// key: the first one seals, and each opens what it has sealed.
func openSeal(dir string) (*auth.Seal, error) {
	path := filepath.Join(dir, sealFile)
	keys, err := sealKeys(path)
	if errors.Is(err, fs.ErrNotExist) {
		keys = [][32]byte{newSealKey()}
		err = writeSealKeys(path, keys)
	}
	if err != nil {
		return nil, fmt.Errorf("key of the secrets in the ledger: %w", err)
	}
	return auth.NewSeal(keys[0], keys[1:]...), nil
}

// sealOf returns the seal of an installation. Where the configuration names its keys, the
// one that lay in the data folder until then still opens what it has sealed.
func sealOf(c config.Config, secret func(name string) (string, error)) (*auth.Seal, error) {
	if c.Ledger.SealKey == "" {
		return openSeal(c.Data)
	}
	text, err := secret(c.Ledger.SealKey)
	if err != nil {
		return nil, fmt.Errorf("ledger.seal_key: %w", err)
	}
	keys, err := parseSealKeys(text)
	if err != nil {
		return nil, fmt.Errorf("ledger.seal_key: the secret %s does not hold 64 hexadecimal digits a line; ostler secrets new-key makes such a line", c.Ledger.SealKey)
	}
	left, err := sealKeys(filepath.Join(c.Data, sealFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("key that secrets in the ledger were sealed with: %w", err)
	}
	return auth.NewSeal(keys[0], append(keys[1:], left...)...), nil
}

func sealKeys(path string) ([][32]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	keys, err := parseSealKeys(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s does not hold 64 hexadecimal digits a line; put the file back from where you keep it, or remove it, type the secrets of channels again and rotate those of all webhooks", path)
	}
	return keys, nil
}

func parseSealKeys(text string) (keys [][32]byte, err error) {
	for line := range strings.FieldsSeq(text) {
		key, err := hex.DecodeString(line)
		if err != nil || len(key) != len([32]byte{}) {
			return nil, errors.New("not a key")
		}
		keys = append(keys, [32]byte(key))
	}
	if len(keys) == 0 {
		return nil, errors.New("no key")
	}
	return keys, nil
}

func newSealKey() (key [32]byte) {
	_, _ = rand.Read(key[:]) // never fails; the runtime ends the program first
	return key
}

// NewSealKey returns a fresh key as it is written into a file or a credential.
func NewSealKey() string {
	key := newSealKey()
	return hex.EncodeToString(key[:])
}

// writeSealKeys writes keys, whole or not at all, for the same owner as the folder.
func writeSealKeys(path string, keys [][32]byte) error {
	var text strings.Builder
	for _, key := range keys {
		text.WriteString(hex.EncodeToString(key[:]) + "\n")
	}
	f, err := os.OpenFile(path+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text.String())
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(path+".new", path); err != nil {
		return err
	}
	return backup.Durable(filepath.Dir(path)) // before anything is sealed with a key that is new there
}

// sealing seals anew with the newest key whatever is sealed with another, or not at all.
func sealing(s *auth.Seal) ledger.Sealing {
	return ledger.Sealing{
		Settings: func(c hotel.Channel) ([]byte, error) {
			driver, known := connectors.Lookup(c.Connector)
			if !known { // nobody knows what of it is a secret
				if connectors.HasSealed(c.Settings) {
					return c.Settings, fmt.Errorf("this program has no connector %s", c.Connector)
				}
				return c.Settings, nil
			}
			sealed, err := driver.Seal(s, c.Settings, c.Settings)
			if err != nil {
				return c.Settings, err
			}
			_, err = driver.Unseal(s, sealed)
			return sealed, err
		},
		Text: func(sealed []byte, client string) ([]byte, error) {
			text, err := s.Open(sealed, client)
			if err != nil || s.Current(sealed, client) {
				return sealed, err
			}
			return s.Close(text, client), nil
		},
	}
}

// sealAnew has a ledger's secrets sealed with the newest key, and tells of those that are
// not, which it returns: no key opens them, or this program lacks their connector.
func sealAnew(ctx context.Context, l *ledger.Ledger, s *auth.Seal, log *zap.Logger) (lost []string, err error) {
	done, err := l.SealAnew(ctx, sealing(s))
	if err != nil {
		return nil, err
	}
	if done.Changed > 0 {
		log.Info("secrets in the ledger are sealed anew", zap.Int("changed", done.Changed))
	}
	if done.Left != nil {
		log.Warn("copies of how secrets were kept before may be left in the ledger's files until the next start", zap.Error(done.Left))
	}
	if len(done.Lost) > 0 {
		log.Error("secrets were sealed with another key than this installation's, or belong to a connector that this program does not have: put that key back, as a further line of seal.key or of the secret of ledger.seal_key, or type them again; keep every key that is there until then",
			zap.Strings("of", done.Lost))
	}
	return done.Lost, nil
}

// sealRestored has what a restored ledger keeps sealed as this installation seals it, and
// names whose secrets none of its keys opens, or says why it could not look: a credential
// of systemd is seen by the service alone, which looks when it starts.
func sealRestored(ctx context.Context, l *ledger.Ledger, c config.Config) (lost []string, unlooked string, err error) {
	s, err := sealOf(c, c.FindSecret)
	if err != nil {
		return nil, err.Error(), nil
	}
	done, err := l.SealAnew(ctx, sealing(s))
	return done.Lost, "", errors.Join(err, done.Left) // nobody else reads what is not in its place yet
}

// sealThere is the seal of an installation where it can be read; nil: it opens nothing.
func sealThere(c config.Config) connectors.Sealer {
	if there, err := exists(filepath.Join(c.Data, sealFile)); c.Ledger.SealKey == "" && (err != nil || !there) {
		return nil // it would be made
	}
	s, err := sealOf(c, c.FindSecret)
	if err != nil {
		return nil
	}
	return s
}

// sealFileAnew does for a ledger that nobody has open what is done for production when it
// is opened.
func sealFileAnew(ctx context.Context, o ledger.Options, s *auth.Seal) (lost []string, err error) {
	o.Clock = hotel.SystemClock{}
	l, err := ledger.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	return sealAnew(ctx, l, s, o.Log)
}

// sealAll seals anew what a data folder keeps that nobody has open: its ledger and those of
// the sandboxes, each as far as it can be. It returns whose secrets are not sealed so.
func sealAll(ctx context.Context, c config.Config, s *auth.Seal, log *zap.Logger) (lost []string, err error) {
	files, failed := sandboxLedgers(sandboxesPath(c.Data))
	kept := []ledger.Options{{Path: ledgerPath(c.Data), Log: log, Migrating: backingUp(c, log)}}
	for _, path := range files {
		kept = append(kept, ledger.Options{Path: path, Log: log, Small: true})
	}
	for _, o := range kept {
		of, err := sealFileAnew(ctx, o, s)
		lost, failed = append(lost, of...), errors.Join(failed, err)
	}
	return lost, failed
}

// RotateSealKey has everything sealed with a fresh key, on a data folder that no daemon
// works on. Until that is done the key of before lies beside it, so that a rotation which
// is cut off loses nothing, and is made good by the next. It stays there while anything is
// left that is not sealed with the fresh one; then the error says what.
func RotateSealKey(ctx context.Context, c config.Config, log *zap.Logger) (err error) {
	if c.Ledger.SealKey != "" {
		return fmt.Errorf("the keys are in the secret %s of the configuration: put the line that ostler secrets new-key prints in front of those there, restart the daemon, and once its log says that all is sealed anew take the other lines away", c.Ledger.SealKey)
	}
	lock, err := claim(c.Data)
	if err != nil {
		return fmt.Errorf("%w; a daemon is stopped by systemctl stop ostler", err)
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	if there, err := hasLedger(c.Data); err != nil || !there {
		return errors.Join(err, noLedger(c.Data))
	}
	owner, err := ownerOf(c.Data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, owner.take(c.Data, ".")) }()
	path := filepath.Join(c.Data, sealFile)
	keys, err := sealKeys(path)
	if errors.Is(err, fs.ErrNotExist) {
		keys, err = nil, nil // nothing has been sealed yet
	}
	if err != nil {
		return err
	}
	keys = append([][32]byte{newSealKey()}, keys...)
	if err := writeSealKeys(path, keys); err != nil {
		return err
	}
	s := auth.NewSeal(keys[0], keys[1:]...)
	lost, err := sealAll(ctx, c, s, log)
	if err != nil {
		return fmt.Errorf("%w; seal.key keeps the keys of before", err)
	}
	if len(lost) > 0 {
		return fmt.Errorf("everything is sealed with a fresh key except secrets of %s, as the log says: seal.key keeps the keys of before. Once those are typed again, or their key is put back, rotate again", strings.Join(lost, ", "))
	}
	return writeSealKeys(path, keys[:1])
}
