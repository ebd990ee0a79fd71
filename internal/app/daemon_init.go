package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"go.uber.org/zap"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/config"
	"ostler.example/ledger"
)

// InitOptions configures the first step of an installation.
type InitOptions struct {
	File     string // the configuration
	Data     string // the data folder; "": what the configuration says, or its default
	Operator string // who does it, for the journal
	Log      *zap.Logger
}

// Initialized is what the first step has made.
type Initialized struct {
	Data     string
	Wrote    bool // the configuration; false: it was there
	ClientID string
	Secret   string // shown this once
}

// Init writes the configuration unless there is one, and makes the ledger with a
// first client that may do everything. It refuses a folder with a ledger, or one
// that a daemon works on.
func Init(ctx context.Context, o InitOptions) (Initialized, error) {
	c, there, err := configured(o)
	if err != nil {
		return Initialized{}, err
	}
	lock, err := claim(c.Data)
	if err != nil {
		return Initialized{}, err
	}
	made, err := initialize(ctx, o, c, there)
	return made, errors.Join(err, lock.Release())
}

// configured returns the configuration that is there, or that will be written.
func configured(o InitOptions) (c config.Config, there bool, err error) {
	there, err = exists(o.File)
	if err != nil {
		return c, there, err
	}
	if !there {
		data := o.Data
		if data == "" {
			data = config.Default().Data
		}
		c, err = config.Parse(config.Example(data))
		return c, false, err
	}
	if c, err = config.Load(o.File); err != nil {
		return c, true, err
	}
	if o.Data != "" && o.Data != c.Data {
		return c, true, fmt.Errorf("%s is there already and says data = %q: leave out --data, or change it there", o.File, c.Data)
	}
	return c, true, nil
}

func initialize(ctx context.Context, o InitOptions, c config.Config, there bool) (Initialized, error) {
	path := ledgerPath(c.Data)
	if kept, err := os.ReadDir(filepath.Dir(path)); err == nil && len(kept) > 0 {
		return Initialized{}, fmt.Errorf("there is a ledger in %s already: start it with ostler serve --config %s", c.Data, o.File)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Initialized{}, err
	}
	owner, err := ownerOf(c.Data)
	if err != nil {
		return Initialized{}, err
	}
	made := Initialized{Data: c.Data, Wrote: !there}
	if made.Wrote {
		if err := writeConfig(o.File, c.Data, owner); err != nil {
			return Initialized{}, err
		}
	}
	clock := hotel.SystemClock{}
	err = buildLedger(ctx, path, clock, o.Log, func(l *ledger.Ledger) error {
		authority, err := auth.New(ctx, auth.Options{Store: l, Clock: clock, Log: o.Log, Tiers: auth.Tiers(c.RateLimits.Tiers)})
		if err != nil {
			return err
		}
		by := hotel.By{Actor: hotel.Actor{Kind: hotel.ActorOperator, ID: o.Operator}}
		first, err := authority.CreateClient(ctx, by, hotel.Once{}, auth.Client{
			Name: "first client", Environment: auth.Production, Kind: auth.KindEnterprise, Tier: auth.Standard,
			Scopes: auth.AllScopes(), PropertyIDs: []string{auth.AllProperties},
		})
		made.ClientID, made.Secret = first.ID, first.Secret
		return err
	})
	if err != nil {
		return Initialized{}, err
	}
	return made, owner.take(c.Data, ".")
}

// writeConfig writes a commented configuration; it never replaces a file.
func writeConfig(path, data string, owner owner) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o640)
	if err != nil {
		return fmt.Errorf("write the configuration: %w", err)
	}
	_, err = f.WriteString(config.Example(data))
	if owner.differs {
		err = errors.Join(err, f.Chown(-1, owner.gid)) // the service reads it and does not change it
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write the configuration: %w", err)
	}
	return nil
}

// owner is whose data folder it is, when that is the service's user and root
// does the work.
type owner struct {
	uid, gid int
	differs  bool
}

func ownerOf(dir string) (owner, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return owner{}, err
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok || os.Geteuid() != 0 {
		return owner{}, nil
	}
	return owner{int(s.Uid), int(s.Gid), s.Uid != 0}, nil
}

// take gives everything in a folder of the data folder, "." for all of it, to its owner, who
// could not open it otherwise.
func (o owner) take(data, folder string) error {
	if !o.differs {
		return nil
	}
	// Root does so in a folder of somebody else's, who must not lead it out of there by a
	// link put in the way meanwhile, nor by one in place of the folder.
	all, err := os.OpenRoot(data)
	if err != nil {
		return err
	}
	in, err := all.OpenRoot(folder)
	if err = errors.Join(err, all.Close()); err != nil {
		return err
	}
	err = fs.WalkDir(in.FS(), ".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return in.Lchown(path, o.uid, o.gid)
	})
	return errors.Join(err, in.Close())
}
