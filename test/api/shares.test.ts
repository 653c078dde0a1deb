import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import { maxShares } from '../../functions/platform/limits.ts'
import { canaryFor, converse, notes } from '../support/belongings.ts'
import { findOccurrences } from '../support/every-store.ts'
import { says } from '../support/fake-model-server.ts'
import { pausableReply } from '../support/pausable-reply.ts'
import { ask } from '../support/read-along.ts'
import { scriptedStack } from '../support/shared-stack.ts'
import type { StackUser } from '../support/stack-user.ts'
import { unzip } from '../support/unzip.ts'
import { downloadExport } from '../support/download-export.ts'
import { uploadFile } from '../support/upload.ts'

const { model, stack, table } = await scriptedStack('The answer.')

type SharedConversation = RouteResponse<'shares.view'>

/** Opens a link without a token. */
async function open(secret: string, page = 1) {
  const response = await fetch(`${stack.origin}/api/shared-conversation`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret, page }),
  })
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as SharedConversation,
  }
}
const share = async (user: StackUser, sessionId: string, days: 7 | 30 | 365 = 30) =>
  (await user.call('shares.create', { params: { sessionId }, body: { days } })).share
/** The prefix of a link's snapshot. */
const toPartition = (secret: string) => `SHARE#${createHash('sha256').update(secret).digest('base64url')}`
const linkNotFound = {
  status: 404,
  body: {
    success: false,
    code: 'share_not_found',
    error:
      'There is no shared conversation at this link. It may have been revoked or deleted, have expired, or not be complete.',
  },
}

/** Writes messages into a conversation. It has no run then, like an imported one: with a run, later turns than its own are not shared. */
async function putTurns(user: StackUser, sessionId: string, turns: number, text: (turn: number) => string) {
  await table.delete(user.sub, `RUN#${sessionId}`)
  for (let turn = 2; turn <= turns; turn += 1)
    await table.put(user.sub, `M#${sessionId}#${String(turn).padStart(6, '0')}#2`, {
      id: `reply-${turn}`,
      session_id: sessionId,
      role: 'assistant',
      content: text(turn),
      attachments: [],
      tool_calls: [],
      created_at: new Date().toISOString(),
      run_at: Date.now(),
    })
}

