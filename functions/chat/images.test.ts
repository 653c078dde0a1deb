import { afterAll, describe, expect, it } from 'vitest'
import { calls, says, type ModelBehaviour } from '../../test/support/fake-model-server.ts'
import { startInProcessFunctions, type InProcessUser } from '../../test/support/in-process-functions.ts'
import { ask, findOnlyEvent } from '../../test/support/read-along.ts'
import { documentTools, scheduleTools } from '../../test/support/own-tools.ts'
import { sayOwnTool } from '#shared/sentences/own-tools.ts'
import { originalKey } from '../files/file-links.ts'

const backend = await startInProcessFunctions({
  OPENAI_IMAGE_MODEL: 'painter',
  IMAGES_PER_DAY: '1',
  STORAGE_GB_PER_USER: '0.01',
})
afterAll(() => backend.close())

const signatures = {
  png: Buffer.from('\x89PNG\r\n\x1a\n red cat', 'latin1'),
  jpg: Buffer.from('\xff\xd8\xff\xe0 red cat', 'latin1'),
  webp: Buffer.from('RIFF\x01\x02\x03\x04WEBP red cat', 'latin1'),
}
const paints =
  (bytes: Buffer): ModelBehaviour =>
  (response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ data: [{ b64_json: bytes.toString('base64') }] }))
const draw = (prompt = 'A red cat') =>
  calls({ id: '1', name: 'generate_image', arguments: JSON.stringify({ prompt }) })

const body = (sessionId = 's1') => ({
  sessionId,
  messageId: 'm1',
  messages: [{ role: 'user' as const, content: 'Draw a red cat' }],
})
const listFiles = ({ sub }: InProcessUser) => backend.attached.files.listAll(sub)

describe('an image that the model generates', () => {
  it('is shown while the reply is written, stored among the user’s files, and part of the reply', async () => {
    backend.model.behave(draw(), paints(signatures.png), says('Here it is.'))
    const user = await backend.newUser()
    const reading = ask(user, body())
    const received = await reading.finished
    // pieces of a call's arguments that arrive together are one
    expect(reading.types().filter((type, index, all) => type !== all[index - 1])).toEqual([
      'start',
      'start-step',
      'tool-input-start',
      'tool-input-delta',
      'tool-input-available',
      'file',
      'data-attachment',
      'data-result-extras',
      'tool-output-available',
      'message-metadata',
      'finish-step',
      'start-step',
      'text-start',
      'text-delta',
      'text-end',
      'message-metadata',
      'finish-step',
      'data-session',
      'finish',
      '[DONE]',
    ])
    expect(backend.model.requests[0]?.tools?.map(({ function: { name } }) => name)).toEqual([
      ...documentTools,
      'generate_image',
      ...scheduleTools,
    ])
    expect(backend.model.requests[1]).toMatchObject({ model: 'painter', prompt: 'A red cat', n: 1 })
    const { data } = findOnlyEvent(received, 'data-attachment')
    expect(data).toMatchObject({
      name: 'a-red-cat.png',
      type: 'image/png',
      size: signatures.png.length,
      isGenerated: true,
      prompt: 'A red cat',
    })
    expect(findOnlyEvent(received, 'file')).toEqual({ type: 'file', url: data.url, mediaType: 'image/png' })
    expect(Buffer.from(await (await fetch(data.url ?? '')).arrayBuffer())).toEqual(signatures.png)
    const finish = findOnlyEvent(received, 'finish').messageMetadata
    expect(finish.attachments).toMatchObject([{ id: data.id }])
    expect(finish.toolCalls[0]?.result.data).toEqual({
      attachmentId: data.id,
      name: 'a-red-cat.png',
      shown: 'The user sees the image now.',
    })
    expect(finish.toolCalls[0]?.result.sentences).toEqual([sayOwnTool('own_tool.image_shown')])
    const conversation = await user.call('sessions.read', { params: { sessionId: 's1' } })
    expect(conversation.messages[1]?.attachments).toMatchObject([{ id: data.id, prompt: 'A red cat' }])
    const rows = (await backend.readRows(user)).filter(({ SK }) => String(SK).startsWith('M#'))
    expect(JSON.stringify(rows)).not.toContain('http')
    expect(await listFiles(user)).toMatchObject([
      { id: data.id, state: 'ready', is_generated: true, used_in: new Set(['s1']) },
    ])
  })

  it('is reported to the model of a later turn by its prompt', async () => {
    backend.model.behave(draw(), paints(signatures.png), says('Here it is.'), says('Yes.'))
    const user = await backend.newUser()
    await user.call('chat.send', { body: body() })
    await user.call('chat.send', { body: { ...body(), messageId: 'm2' } })
    const [call, , text] = backend.model.requests[3]?.messages.slice(-4) ?? []
    expect(call).toMatchObject({ tool_calls: [{ function: { arguments: '{"prompt":"A red cat"}' } }] })
    expect(text).toEqual({ role: 'assistant', content: 'Here it is.' })
  })

  it.each([
    ['jpg', 'image/jpeg'],
    ['webp', 'image/webp'],
  ] as const)('has the type that its bytes have: %s', async (extension, type) => {
    backend.model.behave(
      draw('Ein rotes Ü, im Garten am Haus der Katze'),
      paints(signatures[extension]),
      says('Here.'),
    )
    const user = await backend.newUser()
    const { attachments } = await user.call('chat.send', { body: body() })
    expect(attachments).toMatchObject([{ name: `ein-rotes-ü-im-garten-am.${extension}`, type }])
  })

  it('is a complete reply without text', async () => {
    backend.model.behave(draw(), paints(signatures.png), says(''))
    const user = await backend.newUser()
    expect(await user.call('chat.send', { body: body() })).toMatchObject({ success: true, content: '' })
    const conversation = await user.call('sessions.read', { params: { sessionId: 's1' } })
    expect(conversation.messages).toHaveLength(2)
  })

  it('is deleted after the reply when the chat is not stored', async () => {
    backend.model.behave(draw(), paints(signatures.png), says('Here it is.'))
    const user = await backend.newUser()
    const { attachments } = await user.call('chat.send', { body: { ...body(), keep: false } })
    expect(attachments).toHaveLength(1)
    expect(await listFiles(user)).toEqual([])
    const { id = '' } = attachments?.[0] ?? {}
    expect(await backend.attached.store.read(originalKey(user.sub, id))).toBeUndefined()
  })
})

