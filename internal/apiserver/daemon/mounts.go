package daemon

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"dormouse/host"
	"dormouse/host/claude"
	"dormouse/internal/apiserver"
	"dormouse/internal/apiserver/db"
	"dormouse/internal/apiserver/mount"
	"dormouse/store"
	"dormouse/trust"
)

// mounting are the flags of folders that are served as memory stores.
type mounting struct {
	projects, folders []string
	workspace         string
}

func (m *mounting) flags(f *pflag.FlagSet) {
	f.StringArrayVar(&m.projects, "mount", nil, "[NAME=]PATH: serve the memory folder of the project at PATH as a memory store")
	f.StringArrayVar(&m.folders, "mount-folder", nil, "[NAME=]PATH: serve this folder of notes as a memory store")
	f.StringVar(&m.workspace, "mount-workspace", "default", "the workspace that folders are served to")
}

// over serves the folders that are asked for beside what the database has.
func (m *mounting) over(ctx context.Context, outside IO, d *db.DB) (apiserver.Backend, map[string]string, error) {
	if len(m.projects)+len(m.folders) == 0 {
		return d, nil, nil
	}
	env := hostEnv(outside)
	state, err := host.StateFolder(env)
	if err != nil {
		return nil, nil, usageError{err}
	}
	var folders []mount.Folder
	for _, p := range m.projects {
		f, err := project(env, state, p)
		if err != nil {
			return nil, nil, usageError{fmt.Errorf("--mount %s: %w", p, err)}
		}
		folders = append(folders, f)
	}
	for _, p := range m.folders {
		name, dir, err := named(p)
		if err != nil {
			return nil, nil, usageError{fmt.Errorf("--mount-folder %s: %w", p, err)}
		}
		folders = append(folders, mount.Folder{Name: name, Open: func() (*store.Store, error) { return openNotes(dir, state) }})
	}
	workspace, err := d.Workspace(ctx, m.workspace)
	if err != nil {
		return nil, nil, err
	}
	b, err := mount.Over(d, workspace, folders...)
	if err != nil {
		return nil, nil, err
	}
	return b, b.Stores(), nil
}

func hostEnv(outside IO) host.Env {
	return host.Env{Home: outside.Home, Getenv: outside.Getenv, OS: runtime.GOOS, Lookup: func(name string) (string, bool) {
		v := outside.Getenv(name)
		return v, v != ""
	}}
}

// named takes a name off a path; without one the name is the folder's.
func named(text string) (name, dir string, err error) {
	name, dir, ok := strings.Cut(text, "=")
	if !ok {
		name, dir = "", text
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return "", "", err
	}
	info, err := os.Stat(dir)
	if err != nil {
		return "", "", err
	}
	if !info.IsDir() {
		return "", "", errors.New("it is not a folder")
	}
	if name == "" {
		name = filepath.Base(dir)
	}
	return name, dir, nil
}

// project is the memory folder of a project, as a session in it would have it now; a
// memory that is switched off is not served.
func project(env host.Env, state, text string) (mount.Folder, error) {
	name, root, err := named(text)
	if err != nil {
		return mount.Folder{}, err
	}
	look := func() (dir string, err error) {
		rep, err := claude.Host{}.Startup(host.Session{Cwd: root, Env: env, IndexOnly: true, Now: time.Now()})
		switch {
		case err != nil:
			return "", err
		case !rep.Mem.On:
			return "", errors.New("its memory is switched off: dormouse on switches it on")
		case rep.Mem.Dir == "":
			return "", errors.New("where its notes are can't be told: name the folder with --mount-folder")
		}
		return rep.Mem.Dir, nil
	}
	if _, err := look(); err != nil {
		return mount.Folder{}, err
	}
	return mount.Folder{
		Name: name,
		Open: func() (*store.Store, error) {
			dir, err := look()
			if err != nil {
				return nil, err
			}
			return openNotes(dir, state)
		},
		On: func() error {
			_, err := look()
			return err
		},
	}, nil
}

func openNotes(dir, state string) (*store.Store, error) {
	return store.Open(store.Config{Dir: dir, State: state, Gate: trust.NewGuard(trust.Policy{}).Gate(), Limits: claude.Host{}.IndexLimits()})
}
