import { describe, expect, it } from 'vitest'
import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import { demoStack } from '../support/shared-stack.ts'
import type { StackUser } from '../support/stack-user.ts'
import { downloadExport } from '../support/download-export.ts'
import { unzip } from '../support/unzip.ts'
import { uploadFile } from '../support/upload.ts'

const stack = await demoStack()
const [ann, bob] = await Promise.all([stack.newUser(), stack.newUser()])

async function startConversation(
  user: StackUser,
  content: string,
  sessionId: string = crypto.randomUUID(),
  files: { id: string }[] = [],
) {
  const messageId = crypto.randomUUID()
  await user.call('chat.send', {
    body: { sessionId, messageId, messages: [{ role: 'user', content, attachments: files }] },
  })
  return sessionId
}

/** Twelve of these do not fit into one page of the table, and twenty not into one response, where a quotation mark takes four bytes. */
const long = '"a" '.repeat(24_000)

describe('rename', () => {
  it('DEC-114 a title that the user set is kept through later messages', async () => {
    const sessionId = await startConversation(ann, 'Hello there')
    const rename = (title: string) => ann.call('sessions.update', { params: { sessionId }, body: { title } })
    expect((await rename('  My plans  ')).session).toMatchObject({ title: 'My plans', message_count: 2 })
    await rename('New Chat')
    await startConversation(ann, 'Something else', sessionId)
    const { session } = await ann.call('sessions.read', { params: { sessionId } })
    expect(session).toMatchObject({ title: 'New Chat', message_count: 4 })
    expect(session).not.toHaveProperty('title_set')
  })

  it('titles must not be blank or too long, and only own, existing conversations can be renamed', async () => {
    const sessionId = await startConversation(ann, 'Hello there')
    const rename = async (user: StackUser, title: string) =>
      (await user.send('sessions.update', { params: { sessionId }, body: { title } })).status
    expect(await rename(ann, '   ')).toBe(400)
    expect(await rename(ann, 'x'.repeat(201))).toBe(400)
    expect(await rename(bob, 'Mine now')).toBe(404)
    await ann.call('sessions.delete', { params: { sessionId } })
    expect(await rename(ann, 'Back again')).toBe(404)
    expect((await ann.send('sessions.read', { params: { sessionId } })).status).toBe(404)
  })
})

describe('the search corpus', () => {
  type Corpus = RouteResponse<'sessions.corpus'>
  async function readCorpus(user: StackUser, since?: string) {
    const pages: Corpus[] = []
    for (
      let cursor: string | null = null;
      pages.length === 0 || cursor;
      cursor = pages.at(-1)?.next ?? null
    ) {
      const query: Record<string, string> = { ...(since && { since }), ...(cursor && { cursor }) }
      const { status, body } = await user.send('sessions.corpus', { query })
      if (status !== 200) throw new Error(JSON.stringify(body))
      pages.push(body as Corpus)
    }
    return pages
  }

  it('HIST-12 contains the titles and messages of the caller only', async () => {
    const person = await stack.newUser()
    const sessionId = await startConversation(person, '/echo a needle in the hay')
    const [page] = await readCorpus(person)
    expect(page?.sessions).toEqual([
      { id: sessionId, title: '/echo a needle in the hay', updated_at: expect.any(String) as string },
    ])
    expect(page?.messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', '/echo a needle in the hay'],
      ['assistant', 'a needle in the hay'],
    ])
    expect(JSON.stringify(await readCorpus(bob))).not.toContain('needle')
  })

  it('comes in pages that do not overlap, and later contains only changes', { tags: 'long' }, async () => {
    const person = await stack.newUser()
    const sessionIds: string[] = []
    for (let index = 0; index < 3; index += 1) {
      const sessionId = crypto.randomUUID()
      for (let turn = 0; turn < 8; turn += 1) await startConversation(person, long, sessionId)
      sessionIds.push(sessionId)
    }
    const pages = await readCorpus(person)
    const ids = pages.flatMap(({ messages }) => messages.map(({ id }) => id))
    expect([new Set(ids).size, ids.length]).toEqual([48, 48])
    expect(pages.length).toBeGreaterThan(1)
    expect(pages[0]?.changed?.toSorted()).toEqual(sessionIds.toSorted())
    expect(pages.slice(1).map(({ sessions, changed }) => [sessions, changed])).toEqual(
      pages.slice(1).map(() => [null, null]),
    )
    const later = new Date(Date.now() + 120_000).toISOString()
    const [unchanged] = await readCorpus(person, later)
    expect([unchanged?.changed, unchanged?.messages, unchanged?.sessions?.length]).toEqual([[], [], 3])
  })

  it('refuses an invalid cursor', async () => {
    for (const cursor of ['x', Buffer.from('["a","b","c"]').toString('base64url')])
      expect((await ann.send('sessions.corpus', { query: { cursor } })).status).toBe(400)
  })
})

