import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { calls, says } from '../../test/support/fake-model-server.ts'
import { startInProcessFunctions, type InProcessUser } from '../../test/support/in-process-functions.ts'
import { ask } from '../../test/support/read-along.ts'
import { documentTools, scheduleTools } from '../../test/support/own-tools.ts'

const backend = await startInProcessFunctions()
afterAll(() => backend.close())
beforeEach(() => backend.model.behave(says('Hello.')))

const body = (messageId: string) => ({
  sessionId: 's1',
  messageId,
  messages: [{ role: 'user' as const, content: `Message ${messageId}` }],
})

async function connect(user: InProcessUser, id: string, name: string): Promise<void> {
  await backend.putRow({ PK: `U#${user.sub}`, SK: 'TOOLCOUNT', has_connections: true })
  await backend.putRow({
    PK: `U#${user.sub}`,
    SK: `I#${id}`,
    mcp_name: name,
    status: 'connected',
    provider: name,
  })
}

async function aUserWithTools(): Promise<InProcessUser> {
  const user = await backend.newUser()
  await connect(user, 'slack', 'Slack')
  await connect(user, 'gmail', 'Gmail')
  return user
}
const listOfferedTools = () =>
  ((backend.model.requests.at(-1)?.tools ?? []) as { function: { name: string } }[]).map(
    (tool) => tool.function.name,
  )

describe('DEC-182 tools that are turned off for a conversation', () => {
  it('are not offered, in later messages too, until they are turned on', async () => {
    const user = await aUserWithTools()
    await ask(user, body('m1')).finished
    const allTools = listOfferedTools()
    expect(allTools).toEqual(expect.arrayContaining(['slack_send_message', 'gmail_send_email']))
    const disabledTools = [{ mcp_id: 'gmail' }, { mcp_id: 'slack', tool: 'send_message' }]
    await ask(user, { ...body('m2'), disabledTools }).finished
    const remainingTools = allTools.filter(
      (name) => !name.startsWith('gmail_') && name !== 'slack_send_message',
    )
    expect(remainingTools).toContain('slack_list_channels')
    expect(listOfferedTools()).toEqual(remainingTools)
    await ask(user, body('m3')).finished
    expect(listOfferedTools()).toEqual(remainingTools)
    const { session } = await user.call('sessions.read', { params: { sessionId: 's1' } })
    expect(session.disabled_tools).toEqual(disabledTools)
    await ask(user, { ...body('m4'), disabledTools: [] }).finished
    expect(listOfferedTools()).toEqual(allTools)
    const listedSession = (await user.call('sessions.list', {})).sessions[0]
    expect(listedSession).not.toHaveProperty('disabled_tools')
    expect(await backend.stores.runs.find(user.sub, 's1')).not.toHaveProperty('disabledTools')
  })

  it('do not include a new connection', async () => {
    const user = await aUserWithTools()
    await ask(user, { ...body('m1'), disabledTools: [{ mcp_id: 'gmail' }, { mcp_id: 'slack' }] }).finished
    const ownTools = listOfferedTools()
    expect(ownTools).toEqual([...documentTools, ...scheduleTools])
    await connect(user, 'notion', 'Notion')
    await ask(user, body('m2')).finished
    const more = listOfferedTools().filter((name) => !ownTools.includes(name))
    expect(more.length).toBeGreaterThan(0)
    expect(more.every((name) => name.startsWith('notion_'))).toBe(true)
  })

  it('are not offered when no conversation is stored', async () => {
    const user = await aUserWithTools()
    const disabledTools = [{ mcp_id: 'gmail' }, { mcp_id: 'slack' }]
    const { sessionId: _, messageId: __, ...statelessBody } = body('m1')
    await ask(user, { ...statelessBody, disabledTools }).finished
    expect(listOfferedTools()).toEqual(documentTools)
    await ask(user, { ...body('m1'), keep: false, disabledTools }).finished
    expect(listOfferedTools()).toEqual(documentTools)
  })

  it('are not offered after the user has decided on a call either', async () => {
    const user = await aUserWithTools()
    backend.model.behave(
      calls({ id: 'c1', name: 'slack_send_message', arguments: '{"channel":"C1","text":"Hi"}' }),
    )
    await ask(user, { ...body('m1'), disabledTools: [{ mcp_id: 'gmail' }] }).finished
    backend.model.behave(says('Done.'))
    const run = await backend.stores.runs.find(user.sub, 's1')
    expect(run?.status).toBe('waiting')
    await user.send('runs.answer', {
      params: { sessionId: 's1' },
      body: { runId: run?.runId ?? '', callId: 'c1', approved: false },
    })
    expect(listOfferedTools()).toContain('slack_send_message')
    expect(listOfferedTools().some((name) => name.startsWith('gmail_'))).toBe(false)
  })
})
