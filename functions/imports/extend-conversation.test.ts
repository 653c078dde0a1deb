import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import type { RouteRequest } from '#shared/contracts/route-contracts.ts'
import { aMessage } from '../../test/support/conversations.ts'
import { startInProcessFunctions, type InProcessUser } from '../../test/support/in-process-functions.ts'
import { addTurn } from '../conversations/store/branches.ts'
import { claimFinishedRun } from '../conversations/store/claim-finished-run.ts'

const backend = await startInProcessFunctions()
afterAll(() => backend.close())

type Conversation = RouteRequest<'imports.add'>['conversations'][number]

const at = (minute: number) => new Date(Date.parse('2024-03-01T12:00:00Z') + minute * 60_000).toISOString()
const say = (turn: number, role: 'user' | 'assistant', minute: number, content = `${role} ${minute}`) => ({
  turn,
  role,
  content,
  created_at: at(minute),
})
const turn = (number: number, minute: number) => [
  say(number, 'user', minute),
  say(number, 'assistant', minute + 1),
]

/** Two turns, exported in minute 9. */
const older: Conversation = {
  source_id: 'c1',
  title: 'Eggs',
  created_at: at(0),
  updated_at: at(9),
  turns: 2,
  message_count: 4,
  messages: [...turn(1, 0), ...turn(2, 4)],
  complete: true,
}
const known = [
  { turn: 1, user_at: at(0), reply_at: at(1) },
  { turn: 2, user_at: at(4), reply_at: at(5) },
]
/** The same with a third turn, exported in minute 30. */
const newer: Conversation = {
  ...older,
  updated_at: at(30),
  turns: 3,
  message_count: 6,
  messages: turn(3, 20),
  known_turns: known,
}

const add = async (user: InProcessUser, conversation: Conversation, importId: string = randomUUID()) => {
  const body = { import_id: importId, source: 'chatgpt' as const, conversations: [conversation] }
  const { conversations } = await user.call('imports.add', { body })
  return conversations[0]
}
const importOlder = async (changes: Partial<Conversation> = {}) => {
  const user = await backend.newUser()
  await add(user, { ...older, ...changes })
  const [session] = (await user.call('sessions.list')).sessions
  return { user, sessionId: session?.id ?? '' }
}
const read = async (user: InProcessUser, sessionId: string) => {
  const { messages, session } = await user.call('sessions.read', { params: { sessionId } })
  return {
    session,
    shown: messages.map(({ content, versions }) =>
      versions ? `${content} (${versions.shown} of ${versions.count})` : content,
    ),
    messages,
  }
}
const all = async (user: InProcessUser, sessionId: string) =>
  (await backend.stores.messages.loadContents(user.sub, sessionId)).length

/** A turn of the person, after what is shown. */
async function continueHere({ sub }: InProcessUser, sessionId: string, content: string): Promise<void> {
  const run = await backend.stores.runs.find(sub, sessionId)
  const number = (run?.turn ?? 0) + 1
  const branches = addTurn(run?.branches, number)
  await claimFinishedRun(
    backend.stores,
    {
      sub,
      sessionId,
      runId: randomUUID(),
      turn: number,
      messageId: randomUUID(),
      replyId: randomUUID(),
      ...(branches && { branches: { forks: branches.forks } }),
    },
    run,
  )
  const own = { session_id: sessionId, turn: number, created_at: new Date().toISOString() }
  await backend.stores.messages.putAll(sub, [
    aMessage({ ...own, id: randomUUID(), content }),
    aMessage({ ...own, id: randomUUID(), kind: 'reply', role: 'assistant', content: `re ${content}` }),
  ])
}

it('an existing conversation says up to when it is there, if the export has more', async () => {
  const { user } = await importOlder()
  expect(await add(user, { ...newer, known_turns: undefined })).toMatchObject({
    state: 'existing',
    until: at(9),
  })
  expect(await add(user, older)).toEqual({ source_id: 'c1', state: 'existing' })
})

