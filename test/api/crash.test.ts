/** @module-tag long */
import { once } from 'node:events'
import { connect } from 'node:net'
import { beforeEach, describe, expect, it } from 'vitest'
import { connectionLost } from '#shared/chat-texts.ts'
import { says } from '../support/fake-model-server.ts'
import { pausableReply } from '../support/pausable-reply.ts'
import { ask, reattach, joinText, findOnlyEvent, listTypes } from '../support/read-along.ts'
import { stackWithModel } from '../support/stack-with-model.ts'
import { openStackTable } from '../support/stack-table.ts'
import type { StackUser } from '../support/stack-user.ts'

/** A run whose last heartbeat is older than this has lost its function. */
const staleAfterMs = 20_000

const { model, stack } = await stackWithModel('Fine.', { REPLIES_AT_ONCE: '20' })

const question = (content = 'What is it?') => ({
  messages: [{ role: 'user' as const, content }],
  sessionId: crypto.randomUUID(),
  messageId: crypto.randomUUID(),
})
const read = (user: StackUser, { sessionId }: { sessionId: string }) =>
  user.call('sessions.read', { params: { sessionId } })

async function ageRun(user: StackUser, sessionId: string) {
  const table = await openStackTable(stack)
  try {
    await table.ageRun(user.sub, sessionId, staleAfterMs + 1)
  } finally {
    table.close()
  }
}

async function readRows(user: StackUser, part = '') {
  const table = await openStackTable(stack)
  try {
    return (await table.readRows(user.sub)).filter(({ SK }) => String(SK).includes(part))
  } finally {
    table.close()
  }
}

describe('killed in the middle of a reply', () => {
  let ann: StackUser
  let finishedChat: ReturnType<typeof question>
  let cutChat: ReturnType<typeof question>
  let finishedChatBefore: unknown

  beforeEach(async () => {
    ann = await stack.newUser()
    finishedChat = question('Something else')
    model.behave(says('Something else entirely.'))
    await ask(ann, finishedChat).finished
    finishedChatBefore = await read(ann, finishedChat)

    cutChat = question()
    const paused = pausableReply('One, two,')
    model.behave(paused.behaviour)
    const reading = ask(ann, cutChat)
    await paused.modelCalled
    // the text that other readers can follow is in the table
    const follower = reattach(ann, cutChat.sessionId)
    await follower.until(({ text }) => text() === 'One, two,')
    await stack.kill('SIGKILL')
    await Promise.allSettled([reading.finished, follower.finished])
    await paused.cut
    await stack.restart()
  })

  it('all acknowledged messages exist, and users are still signed in', { tags: 'trial' }, async () => {
    const { sessions } = await ann.call('sessions.list')
    expect(sessions.map(({ id }) => id)).toEqual([cutChat.sessionId, finishedChat.sessionId])
    expect(await read(ann, finishedChat)).toEqual(finishedChatBefore)
    const { messages, run, session } = await read(ann, cutChat)
    expect(messages).toMatchObject([{ id: cutChat.messageId, role: 'user', content: 'What is it?' }])
    expect(run).toMatchObject({ status: 'running', message_id: cutChat.messageId })
    expect(session.title).toBe('What is it?')

    // no function writes it any more, but that is not detected yet: readers get the text so far
    const follower = reattach(ann, cutChat.sessionId)
    await follower.until(({ text }) => text() === 'One, two,')
    // and readers who follow it are told
    await ageRun(ann, cutChat.sessionId)
    const received = await follower.finished
    expect(listTypes(received).slice(-4)).toEqual(['data-reply', 'error', 'finish', '[DONE]'])
    expect(findOnlyEvent(received, 'data-reply').data).toMatchObject({
      run: { status: 'interrupted' },
      messages: [{ role: 'user' }, { role: 'assistant', content: 'One, two,', ended: 'interrupted' }],
    })
    expect(findOnlyEvent(received, 'error')).toMatchObject({
      errorText: connectionLost.error,
      code: 'connection_lost',
    })
  })

  it('the run becomes interrupted and keeps its text, and sending the message again gets a new reply', async () => {
    await ageRun(ann, cutChat.sessionId)
    const conversation = await read(ann, cutChat)
    expect(conversation.run?.status).toBe('interrupted')
    expect(conversation.messages).toMatchObject([
      { id: cutChat.messageId, role: 'user', content: 'What is it?' },
      { role: 'assistant', content: 'One, two,', ended: 'interrupted' },
    ])
    expect(conversation.session.message_count).toBe(2)
    expect(await read(ann, cutChat)).toEqual(conversation)
    expect(await readRows(ann, 'LOG#')).toEqual([])

    model.behave(says('One, two, three.'))
    expect(joinText(await ask(ann, cutChat).finished)).toBe('One, two, three.')
    // it replaces the interrupted reply, which the model is not shown
    expect(model.requests[0]?.messages.slice(1)).toEqual([{ role: 'user', content: 'What is it?' }])
    const after = await read(ann, cutChat)
    expect(after.messages.map(({ content, ended }) => [content, ended])).toEqual([
      ['What is it?', undefined],
      ['One, two, three.', undefined],
    ])
    expect(after.run).toBeNull()
    expect(after.session.message_count).toBe(2)
    expect(await read(ann, finishedChat)).toEqual(finishedChatBefore)
  })

  it(
    'the next message continues from the kept text, although nobody read the conversation in between',
    { tags: 'trial' },
    async () => {
      await ageRun(ann, cutChat.sessionId)
      model.behave(says('Three.'))
      const next = { ...question('Go on'), sessionId: cutChat.sessionId }
      expect(joinText(await ask(ann, next).finished)).toBe('Three.')
      expect(model.requests[0]?.messages.slice(1).map(({ content }) => content)).toEqual([
        'What is it?',
        'One, two,',
        'Go on',
      ])
      const { messages, session } = await read(ann, cutChat)
      expect(messages.map(({ content }) => content)).toEqual(['What is it?', 'One, two,', 'Go on', 'Three.'])
      expect(session.message_count).toBe(4)
    },
  )

  it(
    'a message sent before the crash is detected waits for its detection, and is accepted',
    { tags: 'trial' },
    async () => {
      model.behave(says('Three.'))
      const next = ask(ann, { ...question('Go on'), sessionId: cutChat.sessionId })
      await ageRun(ann, cutChat.sessionId)
      expect(joinText(await next.finished)).toBe('Three.')
      const { messages } = await read(ann, cutChat)
      expect(messages.map(({ content }) => content)).toEqual(['What is it?', 'One, two,', 'Go on', 'Three.'])
    },
  )

  it(
    'a run that is stopped before the crash is detected ends as stopped, and the next message is accepted',
    { tags: 'trial' },
    async () => {
      const params = { sessionId: cutChat.sessionId }
      expect((await ann.call('runs.stop', { params, body: {} })).run.status).toBe('running')
      model.behave(says('Three.'))
      const next = { ...question('Go on'), sessionId: cutChat.sessionId }
      expect(joinText(await ask(ann, next).finished)).toBe('Three.')
      const { messages } = await read(ann, cutChat)
      expect(messages.map(({ content, ended }) => [content, ended])).toEqual([
        ['What is it?', undefined],
        ['One, two,', 'stopped'],
        ['Go on', undefined],
        ['Three.', undefined],
      ])
    },
  )

  it('ten readers who detect the crash at once recover the run once', { tags: 'trial' }, async () => {
    await ageRun(ann, cutChat.sessionId)
    const found = await Promise.all(Array.from({ length: 10 }, () => read(ann, cutChat)))
    for (const { run } of found) expect(run?.status).toBe('interrupted')
    const { messages, session } = await read(ann, cutChat)
    expect(messages.map(({ content }) => content)).toEqual(['What is it?', 'One, two,'])
    expect(session.message_count).toBe(2)
  })

  it('can be stopped, and deleted', { tags: 'trial' }, async () => {
    await ageRun(ann, cutChat.sessionId)
    const params = { sessionId: cutChat.sessionId }
    expect((await ann.call('runs.stop', { params, body: {} })).run.status).toBe('interrupted')
    await ann.call('sessions.delete', { params })
    expect((await readRows(ann, cutChat.sessionId)).map(({ SK }) => SK)).toEqual([`S#${cutChat.sessionId}`])
  })
})