describe('export of one conversation', () => {
  async function exportConversation(user: StackUser, sessionId: string, format: 'markdown' | 'json') {
    let content = ''
    let after: string | null = null
    for (;;) {
      const query: Record<string, string> = { format, ...(after && { after }) }
      const { body, status } = await user.send('sessions.export', { params: { sessionId }, query })
      if (status !== 200) throw new Error(`${status}`)
      const part = body as RouteResponse<'sessions.export'>
      content += part.content
      after = part.next
      if (after === null) return { ...part, content }
    }
  }

  it('HIST-12 as Markdown, with the names of attachments', async () => {
    const file = await uploadFile(ann, { name: 'a.txt', type: 'text/plain', content: 'x'.repeat(2_048) })
    const sessionId = await startConversation(ann, '/echo Hello **you**', undefined, [file])
    const { content, file_name, type } = await exportConversation(ann, sessionId, 'markdown')
    expect([file_name, type]).toEqual(['echo-hello-you.md', 'text/markdown'])
    const time = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC'
    expect(content).toMatch(
      new RegExp(
        `^# /echo Hello you\n\nStarted ${time}\n\n## You, ${time}\n\n/echo Hello \\*\\*you\\*\\*\n\n- Attached: a.txt \\(text/plain, 2.0 KB\\)\n\n## Assistant, ${time}\n\nHello \\*\\*you\\*\\*\n$`,
      ),
    )
  })

  it('in the language that is asked for, else in the account’s, else in English', async () => {
    const user = await stack.newUser()
    const params = { sessionId: await startConversation(user, 'Hello') }
    await user.call('sessions.update', { params, body: { title: 'New Chat' } })
    const read = async (language?: string) => {
      const query = language === undefined ? {} : { language }
      const part = (await user.send('sessions.export', { params, query })).body
      const { content, file_name } = part as RouteResponse<'sessions.export'>
      return [file_name, content.split('\n')[0]]
    }
    const english = ['new-chat.md', '# New Chat']
    expect([await read(), await read(''), await read('tlh'), await read('en-GB')]).toEqual(
      Array.from({ length: 4 }, () => english),
    )
    expect(await read('de-AT')).toEqual(['neuer-chat.md', '# Neuer Chat'])
    await user.call('account.settings', { body: { language: 'ja' } })
    expect([await read(), await read('en')]).toEqual([['新しいチャット.md', '# 新しいチャット'], english])
    const { bytes } = await downloadExport(await user.call('account.export', { query: { language: 'fr' } }))
    const names = [...unzip(bytes).keys()].filter((name) => name.endsWith('.md'))
    expect(names).toEqual([expect.stringMatching(/ Nouvelle discussion [^ ]+\.md$/)])
  })

  it('HIST-12 as JSON, complete for any length', { tags: 'trial' }, async () => {
    const sessionId = crypto.randomUUID()
    for (let turn = 0; turn < 12; turn += 1) await startConversation(ann, long, sessionId)
    const { content, type } = await exportConversation(ann, sessionId, 'json')
    const file = JSON.parse(content) as { id: string; messages: { role: string; content: string }[] }
    expect(type).toBe('application/json')
    expect([file.id, file.messages.length]).toEqual([sessionId, 24])
    expect(file.messages.at(-2)?.content).toBe(long)
    expect(file).not.toHaveProperty('user_id')
  })

  it('refuses conversations of other users', async () => {
    const sessionId = await startConversation(ann, 'Hello')
    expect((await bob.send('sessions.export', { params: { sessionId } })).status).toBe(404)
  })
})