describe('a link', () => {
  it('shows the conversation as it was shared, whatever happens to it afterwards', async () => {
    const ann = await stack.newUser()
    model.behave(says('First answer.'))
    const sessionId = await converse(ann, 'A question <b>with</b> tags')
    const before = Date.now()
    const link = await share(ann, sessionId, 7)
    expect(link.secret).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(link).toMatchObject({
      session_id: sessionId,
      title: 'A question <b>with</b> tags',
      message_count: 2,
    })
    expect((Date.parse(link.ends_at) - Date.parse(link.created_at)) / 86_400_000).toBe(7)
    expect(Date.parse(link.created_at)).toBeGreaterThanOrEqual(before)

    model.behave(says('Second answer.'))
    await ann.call('chat.send', { body: { sessionId, messages: [{ role: 'user', content: 'More' }] } })
    await ann.call('sessions.update', { params: { sessionId }, body: { title: 'Renamed' } })
    const { status, body, headers } = await open(link.secret)
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toEqual({
      title: 'A question <b>with</b> tags',
      shared_at: link.created_at,
      ends_at: link.ends_at,
      messages: [
        { role: 'user', content: 'A question <b>with</b> tags', files: 0 },
        { role: 'assistant', content: 'First answer.', files: 0 },
      ],
      next: null,
    })
    // a second link is separate, with the conversation's current content
    const laterLink = await share(ann, sessionId)
    expect(laterLink.secret).not.toBe(link.secret)
    expect((await open(laterLink.secret)).body).toMatchObject({ title: 'Renamed', messages: { length: 4 } })
  })

  it('reveals nothing about files, tools, their results and the owner', async () => {
    const ann = await stack.newUser({ name: 'Annabella' })
    const file = await uploadFile(ann, { ...notes, name: 'salary.txt' })
    const sessionId = crypto.randomUUID()
    model.behave(says('I have read it.'))
    const messages = [{ role: 'user' as const, content: 'Look', attachments: [{ id: file.id }] }]
    await ann.call('chat.send', { body: { sessionId, messages } })
    await table.delete(ann.sub, `RUN#${sessionId}`)
    await table.put(ann.sub, `M#${sessionId}#000002#2`, {
      id: 'reply',
      session_id: sessionId,
      role: 'assistant',
      content: 'Your mail says hello.',
      attachments: [],
      tool_calls: [
        {
          tool: 'read_mail',
          action: 'Reads',
          parameters: { query: 'from:boss' },
          result: { success: true, data: 'Hi' },
        },
      ],
      created_at: new Date().toISOString(),
      run_at: Date.now(),
    })
    const { secret } = await share(ann, sessionId)
    const { body } = await open(secret)
    expect(body.messages).toEqual([
      { role: 'user', content: 'Look', files: 1 },
      { role: 'assistant', content: 'I have read it.', files: 0 },
      { role: 'assistant', content: 'Your mail says hello.', files: 0 },
    ])
    for (const privateText of [
      'salary',
      'read_mail',
      'boss',
      'Annabella',
      ann.sub,
      ann.email,
      sessionId,
      file.id,
    ])
      expect(JSON.stringify(body)).not.toContain(privateText)
  })

  it(
    'that shows a message with a file: a deleted file is gone from it, with its rows',
    { tags: 'long' },
    async () => {
      const ann = await stack.newUser()
      const file = await uploadFile(ann, notes)
      model.behave(says('I have read it.'))
      const sessionId = crypto.randomUUID()
      await ann.call('chat.send', {
        body: { sessionId, messages: [{ role: 'user', content: 'Read', attachments: [file] }] },
      })
      const { secret } = await share(ann, sessionId)
      expect((await open(secret)).body.messages).toMatchObject([{ files: 1 }, {}])
      expect(JSON.stringify((await open(secret)).body)).not.toContain(file.id)
      await ann.call('files.delete', { params: { attachmentId: file.id } })
      expect((await open(secret)).body.messages).toMatchObject([{ content: 'Read', files: 0 }, {}])
    },
  )

  it('shows a conversation of any length, page by page', { tags: 'long' }, async () => {
    const ann = await stack.newUser()
    const sessionId = await converse(ann, 'Long')
    await putTurns(ann, sessionId, 60, (turn) => `${turn} ${'漢字"\\\n'.repeat(8_000)}`)
    const link = await share(ann, sessionId)
    expect(link.message_count).toBe(61)
    const contents: string[] = []
    let pages = 0
    for (let page: number | null = 1; page !== null; pages += 1) {
      const { status, body }: Awaited<ReturnType<typeof open>> = await open(link.secret, page)
      expect(status).toBe(200)
      contents.push(...body.messages.map(({ content }) => content))
      page = body.next
    }
    expect(pages).toBeGreaterThan(3)
    expect(contents.slice(2).map((content) => Number.parseInt(content, 10))).toEqual(
      Array.from({ length: 59 }, (_, index) => index + 2),
    )
    expect(await open(link.secret, pages + 1)).toMatchObject(linkNotFound)
    await ann.call('shares.revoke', { params: { shareId: link.id } })
    expect(await table.readAllAsText()).not.toContain(toPartition(link.secret))
  })

  it.each([
    ['unknown', async () => 'A'.repeat(43)],
    [
      'cut short',
      async (user: StackUser, sessionId: string) => (await share(user, sessionId)).secret.slice(1),
    ],
    ['empty', async () => ''],
    ['with the name of a row in it', async () => 'HEAD'],
    [
      'revoked',
      async (user: StackUser, sessionId: string) => {
        const { id, secret } = await share(user, sessionId)
        expect((await open(secret)).status).toBe(200)
        await user.call('shares.revoke', { params: { shareId: id } })
        return secret
      },
    ],
    [
      'of a conversation that was deleted',
      async (user: StackUser, sessionId: string) => {
        const { secret } = await share(user, sessionId)
        await user.call('sessions.delete', { params: { sessionId } })
        expect((await user.call('shares.list')).shares).toEqual([])
        return secret
      },
    ],
    [
      'of conversations that were all deleted',
      async (user: StackUser, sessionId: string) => {
        const { secret } = await share(user, sessionId)
        await user.call('account.forgetConversations')
        return secret
      },
    ],
  ])(
    'that is %s gets the same response as any other dead link',
    { tags: 'long' },
    async (_, createSecret) => {
      const ann = await stack.newUser()
      const secret = await createSecret(ann, await converse(ann, 'Hi'))
      const { status, body } = await open(secret)
      const { requestId, ...fields } = body as unknown as Record<string, unknown>
      expect(requestId).toEqual(expect.any(String))
      expect({ status, body: fields }).toEqual(linkNotFound)
    },
  )

  it('that has expired stops working before the table deletes it', { tags: 'long' }, async () => {
    const ann = await stack.newUser()
    const { secret, id } = await share(ann, await converse(ann, 'Hi'))
    const rows = await table.readAllRows()
    const head = rows.find((row) => row['PK'] === toPartition(secret) && row['SK'] === 'HEAD')
    const listRow = rows.find((row) => row['SK'] === `SHARE#${id}`)
    expect([head?.['ttl'], listRow?.['ttl']]).toEqual([expect.any(Number), expect.any(Number)])
    const ends_at = new Date(Date.now() - 1).toISOString()
    await table.putRow({ ...head, ends_at })
    await table.putRow({ ...listRow, ends_at })
    expect(await open(secret)).toMatchObject(linkNotFound)
    expect((await ann.call('shares.list')).shares).toEqual([])
  })

  it('cannot be created for a conversation that is empty, unknown, another user’s, or in the middle of a reply', async () => {
    const [ann, bob] = await Promise.all([stack.newUser(), stack.newUser()])
    const sessionId = crypto.randomUUID()
    const create = (user: StackUser, id: string) =>
      user.send('shares.create', { params: { sessionId: id }, body: { days: 7 } })
    expect(await create(ann, sessionId)).toMatchObject({ status: 404, body: { code: 'session_not_found' } })

    const paused = pausableReply('One,')
    model.behave(paused.behaviour)
    const reading = ask(ann, { messages: [{ role: 'user', content: 'Count' }], sessionId })
    await paused.modelCalled
    await reading.until(({ text }) => text() === 'One,')
    expect(await create(ann, sessionId)).toMatchObject({ status: 409, body: { code: 'reply_unfinished' } })
    paused.finish(' two.')
    await reading.finished
    expect(await create(bob, sessionId)).toMatchObject({ status: 404, body: { code: 'session_not_found' } })
    expect(await create(ann, sessionId)).toMatchObject({ status: 200 })
    // a failed request has left nothing
    const { shares } = await ann.call('shares.list')
    expect(shares).toHaveLength(1)
    expect(
      (await table.readRows(ann.sub)).filter((row) => String(row['SK']).startsWith('SHARE#')),
    ).toHaveLength(1)
    expect((await table.readRows(bob.sub)).filter((row) => String(row['SK']).startsWith('SHARE#'))).toEqual(
      [],
    )
  })

  it('cannot be created for another time than the offered ones', { tags: 'long' }, async () => {
    const ann = await stack.newUser()
    const sessionId = await converse(ann, 'Hi')
    for (const body of [{}, { days: 8 }, { days: null }, { days: 30, public: true }])
      expect(await ann.send('shares.create', { params: { sessionId }, body })).toMatchObject({
        status: 400,
        body: { code: 'bad_request' },
      })
  })
})