/** Asks, and waits until the reply has begun with a text and goes no further. */
async function askAndPause(user: StackUser, text: string) {
  const body = question()
  const paused = pausableReply(text)
  model.behave(paused.behaviour)
  const reading = ask(user, body)
  await reading.until((read) => read.text() === text)
  return { body, paused, reading }
}

describe('killed right after', () => {
  it('the first word, before any checkpoint: the message is stored and gets its reply', async () => {
    const ann = await stack.newUser()
    const killAtFirstWord = async () => {
      const { body, reading } = await askAndPause(ann, 'One')
      await stack.kill('SIGKILL')
      await expect(reading.finished).rejects.toThrow(/terminated/)
      await stack.restart()
      await ageRun(ann, body.sessionId)
      return { body, ...(await read(ann, body)) }
    }
    let killed = await killAtFirstWord()
    // a busy machine may take the two seconds after which there is a checkpoint
    while (killed.messages.length > 1) killed = await killAtFirstWord()
    const { body, messages, run } = killed
    expect(messages.map(({ content }) => content)).toEqual(['What is it?'])
    expect(run?.status).toBe('interrupted')
    model.behave(says('One, two, three.'))
    await ask(ann, body).finished
    expect((await read(ann, body)).messages.map(({ content }) => content)).toEqual([
      'What is it?',
      'One, two, three.',
    ])
  })

  it('the last event of ten replies: all are stored', { tags: 'trial' }, async () => {
    const ann = await stack.newUser()
    const bodies = Array.from({ length: 10 }, (_, index) => question(`Message ${index}`))
    model.behave(says('A reply.'))
    await Promise.all(bodies.map((body) => ask(ann, body).finished))
    await stack.kill('SIGKILL')
    await stack.restart()
    const { sessions } = await ann.call('sessions.list')
    expect(sessions).toHaveLength(10)
    for (const body of bodies) {
      const { messages, run } = await read(ann, body)
      expect(messages.map(({ content }) => content)).toEqual([body.messages[0]?.content, 'A reply.'])
      expect(run).toBeNull()
    }
  })
})

async function acceptsConnections(origin: string): Promise<boolean> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  return once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy())
}

it('SIGTERM waits for replies that are about to end, with and without a reader', async () => {
  const ann = await stack.newUser()
  const replies = [await askAndPause(ann, 'One,'), await askAndPause(ann, 'One,')]
  await replies[1]?.reading.leave()
  const stopping = stack.kill('SIGTERM')
  // through an open connection only, because the product waits for five seconds only
  await expect.poll(() => acceptsConnections(stack.origin), { interval: 10 }).toBe(false)
  for (const { paused } of replies) paused.finish(' two.')
  expect(await stopping).toBe(0)
  await stack.restart()
  for (const { body, reading } of replies) {
    expect(await reading.finished).toBe(reading.received)
    const { messages, run } = await read(ann, body)
    expect(messages.map(({ content }) => content)).toEqual(['What is it?', 'One, two.'])
    expect(run).toBeNull()
  }
})
