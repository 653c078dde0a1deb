/** @module-tag long */
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type LocalStack, startStack } from '../support/local-stack.ts'
import { startMcpRegistry } from '../support/mcp-registry.ts'
import { type TestMcpServer, startMcpServer } from '../support/mcp-server.ts'
import { openStackTable } from '../support/stack-table.ts'
import type { StackUser } from '../support/stack-user.ts'

// a catalogue entry comes to name another server than the one that users have connected

let stack: LocalStack
let registry: Awaited<ReturnType<typeof startMcpRegistry>>
let goodServer: TestMcpServer
let badServer: TestMcpServer
let ann: StackUser
const key = 'victims-secret-api-key-123456'
const registryName = 'com.example/notes'
const saveNote = { name: 'save_note', description: 'Saves a note' }

beforeAll(async () => {
  ;[registry, goodServer, badServer] = await Promise.all([
    startMcpRegistry(),
    startMcpServer(),
    startMcpServer(),
  ])
  for (const server of [goodServer, badServer]) server.behaviour.tools = [saveNote]
  stack = await startStack({
    env: {
      MCP_REGISTRY_URL: registry.url,
      OUTBOUND_ALLOW: `${goodServer.host},${badServer.host}`,
      RATE_LIMIT_FACTOR: '100',
    },
  })
})
afterAll(async () => {
  await stack.stop()
  await Promise.all([goodServer.close(), badServer.close(), registry.close()])
})

const entryWithKey = { name: registryName, title: 'Notebook', headers: ['X-Api-Key'] }
/** Publishes these entries only. Each Lambda function reads the new catalogue within a second. */
async function publish(...entries: (typeof registry)['published']) {
  registry.published.splice(0, Infinity, ...entries)
  const response = await ann.call('registry.refresh', { body: { kind: 'force' } })
  expect(response.success).toBe(true)
}
const eventually = <Result>(check: () => Promise<Result>) => vi.waitFor(check, { interval: 200 })
const find = (title: string) =>
  eventually(async () => {
    const { items } = await ann.call('registry.search', { query: { term: title, page: 1, limit: 20 } })
    const id = items.find((entry) => entry.name === title)?.id
    if (id === undefined) throw new Error(`${title} is not listed`)
    return id
  })
const findIntegration = async (mcpId: string) =>
  (await ann.call('integrations.list')).integrations.find(({ mcp_id }) => mcp_id === mcpId)
const expectReconnectReason = (mcpId: string, reason: object | undefined) =>
  eventually(async () => expect((await findIntegration(mcpId))?.reconnect).toEqual(reason))
const connect = (mcpId: string, credentials?: Record<string, string>) =>
  ann.call('integrations.connect', {
    params: { mcpId },
    body: { environment: 'production', ...(credentials && { credentials }) },
  })
const buildMessage = (content: string) => ({
  messages: [{ role: 'user' as const, content }],
  sessionId: crypto.randomUUID(),
  messageId: crypto.randomUUID(),
})

/** Sends a message. @returns the reply, and what it asks the user if it waits */
async function sendMessage(content: string) {
  const request = buildMessage(content)
  const reply = await ann.call('chat.send', { body: request })
  const { run } = await ann.call('sessions.read', { params: { sessionId: request.sessionId } })
  const requests = run?.questions ?? []
  const decide = (more: object = {}) =>
    ann.call('runs.answer', {
      params: { sessionId: request.sessionId },
      body: { runId: run?.run_id ?? '', callId: requests[0]?.call_id ?? '', approved: true, ...more },
    })
  return { reply, requests, decide }
}

/**
 * Connects the server at its first address, with a key; again while a function still has an older catalogue, whose entry takes no such key.
 * @returns the id of the integration
 */
async function connectAtFirstAddress() {
  await publish({ ...entryWithKey, url: goodServer.url })
  const mcpId = await find('Notebook')
  return eventually(async () => {
    await connect(mcpId, { 'X-Api-Key': key })
    const table = await openStackTable(stack)
    const rows = await table.readRows(ann.sub).finally(() => table.close())
    const { remote } = rows.find(({ SK }) => SK === `I#${mcpId}`) as { remote?: { url: string } }
    const isStale = remote?.url !== goodServer.url || (await findIntegration(mcpId))?.reconnect !== undefined
    if (isStale) throw new Error('connected with an outdated catalogue')
    return mcpId
  })
}

