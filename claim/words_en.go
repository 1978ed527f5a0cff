package claim

// The words are data: a line each, read when the first text is compared. Words
// are met by stem, so one form does; "_" joins the words of a phrase, "=" what is
// another spelling of the same.

// classesEn lists alternatives: of one class only one can be chosen for one task.
// A line is the name of the class, the words that say what is chosen and so
// narrow nothing, and the alternatives. Where the name ends with "!", its
// alternatives are common words and count only beside such a word.
const classesEn = `
package manager | install installation package dependency module manager javascript js node command | npm pnpm yarn bun
python packages | install installation package dependency module manager python environment | pip poetry uv=astral_uv pipenv conda
js tests | test runner framework suite library write unit javascript js | jest vitest mocha jasmine ava
python tests | test runner framework suite library write python | pytest unittest nose
browser tests | test e2e browser end_to_end framework ui | playwright cypress selenium puppeteer testcafe
go assertions | test assertion library | testify gocheck gotest
linter | lint linter code style check | eslint biome oxlint tslint jshint standardjs
python linter | lint linter code style check | ruff flake8 pylint
formatter | format formatter code style formatting file | prettier biome dprint black yapf autopep8 clang-format gofumpt gofmt goimports rustfmt
type checker | type check checker checking | mypy pyright pyre
language checker | type check language source code | typescript=ts javascript=js flow
database | database store storage persistence data production engine relational | postgres=postgresql=pg mysql mariadb sqlite mongodb=mongo oracle cockroachdb dynamodb mssql=sql_server
test database! | database | real=actual=live in_memory mock=mocked fake=faked=stub
cache store | cache caching store | redis memcached valkey keydb
queue | queue message broker messaging event job | kafka rabbitmq nats sqs pulsar sidekiq celery
indentation | indent indentation code width style file character | tab=hard_tab space=whitespace
quotes! | quote quotation string literal mark style code | single=single-quoted double=double-quoted
branch! | branch trunk default base pr merge pull_request | main master develop trunk dev
merge strategy! | merge pr strategy branch history feature | squash=squash_merge rebase=rebase_merge merge_commit=no-ff fast-forward=fast_forward
merge method | merge pr strategy branch history feature | squash-merge rebase-merge
commit style! | commit message style format convention | conventional=conventional_commit gitmoji free-form=freeform angular
case | case naming name identifier variable function file style convention | camelcase=camel_case snakecase=snake_case kebabcase=kebab_case pascalcase=pascal_case
build tool | build tool bundler bundle project | webpack vite rollup esbuild parcel turbopack
java build | build tool project | maven=mvn gradle
ci | ci pipeline provider server system build host | github_actions gitlab_ci circleci jenkins travis buildkite teamcity azure_pipelines
deployment | deploy deployment orchestration tool release | helm kustomize terraform pulumi ansible
containers | container image engine runtime build | docker podman containerd buildah
cloud | cloud provider host hosting infrastructure run | aws gcp=google_cloud azure hetzner digitalocean fly.io heroku
web framework | framework frontend ui web component | react vue angular svelte solid
python web | framework web api backend python | django flask fastapi
styling | css style styling component | tailwind=tailwindcss bootstrap sass styled-components css_modules
state | state management store | redux zustand mobx recoil pinia vuex
orm | orm query database model | prisma typeorm sequelize drizzle sqlalchemy gorm sqlc
api | api style interface endpoint protocol | rest=restful graphql grpc soap
wire format | format serialization payload config configuration file response | json yaml=yml toml xml protobuf ini
time zone | time timezone zone timestamp date clock | utc local_time=local_timezone kyiv_time
date format | date timestamp time format string second number integer store stored field | iso_8601=iso8601=iso-8601=rfc_3339=rfc3339 unix_timestamp=unix_time=unix_second=unix_epoch=epoch_second=epoch=unix_millisecond
logging | log logging logger library structured | slog zap zerolog logrus pino winston loguru structlog log4j
log format! | log logging format output | json text plain_text structured unstructured
log level! | log level logging verbosity default | debug info warn=warning error trace
error handling! | error handling handle failure return style | exception=throw=raise result=result_type=error_value wrap panic
language | language write answer reply speak comment | english ukrainian german polish french spanish russian italian
version control | version control vcs repository | git mercurial=hg svn=subversion
editor | editor ide | vscode=vs_code vim=neovim emacs intellij goland webstorm pycharm zed
shell | shell script scripting | bash zsh fish powershell
tracker | issue ticket tracker bug track task file report | jira linear trello youtrack asana github_issue
chat | chat message announce channel team | slack discord telegram teams mattermost
docs | docs documentation wiki keep | confluence notion wiki google_docs
spelling | spelling english | american=us british=uk
access | access visibility repository endpoint bucket package | public private internal
sync | call api handler operation processing | synchronous=sync asynchronous=async
automation | manually=manual=by_hand automatically=automatic=auto=automated
paths | path import link | relative absolute
number | name table naming plural | singular plural
letters | letter case keyword sql | uppercase=upper_case lowercase=lower_case
sort | order sort sorting | ascending=asc descending=desc
ids | id identifier key primary | uuid=uuidv4 uuidv7 ulid autoincrement=serial
line endings | line ending eol file | lf=unix_line_ending crlf=windows_line_ending
test doubles! | test double dependency service external client unit | mock=mocked fake=faked stub real
architecture | architecture service design structure | monolith microservice serverless
repo layout | repository layout repo structure | monorepo polyrepo=multirepo
imports | import style export module | named default
exports | module system import | esm=es_module commonjs=cjs
auth | auth authentication session login token | jwt=json_web_token cookie=session_cookie=cookies=session_cookies=session oauth saml api_key basic_auth
units | unit measure measurement distance length temperature | metric imperial celsius fahrenheit
release style | version versioning release scheme number tag | semver=semantic_versioning calver=calendar_versioning
migration tool | migration schema database tool | flyway liquibase goose golang-alembic atlas
monitoring | monitoring metric observability | prometheus datadog grafana newrelic
encoding | encoding encode encoded file charset save text | utf-8=utf8=utf_8 latin-1=latin1=iso-8859-1 utf-16=utf16 ascii cp1251=windows-1251
theme | theme mode scheme color colour | dark light
removal! | delete removal mode deletion | soft=soft_delete hard=hard_delete
protocol | protocol transport communicate talk speak | http grpc=grpc websocket=websockets mqtt amqp tcp udp
scheme | protocol url scheme link | http https
frequency | frequency cadence schedule interval period run often happen regularly | hourly=every_hour daily=every_day=nightly=every_night weekly=every_week biweekly=fortnightly monthly=every_month quarterly=every_quarter yearly=annually=every_year
colour | color colour show paint display background | red orange blue green yellow purple black white grey=gray pink
licence | license licensed project code open | mit=mit_license apache=apache-2.0=apache2 gpl=gpl-3.0=gplv3 bsd mpl=mpl-2.0 agpl unlicense
length of answers | answer reply response explanation style | short=brief=concise=terse detailed=verbose=lengthy
strictness | mode check | strict lenient=loose=relaxed
position | place position side | left right
side | place position | top bottom
binding | binding loading evaluation | eager=eagerly lazy=lazily
shape | structure layout | flat nested
mutability | state value field | mutable immutable
sharing | instance database account | shared dedicated=separate
day part | time run happen | morning evening night noon
clock face! | clock time format | 12-hour=am/pm 24-hour
case sensitivity | match matching compare comparison search | case-sensitive case-insensitive
scope of test! | test | unit integration
build kind! | build image | debug release
order of fields! | order sort field column | alphabetical chronological
visibility | member field method | exported unexported
rounding | round rounding | floor=down ceil=up
channel | release channel | stable beta nightly_build canary
blocking | call io | blocking nonblocking=non-blocking
tense | mood message subject tense | imperative past_tense present_tense
`