describe('an image that is not generated', () => {
  const readError = async (user: InProcessUser, sessionId = 's1') => {
    const { toolCalls } = await user.call('chat.send', { body: body(sessionId) })
    const { error, codes = [] } = toolCalls[0]?.result ?? {}
    // no page shows a text without a code of its own in its language
    expect(codes.map(({ code }) => code)).not.toContain('tool_failed')
    return error
  }

  it('because the daily limit is used up is reported to the model, and not requested', async () => {
    backend.model.behave(draw(), paints(signatures.png), says('Here.'), draw(), says('Tomorrow.'))
    const user = await backend.newUser()
    await user.call('chat.send', { body: body() })
    expect(await readError(user, 's2')).toBe(
      'The user has reached the daily limit for images. It resets at midnight (UTC). Say so.',
    )
    expect(backend.model.requests).toHaveLength(5)
    expect(await listFiles(user)).toHaveLength(1)
  })

  it('because the server refused it does not count', async () => {
    backend.model.behave(
      draw(),
      (response) => response.writeHead(400).end('{}'),
      says('Another?'),
      draw(),
      paints(signatures.png),
      says('Here.'),
    )
    const user = await backend.newUser()
    expect(await readError(user)).toContain('did not accept this request')
    expect(await readError(user, 's2')).toBeUndefined()
    expect(await listFiles(user)).toHaveLength(1)
  })

  it('because the server failed counts, since it may have been charged', async () => {
    const fails: ModelBehaviour = (response) =>
      response.writeHead(500, { 'x-should-retry': 'false' }).end('{}')
    backend.model.behave(draw(), fails, says('No.'), draw(), says('Tomorrow.'))
    const user = await backend.newUser()
    expect(await readError(user)).toContain('had a problem')
    expect(await readError(user, 's2')).toContain('daily limit for images')
  })

  it.each([
    ['no image', Buffer.from('GIF89a not one of them')],
    ['a sound', Buffer.from('RIFF\x01\x02\x03\x04WAVE not one')],
  ])('because the server gave %s is reported as such, and nothing is stored', async (_, bytes) => {
    backend.model.behave(draw(), paints(bytes), says('No.'))
    const user = await backend.newUser()
    expect(await readError(user)).toBe('The image model gave no usable image.')
    expect(await listFiles(user)).toEqual([])
  })

  it('because the user’s storage is full is reported as such', async () => {
    backend.model.behave(draw(), says('No room.'))
    const user = await backend.newUser()
    const largeFile = { id: 'f', name: 'f', type: 'x/y', size: 8_000_000, state: 'ready' as const }
    await backend.attached.files.put(user.sub, { ...largeFile, created_at: new Date().toISOString() })
    expect(await readError(user)).toContain('so there is no room for more')
    expect(backend.model.requests).toHaveLength(2)
  })

  it('because its description is empty is reported as such', async () => {
    backend.model.behave(draw(' '), says('What?'))
    const user = await backend.newUser()
    expect(await readError(user)).toContain('The arguments do not fit')
  })
})
