import { describe, expect, it } from 'vitest'
import { connectProvider } from '../support/connect-provider.ts'
import { demoStack } from '../support/shared-stack.ts'

const stack = await demoStack()
const ann = await stack.newUser({ name: 'Ann' })
for (const mcpId of ['gmail', 'google-drive', 'hubspot']) await connectProvider(stack, ann, mcpId)

const question = (content: string) => ({
  messages: [{ role: 'user' as const, content }],
  sessionId: crypto.randomUUID(),
  messageId: crypto.randomUUID(),
})
const ask = (content: string, user = ann) => user.call('chat.send', { body: question(content) })

describe('reading', () => {
  it.each([
    ['CAP-01 CAP-04', 'Show my recent emails', 'gmail_get_emails', 'Budget for March'],
    ['CAP-06', 'List the files in my Google Drive', 'google-drive_list_files', 'Quarterly report.txt'],
    ['CAP-08', 'Show my HubSpot contacts', 'hubspot_get_contacts', 'ann@example.org'],
    ['CAP-09', 'Show my HubSpot deals', 'hubspot_get_deals', 'Website relaunch'],
  ])('%s answers "%s" from the account', async (_, message, tool, found) => {
    const { content, toolCalls } = await ask(message)
    expect(toolCalls).toMatchObject([{ tool, result: { success: true } }])
    expect(JSON.stringify(toolCalls)).toContain(found)
    expect(content).toContain(found)
  })

  it('CAP-04 reads one mail whole: a list has the beginnings of texts only', async () => {
    const { content, toolCalls } = await ask('Summarize the last mail of Ann')
    expect(toolCalls).toMatchObject([
      { tool: 'gmail_get_emails', parameters: { query: 'from:Ann' }, result: { success: true } },
      { tool: 'gmail_get_emails', parameters: { id: 'mail-1' }, result: { success: true } },
    ])
    const [list, whole] = toolCalls.map(({ result }) => JSON.stringify(result))
    const [end, file] = ['from the budget of April', 'budget-march.csv']
    expect([list?.includes(end), list?.includes(file)]).toEqual([false, false])
    expect([whole?.includes(end), whole?.includes(file)]).toEqual([true, true])
    expect(content).toContain(end)
  })
})