// conceptsEn lists words that mean the same in the talk of a project; the first
// names them.
const conceptsEn = `
test spec testing test_runner
db database datastore
repository repo
config configuration
documentation docs doc
directory folder dir path
dependency dep deps
pr prs pull_request merge_request mr mrs pull-request
environment env
deploy deployment rollout
release ship shipment publish launch
owner contact owned ownership responsible maintainer maintain maintained lead charge
reviewer review reviewed approve approval approver approved
deadline due due_date cutoff
timeout time_out timed_out times_out timing_out
retry attempt reattempt
maximum max limit cap limited most no_more not_more no_longer_than
minimum min least no_less not_less no_fewer
port
version release_version
variable var
function func fn method
parameter param argument arg
message msg
authentication auth authn authenticate authenticated
indent indentation indented
error failure
delete remove drop erase
create add introduce
change edit modify alter touch
begin start
finish end
build compile compilation
lint linter linting
format formatter formatting reformat
name call named naming
error err
commit checkin committed
secret credential
picture image
command cmd
interval frequency period
customer client
fix repair patch bugfix
quick fast
bug defect
api rest_api
line row
character char column
comment remark
frontend front_end
quote quotation quoted
fetch retrieve
staging stage
language lang
coverage covered test_coverage code_coverage
length long 
user_name username
host hostname address url
database_schema schema
threshold
size
keep_alive keepalive
lifetime duration expire expires expiry expiration expired ttl lifespan
otherwise else
announce announcement announced
install installation
document documented
validate validation
generate generator generation generated
license licence licensed licensing
encrypt encryption
monitor monitoring
translate translation
notify notification
file_upload upload
standup stand_up
backup back_up
staff employee
see view look
vanish disappear lost
whole entire
switch toggle
older elder
explain explanation
understand know
approval approvals
`

