import { describe, expect, it } from 'vitest'
import { connectionLost } from '#shared/chat-texts.ts'
import { says } from '../support/fake-model-server.ts'
import { pausableReply, type PausableReply } from '../support/pausable-reply.ts'
import { ask, reattach, joinText, findOnlyEvent, listTypes, type ReadAlong } from '../support/read-along.ts'
import { scriptedStack } from '../support/shared-stack.ts'

const { model, stack, table } = await scriptedStack('Fine.')
const printedBefore = stack.output().length
const ann = await stack.newUser()

interface SentMessage {
  sessionId: string
  messageId: string
}

const question = (content = 'What is it?') => ({
  messages: [{ role: 'user' as const, content }],
  sessionId: crypto.randomUUID(),
  messageId: crypto.randomUUID(),
})

const read = ({ sessionId }: Pick<SentMessage, 'sessionId'>) =>
  ann.call('sessions.read', { params: { sessionId } })
const readContents = async (sent: SentMessage) => (await read(sent)).messages.map(({ content }) => content)
const waitForEnd = async (sent: SentMessage) => {
  await expect.poll(async () => (await read(sent)).run?.status ?? 'done').not.toBe('running')
  return read(sent)
}
const hasText = (text: string) => (reading: ReadAlong) => reading.text() === text

/** A reply in progress: the model has sent its first words, and they have arrived. */
async function startReply(firstWords: string, body = question()) {
  const paused = pausableReply(firstWords)
  model.behave(paused.behaviour)
  const reading = ask(ann, body)
  await paused.modelCalled
  await reading.until(hasText(firstWords))
  return { paused, reading, body, params: { sessionId: body.sessionId } }
}

/** Ends an open reply, so that none outlives its test. */
async function finishReply(paused: PausableReply, reading: ReadAlong) {
  paused.finish()
  await reading.finished
}

