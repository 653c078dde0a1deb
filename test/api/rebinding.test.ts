/** @module-tag long */
import { request } from 'node:http'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startStack } from '../support/local-stack.ts'
import { demoStack } from '../support/shared-stack.ts'

// what a web page can reach of a laptop that runs the product, once the page's own name points to 127.0.0.1

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
  const listeners = await listListeners()
  expect(listeners.map(([name]) => name).toSorted()).toEqual(
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
  for (const [name, address] of listeners)
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const host = `rebound.evil.example:${new URL(address).port}`
      const response = await ask(address, { host, origin: `http://${host}` }, method)
      expect([name, method, response.status]).toEqual([name, method, 403])
      expect(response.text).toContain('foreign_host')
      expect(response.headers).not.toHaveProperty('access-control-allow-origin')
    }
})

it.each([
  ['dynamodb', 'DynamoDB_20120810.Scan'],
  ['secrets', 'secretsmanager.GetSecretValue'],
  ['cognito', 'AWSCognitoIdentityProviderService.AdminSetUserPassword'],
] as const)('a forged signature gets nothing from a running product (M6): %s', async (name, target) => {
  const { [name]: address } = await stack.endpoints()
  for (const authorization of ['AWS4-HMAC-SHA256 anything', undefined]) {
    const response = await ask(address, {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': target,
      ...(authorization !== undefined && { authorization }),
    })
    expect(response.status).toBe(400)
    expect(response.text).toMatch(/IncompleteSignatureException|MissingAuthenticationTokenException/)
  }
})

it('the demo model answers nobody without the key of this start (M6)', async () => {
  const { model = '', modelKey } = await stack.endpoints()
  for (const authorization of [undefined, 'Bearer none', 'Bearer ']) {
    const response = await fetch(
      `${model}/models`,
      authorization === undefined ? {} : { headers: { authorization } },
    )
    expect(response.status).toBe(401)
  }
  const headers = { authorization: `Bearer ${modelKey}` }
  expect((await fetch(`${model}/models`, { headers })).status).toBe(200)
})

it('another page of this machine may not call the user pool, the product’s own page may (M6)', async () => {
  const { cognito } = await stack.endpoints()
  const readAllowedOrigin = async (origin: string) => {
    const response = await fetch(cognito, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    })
    return response.headers.get('access-control-allow-origin')
  }
  expect(await readAllowedOrigin('http://localhost:3000')).toBeNull()
  expect(await readAllowedOrigin(stack.origin)).toBe(stack.origin)
})

it(
  'credentials are new at each start, and only the owner of the data folder can read them (M6)',
  { tags: 'trial' },
  async () => {
    const ownStack = await startStack()
    onTestFinished(() => ownStack.stop())
    const before = (await ownStack.endpoints()).credentials
    const file = join(ownStack.dataDir, 'endpoints.json')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const user = await ownStack.newUser()
    await ownStack.restart()
    const after = (await ownStack.endpoints()).credentials
    expect(after.accessKeyId).not.toBe(before.accessKeyId)
    expect(after.secretAccessKey).not.toBe(before.secretAccessKey)
    expect((await user.call('sessions.list', {})).sessions).toEqual([])
  },
)
