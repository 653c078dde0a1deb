import { request } from 'node:http'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startStack } from '../support/local-stack.ts'
import { demoStack } from '../support/shared-stack.ts'

/** What a web page can reach of a laptop that runs the product, once the page's own name points to 127.0.0.1. */

const stack = await demoStack()

/** Every address that the product listens at. */
async function listListeners(): Promise<[string, string][]> {
  const addresses = Object.entries({ ...(await stack.endpoints()), front: stack.origin })
  return addresses.flatMap(([name, value]) =>
    typeof value === 'string' && value.startsWith('http') ? [[name, value] as [string, string]] : [],
  )
}

const ask = (address: string, headers: Record<string, string>, method = 'POST') =>
  new Promise<{ status: number | undefined; headers: object; text: string }>((resolve, reject) => {
    const outgoing = request(address, { method, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, text }))
    })
    outgoing.on('error', reject)
    outgoing.end(method === 'POST' ? '{}' : undefined)
  })

it('a page that rebinds a name to 127.0.0.1 gets nothing from any listener (M6)', async () => {
  const all = await listListeners()
  expect(all.map(([name]) => name).toSorted()).toEqual(
    expect.arrayContaining([
      'cognito',
      'dynamodb',
      'front',
      'identityProvider',
      'model',
      'providers',
      's3',
      'secrets',
    ]),
  )
  for (const [name, address] of all)
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const host = `rebound.evil.example:${new URL(address).port}`
      const answer = await ask(address, { host, origin: `http://${host}` }, method)
      expect([name, method, answer.status]).toEqual([name, method, 403])
      expect(answer.text).toContain('foreign_host')
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
    }
})

it.each([
  ['dynamodb', 'DynamoDB_20120810.Scan'],
  ['secrets', 'secretsmanager.GetSecretValue'],
  ['cognito', 'AWSCognitoIdentityProviderService.AdminSetUserPassword'],
] as const)('a forged signature gets nothing from a running product (M6): %s', async (name, target) => {
  const { [name]: address } = await stack.endpoints()
  for (const authorization of ['AWS4-HMAC-SHA256 anything', undefined]) {
    const answer = await ask(address, {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': target,
      ...(authorization !== undefined && { authorization }),
    })
    expect(answer.status).toBe(400)
    expect(answer.text).toMatch(/IncompleteSignatureException|MissingAuthenticationTokenException/)
  }
})

it('the demo model answers nobody without the key of this start (M6)', async () => {
  const { model = '', modelKey } = await stack.endpoints()
  for (const authorization of [undefined, 'Bearer none', 'Bearer ']) {
    const answer = await fetch(
      `${model}/models`,
      authorization === undefined ? {} : { headers: { authorization } },
    )
    expect(answer.status).toBe(401)
  }
  const headers = { authorization: `Bearer ${modelKey}` }
  expect((await fetch(`${model}/models`, { headers })).status).toBe(200)
})

it('another page of this machine may not call the user pool, the product’s own page may (M6)', async () => {
  const { cognito } = await stack.endpoints()
  const readAllowedOrigin = async (origin: string) => {
    const answer = await fetch(cognito, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    })
    return answer.headers.get('access-control-allow-origin')
  }
  expect(await readAllowedOrigin('http://localhost:3000')).toBeNull()
  expect(await readAllowedOrigin(stack.origin)).toBe(stack.origin)
})

it(
  'credentials are new at each start, and only the owner of the data folder can read them (M6)',
  { tags: 'long' },
  async () => {
    const own = await startStack()
    onTestFinished(() => own.stop())
    const before = (await own.endpoints()).credentials
    const file = join(own.dataDir, 'endpoints.json')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const user = await own.newUser()
    await own.restart()
    const after = (await own.endpoints()).credentials
    expect(after.accessKeyId).not.toBe(before.accessKeyId)
    expect(after.secretAccessKey).not.toBe(before.secretAccessKey)
    expect((await user.call('sessions.list', {})).sessions).toEqual([])
  },
)
