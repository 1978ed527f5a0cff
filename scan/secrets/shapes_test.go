package secrets

import (
	"encoding/base64"
	"math/rand/v2"
	"strings"
)

const (
	lowers = "abcdefghijklmnopqrstuvwxyz"
	digits = "0123456789"
	hexes  = digits + "abcdef"
	caps   = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	alnum  = lowers + caps + digits
	b64    = alnum + "+/"
	url64  = alnum + "-_"
)

// A shape is one form that a credential takes: before + secret + after. None of
// them stands in this repository: they are put together here, the same at every
// run.
type shape struct {
	name                  string
	before, secret, after string
}

func shapes(seed uint64) []shape {
	r := rand.New(rand.NewPCG(seed, 7))
	gen := func(n int, from string) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = from[r.IntN(len(from))]
		}
		if strings.Contains(from, digits) && n >= 10 {
			b[n/3] = '7' // one in 200 has no digit and would be another test
		}
		return string(b)
	}
	lines := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(gen(64, b64) + "\n")
		}
		return b.String() + gen(30, b64) + "=="
	}
	pem := func(kind string) string { return "-----BEGIN " + kind + "PRIVATE KEY-----\n" }
	var list []shape
	add := func(name, before, secret, after string) {
		list = append(list, shape{name, before, secret, after})
	}
	token := func(name string, parts ...string) { add(name, "", strings.Join(parts, ""), "") }
	jwt := func() string {
		part := func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }
		return part(`{"alg":"HS256","typ":"JWT"}`) + "." + part(`{"sub":"1842","name":"Ada","iat":1516239022}`) + "." + gen(43, url64)
	}

	token("GitHub personal access token", "gh", "p_", gen(36, alnum))
	token("GitHub OAuth token", "gh", "o_", gen(36, alnum))
	token("GitHub app token", "gh", "s_", gen(36, alnum))
	token("GitHub refresh token", "gh", "r_", gen(36, alnum))
	token("GitHub fine-grained token", "github", "_pat_", gen(22, alnum), "_", gen(59, alnum))
	token("GitLab personal access token", "gl", "pat-", gen(20, alnum))
	token("GitLab runner token", "gl", "rt-", gen(20, alnum))
	token("AWS access key id", "AK", "IA", gen(16, caps+"234567"))
	token("Slack bot token", "xo", "xb-", gen(12, digits), "-", gen(12, digits), "-", gen(24, alnum))
	token("Slack user token", "xo", "xp-", gen(12, digits), "-", gen(12, digits), "-", gen(12, digits), "-", gen(32, hexes))
	token("Slack webhook", "hooks.slack", ".com/services/", "T", gen(10, caps+digits), "/B", gen(10, caps+digits), "/", gen(24, alnum))
	token("Stripe live key", "sk", "_live_", gen(24, alnum))
	token("Stripe restricted key", "rk", "_live_", gen(24, alnum))
	token("Stripe webhook secret", "wh", "sec_", gen(32, alnum))
	token("npm token", "np", "m_", gen(36, alnum))
	token("PyPI token", "pypi-", "AgEIcHlwaS5vcmc", gen(80, url64))
	token("Google API key", "AI", "za", gen(35, url64))
	token("Google OAuth client secret", "GOC", "SPX-", gen(28, alnum))
	token("Google OAuth access token", "ya", "29.", gen(80, url64))
	token("OpenAI project key", "sk-", "proj-", gen(60, alnum))
	token("OpenAI old key", "s", "k-", gen(48, alnum))
	token("Anthropic key", "sk-", "ant-api03-", gen(93, alnum), "AA")
	token("Anthropic OAuth token", "sk-", "ant-oat01-", gen(93, alnum), "AA")
	token("OpenRouter key", "sk-", "or-v1-", gen(64, hexes))
	token("Hugging Face token", "h", "f_", gen(34, alnum))
	token("Groq key", "gs", "k_", gen(52, alnum))
	token("Replicate token", "r", "8_", gen(37, alnum))
	token("DigitalOcean token", "do", "p_v1_", gen(64, hexes))
	token("Docker Hub token", "dckr", "_pat_", gen(27, alnum))
	token("SendGrid key", "S", "G.", gen(22, alnum), ".", gen(43, alnum))
	token("Shopify token", "sh", "pat_", gen(32, hexes))
	token("Databricks token", "da", "pi", gen(32, hexes))
	token("Linear key", "lin", "_api_", gen(40, alnum))
	token("Notion token", "nt", "n_", gen(11, digits), gen(35, alnum))
	token("Postman key", "PM", "AK-", gen(24, hexes), "-", gen(34, hexes))
	token("Pulumi token", "pu", "l-", gen(40, hexes))
	token("Vault token", "hv", "s.", gen(95, alnum))
	token("Terraform token", gen(14, alnum), ".atlas", "v1.", gen(64, alnum))
	token("Grafana token", "gl", "sa_", gen(32, alnum), "_", gen(8, hexes))
	token("Sentry user token", "snt", "ryu_", gen(64, hexes))
	token("Tailscale key", "ts", "key-auth-", gen(16, alnum), "-", gen(32, alnum))
	token("age secret key", "AGE-SECRET", "-KEY-1", gen(58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"))
	token("JSON Web Token", jwt())
	token("Telegram bot token", gen(9, "123456789"), ":", "AA", gen(33, alnum))
	token("Twilio key", "S", "K", gen(32, hexes))
	token("1Password secret key", "A3", "-", gen(6, caps+digits), "-", gen(11, caps+digits), "-", gen(5, caps+digits), "-", gen(5, caps+digits), "-", gen(5, caps+digits))
	token("Discord webhook", "discord", ".com/api/webhooks/", "1", gen(18, digits), "/", gen(68, alnum))
	token("Figma token", "fi", "gd_", gen(40, alnum))
	token("PlanetScale password", "pscale", "_pw_", gen(43, alnum))
	token("Age of a longer GitHub token", "gh", "p_", gen(52, alnum))

	add("AWS secret access key", "AWS_SECRET_ACCESS_KEY=", gen(40, b64), "")
	add("Datadog key", "DATADOG_API_KEY=", gen(40, lowers+digits), "")
	add("Cloudflare key", "cloudflare api key: ", gen(40, lowers+digits), "")
	add("Heroku key", "HEROKU_API_KEY=", gen(8, hexes)+"-"+gen(4, hexes)+"-"+gen(4, hexes)+"-"+gen(4, hexes)+"-"+gen(12, hexes), "")
	add("Twitter secret", "twitter_secret = ", gen(50, alnum), "")
	add("Mailgun key", "mailgun_token: ", "key"+"-"+gen(32, hexes), "")
	add("Algolia admin key", "ALGOLIA_ADMIN_KEY=", gen(32, hexes), "")
	add("password of PostgreSQL in a URL", "postgres:"+"//svc:", gen(14, alnum), "@db.internal:5432/app")
	add("password of Redis in a URL", "redis:"+"//:", gen(16, alnum), "@cache.internal:6379/0")
	add("token in a git remote", "https:"+"//bot:", gen(24, alnum), "@git.internal/team/app.git")
	add("password of MongoDB with signs in a URL", "mongodb+srv:"+"//app:", "q"+gen(8, alnum)+"!$x", "@cluster0.mongo.internal/x")
	add("password with a colon", "password"+": ", "Kestrel"+"-"+gen(4, digits), "")
	add("password in an env file", "DB_PASSWORD"+"=", gen(12, alnum), "")
	add("password in JSON", `"password"`+`: "`, gen(12, alnum), `"`)
	add("password in a sentence", "the password for the lab machine is"+" ", "hunter"+"42x", "")
	add("password in backticks in a sentence", "the admin password is"+" `", "tulip"+"Garden", "`")
	add("password as an option", "mysql -h db --password"+"=", gen(10, alnum), " -e 'select 1'")
	add("password as an option with a space", "deploy --password"+" ", gen(10, alnum), " --now")
	add("German password", "Das Passwort"+" lautet ", "Winter"+"2031!", "")
	add("passphrase", "pass"+"phrase: \"", "correct horse battery staple", "\"")
	add("PEM key", "", pem("RSA ")+lines(12)+"\n-----END RSA PRIVATE KEY-----", "")
	add("PKCS 8 key in JSON", `"private_key": "`, strings.ReplaceAll(pem("")+lines(10)+"\n-----END PRIVATE KEY-----", "\n", `\n`), `\n"`)
	add("cut PEM key", "", pem("EC ")+gen(64, b64)+"\n"+gen(64, b64)+"\n"+gen(24, b64), "")
	add("SSH key", "", pem("OPENSSH ")+"b3BlbnNzaC1r"+"ZXktdjEA"+gen(50, b64)+"\n"+lines(5)+"\n-----END OPENSSH PRIVATE KEY-----", "")
	add("SSH key without its first line", "", "b3BlbnNzaC1r"+"ZXktdjEA"+gen(50, b64)+"\n"+lines(3), "")
	add("PGP key", "", "-----BEGIN PGP "+"PRIVATE KEY BLOCK-----\n\n"+lines(9)+"\n-----END PGP PRIVATE KEY BLOCK-----", "")
	add("Azure SAS", "https://acct.blob.core.windows.net/c?sv=2022-11-02&se=2031-01-01&sp=r&sig"+"=", gen(43, alnum)+"%3D", "")
	add("Azure storage key", "DefaultEndpointsProtocol=https;AccountName=acct;AccountKey"+"=", gen(86, b64)+"==", ";EndpointSuffix=core.windows.net")
	add("basic auth header", "Authorization: "+"Basic ", base64.StdEncoding.EncodeToString([]byte("svc:"+gen(12, alnum))), "")
	add("bearer header", "Authorization: "+"Bearer ", gen(40, alnum), "")
	add("token header", "Authorization: "+"Token ", gen(40, hexes), "")
	add("API key header", "X-Api-Key"+": ", gen(32, alnum), "")
	add("PHP session cookie", "Cookie: theme=dark; PHPSESSID"+"=", gen(26, lowers+digits), "; lang=en")
	add("session cookie", "Set-Cookie: session"+"=", gen(44, url64), "; HttpOnly")
	add("user and password of curl", "curl -sS -u"+" svc:", gen(14, alnum), " https://repo.internal/x")
	add("secret of a one-time password", "otpauth:"+"//totp/Acme:ada?issuer=Acme&secret=", gen(32, caps+"234567"), "")
	add("generic API key", "ACME_API_KEY"+"=", gen(32, alnum), "")
	add("generic client secret", "client_secret"+": \"", gen(40, alnum), "\"")
	add("generic token in a sentence", "the deploy token is"+" ", gen(32, alnum), "")
	add("generic key in bold", "**API key:**"+" ", gen(32, alnum), "")
	add("WireGuard key", "PrivateKey"+" = ", gen(43, alnum)+"=", "")
	add("Kubernetes secret", "kind: Secret\nmetadata:\n  name: db\ndata:\n  url: ", base64.StdEncoding.EncodeToString([]byte(gen(18, alnum))), "\n")
	return append(list, written(gen)...)
}

// written are forms from what people write, with a password that could be one of
// theirs.
func written(gen func(int, string) string) []shape {
	pw := "Zeb" + "ra" + gen(4, digits)
	strong := pw + "!"
	forms := []string{
		"pw: %s", "root pw is %s", "login: admin / %!", "credentials: admin:%!", "user admin, pass %!", "PGPASS" + "WORD=%s psql -h db", "mysql -u root -p%s app", "sshpass -p '%s' ssh h",
		"machine git.internal login bob password %s", "docker login -u bob -p %s registry.internal", "password (staging): %s", "| admin | password | %s |", "set the DB password to %s",
		"(password: %s)", "smtp_pass=%s", "{\"user\":\"a\",\"pass\":\"%s\"}", "MYSQL_ROOT_PASSWORD: %s", "requirepass %s", "temp password %! for the vpn", "KEYSTORE_PASSWORD %s",
		"Server=db;User Id=sa;Password=%!;Encrypt=true", "ftp://deploy:%s@files.internal/", "spring.datasource.password=%s", "(pw %s)", "snowflake pwd='%!'",
		"user postmaster, password \"%s\"",
	}
	var list []shape
	for _, form := range forms {
		secret := pw
		before, after, ok := strings.Cut(form, "%s")
		if !ok {
			secret = strong
			before, after, _ = strings.Cut(form, "%!")
		}
		list = append(list, shape{"a password written " + form, before, secret, after})
	}
	return list
}

// surroundings are where a credential stands in a note; %s is its place.
func surroundings() map[string]string {
	return map[string]string{
		"prose":        "On Tuesday the staging run failed until we used %s, after that it went through.\nAsk the platform team before changing it.\n",
		"front matter": "---\nname: deploy-notes\ndescription: how the staging deploy works\nmetadata:\n  type: project\n  detail: %s\n---\n\nThe deploy takes four minutes.\n",
		"shell line":   "To try it again:\n\n    $ cd app && ./run.sh %s\n\nThen look at the log.\n",
	}
}
