import { expect, it, onTestFinished } from 'vitest'
import { startStack } from '../support/local-stack.ts'
import { openStackTable } from '../support/stack-table.ts'

const calls = Array.from({ length: 4 }, (_, call) => ({
  tool: 'read_page',
  action: 'Read a page',
  parameters: { call },
  result: { success: true, data: '漢'.repeat(7_000) },
}))
const turns = 30

/** Stores a conversation with replies of the maximum size: in Chinese, with tool results. */
async function storeLongConversation() {
  // started by the test: without the long tests nothing would stop it
  const stack = await startStack()
  onTestFinished(() => stack.stop())
  const table = await openStackTable(stack)
  onTestFinished(() => table.close())
  const user = await stack.newUser()
  const sessionId = crypto.randomUUID()
  const messages = [{ role: 'user' as const, content: '你好' }]
  await user.call('chat.send', { body: { sessionId, messageId: crypto.randomUUID(), messages } })
  for (let turn = 2; turn <= turns; turn += 1)
    for (const [position, role] of [
      ['1', 'user'],
      ['2', 'assistant'],
    ] as const)
      await table.put(user.sub, `M#${sessionId}#${String(turn).padStart(6, '0')}#${position}`, {
        id: `${role}-${turn}`,
        session_id: sessionId,
        role,
        content: `${turn} ${'漢'.repeat(role === 'user' ? 100 : 95_000)}`,
        attachments: [],
        tool_calls: role === 'user' ? [] : calls,
        created_at: new Date().toISOString(),
        run_at: Date.now(),
      })
  return { user, sessionId }
}

const parseTurns = (found: readonly { content: string }[]) =>
  found.map(({ content }) => Number.parseInt(content, 10)).filter((turn) => turn > 0)
const everyTurnTwice = Array.from({ length: 2 * (turns - 1) }, (_, index) => 2 + Math.floor(index / 2))

it(
  'HIST-11 a long Chinese conversation with tool calls is opened page by page, downloaded for the search, exported and continued',
  { tags: 'trial' },
  async () => {
    const { user, sessionId } = await storeLongConversation()
    const params = { sessionId }
    const openedMessages: { content: string }[] = []
    let before: string | undefined
    do {
      const page = await user.call('sessions.read', { params, ...(before && { query: { before } }) })
      openedMessages.unshift(...page.messages)
      before = page.earlier ?? undefined
    } while (before)
    expect(parseTurns(openedMessages)).toEqual(everyTurnTwice)
    expect(openedMessages.at(-1)).toMatchObject({ tool_calls: calls })

    const corpusMessages: { content: string }[] = []
    let cursor: string | undefined
    do {
      const page = await user.call('sessions.corpus', { query: { ...(cursor && { cursor }) } })
      corpusMessages.push(...page.messages)
      cursor = page.next ?? undefined
    } while (cursor)
    expect(parseTurns(corpusMessages)).toEqual(everyTurnTwice)

    const parts: string[] = []
    let after: string | undefined
    do {
      const part = await user.call('sessions.export', {
        params,
        query: { format: 'json', ...(after && { after }) },
      })
      parts.push(part.content)
      after = part.next ?? undefined
    } while (after)
    const exportedConversation = JSON.parse(parts.join('')) as { messages: { content: string }[] }
    expect(parseTurns(exportedConversation.messages)).toEqual(everyTurnTwice)

    // and it can be continued
    const messages = [{ role: 'user' as const, content: '/echo 很高兴认识你。' }]
    const response = await user.call('chat.send', {
      body: { sessionId, messageId: crypto.randomUUID(), messages },
    })
    expect(response).toMatchObject({ success: true, content: '很高兴认识你。' })
  },
)