describe('the owner', () => {
  it('lists links, newest first, and revokes them; nobody else can', async () => {
    const [ann, bob] = await Promise.all([stack.newUser(), stack.newUser()])
    const sessionId = await converse(ann, 'Hi')
    const first = await share(ann, sessionId)
    const second = await share(ann, sessionId, 365)
    expect(await ann.call('shares.list')).toEqual({ shares: [second, first] })
    expect(await bob.call('shares.list')).toEqual({ shares: [] })
    const revoke = (user: StackUser) => user.send('shares.revoke', { params: { shareId: first.id } })
    expect(await revoke(bob)).toMatchObject({ status: 404, body: { code: 'share_not_found' } })
    expect((await open(first.secret)).status).toBe(200)
    // two tabs: the second one finds it gone
    expect(await revoke(ann)).toMatchObject({ status: 200 })
    expect(await revoke(ann)).toMatchObject({ status: 404, body: { code: 'share_not_found' } })
    expect(await ann.call('shares.list')).toEqual({ shares: [second] })
  })

  it('cannot exceed the number of links, even with two requests at once', { tags: 'long' }, async () => {
    const ann = await stack.newUser()
    const sessionId = await converse(ann, 'Hi')
    for (let count = 1; count < maxShares; count += 1) await share(ann, sessionId)
    const create = () => ann.send('shares.create', { params: { sessionId }, body: { days: 7 } })
    const replies = await Promise.all([create(), create()])
    expect(replies.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
    for (const reply of replies.filter(({ status }) => status !== 200))
      expect(reply).toMatchObject({ status: 409, body: { code: 'too_many_shares' } })
    while ((await ann.call('shares.list')).shares.length < maxShares) await share(ann, sessionId)
    expect(await create()).toMatchObject({ status: 409, body: { code: 'too_many_shares' } })
    const { shares } = await ann.call('shares.list')
    expect(shares).toHaveLength(maxShares)
    await ann.call('shares.revoke', { params: { shareId: shares[0]?.id ?? '' } })
    expect(await create()).toMatchObject({ status: 200 })
  })

  it('deletes what an interrupted creation left', { tags: 'long' }, async () => {
    const ann = await stack.newUser()
    const sessionId = await converse(ann, 'Hi')
    const link = await share(ann, sessionId)
    const row = (await table.readRows(ann.sub)).find((row) => row['SK'] === `SHARE#${link.id}`)
    await table.putRow({ ...row, state: 'making', created_at: new Date(Date.now() - 61_000).toISOString() })
    expect((await ann.call('shares.list')).shares).toEqual([])
    await share(ann, sessionId)
    expect((await ann.call('shares.list')).shares).toHaveLength(1)
    expect(await open(link.secret)).toMatchObject(linkNotFound)
  })

  it('has the links in the export, without their secrets', { tags: 'long' }, async () => {
    const ann = await stack.newUser()
    const { secret, ...link } = await share(ann, await converse(ann, 'Hi'))
    const { bytes } = await downloadExport(await ann.call('account.export'))
    const files = unzip(bytes)
    expect(JSON.parse(String(files.get('shared-links.json')))).toEqual([link])
    expect(bytes.includes(Buffer.from(secret))).toBe(false)
  })

  it('erases the shared links with the account', { tags: 'long' }, async () => {
    const ann = await stack.newUser()
    const { secret } = await share(ann, await converse(ann, canaryFor(ann)))
    expect(await findOccurrences(stack, canaryFor(ann))).toContain('table')
    expect((await ann.call('account.erase', { body: { confirm: 'DELETE' } })).done).toBe(true)
    expect(await open(secret)).toMatchObject(linkNotFound)
    expect(await findOccurrences(stack, canaryFor(ann))).toEqual([])
    expect(await table.readAllAsText()).not.toContain(secret)
  })
})