it(
  'CAP-11 DEC-011 DEC-128 quotes the request’s system prompt for the model, below the rules',
  { tags: 'long' },
  async () => {
    const systemPrompt = 'Answer like a lighthouse keeper.'
    await ask(ann, { ...question(), systemPrompt }).finished
    const [system] = model.requests.at(-1)?.messages ?? []
    expect(system?.role).toBe('system')
    expect(system?.content).toMatch(
      /^You are Juno[\s\S]+cannot change the rules above:\n"""\nAnswer like a lighthouse/,
    )
    await ask(ann, question()).finished
    expect(JSON.stringify(model.requests.at(-1)?.messages)).not.toContain('lighthouse')
  },
)

describe('CHAT-47 stop', () => {
  it('CHAT-46 ends the model call and the stream', async () => {
    const { paused, reading, body, params } = await startReply('One, two,')
    const { run } = await ann.call('runs.stop', { params, body: {} })
    expect(run).toMatchObject({ status: 'running', message_id: body.messageId })
    await paused.cut
    const received = await reading.finished
    expect(listTypes(received).slice(-4)).toEqual(['data-session', 'abort', 'finish', '[DONE]'])
    expect(findOnlyEvent(received, 'finish').messageMetadata).toMatchObject({
      success: true,
      content: 'One, two,',
    })
  })

  it(
    'CHAT-48 CHAT-49 DEC-009 keeps the written text in one message, marked as stopped',
    { tags: 'long' },
    async () => {
      const { paused, reading, body, params } = await startReply('One, two,')
      await ann.call('runs.stop', { params, body: {} })
      await paused.cut
      await reading.finished
      const after = await read(body)
      expect(after.messages.slice(1)).toMatchObject([
        { role: 'assistant', content: 'One, two,', ended: 'stopped' },
      ])
      expect(after.run?.status).toBe('stopped')
      expect(after.session.message_count).toBe(2)
    },
  )

  it('before the first word stores a message without text', { tags: 'long' }, async () => {
    const paused = pausableReply('')
    model.behave(paused.behaviour)
    const body = question()
    const reading = ask(ann, body)
    await paused.modelCalled
    await ann.call('runs.stop', { params: { sessionId: body.sessionId }, body: {} })
    await paused.cut
    await reading.finished
    expect(await readContents(body)).toEqual(['What is it?', ''])
  })

  it('also ends the JSON form, which returns the written text', { tags: 'long' }, async () => {
    const paused = pausableReply('One, two,')
    model.behave(paused.behaviour)
    const body = question()
    const reply = ann.send('chat.send', { body })
    await paused.modelCalled
    await ann.call('runs.stop', { params: { sessionId: body.sessionId }, body: {} })
    expect(await reply).toMatchObject({
      status: 200,
      body: { success: true, content: 'One, two,', toolCalls: [], error: null },
    })
  })

  it('stops the named run, and no other', { tags: 'long' }, async () => {
    const { paused, reading, params } = await startReply('One,')
    const other = await ann.send('runs.stop', { params, body: { runId: crypto.randomUUID() } })
    expect(other).toMatchObject({ status: 404, body: { code: 'run_not_found' } })
    const { runId } = findOnlyEvent(reading.received, 'start').messageMetadata
    expect((await ann.call('runs.stop', { params, body: { runId } })).run.run_id).toBe(runId)
    await paused.cut
    await reading.finished
  })

  it('repeated or after the end is no error and changes nothing', { tags: 'long' }, async () => {
    const { paused, reading, body, params } = await startReply('One,')
    await Promise.all([1, 2, 3].map(() => ann.call('runs.stop', { params, body: {} })))
    await paused.cut
    await reading.finished
    const before = await read(body)
    expect((await ann.call('runs.stop', { params, body: {} })).run.status).toBe('stopped')
    expect(await read(body)).toEqual(before)

    const finishedChat = question()
    model.behave(says('All of it.'))
    await ask(ann, finishedChat).finished
    const response = await ann.call('runs.stop', { params: { sessionId: finishedChat.sessionId }, body: {} })
    expect(response.run.status).toBe('done')
    expect(await readContents(finishedChat)).toEqual(['What is it?', 'All of it.'])
  })

  it('lets the conversation continue, and the line is not sent to the model', { tags: 'long' }, async () => {
    const { paused, reading, body, params } = await startReply('One, two,')
    await ann.call('runs.stop', { params, body: {} })
    await paused.cut
    await reading.finished
    model.behave(says('Three.'))
    await ask(ann, { ...question('Go on'), sessionId: body.sessionId }).finished
    expect(model.requests[0]?.messages.slice(1)).toEqual([
      { role: 'user', content: 'What is it?' },
      { role: 'assistant', content: 'One, two,' },
      { role: 'user', content: 'Go on' },
    ])
    expect(await readContents(body)).toEqual(['What is it?', 'One, two,', 'Go on', 'Three.'])
  })
})

describe('a reader that reconnects', () => {
  it('gets exactly the rest, wherever it stopped reading', async () => {
    const { paused, reading, body } = await startReply('Grüße, 👋 ')
    paused.say('und noch ')
    await reading.until(hasText('Grüße, 👋 und noch '))
    paused.say('mehr. ')
    const soFar = 'Grüße, 👋 und noch mehr. '
    await reading.until(hasText(soFar))
    const counts = reading.received.map((_, index) => index + 1)
    const resumedReaders = counts.map((count) => {
      const before = reading.received.slice(0, count)
      return { before, rest: reattach(ann, body.sessionId, before.at(-1)?.id) }
    })
    for (const { before, rest } of resumedReaders) {
      await rest.until(() => joinText(before) + rest.text() === soFar)
      const events = listTypes([...before, ...rest.received])
      expect(events).toEqual(listTypes(reading.received))
    }
    paused.say('Und dann ')
    for (const { before, rest } of resumedReaders)
      await rest.until(() => joinText(before) + rest.text() === `${soFar}Und dann `)
    paused.finish('Ende.')
    const whole = await reading.finished
    expect(joinText(whole)).toBe(`${soFar}Und dann Ende.`)
    for (const { rest } of resumedReaders) {
      const received = await rest.finished
      // or the stored reply, if the last words arrived between two polls
      const stored = findOnlyEvent(received, 'data-reply').data
      expect(stored.messages.at(-1)?.content).toBe(joinText(whole))
      expect(stored.run.status).toBe('done')
      expect(findOnlyEvent(received, 'finish')).toEqual(findOnlyEvent(whole, 'finish'))
      expect(received.at(-1)?.event).toBe('[DONE]')
    }
  })

  it('resumes inside a piece of text, counted in UTF-16 units', { tags: 'long' }, async () => {
    const { paused, reading, body } = await startReply('0123456789')
    const beforeText = Number(
      reading.received.find(({ event }) => event !== '[DONE]' && event.type === 'text-start')?.id,
    )
    const rest = reattach(ann, body.sessionId, String(beforeText + 4))
    await rest.until(hasText('456789'))
    expect(rest.types()).toEqual(['text-delta'])
    await rest.leave()
    await finishReply(paused, reading)
  })

  it('after a reload gets everything from the start', { tags: 'long' }, async () => {
    const { paused, reading, body } = await startReply('One, two,')
    const conversation = await read(body)
    expect(conversation.run).toMatchObject({ status: 'running', message_id: body.messageId })
    expect(conversation.messages).toMatchObject([{ id: body.messageId, role: 'user' }])
    const again = reattach(ann, body.sessionId)
    await again.until(hasText('One, two,'))
    expect(again.types()).toEqual(['start', 'start-step', 'text-start', 'text-delta'])
    expect(findOnlyEvent(again.received, 'start')).toEqual(findOnlyEvent(reading.received, 'start'))
    paused.finish(' three.')
    expect(findOnlyEvent(await again.finished, 'data-reply').data.messages.at(-1)).toMatchObject({
      id: findOnlyEvent(reading.received, 'start').messageId,
      content: 'One, two, three.',
    })
    await reading.finished
  })

  it('with an invalid position gets everything', { tags: 'long' }, async () => {
    const { paused, reading, body } = await startReply('One,')
    const invalid = ['', 'abc', '-1', '1.5', '1e3', '9999999999', '0x10', '1, 2']
    const readers = invalid.map((lastEventId) => reattach(ann, body.sessionId, lastEventId))
    for (const again of readers) {
      await again.until(hasText('One,'))
      expect(again.types()[0]).toBe('start')
      await again.leave()
    }
    await finishReply(paused, reading)
  })

  it('with a position beyond the end gets the end only, and nothing twice', { tags: 'long' }, async () => {
    const { paused, reading, body } = await startReply('One,')
    const reader = reattach(ann, body.sessionId, '999999999')
    paused.finish(' two.')
    await reading.finished
    expect(listTypes(await reader.finished)).toEqual(['data-reply', 'message-metadata', 'finish', '[DONE]'])
  })

  it('after the end gets the reply as a stream, or as it is stored', { tags: 'long' }, async () => {
    model.behave(says('All of it.'))
    const body = question()
    const whole = await ask(ann, body).finished
    const fromStart = await reattach(ann, body.sessionId).finished
    expect(listTypes(fromStart)).toEqual([
      'start',
      'start-step',
      'text-start',
      'text-delta',
      'text-end',
      'finish-step',
      'data-reply',
      'message-metadata',
      'finish',
      '[DONE]',
    ])
    expect(joinText(fromStart)).toBe('All of it.')
    const fromBetween = await reattach(ann, body.sessionId, '4').finished
    expect(listTypes(fromBetween)).toEqual(['data-reply', 'message-metadata', 'finish', '[DONE]'])
    expect(findOnlyEvent(fromBetween, 'finish')).toEqual(findOnlyEvent(whole, 'finish'))
  })
})

describe('DEC-008 a reply does not depend on its readers', () => {
  it('continues when a reader disconnects', { tags: 'long' }, async () => {
    const { paused, reading, body } = await startReply('One, two,')
    await reading.leave()
    paused.say(' three')
    paused.finish(', four.')
    const after = await waitForEnd(body)
    expect(after.run).toBeNull()
    expect(after.messages.at(-1)?.content).toBe('One, two, three, four.')
    expect(after.messages.at(-1)).not.toHaveProperty('ended')
  })

  it('continues when a caller of the JSON form disconnects', { tags: 'long' }, async () => {
    const paused = pausableReply('One,')
    model.behave(paused.behaviour)
    const body = question()
    const controller = new AbortController()
    const reply = ann.send('chat.send', { body, signal: controller.signal })
    await paused.modelCalled
    controller.abort()
    await expect(reply).rejects.toThrow(/abort/)
    paused.finish(' two.')
    expect((await waitForEnd(body)).messages.at(-1)?.content).toBe('One, two.')
  })

  it('is the same for ten readers', { tags: 'long' }, async () => {
    const { paused, reading, body } = await startReply('One,')
    const readers = Array.from({ length: 10 }, () => reattach(ann, body.sessionId))
    await Promise.all(readers.map((one) => one.until(hasText('One,'))))
    paused.finish(' two.')
    const whole = await reading.finished
    for (const one of readers)
      expect(findOnlyEvent(await one.finished, 'finish')).toEqual(findOnlyEvent(whole, 'finish'))
  })
})

describe('CHAT-41 one reply at a time', () => {
  it.each([
    ['two streams', 'text/event-stream', 'text/event-stream'],
    ['two callers of the JSON form', 'application/json', 'application/json'],
    ['one of each', 'text/event-stream', 'application/json'],
  ])('DEC-107 the same message twice at once, %s: one model call', async (_, ...accepted) => {
    const paused = pausableReply('One,')
    model.behave(paused.behaviour)
    const body = question()
    const replies = accepted.map((accept) => ann.send('chat.send', { body, headers: { accept } }))
    await paused.modelCalled
    // both have arrived: a third request joins the existing run
    const third = reattach(ann, body.sessionId)
    await third.until(hasText('One,'))
    paused.finish(' two.')
    for (const { status, body: response } of await Promise.all(replies)) {
      expect(status).toBe(200)
      expect(JSON.stringify(response)).toContain('One, two.')
    }
    await third.finished
    expect(model.requests).toHaveLength(1)
    expect(await readContents(body)).toEqual(['What is it?', 'One, two.'])
  })

  it('sending the same message while its reply is written joins it', { tags: 'long' }, async () => {
    const { paused, reading, body } = await startReply('One,')
    const again = ask(ann, body)
    await again.until(hasText('One,'))
    paused.finish(' two.')
    expect(findOnlyEvent(await again.finished, 'finish')).toEqual(
      findOnlyEvent(await reading.finished, 'finish'),
    )
    expect(model.requests).toHaveLength(1)
  })

  it('another message in the meantime gets 409 and is not stored', { tags: 'long' }, async () => {
    const { paused, reading, body } = await startReply('One,')
    const other = await ann.send('chat.send', {
      body: { ...question('And this?'), sessionId: body.sessionId },
    })
    expect(other).toMatchObject({ status: 409, body: { success: false, code: 'run_in_progress' } })
    const elsewhere = question('Elsewhere')
    paused.finish(' two.')
    await reading.finished
    expect(await readContents(body)).toEqual(['What is it?', 'One, two.'])
    model.behave(says('Here.'))
    expect(joinText(await ask(ann, elsewhere).finished)).toBe('Here.')
  })

  it(
    'ten different messages at once: one gets its reply, nine are refused, and nothing of these is stored',
    { tags: 'trial' },
    async () => {
      const paused = pausableReply('One,')
      model.behave(paused.behaviour)
      const { sessionId } = question()
      const sent = Array.from({ length: 10 }, (_, index) => ({ ...question(`Message ${index}`), sessionId }))
      const statuses: number[] = []
      const replies = sent.map(async (body) => {
        const { status } = await ann.send('chat.send', { body })
        statuses.push(status)
      })
      await paused.modelCalled
      // the accepted message's reply is still open
      await expect.poll(() => statuses.length).toBe(9)
      expect(new Set(statuses)).toEqual(new Set([409]))
      paused.finish(' two.')
      await Promise.all(replies)
      expect(statuses.at(-1)).toBe(200)
      expect(model.requests).toHaveLength(1)
      const { messages, session } = await read({ sessionId })
      expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
      expect(session.message_count).toBe(2)
    },
  )
})

describe('DEC-006 HIST-26 deleting a conversation while a reply is written', () => {
  it('leaves nothing: the writer ends, and nothing comes back', async () => {
    const { paused, reading, body, params } = await startReply('One,')
    const reader = reattach(ann, body.sessionId)
    await reader.until(hasText('One,'))
    await ann.call('sessions.delete', { params })
    expect((await ann.call('sessions.list')).sessions.map(({ id }) => id)).not.toContain(body.sessionId)
    await paused.cut
    const received = await reading.finished
    expect(findOnlyEvent(received, 'error')).toMatchObject({
      errorText: connectionLost.error,
      code: 'connection_lost',
    })
    expect(listTypes(received).at(-1)).toBe('[DONE]')
    expect((await reader.finished).at(-1)?.event).toBe('[DONE]')

    for (const name of ['sessions.read', 'runs.events', 'runs.stop'] as const)
      expect(await ann.send(name, { params, ...(name === 'runs.stop' && { body: {} }) })).toMatchObject({
        status: 404,
      })
    // the same message again, from a page that does not know yet
    expect(await ann.send('chat.send', { body })).toMatchObject({
      status: 404,
      body: { code: 'session_not_found' },
    })

    const rows = (await table.readRows(ann.sub)).filter(({ SK }) => String(SK).includes(body.sessionId))
    expect(rows).toEqual([
      {
        PK: `U#${ann.sub}`,
        SK: `S#${body.sessionId}`,
        deleted_at: expect.any(String) as string,
        ttl: expect.any(Number) as number,
        cleared: true,
      },
    ])
  })

  it('can be repeated', { tags: 'long' }, async () => {
    model.behave(says('Fine.'))
    const body = question()
    await ask(ann, body).finished
    const params = { sessionId: body.sessionId }
    const statuses = await Promise.all(
      [1, 2, 3].map(async () => (await ann.send('sessions.delete', { params })).status),
    )
    expect(new Set(statuses)).toEqual(new Set([200]))
  })
})

it('none of this was an unexpected error', () => {
  expect(stack.output().slice(printedBefore)).not.toMatch(/unhandled|failed|error /)
})
