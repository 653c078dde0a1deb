import { expect, it } from 'vitest'
import {
  aMessage,
  aPendingCall,
  aRun,
  aTranscript,
  newConversationIds,
  openSharedStores,
} from '../../test/support/conversations.ts'
import { searchCorpus } from './search-corpus.ts'

const stores = await openSharedStores()

it('has the names of files, the sources, and the arguments and results of calls, as far as they fit', async () => {
  const { sub, sessionId } = newConversationIds()
  const at = '2026-03-01T00:00:00.000Z'
  await stores.conversations.upsert(sub, sessionId, {
    title: 'T',
    addedMessages: 1,
    at,
    replacesTitle: false,
  })
  const call = {
    tool: 'gmail_send_email',
    action: 'Send an e-mail',
    parameters: { to: 'info@zanzibarhof.example', body: 'x'.repeat(20_000) },
    result: { success: true, data: { rows: [{ city: 'Quokkakeller', total: 42 }] } },
  }
  await stores.messages.put(
    sub,
    aMessage({
      session_id: sessionId,
      turn: 1,
      content: 'Done',
      attachments: [{ id: 'f1', name: 'orders.csv', type: 'text/csv', size: 1 }],
      sources: [{ url: 'https://a.example/', title: 'Ferries of Oslo' }],
      tool_calls: [call],
    }),
    1,
  )
  const { messages } = await searchCorpus(stores, sub, {})
  const { details = '' } = messages[0] ?? {}
  for (const text of ['orders.csv', 'Ferries of Oslo', 'info@zanzibarhof.example', 'Quokkakeller', '42'])
    expect(details).toContain(text)
  expect(details.length).toBeLessThanOrEqual(8_000)
})

it('has what waits for the user, also long after the last change of its conversation', async () => {
  const { sub, sessionId } = newConversationIds()
  const at = '2026-03-01T00:00:00.000Z'
  await stores.conversations.upsert(sub, sessionId, {
    title: 'T',
    addedMessages: 1,
    at,
    replacesTitle: false,
  })
  const run = await stores.runs.claim(aRun({ sub, sessionId, messageId: 'm1' }), undefined)
  const pending = aPendingCall({ arguments: JSON.stringify({ subject: 'Quokkakeller' }) })
  await stores.runs.startWaiting(run, [pending], aTranscript())
  const since = new Date(Date.now() + 86_400_000).toISOString()
  expect(await searchCorpus(stores, sub, { since })).toMatchObject({
    changed: [sessionId],
    messages: [{ id: 'm1', session_id: sessionId, content: '', details: 'Quokkakeller' }],
  })
})