describe('writing', () => {
  const countMails = async (to: string) =>
    JSON.stringify((await ask(`Show my recent emails to ${to}`)).toolCalls).split(`"to":"${to}"`).length - 1
  const askForApproval = async (to: string) => {
    const request = question(
      `Send an email to ${to} with the subject "Lunch" saying "Shall we meet at noon?"`,
    )
    const first = await ann.call('chat.send', { body: request })
    expect(first.toolCalls).toEqual([])
    const { run } = await ann.call('sessions.read', { params: { sessionId: request.sessionId } })
    expect(run).toMatchObject({ status: 'waiting', questions: [{ kind: 'approval', integration: 'Gmail' }] })
    const [pendingQuestion] = run?.questions ?? []
    const decide = (approved: boolean, more: object = {}) =>
      ann.send('runs.answer', {
        params: { sessionId: request.sessionId },
        body: { runId: run?.run_id ?? '', callId: pendingQuestion?.call_id ?? '', approved, ...more },
      })
    return { request, pendingQuestion, decide }
  }

  it('CAP-05 DEC-143 shows exactly what will be sent, and sends it once after the approval', async () => {
    const { pendingQuestion, decide } = await askForApproval('cleo@example.org')
    expect(pendingQuestion?.arguments).toMatchObject({ to: 'cleo@example.org', subject: 'Lunch' })
    expect(await countMails('cleo@example.org')).toBe(0)
    const [one, two] = await Promise.all([decide(true), decide(true)])
    expect([one.status, two.status].filter((status) => status === 200)).toHaveLength(1)
    const sent = one.status === 200 ? one : two
    expect(sent.body).toMatchObject({ success: true, toolCalls: [{ result: { success: true } }] })
    expect(await countMails('cleo@example.org')).toBe(1)
  })

  it('CAP-07 DEC-143 creates a file in Google Drive after the approval, and the next list shows it', async () => {
    const request = question(
      'Create a file named "packing.txt" in my Google Drive with the content: two shirts',
    )
    await ann.call('chat.send', { body: request })
    const { run } = await ann.call('sessions.read', { params: { sessionId: request.sessionId } })
    const [pendingQuestion] = run?.questions ?? []
    expect(pendingQuestion).toMatchObject({
      tool: 'google-drive_create_file',
      arguments: { name: 'packing.txt' },
    })
    const { toolCalls } = await ann.call('runs.answer', {
      params: { sessionId: request.sessionId },
      body: { runId: run?.run_id ?? '', callId: pendingQuestion?.call_id ?? '', approved: true },
    })
    expect(toolCalls).toMatchObject([{ result: { success: true } }])
    expect(JSON.stringify(await ask('List the files in my Google Drive'))).toContain('packing.txt')
  })

  it('sends the arguments as the user edited them', async () => {
    const { decide } = await askForApproval('dora@example.org')
    const mail = { to: 'dora@example.org', subject: 'Dinner', body: 'At eight?' }
    expect((await decide(true, { arguments: mail })).body).toMatchObject({
      toolCalls: [{ parameters: mail, result: { success: true } }],
    })
  })

  it('does not send what is denied, and tells the model', async () => {
    const { request, decide } = await askForApproval('eve@example.org')
    expect((await decide(false)).body).toMatchObject({
      toolCalls: [{ result: { success: false, error: 'The user denied this call.' } }],
    })
    expect(await countMails('eve@example.org')).toBe(0)
    expect((await ann.call('sessions.read', { params: { sessionId: request.sessionId } })).run).toBeNull()
  })

  it('does not ask again once the tool is always allowed, until that is revoked', async () => {
    const { decide } = await askForApproval('finn@example.org')
    await decide(true, { always: true })
    const { tools } = await ann.call('tools.allowed', {})
    expect(tools).toMatchObject([{ title: 'Send an e-mail', integration: 'Gmail' }])
    expect(await ask('Send an email to finn@example.org with the subject "Again" saying "Hi"')).toMatchObject(
      {
        toolCalls: [{ result: { success: true } }],
      },
    )
    await ann.call('tools.revoke', { params: { toolId: tools[0]?.id ?? '' } })
    await askForApproval('finn@example.org')
  })

  it('does nothing if nobody can be asked', async () => {
    const { toolCalls } = await ann.call('chat.send', {
      body: { messages: question('Send an email to gus@example.org saying "Hi"').messages },
    })
    expect(toolCalls).toMatchObject([{ result: { success: false } }])
    expect(await countMails('gus@example.org')).toBe(0)
  })

  it('the ledger lists every call, and can be emptied', async () => {
    const { entries } = await ann.call('tools.ledger', {})
    const sent = entries.find(({ arguments: args }) => args?.['to'] === 'cleo@example.org')
    expect(sent).toMatchObject({
      title: 'Send an e-mail',
      integration: 'Gmail',
      success: true,
      allowed: 'approved',
    })
    expect(entries.map(({ allowed }) => allowed)).toEqual(
      expect.arrayContaining(['reading', 'approved', 'always', 'denied']),
    )
    const { integrations } = await ann.call('tools.list', {})
    expect(integrations.find(({ id }) => id === 'gmail')).toMatchObject({
      usage_count: expect.any(Number),
      lastUsed: expect.any(String),
      capabilities: [
        { id: 'get_emails', tool: 'gmail_get_emails', writes: false },
        { id: 'send_email', tool: 'gmail_send_email', writes: true },
      ],
    })
    await ann.call('tools.clearLedger', {})
    expect(await ann.call('tools.ledger', {})).toEqual({ entries: [], next: null })
  })
})
