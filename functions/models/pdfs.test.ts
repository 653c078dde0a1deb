import { afterAll, describe, expect, it } from 'vitest'
import { fails, startFakeMessages, writesText } from '../../test/support/fake-messages-server.ts'
import { says, startFakeModel, type ModelBehaviour } from '../../test/support/fake-model-server.ts'
import type { ModelApi, ModelMessage, PdfPart } from './model.ts'
import { withoutVision } from './omit-images.ts'
import { openModel } from './open-model.ts'
import { estimatePromptTokens } from './token-estimate.ts'

const server = await startFakeModel()
afterAll(() => server.close())

const url = 'data:application/pdf;base64,JVBERg=='
const picture = { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AA==' } }
const pdf = (instead: PdfPart['instead']): PdfPart => ({
  type: 'file',
  file: { filename: 'scan (1–5).pdf', file_data: url },
  pages: 5,
  instead,
})
const asking = (...parts: PdfPart[]): ModelMessage[] => [
  { role: 'user', content: [{ type: 'text', text: 'Read this' }, ...parts] },
]
const shown = pdf([{ type: 'text', text: 'as images' }, picture])

const refuses =
  (status: number, error: object): ModelBehaviour =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
/** A server that refuses PDFs with an error. */
const refusesPdfs =
  (status: number, error: object): ModelBehaviour =>
  (response, request, body) =>
    JSON.stringify(body).includes('input_file')
      ? refuses(status, error)(response, request, body)
      : says('Hi')(response, request, body)

const open = (api: ModelApi | 'auto', baseUrl = server.baseUrl) =>
  openModel({ api, baseUrl, model: 'm', readKey: async () => '' })
const ask = async (model: ReturnType<typeof open>, messages: ModelMessage[]) => {
  const omitted: string[] = []
  const round = await model.complete({
    messages,
    tools: [],
    signal: new AbortController().signal,
    onText: () => undefined,
    onOmit: (omission) => omitted.push(omission),
  })
  return { text: round.text, omitted }
}

describe('pages of a PDF', () => {
  it('are a file (Responses)', async () => {
    server.behave(says('Hi'))
    await ask(open('responses'), asking(shown))
    expect(server.requests.at(-1)?.['input']).toMatchObject([
      {
        content: [
          { type: 'input_text', text: 'Read this' },
          { type: 'input_file', filename: 'scan (1–5).pdf', file_data: url },
        ],
      },
    ])
  })

  it('are a document (Messages)', async () => {
    const messages = await startFakeMessages(writesText('Hi'))
    expect(await ask(open('messages', messages.baseUrl), asking(shown))).toEqual({ text: 'Hi', omitted: [] })
    await messages.close()
    expect(messages.requests[0]?.messages[0]?.content).toMatchObject([
      { type: 'text' },
      {
        type: 'document',
        title: 'scan (1–5).pdf',
        source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERg==' },
      },
    ])
  })

  it('count as tokens', () => {
    expect(estimatePromptTokens(asking(shown, pdf([])), [])).toBeGreaterThan(25_000)
  })

  it('are sent to APIs that take them, and to models that see', () => {
    expect((['responses', 'messages', 'chat'] as const).map((api) => open(api).takesPdfs?.())).toEqual([
      true,
      true,
      false,
    ])
    expect(withoutVision(open('responses')).takesPdfs?.()).toBe(false)
  })
})

describe('a server that refuses PDFs', () => {
  it.each([
    [400, { message: "Invalid value: 'input_file'.", param: 'input[0].content[1]', code: 'invalid_value' }],
    [400, { message: 'Bad request' }],
    [413, { message: 'Request Entity Too Large' }],
    [422, { message: 'A maximum of 100 PDF pages may be provided.' }],
    [500, { message: 'unsupported content[].type' }],
  ])('gets pictures of the pages, and no further PDF: %i %j', async (status, error) => {
    server.behave(refusesPdfs(status, error))
    const before = server.requests.length
    const model = open('responses')
    expect(await ask(model, asking(shown, pdf([])))).toEqual({ text: 'Hi', omitted: [] })
    expect(server.requests.at(-1)?.['input']).toMatchObject([
      {
        content: [
          { type: 'input_text', text: 'Read this' },
          { type: 'input_text', text: 'as images' },
          { type: 'input_image' },
        ],
      },
    ])
    expect(model.takesPdfs?.()).toBe(false)
    const after = server.requests.length
    expect(after - before).toBeLessThan(4)
    await ask(model, asking(shown))
    expect(server.requests.length - after).toBe(1)
  })

  it('of a page without a picture: the user is told', async () => {
    server.behave(refusesPdfs(400, { message: 'no PDFs' }))
    const { omitted } = await ask(open('responses'), asking(pdf([{ type: 'text', text: 'cannot be shown' }])))
    expect(omitted).toEqual(['refusedImages'])
  })

  it('loses the pictures as well if it refuses them', async () => {
    server.behave((response, request, body) =>
      /input_file|input_image/.test(JSON.stringify(body))
        ? refuses(400, { message: 'this model takes neither files nor images' })(response, request, body)
        : says('Hi')(response, request, body),
    )
    expect(await ask(open('responses'), asking(shown))).toEqual({ text: 'Hi', omitted: ['refusedImages'] })
  })

  it('that has no Responses API gets pictures over Chat Completions', async () => {
    server.behave((response, request, body) =>
      'input' in body
        ? refuses(404, { message: 'Not found' })(response, request, body)
        : says('Hi')(response, request, body),
    )
    const model = openModel({
      api: 'auto',
      server: 'openai',
      baseUrl: server.baseUrl,
      model: 'm',
      readKey: async () => '',
    })
    await ask(model, asking(shown))
    expect(JSON.stringify(server.requests.at(-1)?.messages)).toContain('image/png')
    expect(JSON.stringify(server.requests.at(-1)?.messages)).not.toContain('application/pdf')
  })
})

it('one PDF that Anthropic refuses says nothing of the next', async () => {
  const messages = await startFakeMessages((response, body) =>
    JSON.stringify(body).includes('JVBERg==')
      ? fails(400, 'invalid_request_error', 'The PDF specified was not valid.')(response, body)
      : writesText('Hi')(response, body),
  )
  const model = openModel({
    api: 'messages',
    baseUrl: 'https://api.anthropic.com/v1',
    model: 'm',
    readKey: async () => '',
    fetch: (input, init) =>
      fetch((input as string).replace('https://api.anthropic.com/v1', messages.baseUrl), init),
  })
  expect((await ask(model, asking(shown))).text).toBe('Hi')
  expect(model.takesPdfs?.()).toBe(true)
  await messages.close()
})
