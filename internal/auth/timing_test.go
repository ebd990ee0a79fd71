package auth

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"runtime"
	"strings"
	"testing"
)

// residents is a store of users by their names.
type residents struct {
	UserStore // of which only what is below is asked

	named map[string]User
}

func (r residents) UserNamed(_ context.Context, name string) (User, bool, error) {
	u, ok := r.named[name]
	return u, ok, nil
}

// Whatever a sign-in fails for, a password is hashed at the full cost, which is most of the
// time that it takes. What is hashed in is counted instead of the time, as it does not vary.
func TestASignInThatFailsCostsTheSame(t *testing.T) {
	cost := Cost{Passes: 1, Memory: 4 << 10}
	u := NewUsers(UsersOptions{Clock: &stopped{now: start()}, Cost: cost, Store: residents{named: map[string]User{
		"ada": {ID: "usr_1", Name: "ada", Password: cost.hash("correct horse battery")},
		"bob": {ID: "usr_2", Name: "bob", Password: cost.hash("correct horse battery"), Disabled: true},
		"eve": {ID: "usr_3", Name: "eve"},
	}}})
	for _, tc := range []struct{ why, name, password string }{
		{"a wrong password", "ada", "wrong password"},
		{"a name that nobody has", "nobody", "wrong password"},
		{"a user who is disabled, by the right password", "bob", "correct horse battery"},
		{"a user without a password", "eve", "the password of nobody"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := u.SignIn(t.Context(), tc.name, tc.password, Visitor{Address: address})
		runtime.ReadMemStats(&after)
		if !errors.Is(err, ErrPassword) {
			t.Errorf("%s: %v", tc.why, err)
		}
		if got, want := (after.TotalAlloc-before.TotalAlloc)>>10, uint64(cost.Memory); got < want || got >= 2*want {
			t.Errorf("%s: hashed in %d KiB, want %d", tc.why, got, want)
		}
	}
}

// Secrets are compared in constant time, and a client's all of them: a loop that ended at
// the first, or == between hashes, would tell by its time. No clock can show that reliably, so
// the source is read.
func TestSecretsAreComparedInConstantTime(t *testing.T) {
	for file, name := range map[string]string{
		"secret.go": "CheckClient", "password.go": "samePassword",
		"../../connectors/alpinebits/door.go": "known", "../../connectors/mock/receive.go": "",
		"../../connectors/channex/receive.go": "", "../../connectors/ical/published.go": "",
	} {
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		compared := 0
		for _, d := range tree.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || name != "" && f.Name.Name != name {
				continue
			}
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					switch said(n.Fun) {
					case "subtle.ConstantTimeCompare", "hmac.Equal":
						compared++
					case "bytes.Equal", "bytes.Compare", "slices.Equal", "reflect.DeepEqual":
						t.Errorf("%s: %s calls %s", file, f.Name.Name, said(n.Fun))
					}
				case *ast.RangeStmt:
					if said(n.X) == "hashes" {
						ast.Inspect(n.Body, func(in ast.Node) bool {
							switch in.(type) {
							case *ast.BranchStmt, *ast.ReturnStmt, *ast.IfStmt:
								t.Errorf("%s: %s does not compare every hash alike", file, f.Name.Name)
							}
							return true
						})
					}
				case *ast.BinaryExpr:
					if (n.Op == token.EQL || n.Op == token.NEQ) && (secretive(n.X) || secretive(n.Y)) {
						t.Errorf("%s: %s compares %s with %s by %s", file, f.Name.Name, said(n.X), said(n.Y), n.Op)
					}
				}
				return true
			})
		}
		if compared == 0 {
			t.Errorf("%s: nothing is compared in constant time any more; name where it is", file)
		}
	}
}

// secretive reports whether an expression is named like a secret, or one's hash.
func secretive(e ast.Expr) bool {
	switch name := said(e); name[strings.LastIndexByte(name, '.')+1:] {
	case "given", "secret", "h", "sum", "password", "key", "Secret", "WebhookSecret", "Key", "Password":
		return true
	}
	return false
}

// said is a name as it is written, or empty for what is none.
func said(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return said(e.X) + "." + e.Sel.Name
	case *ast.IndexExpr:
		return said(e.X)
	case *ast.SliceExpr:
		return said(e.X)
	}
	return ""
}
