// Asks a server through the TypeScript SDK in the folder SDK: what gov2_test.go does,
// in its order. BASE_URL and KEY say where and as whom, DREAMS whether there are any.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { pathToFileURL } from 'node:url';

const { default: Anthropic } = await import(pathToFileURL(process.env.SDK + '/index.mjs').href);
const client = new Anthropic({ baseURL: process.env.BASE_URL, apiKey: process.env.KEY });
const sha = (text) => createHash('sha256').update(text).digest('hex');

async function all(pages, of = (x) => x.id) {
  const out = [];
  for await (const x of pages) out.push(of(x));
  return out;
}

async function refused(call, status, type, name) {
  await assert.rejects(call, (e) => {
    assert.ok(e instanceof Anthropic.APIError, String(e));
    assert.equal(e.status, status);
    assert.equal(e.error.error.type, type);
    assert.match(e.requestID, /^req_/);
    if (name) assert.ok(e instanceof Anthropic[name], `${e.constructor.name}, want ${name}`);
    return true;
  });
}

async function stores() {
  const s = client.beta.memoryStores;
  const one = await s.create({ name: 'User Preferences', description: 'd', metadata: { a: '1' } });
  assert.deepEqual([one.name, one.description, one.metadata, one.type, one.archived_at], ['User Preferences', 'd', { a: '1' }, 'memory_store', null]);
  assert.deepEqual(await s.retrieve(one.id), one);
  const updated = await s.update(one.id, { name: 'n', metadata: { a: null, b: '2' } });
  assert.deepEqual([updated.name, updated.description, updated.metadata], ['n', 'd', { b: '2' }]);
  const ids = [one.id];
  for (let i = 0; i < 4; i++) ids.unshift((await s.create({ name: 'more' })).id);
  assert.deepEqual(await all(s.list({ limit: 2, 'created_at[gte]': one.created_at })), ids);
  assert.ok((await s.archive(one.id)).archived_at);
  assert.equal((await s.list()).data.length, 4);
  assert.equal((await s.list({ include_archived: true, betas: ['message-batches-2024-09-24'] })).data.length, 5);
  await refused(s.update(one.id, { name: 'x' }), 400, 'invalid_request_error', 'BadRequestError');
  assert.deepEqual(await s.delete(one.id), { id: one.id, type: 'memory_store_deleted' });
  await refused(s.retrieve(one.id), 404, 'not_found_error', 'NotFoundError');
  await refused(s.create({}), 400, 'invalid_request_error', 'BadRequestError');
  const stranger = new Anthropic({ baseURL: process.env.BASE_URL, apiKey: 'wrong' });
  await refused(stranger.beta.memoryStores.list(), 401, 'authentication_error', 'AuthenticationError');
  return ids[0];
}

async function memories(memory_store_id) {
  const m = client.beta.memoryStores.memories;
  const one = await m.create(memory_store_id, { path: '/p/a b+%é.md', content: 'x' });
  assert.deepEqual([one.path, one.content_sha256, one.content_size_bytes, one.content], ['/p/a b+%é.md', sha('x'), 1, null]);
  assert.equal((await m.retrieve(one.id, { memory_store_id })).content, 'x');
  const precondition = { type: 'content_sha256', content_sha256: sha('x') };
  const updated = await m.update(one.id, { memory_store_id, content: 'y', path: '/p/b.md', precondition, view: 'full' });
  assert.deepEqual([updated.content, updated.path, updated.id], ['y', '/p/b.md', one.id]);
  await refused(m.update(one.id, { memory_store_id, content: 'z', precondition }), 409, 'memory_precondition_failed_error', 'ConflictError');
  await refused(m.create(memory_store_id, { path: '/p/b.md', content: 'x' }), 409, 'memory_path_conflict_error', 'ConflictError');
  for (const path of ['/a', '/b', '/p/q/c', '/z']) await m.create(memory_store_id, { path, content: path, view: 'full' });
  assert.deepEqual(await all(m.list(memory_store_id, { limit: 2, view: 'full' }), (x) => x.path + '=' + x.content), ['/a=/a', '/b=/b', '/p/b.md=y', '/p/q/c=/p/q/c', '/z=/z']);
  assert.deepEqual(await all(m.list(memory_store_id, { path_prefix: '/p/', depth: 1 }), (x) => x.type + x.path), ['memory/p/b.md', 'memory_prefix/p/q/']);
  await refused(m.delete(one.id, { memory_store_id, expected_content_sha256: sha('x') }), 409, 'memory_precondition_failed_error', 'ConflictError');
  assert.deepEqual(await m.delete(one.id, { memory_store_id, expected_content_sha256: sha('y') }), { id: one.id, type: 'memory_deleted' });

  const v = client.beta.memoryStores.memoryVersions;
  const list = await all(v.list(memory_store_id, { memory_id: one.id, limit: 1 }), (x) => x);
  assert.deepEqual(list.map((x) => x.operation), ['deleted', 'modified', 'created']);
  const first = await v.retrieve(list[2].id, { memory_store_id });
  assert.equal(first.content, 'x');
  const created = await v.list(memory_store_id, { operation: 'created', api_key_id: first.created_by.api_key_id, view: 'full', 'created_at[gte]': first.created_at });
  assert.equal(created.data.length, 5);
  const redacted = await v.redact(first.id, { memory_store_id });
  assert.deepEqual([redacted.path, redacted.content, redacted.created_by], [null, null, first.created_by]);
  assert.ok(redacted.redacted_at);
  await refused(v.redact(created.data[0].id, { memory_store_id }), 400, 'invalid_request_error', 'BadRequestError');
}