it('a conversation that was imported before the release says when its newest message was written', async () => {
  const { user, sessionId } = await importOlder()
  const rows = await backend.readRows(user)
  const { import_until: until, ...row } = rows.find(({ SK }) => SK === `S#${sessionId}`) ?? {}
  expect(until).toBe(at(9))
  await backend.putRow(row)
  expect(await add(user, { ...newer, known_turns: undefined })).toMatchObject({
    state: 'existing',
    until: at(5),
  })
})

describe('a newer export adds', () => {
  it('the turns that came since, once, and moves the conversation up', async () => {
    const { user, sessionId } = await importOlder()
    expect(await add(user, newer)).toEqual({ source_id: 'c1', state: 'extended', added: 2 })
    expect(await add(user, newer)).toMatchObject({ state: 'extended', added: 0 })
    const { shown, session } = await read(user, sessionId)
    expect(shown).toEqual(['user 0', 'assistant 1', 'user 4', 'assistant 5', 'user 20', 'assistant 21'])
    expect(session).toMatchObject({ title: 'Eggs', message_count: 6, updated_at: at(30) })
    expect(await add(user, { ...newer, known_turns: undefined })).toMatchObject({ state: 'existing' })
  })

  it('no turn that an earlier export had without its time', async () => {
    const { user, sessionId } = await importOlder()
    const [first] = turn(2, 4)
    await add(user, {
      ...newer,
      messages: [
        ...turn(2, 4).map((one) => ({ ...one, created_at: at(12) })),
        { ...first!, turn: 3, created_at: at(20) },
      ],
      known_turns: known.slice(0, 1),
    })
    // what is said once more is no copy
    expect((await read(user, sessionId)).shown.slice(2)).toEqual(['user 4', 'assistant 5', 'user 4'])
  })

  it('a reply to a question that was exported before its reply', async () => {
    const { user, sessionId } = await importOlder({
      messages: [...turn(1, 0), say(2, 'user', 4)],
      message_count: 3,
    })
    const grown = { ...newer, turns: 2, messages: [say(2, 'user', 4), say(2, 'assistant', 20)] }
    expect(await add(user, { ...grown, known_turns: known.slice(0, 1) })).toMatchObject({ added: 1 })
    expect((await read(user, sessionId)).shown).toEqual(['user 0', 'assistant 1', 'user 4', 'assistant 20'])
  })

  it('another version of an earlier message, which the source shows', async () => {
    const { user, sessionId } = await importOlder()
    const edited: Conversation = {
      ...newer,
      // the edited turn and what followed it; the version comes after the first branch
      forks: [{ turn: 3, version_of: 2 }],
      head: 3,
      known_turns: known.slice(0, 1),
    }
    expect(await add(user, edited)).toMatchObject({ added: 2 })
    expect((await read(user, sessionId)).shown).toEqual([
      'user 0',
      'assistant 1',
      'user 20 (2 of 2)',
      'assistant 21',
    ])
  })

  it('another version of the first message', async () => {
    const { user, sessionId } = await importOlder()
    const edited = { ...newer, forks: [{ turn: 3, version_of: 1 }], known_turns: [] }
    expect(await add(user, edited)).toMatchObject({ added: 2 })
    expect((await read(user, sessionId)).shown).toEqual(['user 20 (2 of 2)', 'assistant 21'])
  })

  it('turns in several requests, of which each follows what is there', async () => {
    const { user, sessionId } = await importOlder()
    const grown = { ...newer, turns: 4 }
    await add(user, { ...grown, messages: turn(3, 20), complete: false })
    const third = { turn: 3, user_at: at(20), reply_at: at(21) }
    await add(user, { ...grown, messages: turn(4, 24), known_turns: [third] })
    expect((await read(user, sessionId)).shown.slice(4)).toEqual([
      'user 20',
      'assistant 21',
      'user 24',
      'assistant 25',
    ])
  })
})

