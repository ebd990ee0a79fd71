// What /v1 claims to speak, spoken by libraries that know nothing of it.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { createServer, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import * as oauth from 'oauth4webapi'
import { Webhook } from 'standardwebhooks'
import { parseList } from 'structured-headers'
import { startDemo } from './demo.mjs'

const plain = { [oauth.allowInsecureRequests]: true }
let demo, as, client, auth, token

before(async () => {
  demo = await startDemo()
  const issuer = new URL(new URL(demo.base_url).origin)
  const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...plain })
  as = await oauth.processDiscoveryResponse(issuer, found)
  client = { client_id: demo.clients.production.client_id }
  auth = oauth.ClientSecretBasic(demo.clients.production.client_secret)
  token = await grant()
})

after(() => demo?.stop())

async function grant (scope) {
  const parameters = new URLSearchParams(scope ? { scope } : {})
  const answer = await oauth.clientCredentialsGrantRequest(as, client, auth, parameters, plain)
  return (await oauth.processClientCredentialsResponse(as, client, answer)).access_token
}

const call = (method, path, body, headers = {}) => fetch(demo.base_url + path, {
  method,
  headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
  body: body && JSON.stringify(body)
})

const made = async answer => {
  const body = await answer.json()
  assert.ok(answer.ok, JSON.stringify(body))
  return body
}

test('oauth4webapi: discovery, token, call, revocation, and the challenge behind it', async () => {
  const resource = new URL(demo.base_url)
  const told = await oauth.processResourceDiscoveryResponse(resource, await oauth.resourceDiscoveryRequest(resource, plain))
  assert.deepEqual(told.authorization_servers, [as.issuer])
  assert.match(client.client_id, /_/) // which this client percent-encodes for Basic
  const mine = await grant('properties:read')
  const url = new URL(demo.base_url + '/properties')
  const answer = await oauth.protectedResourceRequest(mine, 'GET', url, undefined, undefined, plain)
  assert.equal(answer.status, 200)
  await oauth.processRevocationResponse(await oauth.revocationRequest(as, client, auth, mine, plain))
  await assert.rejects(oauth.protectedResourceRequest(mine, 'GET', url, undefined, undefined, plain), refused => {
    const [challenge] = refused.cause
    assert.equal(challenge.scheme, 'bearer')
    assert.equal(challenge.parameters.error, 'invalid_token')
    assert.equal(challenge.parameters.realm, 'ostler')
    assert.equal(challenge.parameters.resource_metadata, new URL('/.well-known/oauth-protected-resource/v1', demo.base_url).href)
    return refused.status === 401
  })
})

test('structured-headers: both fields of the rate limit', async () => {
  const { headers } = await call('GET', '/rate-limit')
  const [[, policy]] = parseList(headers.get('ratelimit-policy'))
  const [[, state]] = parseList(headers.get('ratelimit'))
  assert.equal(policy.get('q'), 1000)
  assert.equal(policy.get('w'), 3600)
  assert.ok(state.get('r') < 1000 && state.get('t') <= 3600)
})

test('the seed: GET with a body, and four members in its answer', async () => {
  const night = days => new Date(Date.now() + days * 864e5).toISOString().slice(0, 10)
  const asked = { property_id: demo.property_id, check_in: night(200), check_out: night(201), room_type: 'standard' }
  const body = JSON.stringify(asked)
  const told = await new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': body.length }
    const sent = request(demo.base_url + '/availability', { method: 'GET', headers }, answer => {
      let text = ''
      answer.on('data', part => { text += part }).on('end', () => resolve(JSON.parse(text)))
    })
    sent.on('error', reject).end(body)
  })
  assert.deepEqual(Object.keys(told).sort(), ['available', 'property_id', 'rooms', 'status'])
  assert.equal(told.status, 'success')
  const again = await made(await call('GET', '/availability?' + new URLSearchParams(asked)))
  assert.deepEqual(again, told)
  const queried = await made(await call('QUERY', '/availability', asked))
  assert.deepEqual(queried, told)
})

test('one key, fifty requests at once, one guest', async () => {
  const body = { property_id: demo.property_id, first_name: 'Ada', last_name: 'Once' }
  const headers = { 'idempotency-key': 'fifty-at-once' }
  const answers = await Promise.all(Array.from({ length: 50 }, () => call('POST', '/guests', body, headers)))
  const ids = new Set()
  for (const answer of answers) {
    if (answer.status === 409) continue // still running
    ids.add((await made(answer)).id)
  }
  assert.equal(ids.size, 1)
  assert.equal((await call('POST', '/guests', { ...body, last_name: 'Other' }, headers)).status, 422)
})

test('standardwebhooks: the vector, and calls about what happens while the secret changes', async () => {
  const vector = new Webhook('whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=')
  const body = '{"type":"webhook.ping","timestamp":"2026-11-21T00:00:00Z","data":{}}'
  assert.equal(vector.sign('evt_01TEST', new Date(1795219200e3), body), 'v1,CS06OMsOl+a27PIx8ws3khQAd/COG53P/jDGUo2xqmM=')

  const heard = []
  const receiver = createServer((asked, answer) => {
    let text = ''
    asked.on('data', part => { text += part }).on('end', () => {
      heard.push({ headers: asked.headers, text })
      answer.writeHead(204).end()
    })
  })
  await new Promise(resolve => receiver.listen(0, '127.0.0.1', resolve))
  try {
    const url = `http://127.0.0.1:${receiver.address().port}/hooks`
    const endpoint = await made(await call('POST', '/webhook-endpoints', { url, event_types: ['guest.*'] }))
    const guest = last => call('POST', '/guests', { property_id: demo.property_id, last_name: last })
    const ping = () => call('POST', `/webhook-endpoints/${endpoint.id}/test`)
    const rotate = async hours => (await made(await call('POST', `/webhook-endpoints/${endpoint.id}/rotate-secret`, { overlap_hours: hours }))).secret
    // Has something happen, and looks whose signature the call bears that tells of it.
    const verify = async (happens, type, good, ended = []) => {
      const earlier = heard.length
      await made(await happens())
      for (let tries = 0; heard.length === earlier && tries < 600; tries++) await wait(100)
      const { text, headers } = heard[earlier]
      for (const secret of good) assert.equal(new Webhook(secret).verify(text, headers).type, type)
      for (const secret of ended) assert.throws(() => new Webhook(secret).verify(text, headers))
      assert.throws(() => new Webhook(good[0]).verify(text + ' ', headers))
    }
    const first = endpoint.secret
    await verify(() => guest('Before'), 'guest.created', [first])
    const second = await rotate(24)
    await verify(() => guest('Meanwhile'), 'guest.created', [first, second])
    await verify(ping, 'webhook.ping', [first, second])
    const third = await rotate(0)
    await verify(() => guest('Afterwards'), 'guest.created', [third], [first, second])
  } finally {
    receiver.close()
  }
})
