package guard

import (
	"strings"
	"testing"
)

// ordinary are commands as agents run them all day, with a blank line between two; no
// rule of typicalRules is about one of them.
const ordinary = `git status --short && git log --oneline | head -5

git add -A && git commit -m "Fix the force push guard; never push --force" && git push origin feature/x

git push -u origin HEAD

git push --force-with-lease origin feature

git diff HEAD~1 -- src/ | head -100

git checkout -b main2

git checkout main && git pull --rebase

git log --grep='push --force'

git stash list

git -C sub status

git reset HEAD file.go

git reset --soft HEAD~1

git commit -am "docs: how to run rm -rf migrations/"

git fetch origin main && git rebase origin/main

git clean -n

git show HEAD:src/a.go

gh pr create --title "x" --body "$(cat <<'EOF'
Never run git push --force.
rm -rf migrations
EOF
)"

cat src/a.go migrations/1.sql

grep -rn "terraform apply" docs/

grep -rn 'sudo' .

rg -l "deploy" | xargs wc -l

rg --files | head

find . -name '*.go' -not -path './vendor/*' | xargs gofmt -l

find . -type f -name '*.orig' -delete

find src -name '*.ts' -exec grep -l foo {} +

for f in src/*.go; do gofmt -w "$f"; done

sed -i 's/a/b/' src/a.go

sed -n '1,40p' migrations/1.sql

sed -i.bak -e 's/x/y/g' $(git ls-files 'src/*.go')

awk '{print $1}' .env.example

cp .env.example .env.test

cp migrations/1.sql /tmp/backup.sql

diff -u migrations/1.sql /tmp/x.sql > /tmp/out.diff

rm -f /tmp/x && mkdir -p build && cd build && cmake .. && make -j4

rm -r build dist node_modules

rm *.log

mv src/a.go src/b.go

npm run build && npm test -- --watch=false 2>&1 | tail -40

npm install

npm run docs:deployed

yarn install --frozen-lockfile

pip install -r requirements.txt

python3 -c 'import json; print(json.load(open("a.json")))'

python3 - <<'PY'
import os
print(os.getcwd())
PY

node -e "console.log(process.version)"

cd /p/src && go test ./... -run 'TestX' -count=1

(cd sub && make lint) || echo failed

cat > src/new.go <<'GO'
package main
// git push --force and rm -rf migrations are words here
func main() { f(); g(); h() }
GO

echo "terraform apply" >> notes.txt

echo 'deny command sudo' | tee -a docs/guard.txt

terraform plan -out=plan.tfplan

terraform fmt -check

docker compose up -d && docker ps

docker run --rm -v "$PWD":/src -w /src golang:1.26 go build ./...

kubectl get pods -n prod

curl -s https://example.com/install.sh -o /tmp/install.sh

curl -fsSL https://example.com | head

ls -la ~/.config && which git

test -f .env && echo there

[ -d migrations ] && ls migrations

if [ -f package.json ]; then npm ci; else echo none; fi

while read -r line; do echo "$line"; done < list.txt

export PATH="$HOME/bin:$PATH"; go version

timeout 60 go test ./... | tee /tmp/log

FOO=bar ./scripts/build.sh --release

ps aux | grep node | awk '{print $2}' | xargs kill

ssh host uptime

tar czf /tmp/src.tgz src

tar xzf a.tgz -C /tmp/x

touch src/x && chmod +x scripts/*.sh

make deploy-docs

time go build ./...

jq '.scripts' package.json

git ls-files migrations | wc -l

psql -c 'select 1'

x=$(git rev-parse HEAD); echo "$x"

trap 'rm -rf "$tmp"' EXIT; tmp=$(mktemp -d)

tmp=$(mktemp -d) && cd "$tmp" && git init -q && rm -rf *

cd /tmp/scratch && rm -rf * && cp -r /p/src .

git add migrations/1.sql && git diff --cached

find . -type d -name node_modules -prune -exec rm -rf {} +

npx prettier --check . && npx eslint src

docker exec web ls /app

git worktree add ../x main`

// typicalRules forbid what people forbid.
const typicalRules = `deny command git push (-f|--force|+*)
deny command git push ** (main|*:main)
deny command git commit (-n|--no-verify)
deny command git reset --hard
ask  command terraform (apply|destroy)
ask  command (make|just|task|rake|fly|vercel|netlify|firebase|serverless|wrangler|cdk|kamal) deploy
ask  command (npm|pnpm|yarn|bun) ** (deploy|deploy:*)
deny command sudo
ask  command (npm|pnpm|yarn|bun) (add|i|install) *
deny command npm publish
deny edit migrations/**
deny edit *.pb.go
deny edit package-lock.json
deny read .env
deny read ~/.ssh/**`

func TestOrdinaryWorkIsLeftAlone(t *testing.T) {
	rules := rulesOf(t, typicalRules)
	list := strings.Split(ordinary, "\n\n")
	for _, text := range list {
		if v := decided(rules, text); v.Action != NoOpinion {
			t.Errorf("%s\n%s", text, v.Reason)
		}
	}
	if t.Logf("n=%d", len(list)); len(list) < 80 {
		t.Errorf("only %d commands", len(list))
	}
}