/** Sends the request to save a note, until the chat has read the newest catalogue and asks this kind of question. */
const saveNoteUntilAsked = (kind: 'approval' | 'reconnect') =>
  eventually(async () => {
    const sent = await sendMessage('Save a note that says "my secret diary"')
    expect(sent.requests).toMatchObject([{ kind }])
    return sent
  })

/** Everything that a server receives from now on. */
function recordRequests(server: TestMcpServer) {
  const requests: string[] = []
  server.behaviour.override = ({ headers, rpc }) => {
    requests.push(JSON.stringify({ headers, rpc }))
    return 'usual'
  }
  return requests
}

beforeEach(async () => {
  ann = await stack.newUser({ name: 'Ann' })
})

describe('a catalogue entry that changes its server', () => {
  it('the new server gets no key that was entered for the first one (H4)', async () => {
    const mcpId = await connectAtFirstAddress()
    await saveNoteUntilAsked('approval')
    expect(await findIntegration(mcpId)).toMatchObject({ token_status: 'active', needsAttention: false })
    const badRequests = recordRequests(badServer)
    await publish({ ...entryWithKey, url: badServer.url })
    const movedReason = { kind: 'moved', host: badServer.host }
    await expectReconnectReason(mcpId, movedReason)
    await saveNoteUntilAsked('reconnect')
    const goodRequests = recordRequests(goodServer)
    await sendMessage('hello')
    await ann.call('tools.list')
    expect(badRequests).toEqual([])
    expect(goodRequests).toEqual([])
    expect(await findIntegration(mcpId)).toMatchObject({
      token_status: 'invalid',
      needsAttention: true,
      health_status: 'attention',
      reconnect: movedReason,
    })
    await eventually(async () => {
      const { integrations } = await ann.call('tools.list')
      expect(integrations.find(({ id }) => id === mcpId)).toMatchObject({
        capabilities: [],
        health_status: 'attention',
        problem: `Notebook has moved to ${badServer.host}. Connect again to use it there.`,
      })
    })
    expect(await ann.send('integrations.refresh', { params: { mcpId }, body: {} })).toMatchObject({
      status: 409,
      body: { error: `Notebook has moved to ${badServer.host}. Connect again to use it there.` },
    })
    // without new credentials: nothing is inherited
    expect((await ann.send('integrations.connect', { params: { mcpId }, body: {} })).status).toBe(400)
    expect([...goodRequests, ...badRequests].join()).not.toContain(key)
  })

  it('the new server gets the key that is entered for it, and the old key is deleted (H4)', async () => {
    const mcpId = await connectAtFirstAddress()
    await publish({ ...entryWithKey, url: badServer.url })
    await expectReconnectReason(mcpId, { kind: 'moved', host: badServer.host })
    const badRequests = recordRequests(badServer)
    await connect(mcpId, { 'X-Api-Key': 'another-key-for-the-new-place' })
    expect(await findIntegration(mcpId)).toMatchObject({ token_status: 'active', needsAttention: false })
    expect((await findIntegration(mcpId))?.reconnect).toBeUndefined()
    expect(badRequests.join()).toContain('another-key-for-the-new-place')
    badRequests.length = 0
    await eventually(async () => {
      await sendMessage('hello')
      expect(badRequests.join()).toContain('another-key-for-the-new-place')
    })
    expect(badRequests.join()).not.toContain(key)
    const secrets = JSON.parse(await readFile(`${stack.dataDir}/secrets.json`, 'utf8')) as object
    const ownSecrets = JSON.stringify(Object.entries(secrets).filter(([secret]) => secret.includes(ann.sub)))
    expect(ownSecrets).toContain('another-key-for-the-new-place')
    expect(ownSecrets).not.toContain(key)
    const table = await openStackTable(stack)
    try {
      const [credential] = (await table.readRows(ann.sub)).filter(({ SK }) => SK === `C#${mcpId}`)
      expect(credential?.['masks']).toEqual({ 'X-Api-Key': '••••lace' })
    } finally {
      table.close()
    }
  })

  it('a permission for the first server allows no call to the new one, before or after it is connected (H4)', async () => {
    const mcpId = await connectAtFirstAddress()
    const first = await saveNoteUntilAsked('approval')
    expect(first.requests).toMatchObject([
      { kind: 'approval', integration: 'Notebook', namespace: 'com.example' },
    ])
    await first.decide({ always: true })
    const calls = goodServer.calls.length
    expect((await sendMessage('Save a note that says "buy milk"')).requests).toEqual([])
    expect(goodServer.calls).toHaveLength(calls + 1)
    badServer.calls.length = 0
    await publish({ ...entryWithKey, url: badServer.url })
    const after = await saveNoteUntilAsked('reconnect')
    expect(after.requests).toMatchObject([
      { kind: 'reconnect', mcp_id: mcpId, reconnect: { kind: 'moved', host: badServer.host } },
    ])
    expect(badServer.calls).toEqual([])
    await expectReconnectReason(mcpId, { kind: 'moved', host: badServer.host })
    await connect(mcpId, { 'X-Api-Key': 'another-key-for-the-new-place' })
    expect((await ann.call('tools.allowed')).tools).toEqual([])
    // connected, but not always allowed
    await after.decide()
    expect(badServer.calls).toEqual([])
    await saveNoteUntilAsked('approval')
    expect(badServer.calls).toEqual([])
  })

  it('disconnecting and connecting again does not restore the permission (H4)', async () => {
    const mcpId = await connectAtFirstAddress()
    await (await saveNoteUntilAsked('approval')).decide({ always: true })
    expect((await ann.call('tools.allowed')).tools).toHaveLength(1)
    await ann.call('integrations.disconnect', { params: { mcpId }, body: {} })
    expect((await ann.call('tools.allowed')).tools).toEqual([])
    await connect(mcpId, { 'X-Api-Key': key })
    await saveNoteUntilAsked('approval')
  })

  it('requires a new connection for a server without a key, too', async () => {
    await publish({ name: registryName, title: 'Open notebook', url: goodServer.url })
    const mcpId = await find('Open notebook')
    await eventually(() => connect(mcpId))
    await saveNoteUntilAsked('approval')
    const badRequests = recordRequests(badServer)
    await publish({ name: registryName, title: 'Open notebook', url: badServer.url })
    await expectReconnectReason(mcpId, { kind: 'moved', host: badServer.host })
    await saveNoteUntilAsked('reconnect')
    expect(badRequests).toEqual([])
    await connect(mcpId)
    await expectReconnectReason(mcpId, undefined)
    badRequests.length = 0
    await sendMessage('hello')
    expect(badRequests).not.toEqual([])
  })
})

