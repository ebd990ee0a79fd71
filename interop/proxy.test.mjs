// Prism as a validating proxy: what the tests of package api asked is asked again through
// it, the noted answers come back through it, and it may complain about neither.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Agent, createServer, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

const file = name => new URL(name, import.meta.url).pathname
const agent = new Agent({ keepAlive: true, maxSockets: 8 })
let exchanges, upstream, prism, address

const ids = /\/[a-z]{2,4}_[^/]+/g
const asked = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

// Prism's own client puts no body on a GET, its router knows no QUERY, and bodies that
// are no JSON, or are said to be in letters other than UTF-8, leave it without an answer;
// those are sent by curl and Node.js, and looked at by kin-openapi. Nor has it an answer for
// a body where the document has none, such as the empty object that many clients send; what
// is said to those is that test's own matter. It ends where it would complain of a member
// whose name a header cannot hold. What a kind of answer looks like is seen from
// a few of its kind.
const bodyWhereNoneIsTaken = x => x.Test === 'TestABodyWhereNoneIsTaken'
const namedBeyondHeaders = x => x.Status >= 400 && /[\u0100-\uffff]|\\u[0-9a-f]{4}/i.test(x.Body)
const otherLetters = header => /charset=(?!utf-8)/i.test(header['Content-Type']?.[0] ?? '')

function chosen (lines) {
  const kinds = new Map()
  return lines.map(line => JSON.parse(line)).filter(x => {
    if (x.Status === 418 || bodyWhereNoneIsTaken(x) || namedBeyondHeaders(x) || otherLetters(x.Header) || x.Answer.includes('"malformed_json"') || x.AnswerHeader.Sandbox || !asked.includes(x.Method) || (x.Body && x.Method === 'GET')) return false
    const path = x.URL.split('?')[0]
    const kind = [x.Test, x.Method, path.replace(ids, '/*'), x.Status].join(' ')
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    return path.startsWith('/v1') && kinds.get(kind) <= 3
  })
}

const ask = (port, { method, path, headers, body }) => new Promise((resolve, reject) => {
  const sent = request({ host: '127.0.0.1', port, method, path, headers, agent, timeout: 60_000 }, answer => {
    let text = ''
    answer.on('data', part => { text += part }).on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, text }))
  })
  sent.on('timeout', () => sent.destroy(new Error(`${method} ${path}: no answer`))).on('error', reject).end(body)
})

// Prism lists what is wrong in a header, or says there that it is too much for one.
function violations ({ headers }) {
  const said = headers['sl-violations'] ?? '[]'
  return said.startsWith('[') ? JSON.parse(said) : [{ message: said }]
}

before(async () => {
  exchanges = chosen(readFileSync(process.env.OSTLER_EXCHANGES, 'utf8').trim().split('\n'))
  upstream = createServer((asked, answer) => {
    asked.resume().on('end', () => {
      const x = exchanges[asked.headers['x-exchange']] ?? { Status: 404, AnswerHeader: {}, Answer: '' }
      answer.writeHead(x.Status, x.AnswerHeader).end(x.Answer)
    })
  })
  await new Promise(resolve => upstream.listen(0, '127.0.0.1', resolve))
  const spare = createServer()
  await new Promise(resolve => spare.listen(0, '127.0.0.1', resolve))
  address = spare.address().port
  await new Promise(resolve => spare.close(resolve))
  const args = ['proxy', file('../api/openapi.yaml'), `http://127.0.0.1:${upstream.address().port}/v1`, '--port', address, '--host', '127.0.0.1', '--verboseLevel', 'error']
  prism = spawn(file('node_modules/.bin/prism'), args, { stdio: ['ignore', 'ignore', 'inherit'] })
  for (let tries = 0; ; tries++) {
    const up = await ask(address, { method: 'GET', path: '/health' }).catch(() => null)
    if (up) break
    assert.ok(tries < 600 && prism.exitCode === null, 'Prism did not start')
    await wait(100)
  }
})

after(() => {
  prism?.kill()
  upstream?.close()
  agent.destroy()
})

test('Prism finds every request and every answer as documented', { timeout: 300_000 }, async t => {
  const wrong = new Map()
  let next = 0
  let looked = 0
  const complain = (x, what) => {
    const why = `Prism: ${x.Method} ${x.URL.split('?')[0].replace(ids, '/*')} ${x.Status}: ${what.replace(/\d+/g, 'N').trimEnd()}`
    wrong.set(why, (wrong.get(why) ?? 0) + 1)
  }
  const work = async () => {
    while (next < exchanges.length) {
      const at = next++
      const x = exchanges[at]
      const headers = Object.fromEntries(Object.entries(x.Header).map(([name, values]) => [name, values.join(', ')]))
      headers['x-exchange'] = at
      if (x.Method !== 'GET') headers['content-length'] = Buffer.byteLength(x.Body)
      // It gives no answer where what it complains of does not fit into a header.
      const told = await ask(address, { method: x.Method, path: x.URL.replace('/v1', ''), headers, body: x.Body })
        .catch(err => ({ status: 0, headers: { 'sl-violations': err.message } }))
      if (told.status === 404 && x.Status !== 404) {
        complain(x, 'no such route')
        continue
      }
      looked++
      for (const said of violations(told)) {
        // Of requests that were refused the answer alone counts.
        if (x.Status >= 300 && said.location?.[0] === 'request') continue
        complain(x, [...(said.location ?? []), said.message].join(' '))
      }
    }
  }
  await Promise.all(Array.from({ length: 8 }, work))
  t.diagnostic(`${looked} exchanges were looked at`)
  assert.ok(looked > 1000, `${looked} exchanges were looked at`)
  const known = readFileSync(file('known.txt'), 'utf8').split('\n').filter(line => line.startsWith('Prism: '))
  assert.deepEqual([...wrong.keys()].sort(), known.sort())
})