async function agents() {
  const a = client.beta.agents;
  const agent = await a.create({ name: 'a', model: { id: 'claude-opus-5' }, system: 's' });
  const next = await a.update(agent.id, { name: 'b', version: 1 });
  assert.deepEqual([next.version, next.name, next.system], [2, 'b', 's']);
  await refused(a.update(agent.id, { name: 'c', version: 1 }), 409, 'invalid_request_error', 'ConflictError');
  assert.equal((await a.retrieve(agent.id, { version: 1 })).name, 'a');
  assert.equal((await a.list()).data.length, 1);
  assert.equal((await all(a.versions.list(agent.id, { limit: 1 }))).length, 2);
  const other = await a.create({ name: 'o', model: { id: 'm' } });
  assert.ok((await a.archive(other.id)).archived_at);
  const e = client.beta.environments;
  const env = await e.create({ name: 'e', config: { type: 'cloud' } });
  assert.equal((await e.update(env.id, { name: 'f' })).name, 'f');
  assert.equal((await e.retrieve(env.id)).name, 'f');
  const old = await e.create({ name: 'old', config: { type: 'self_hosted' } });
  await e.archive(old.id);
  assert.equal((await e.list({ include_archived: true })).data.length, 2);
  assert.equal((await e.delete(old.id)).id, old.id);
  return [agent.id, env.id];
}

const message = (text) => ({ type: 'user.message', content: [{ type: 'text', text }] });

async function sessions(memory_store_id) {
  const [agent, environment_id] = await agents();
  const s = client.beta.sessions;
  const one = await s.create({
    agent, environment_id, title: 't', metadata: { a: '1' }, initial_events: [message('zero')],
    resources: [{ type: 'memory_store', memory_store_id, access: 'read_only', instructions: 'i' }],
  });
  assert.deepEqual([one.status, one.title, one.agent.version, one.resources.length, one.resources[0].access], ['idle', 't', 2, 1, 'read_only']);
  assert.deepEqual(await s.retrieve(one.id), one);
  const updated = await s.update(one.id, { title: 'u', metadata: { a: null, b: '2' } });
  assert.deepEqual([updated.title, updated.metadata], ['u', { b: '2' }]);
  assert.equal((await s.resources.list(one.id)).data[0].memory_store_id, memory_store_id);
  assert.equal((await s.threads.list(one.id)).data.length, 0);
  await refused(s.threads.retrieve('sthr_none', { session_id: one.id }), 404, 'not_found_error', 'NotFoundError');
  await refused(s.resources.add(one.id, { type: 'file', file_id: 'file_x' }), 400, 'invalid_request_error', 'BadRequestError');
  await refused(s.resources.retrieve('sesrsc_none', { session_id: one.id }), 404, 'not_found_error', 'NotFoundError');
  await events(one.id);
  for (let i = 0; i < 2; i++) await s.create({ agent, environment_id });
  const ids = await all(s.list({ limit: 1, agent_id: agent, agent_version: 2, order: 'asc', statuses: ['idle', 'running'] }));
  assert.deepEqual([ids.length, ids[0]], [3, one.id]);
  assert.equal((await s.list({ memory_store_id })).data.length, 1);
  assert.ok((await s.archive(one.id)).archived_at);
  assert.deepEqual(await s.delete(one.id), { id: one.id, type: 'session_deleted' });
  await refused(s.events.list(one.id), 404, 'not_found_error', 'NotFoundError');
}

async function events(session) {
  const e = client.beta.sessions.events;
  const stream = await e.stream(session);
  for (const text of ['one', 'two']) assert.equal((await e.send(session, { events: [message(text)] })).data.length, 1);
  await e.send(session, { events: [{ type: 'user.interrupt' }] });
  const followed = [];
  for await (const x of stream) {
    followed.push(x.id);
    if (followed.length === 3) break;
  }
  const listed = await all(e.list(session, { limit: 1 }), (x) => x);
  assert.deepEqual(listed.filter((x) => x.type === 'user.message').map((x) => x.content[0].text), ['zero', 'one', 'two']);
  assert.deepEqual(followed, listed.slice(1).map((x) => x.id));
  const last = await e.list(session, { order: 'desc', types: ['user.message'] });
  assert.deepEqual([last.data.length, last.data[0].id], [3, listed[2].id]);
  await refused(e.send(session, { events: [] }), 400, 'invalid_request_error', 'BadRequestError');
}

async function dreams(memory_store_id) {
  const session = await client.beta.sessions.create({ agent: 'agent_x', environment_id: 'env_x', initial_events: [message('Please remember: we deploy on Mondays.')] });
  const d = client.beta.dreams;
  const one = await d.create({ model: 'rules', inputs: [{ type: 'memory_store', memory_store_id }, { type: 'sessions', session_ids: [session.id] }] });
  assert.deepEqual([one.status, one.model.id, one.inputs.length], ['pending', 'rules', 2]);
  let now = one;
  for (const end = Date.now() + 120_000; !now.ended_at && Date.now() < end; ) {
    await new Promise((next) => setTimeout(next, 50));
    now = await d.retrieve(one.id);
  }
  assert.deepEqual([now.status, now.outputs.length], ['completed', 1]);
  await refused(d.cancel(one.id), 400, 'invalid_request_error', 'BadRequestError');
  assert.ok((await d.archive(one.id)).archived_at);
  assert.deepEqual(await all(d.list({ limit: 1, include_archived: true, statuses: ['completed'] })), [one.id]);
}

const store = await stores();
await memories(store);
await sessions(store);
if (process.env.DREAMS) await dreams(store);