it('a key is still sent to the address and in the header that it was entered for (H4)', async () => {
  const mcpId = await connectAtFirstAddress()
  await saveNoteUntilAsked('approval')
  const goodRequests = recordRequests(goodServer)
  await publish({ ...entryWithKey, url: `${goodServer.url}/v2` })
  await eventually(async () => {
    const { entry } = await ann.call('registry.one', { params: { entryId: mcpId } })
    expect(entry.config.remote_url).toBe(`${goodServer.url}/v2`)
  })
  expect((await findIntegration(mcpId))?.reconnect).toBeUndefined()
  await (await saveNoteUntilAsked('approval')).decide()
  expect(goodRequests.join()).toContain(key)
  await publish({ ...entryWithKey, url: goodServer.url, headers: ['X-Other-Key'] })
  await expectReconnectReason(mcpId, { kind: 'key_headers', host: goodServer.host })
  await saveNoteUntilAsked('reconnect')
  goodRequests.length = 0
  await sendMessage('hello')
  expect(goodRequests).toEqual([])
})

it('a connection made before addresses were stored must be made again before anything is sent (H4)', async () => {
  const mcpId = await connectAtFirstAddress()
  const table = await openStackTable(stack)
  try {
    const [before] = (await table.readRows(ann.sub)).filter(({ SK }) => SK === `I#${mcpId}`)
    await table.put(ann.sub, `I#${mcpId}`, { ...before, remote: undefined })
  } finally {
    table.close()
  }
  const goodRequests = recordRequests(goodServer)
  await expectReconnectReason(mcpId, { kind: 'no_address', host: goodServer.host })
  await sendMessage('hello')
  expect(goodRequests).toEqual([])
  await connect(mcpId, { 'X-Api-Key': key })
  expect((await findIntegration(mcpId))?.reconnect).toBeUndefined()
})
