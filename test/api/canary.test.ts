/** @module-tag long */
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { type RouteName, routes } from '#shared/routes.ts'
import { downloadExport } from '../support/download-export.ts'
import { decideConsent, buildExchange } from '../support/provider-consent.ts'
import { stackWithModel } from '../support/stack-with-model.ts'
import type { StackUser } from '../support/stack-user.ts'

const responses: string[] = []

const { model, stack, table } = await stackWithModel('You have some integrations.', {
  OPENAI_API_KEY: 'canary-model-key',
})
const ann = await stack.newUser()

/** Calls a route and records the response. */
async function sendAndRecord(route: RouteName, parts: Parameters<StackUser['send']>[1] = {}) {
  const { status, body, headers } = await ann.send(route, parts)
  responses.push(`${JSON.stringify([...headers])} ${JSON.stringify(body)}`)
  return { status, body }
}

const credentials = {
  key: 'canary-api-key-0123456789',
  second: 'canary-second-key-0123456789',
  clientSecret: 'canary-client-secret-0123456789',
  tool: 'canary-tool-key-0123456789',
  field: 'canary-tool-field-0123456789',
}

async function signIn(parts: object) {
  const redirectUri = `${stack.origin}/oauth/callback`
  const { body } = await sendAndRecord('oauth.handle', {
    body: { action: 'initiate', redirectUri, ...parts },
  })
  const back = await decideConsent((body as { authUrl: string }).authUrl, 'allow')
  const exchange = buildExchange(back)
  expect((await sendAndRecord('oauth.handle', { body: exchange })).status).toBe(200)
  // twice: the refusal reveals nothing either
  expect((await sendAndRecord('oauth.handle', { body: exchange })).status).toBe(400)
}

it('DEC-085 a stored secret appears in no response, log, row, export or request to a model', async () => {
  const config = { serverUrl: '', apiKey: credentials.tool, customFields: { team: credentials.field } }
  const connections = [
    await sendAndRecord('integrations.connect', {
      params: { mcpId: 'airtable' },
      body: { credentials: { accessToken: credentials.key } },
    }),
    await sendAndRecord('credentials.manage', {
      body: { action: 'update', mcpId: 'airtable', credentials: { accessToken: credentials.second } },
    }),
    await sendAndRecord('customTools.add', { body: { name: 'Mine', description: 'd', config } }),
  ]
  expect(connections.map(({ status }) => status)).toEqual([200, 200, 200])
  await signIn({ mcpId: 'slack', clientId: 'demo', clientSecret: credentials.clientSecret })
  await signIn({ mcpId: 'paypal' })
  const secrets = await readFile(`${stack.dataDir}/secrets.json`, 'utf8')
  for (const secret of [credentials.second, credentials.clientSecret, credentials.tool, credentials.field])
    expect(secrets).toContain(secret)

  // everything that can be read, and everything that uses stored credentials
  for (const mcpId of ['slack', 'paypal', 'airtable']) {
    await sendAndRecord('oauth.handle', { body: { action: 'refresh', mcpId } })
    await sendAndRecord('credentials.manage', { body: { action: 'retrieve', mcpId } })
  }
  const reads = Object.entries(routes).filter(
    ([, { method, path }]) => method === 'GET' && !path.includes('{'),
  )
  for (const [name] of reads) await sendAndRecord(name as RouteName)
  const archive = await downloadExport((await sendAndRecord('account.export')).body)
  responses.push(archive.bytes.toString('latin1'))
  const chat = await sendAndRecord('chat.send', {
    body: {
      messages: [{ role: 'user', content: 'What integrations do I have?' }],
      connectedTools: [{ mcp_id: 'airtable', mcp_name: 'Airtable' }],
    },
  })
  expect(chat.status).toBe(200)
  await sendAndRecord('integrations.disconnect', { params: { mcpId: 'slack' }, body: {} })

  // the provider's own memory contains what it issued
  const { grants, accessTokens, clients } = JSON.parse(
    await readFile(`${stack.dataDir}/providers.json`, 'utf8'),
  ) as {
    grants: Record<string, { refreshToken?: string }>
    accessTokens: Record<string, unknown>
    clients: Record<string, { secret?: string }>
  }
  const grantSecrets = [
    ...Object.keys(accessTokens),
    ...Object.values(grants).map(({ refreshToken }) => refreshToken ?? ''),
    ...Object.values(clients).map(({ secret }) => secret ?? ''),
  ].filter((secret) => secret !== '')
  expect(grantSecrets.length).toBeGreaterThanOrEqual(6)

  const places = {
    responses: responses.join('\n'),
    logs: stack.output(),
    rows: await table.readAllAsText(),
    model: JSON.stringify(model.requests),
  }
  expect(places.model).toContain('What integrations do I have?')
  for (const secret of [...Object.values(credentials), ...grantSecrets, 'canary-model-key'])
    for (const [source, text] of Object.entries(places))
      expect(text.includes(secret), `${secret.slice(0, 16)}… in the ${source}`).toBe(false)
})