// weakEn lists what a statement can say more without being about another thing.
const weakEn = `project codebase code app application repo repository service server system everyone everybody team teams developer developers engineer agent claude
default defaults current standard official convention rule policy guideline set setting settings configured configure configuring setup listen listens listening
serve serves served bind binds bound run expose exposed exposes reach reachable available accessible  store stored stores kept place placed sit sits reside resides
belong belongs found put go goes come comes happen occur take takes expect expected expects require requires remember note ensure sure make directly explicitly
everywhere anywhere generally normally typical typically officially instead stick adopt adopted adopting choose chosen choice pick picked select selected standardise standardize standardised standardized rely switch switched
switching moved move settled settle decide decided agreed agree enable enabled allow allows allowed permit permitted permits accepted acceptable okay ok fine support supported thing way approach
option preferred preference recommend recommended recommends favor favour favoured favored written write writes handled handle done perform performed execute executed executes apply applied applies given
value number equals equal today scheduled schedule latest whatever own really actually point perfectly good idea bad matter reason purpose case
contact person people ask target targets upcoming next following via through per time times no-one somebody someone behalf name named called located location day date
reminder remember rule tip warning important attention fyi hint heads-up policy decision reminded hold held file filed files meet meets get gets gives track tracked come comes from
at-all enough last lasts lasting style convention pattern mode kind sort part tell told ask asked mention character char please kindly people default-of usual ordinary whole manage managed manager
find finds upgrade upgraded pin pinned activate activated active contain contains contained include includes included present starts begin begins finish threshold above below beyond within least upto stays stay remains remain maintain tool library framework default-value effective effectively henceforth onwards forward onward
`

// attributesEn lists what a thing has: that two statements speak of a port does
// not yet make them speak of one port.
const attributesEn = `port timeout version branch owner reviewer host deadline maximum minimum path directory count length size key address
interval threshold coverage language format retry name level region zone command limit id tag budget password token database width depth delay capacity memory quota
rate ttl age duration prefix suffix extension style strategy line character second minute hour day week month space tab color colour`

// settledEn lists attributes that one thing has one of, so that another word for
// it, and not only another number, can't hold as well.
const settledEn = `maximum minimum owner reviewer host branch language deadline directory path region zone name format style command color colour prefix suffix extension
level tool library framework strategy license lead`

// verbsEn are verbs that begin a rule and name no matter of their own: what
// follows one is its object, and not narrowed by it.
const verbsEn = `add allow announce append ask avoid be begin call check choose configure create define describe display do document emit enforce ensure fetch follow
generate give handle have hide implement include insert introduce invoke issue keep leave let list load make manage mark name open paint perform pick place post prefer
print process produce provide publish pull push put raise reach read record release render report require return run save send serve set ship show sign specify start store
submit support take tell throw track treat trigger turn update upload use validate wait wrap write introduce permit mention edit raise accept build`