describe('what the person did here stays', () => {
  it('a continued conversation shows its own messages, and has the new ones as another version', async () => {
    const { user, sessionId } = await importOlder()
    await continueHere(user, sessionId, 'mine')
    expect(await add(user, newer)).toMatchObject({ added: 2 })
    const { shown, messages } = await read(user, sessionId)
    expect(shown.slice(2)).toEqual(['user 4', 'assistant 5', 'mine (1 of 2)', 're mine'])
    const other = await user.call('sessions.showVersion', {
      params: { sessionId },
      body: { message_id: messages[4]?.id ?? '', version: 2 },
    })
    expect(other.messages.slice(4).map(({ content }) => content)).toEqual(['user 20', 'assistant 21'])
    // the person goes on where they were
    await continueHere(user, sessionId, 'again')
    expect((await read(user, sessionId)).shown.at(-1)).toBe('re again')
  })

  it('a deleted message does not come back, and what follows it has its place', async () => {
    const { user, sessionId } = await importOlder()
    const { messages } = await read(user, sessionId)
    await user.call('sessions.deleteTurn', { params: { sessionId, messageId: messages[2]?.id ?? '' } })
    // an export of the whole, as a client without times would send it
    await add(user, { ...newer, messages: [...turn(1, 0), ...turn(2, 4), ...turn(3, 20)], known_turns: [] })
    expect((await read(user, sessionId)).shown).toEqual(['user 0', 'assistant 1', 'user 20', 'assistant 21'])
    expect(await all(user, sessionId)).toBe(4)
  })

  it('its title and its place in the archive', async () => {
    const { user, sessionId } = await importOlder()
    await user.call('sessions.update', { params: { sessionId }, body: { title: 'Mine', archived: true } })
    await add(user, { ...newer, title: 'Theirs', pinned: true })
    const { session } = await read(user, sessionId)
    expect(session).toMatchObject({ title: 'Mine', archived: true })
    expect(session.pinned).toBeUndefined()
  })

  it('a reply that is being written is not disturbed', async () => {
    const { user, sessionId } = await importOlder()
    const run = await backend.stores.runs.find(user.sub, sessionId)
    if (!run) throw new Error('no run')
    await backend.stores.runs.claim(
      {
        ...run,
        runId: randomUUID(),
        epoch: 2,
        turn: 3,
        status: 'running',
        heartbeatAtMs: Date.now(),
        startedAtMs: Date.now(),
      },
      run,
    )
    expect(await add(user, newer)).toMatchObject({ state: 'busy' })
    expect(await all(user, sessionId)).toBe(4)
  })
})

it('nothing is added to a conversation that was deleted', async () => {
  const { user, sessionId } = await importOlder()
  await user.call('sessions.delete', { params: { sessionId } })
  expect(await add(user, newer)).toMatchObject({ state: 'existing' })
  expect(await all(user, sessionId)).toBe(0)
})

it('a message has its reasoning, its sources, its end, its pin and its project', async () => {
  const user = await backend.newUser()
  const { project } = await user.call('projects.create', { body: { name: 'Trip' } })
  const reply = {
    ...say(2, 'assistant', 5),
    reasoning: { text: 'Hm.', durationMs: 2_000 },
    sources: [{ url: 'https://example.org/a', title: 'A' }],
    ended: 'stopped' as const,
  }
  const messages = [...turn(1, 0), say(2, 'user', 4), reply]
  await add(user, { ...older, messages, updated_at: at(10), pinned: true, project_id: project.id })
  await add(user, { ...older, source_id: 'c2', title: 'Elsewhere', project_id: 'unknown' })
  const { sessions } = await user.call('sessions.list')
  expect(sessions.map(({ title, pinned, project_id: id }) => [title, pinned, id])).toEqual([
    ['Eggs', true, project.id],
    ['Elsewhere', undefined, undefined],
  ])
  const { messages: stored } = await read(user, sessions[0]?.id ?? '')
  const { reasoning, sources, ended } = reply
  expect(stored.at(-1)).toMatchObject({ reasoning, sources, ended })
})

it('an export of the same account brings nothing while the conversation is there', async () => {
  const { user, sessionId } = await importOlder()
  const own = { ...older, source_id: sessionId }
  const send = async () =>
    (
      await user.call('imports.add', {
        body: { import_id: randomUUID(), source: 'juno', conversations: [own] },
      })
    ).conversations[0]?.state
  expect(await send()).toBe('existing')
  await user.call('sessions.delete', { params: { sessionId } })
  expect(await send()).toBe('imported')
  expect(await send()).toBe('existing')
})
