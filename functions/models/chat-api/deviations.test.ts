import { describe, expect, it } from 'vitest'
import { recordedCall } from '../../../test/support/recorded-call.ts'
import { openModel } from '../open-model.ts'
import type { ModelMessage, ModelRound } from '../model.ts'

const event = (value: unknown) => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`
const chunk = (delta: unknown, finish_reason: unknown = null, more: object = {}) =>
  event({ choices: [{ index: 0, delta, finish_reason }], ...more })
const done = event('[DONE]')
const fn = (name: unknown, args: unknown, more: object = {}) => ({
  ...more,
  type: 'function',
  function: { name, arguments: args },
})
const calls = (...pieces: unknown[]) => chunk({ tool_calls: pieces })
const hi = chunk({ content: 'Hi' })
const stop = chunk({}, 'stop')
/** the tools that the requests offer */
const tools = ['find', 'find_all', 'send', 'send_mail'].map((name) => ({
  type: 'function' as const,
  function: { name, description: '', parameters: {} },
}))
const [one, two] = ['{"n":1}', '{"n":2}']

/** Sends one request. @param pieces of the answer's body, as they arrive */
async function ask(pieces: readonly string[], messages: ModelMessage[] = [], status = 200) {
  const { call, received } = recordedCall()
  const bodies: Record<string, unknown>[] = []
  const answer: typeof fetch = async (_, init) => {
    bodies.push(JSON.parse(typeof init?.body === 'string' ? init.body : '{}') as Record<string, unknown>)
    const bytes = pieces.map((piece) => new TextEncoder().encode(piece))
    return new Response(ReadableStream.from(bytes), { status })
  }
  const model = openModel({
    api: 'chat',
    baseUrl: 'http://m/v1',
    model: 'm',
    readKey: async () => '',
    fetch: answer,
  })
  const outcome = await model.complete({ ...call, messages, tools }).then(
    (round) => ({ round, code: undefined }),
    (error: { code: string }) => ({ round: undefined, code: error.code }),
  )
  return { ...outcome, received, body: bodies[0] ?? {} }
}

/** What an answer comes to: text, calls as `name arguments`, reasoning, sources, images, and whether it is complete. */
async function read(pieces: readonly string[]) {
  const { round, code, received } = await ask(pieces)
  const list = (kind: string) =>
    (received as [string, unknown][]).flatMap(([name, value]) => (name === kind ? [value] : []))
  const reasoning = list('reasoning').join('')
  return {
    ...(round && { text: round.text }),
    ...(code !== undefined && { code, text: list('text').join('') }),
    ...(round &&
      round.toolCalls.length > 0 && { calls: round.toolCalls.map((c) => `${c.name} ${c.arguments}`) }),
    ...(reasoning !== '' && { reasoning }),
    ...(list('source').length > 0 && { sources: list('source') }),
    ...(list('image').length > 0 && { images: list('image') }),
    ...(round?.truncated && { truncated: true }),
  }
}

/** Each deviation, where it was seen or is documented, the pieces of the answer, and what it comes to. */
const deviations: readonly [deviation: string, source: string, pieces: readonly string[], result: object][] =
  [
    // calls
    [
      'two calls without an index in one chunk',
      'https://github.com/ollama/ollama/issues/7881',
      [calls(fn('find', one, { id: 'a' }), fn('send', two, { id: 'b' })), done],
      { text: '', calls: [`find ${one}`, `send ${two}`] },
    ],
    [
      'two calls with one index and two ids',
      'https://github.com/openai/openai-python/issues/3246',
      [calls(fn('find', one, { index: 0, id: 'a' })), calls(fn('send', two, { index: 0, id: 'b' })), done],
      { text: '', calls: [`find ${one}`, `send ${two}`] },
    ],
    [
      'two calls with one index, the second of which goes on at the next',
      'https://github.com/agno-agi/agno/issues/8879',
      [
        calls(fn('find', one, { index: 0, id: 'a' })),
        calls(fn('send', '', { index: 0, id: 'b' })),
        calls({ index: 1, function: { arguments: '{"n"' } }),
        calls({ index: 1, function: { arguments: ':2}' } }),
        done,
      ],
      { text: '', calls: [`find ${one}`, `send ${two}`] },
    ],
    [
      'two calls without an index, whose arguments follow in their order',
      'https://github.com/SamSaffron/term-llm/pull/314',
      [
        calls(fn('find', '', { id: 'a' }), fn('send', '{', { id: 'b' })),
        calls({ function: { arguments: '{"n"' } }, { function: { arguments: '"n"' } }),
        calls({ function: { arguments: ':1}' } }, { function: { arguments: ':2}' } }),
        done,
      ],
      { text: '', calls: [`find ${one}`, `send ${two}`] },
    ],
    [
      'two pairs of calls without an index, whose arguments follow in their order',
      'https://github.com/SamSaffron/term-llm/pull/314',
      [
        calls(fn('find', one, { id: 'a' }), fn('find', two, { id: 'b' })),
        calls(fn('send', '', { id: 'c' }), fn('send_mail', '', { id: 'd' })),
        calls({ function: { arguments: one } }, { function: { arguments: two } }),
        done,
      ],
      { text: '', calls: [`find ${one}`, `find ${two}`, `send ${one}`, `send_mail ${two}`] },
    ],
    [
      'an index that only comes with further arguments',
      'https://github.com/SamSaffron/term-llm/pull/314',
      [
        calls(fn('find', '{"n"', { id: 'a' }), fn('send', '{"n"', { id: 'b' })),
        calls({ index: 1, function: { arguments: ':2}' } }),
        calls({ index: 0, function: { arguments: ':1' } }),
        calls({ index: 0, function: { arguments: '}' } }),
        done,
      ],
      { text: '', calls: [`find ${one}`, `send ${two}`] },
    ],
    [
      'a prefix before the name, and a count behind it',
      'https://huggingface.co/moonshotai/Kimi-K2-Instruct/blob/main/docs/tool_call_guidance.md',
      [calls(fn('functions.send:0', one, { index: 0, id: 'functions.send:0' })), done],
      { text: '', calls: [`send ${one}`] },
    ],
    [
      'a name in pieces that begins with a prefix',
      'https://github.com/continuedev/continue/pull/5849',
      [
        calls(fn('func', '', { index: 0, id: 'a' })),
        calls(fn('tions', null, { index: 0 })),
        calls(fn('.se', null, { index: 0 })),
        calls(fn('nd', null, { index: 0 })),
        calls(fn('', one, { index: 0 })),
        done,
      ],
      { text: '', calls: [`send ${one}`] },
    ],
    [
      'a name in pieces',
      'https://github.com/continuedev/continue/pull/5849',
      [
        calls(fn('se', '', { index: 0, id: 'a' })),
        calls(fn('nd_m', null, { index: 0 })),
        calls(fn('ail', null, { index: 0 })),
        calls(fn('', one, { index: 0 })),
        calls(fn('find', '', { index: 1, id: 'b' })),
        calls(fn('', two, { index: 1 })),
        done,
      ],
      { text: '', calls: [`send_mail ${one}`, `find ${two}`] },
    ],
    [
      'a name that another one continues, without arguments',
      'https://github.com/continuedev/continue/pull/5849',
      [calls(fn('find', '', { index: 0, id: 'a' })), stop, done],
      { text: '', calls: ['find {}'] },
    ],
    [
      'two names that others continue, at one place',
      'https://github.com/openai/openai-python/issues/3246',
      [
        calls(fn('find', '', { index: 0, id: 'a' })),
        calls(fn('send', '', { index: 0, id: 'b' })),
        calls(fn('', two, { index: 0, id: 'b' })),
        done,
      ],
      { text: '', calls: ['find {}', `send ${two}`] },
    ],
    [
      'a name repeated in each chunk, and no arguments',
      'https://github.com/NousResearch/hermes-agent/pull/12230',
      [calls(fn('find', '', { index: 0, id: 'a' })), calls(fn('find', '', { index: 0, id: 'a' })), done],
      { text: '', calls: ['find {}'] },
    ],
    [
      'name and id repeated in each chunk',
      'https://github.com/NousResearch/hermes-agent/issues/8259',
      [
        calls(fn('find', '', { index: 0, id: 'a' })),
        calls(fn('find', '{"n"', { index: 0, id: 'a' })),
        calls(fn('find', ':1}', { index: 0, id: 'a' })),
        done,
      ],
      { text: '', calls: [`find ${one}`] },
    ],
    [
      'an empty name and id in later chunks',
      'https://github.com/SillyTavern/SillyTavern/issues/5948',
      [calls(fn('find', '{"n"', { index: 0, id: 'a' })), calls(fn('', ':1}', { index: 0, id: '' })), done],
      { text: '', calls: [`find ${one}`] },
    ],
    [
      'the name after the arguments have begun',
      'https://github.com/vercel/ai/pull/15879',
      [calls(fn(null, '{"n"', { index: 0, id: 'a' })), calls(fn('find', ':1}', { index: 0 })), done],
      { text: '', calls: [`find ${one}`] },
    ],
    [
      'a call without a name',
      'https://github.com/vercel/ai/pull/15879',
      [hi, calls(fn(undefined, '{}', { index: 0, id: 'a' })), stop],
      { text: 'Hi' },
    ],
    [
      'no arguments',
      'https://github.com/brave/brave-browser/issues/56601',
      [calls(fn('find', '', { index: 0, id: 'a' })), done],
      { text: '', calls: ['find {}'] },
    ],
    [
      'arguments as null',
      'https://github.com/sigoden/aichat/issues/1217',
      [calls(fn('find', null, { index: 0, id: 'a' })), done],
      { text: '', calls: ['find {}'] },
    ],
    [
      'arguments as the word null',
      'https://github.com/sigoden/aichat/issues/1217',
      [calls(fn('find', 'null', { index: 0, id: 'a' })), done],
      { text: '', calls: ['find {}'] },
    ],
    [
      'arguments as an object',
      'https://github.com/ggml-org/llama.cpp/issues/20198',
      [calls(fn('find', { n: 1 }, { index: 0, id: 'a' })), done],
      { text: '', calls: [`find ${one}`] },
    ],
    [
      'arguments as JSON within JSON',
      'https://github.com/vllm-project/vllm/pull/54964',
      [calls(fn('find', JSON.stringify(one), { index: 0, id: 'a' })), done],
      { text: '', calls: [`find ${one}`] },
    ],
    [
      'the end "stop" and no id with a call',
      'https://github.com/anomalyco/opencode/issues/14972',
      [calls(fn('find', one, { index: 0, id: '' })), stop, done],
      { text: '', calls: [`find ${one}`] },
    ],
    [
      'a number as id, a text as index',
      'https://github.com/InternLM/lmdeploy/issues/3412',
      [calls(fn('find', one, { index: '0', id: 7 })), done],
      { text: '', calls: [`find ${one}`] },
    ],
    [
      'one id for two calls',
      'https://github.com/vercel/ai/blob/main/packages/provider-utils/src/streaming-tool-call-tracker.ts',
      [calls(fn('find', one, { index: 0, id: 'a' }), fn('find', two, { index: 1, id: 'a' })), done],
      { text: '', calls: [`find ${one}`, `find ${two}`] },
    ],
    [
      'the same call twice with one id',
      'https://github.com/ggml-org/llama.cpp/blob/master/tools/server/server-task.cpp',
      [calls(fn('send', one, { index: 0, id: 'a' }), fn('send', one, { index: 1, id: 'a' })), done],
      { text: '', calls: [`send ${one}`] },
    ],
    [
      'a call that begins again at another place, with its arguments',
      'https://github.com/mudler/LocalAI/issues/9722',
      [
        calls(fn('find', '', { index: 0, id: 'a' })),
        calls(fn('find', one, { index: 1, id: 'a' })),
        calls(fn('send', '{"n"', { index: 2, id: 'b' })),
        calls(fn('send', '{"n":', { index: 3, id: 'b' })),
        calls({ index: 3, function: { arguments: '2}' } }),
        done,
      ],
      { text: '', calls: [`find ${one}`, `send ${two}`] },
    ],
    [
      'a call in two entries of one chunk',
      'https://github.com/openai/openai-python/issues/3201',
      [
        calls(
          { index: 0, id: 'functions.find:0', type: 'function', function: { name: 'find' } },
          { index: 0, function: { arguments: '{"n"' } },
        ),
        calls({ index: 0, function: { arguments: ':1}' } }),
        done,
      ],
      { text: '', calls: [`find ${one}`] },
    ],
    [
      'the end "tool_calls" without a call',
      'https://github.com/mastra-ai/mastra/issues/14187',
      [hi, chunk({}, 'tool_calls'), done],
      { text: 'Hi' },
    ],
    [
      'the older function_call',
      'https://platform.openai.com/docs/api-reference/chat/streaming#function_call',
      [
        chunk({ function_call: { name: 'find', arguments: '{"n"' } }),
        chunk({ function_call: { arguments: ':1}' } }),
        done,
      ],
      { text: '', calls: [`find ${one}`] },
    ],
    // reasoning
    [
      'reasoning_content',
      'https://api-docs.deepseek.com/guides/thinking_mode',
      [chunk({ reasoning_content: 'Hm' }), hi, stop],
      { text: 'Hi', reasoning: 'Hm' },
    ],
    [
      'reasoning',
      'https://github.com/vercel/ai/issues/7866',
      [chunk({ reasoning: 'Hm' }), hi, stop],
      { text: 'Hi', reasoning: 'Hm' },
    ],
    [
      'reasoning_details alone',
      'https://openrouter.ai/docs/guides/best-practices/reasoning-tokens',
      [chunk({ reasoning_details: [{ type: 'reasoning.text', text: 'Hm', index: 0 }] }), hi, stop],
      { text: 'Hi', reasoning: 'Hm' },
    ],
    [
      'content as parts with thinking',
      'https://docs.mistral.ai/capabilities/reasoning',
      [
        chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] }] }),
        chunk({ content: [{ type: 'text', text: 'Hi' }] }),
        stop,
      ],
      { text: 'Hi', reasoning: 'Hm' },
    ],
    [
      'thinking as a text',
      'https://github.com/BerriAI/litellm/issues/16272',
      [chunk({ content: [{ type: 'thinking', thinking: 'Hm' }, 'Hi'] }), stop],
      { text: 'Hi', reasoning: 'Hm' },
    ],
    [
      'think tags',
      'https://github.com/danny-avila/LibreChat/issues/13405',
      '<think>Hm</think>\n\nHi'
        .split('')
        .map((content) => chunk({ content }))
        .concat(stop),
      { text: 'Hi', reasoning: 'Hm' },
    ],
    // other content
    [
      'a refusal',
      'https://github.com/openclaw/openclaw/issues/102334',
      [chunk({ content: null, refusal: '' }), chunk({ refusal: 'No.' }), stop],
      { text: 'No.' },
    ],
    [
      'a refusal that is false',
      'https://github.com/anomalyco/opencode/issues/43343',
      [chunk({ content: 'Hi', refusal: false }), stop],
      { text: 'Hi' },
    ],
    [
      'images',
      'https://openrouter.ai/docs/guides/overview/multimodal/image-generation',
      [
        hi,
        chunk({ images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }] }),
        stop,
      ],
      { text: 'Hi', images: ['data:image/png;base64,AA=='] },
    ],
    [
      'an image as a part',
      'https://github.com/danny-avila/LibreChat/issues/9514',
      [chunk({ content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }] }), stop],
      { text: '', images: ['data:image/png;base64,AA=='] },
    ],
    [
      'images as bytes, with an address, and as an address',
      'https://platform.openai.com/docs/api-reference/images/object',
      [
        chunk({
          content: [{ type: 'output_image', image_url: 'https://example.org/a.png' }],
          images: [
            { b64_json: 'AA==' },
            { url: 'https://example.org/b.png' },
            'https://example.org/c.png',
            {},
          ],
        }),
        stop,
      ],
      {
        text: '',
        images: [
          'https://example.org/a.png',
          'data:image/png;base64,AA==',
          'https://example.org/b.png',
          'https://example.org/c.png',
        ],
      },
    ],
    [
      'reasoning_details with a text, a summary and what is sealed',
      'https://openrouter.ai/docs/guides/best-practices/reasoning-tokens',
      [chunk({ reasoning_details: [{ text: 'H' }, { summary: 'm' }, { data: 'sealed' }] }), hi, stop],
      { text: 'Hi', reasoning: 'Hm' },
    ],
    [
      'annotations',
      'https://openrouter.ai/docs/guides/features/plugins/web-search',
      [
        chunk({
          content: 'Hi',
          annotations: [{ type: 'url_citation', url_citation: { url: 'https://example.org', title: 'E' } }],
        }),
        stop,
      ],
      { text: 'Hi', sources: [{ url: 'https://example.org', title: 'E' }] },
    ],
    [
      'citations as addresses',
      'https://docs.x.ai/docs/guides/live-search',
      [hi, chunk({}, 'stop', { citations: ['https://example.org'] })],
      { text: 'Hi', sources: [{ url: 'https://example.org' }] },
    ],
    [
      'search_results',
      'https://docs.perplexity.ai/api-reference/chat-completions-post',
      [hi, chunk({}, 'stop', { search_results: [{ title: 'E', url: 'https://example.org' }] })],
      { text: 'Hi', sources: [{ url: 'https://example.org', title: 'E' }] },
    ],
    [
      'unknown parts and fields',
      'https://platform.openai.com/docs/api-reference/chat-streaming',
      [chunk({ content: [{ type: 'new' }, { type: 'text', text: 'Hi' }], audio: {}, new_field: 1 }), stop],
      { text: 'Hi' },
    ],
    // the end
    [
      'the end model_length',
      'https://github.com/laravel/ai/issues/955',
      [hi, chunk({}, 'model_length')],
      { text: 'Hi', truncated: true },
    ],
    [
      'the end MAX_TOKENS',
      'https://ai.google.dev/api/generate-content#FinishReason',
      [hi, chunk({}, 'MAX_TOKENS')],
      { text: 'Hi', truncated: true },
    ],
    [
      'the end content_filter',
      'https://platform.openai.com/docs/api-reference/chat-streaming',
      [hi, chunk({}, 'content_filter')],
      { text: 'Hi', truncated: true },
    ],
    [
      'an end that is not known',
      'https://github.com/UKGovernmentBEIS/inspect_ai/issues/514',
      [hi, chunk({}, 'network_error')],
      { text: 'Hi', truncated: true },
    ],
    [
      'the end eos_token',
      'https://huggingface.github.io/text-generation-inference',
      [hi, chunk({}, 'eos_token')],
      { text: 'Hi' },
    ],
    [
      'no reason, and [DONE]',
      'https://platform.openai.com/docs/api-reference/chat-streaming',
      [hi, done],
      { text: 'Hi' },
    ],
    [
      'neither reason nor [DONE]',
      'https://platform.openai.com/docs/api-reference/chat-streaming',
      [hi],
      { code: 'model_cut', text: 'Hi' },
    ],
    // errors
    [
      'an error of the content filter itself, beside the text',
      'https://github.com/BerriAI/litellm/issues/1564',
      [
        hi,
        event({
          choices: [
            {
              index: 0,
              delta: {},
              finish_reason: null,
              content_filter_results: {
                error: { code: 'content_filter_error', message: 'The contents are not filtered' },
              },
            },
          ],
        }),
        stop,
      ],
      { text: 'Hi' },
    ],
    [
      'an error as FastAPI writes it',
      'https://fastapi.tiangolo.com/tutorial/handling-errors',
      [event({ detail: 'The model is overloaded' })],
      { code: 'model_busy', text: '' },
    ],
    [
      'a chunk without details',
      'https://fastapi.tiangolo.com/tutorial/handling-errors',
      [hi, event({ detail: null }), stop],
      { text: 'Hi' },
    ],
    [
      'an error event with words alone',
      'https://html.spec.whatwg.org/multipage/server-sent-events.html',
      ['event: error\ndata: "overloaded"\n\n'],
      { code: 'model_busy', text: '' },
    ],
    [
      'a refusal as a part',
      'https://platform.openai.com/docs/api-reference/chat/object',
      [chunk({ content: [{ type: 'refusal', refusal: 'No.' }] }), stop],
      { text: 'No.' },
    ],
    [
      'arguments of no call',
      'https://github.com/ggml-org/llama.cpp/issues/20198',
      [calls({ function: { arguments: '{}' } }), hi, stop],
      { text: 'Hi' },
    ],
    [
      'an error without "error"',
      'https://github.com/vllm-project/vllm/issues/6862',
      [
        hi,
        event({
          object: 'error',
          message: 'CUDA out of memory',
          type: 'InternalServerError',
          param: null,
          code: 500,
        }),
        done,
      ],
      { code: 'model_cut', text: 'Hi' },
    ],
    [
      'an error beside choices',
      'https://github.com/diegosouzapw/OmniRoute/issues/8210',
      [
        hi,
        event({
          error: { code: 'server_error', message: 'Provider disconnected' },
          choices: [{ index: 0, delta: { content: '!' }, finish_reason: 'error' }],
        }),
        done,
      ],
      { code: 'model_cut', text: 'Hi!' },
    ],
    [
      'an error as a text',
      'https://github.com/ggml-org/llama.cpp/issues/14566',
      [hi, event({ error: 'out of memory' }), done],
      { code: 'model_cut', text: 'Hi' },
    ],
    [
      'an error as an event',
      'https://lmstudio.ai/docs/developer',
      [hi, 'event: error\ndata: {"error":{"message":"Model unloaded."}}\n\n', done],
      { code: 'model_cut', text: 'Hi' },
    ],
    [
      'an error as a line',
      'https://github.com/ggml-org/llama.cpp/issues/14566',
      [hi, 'error: {"code":500,"message":"out of memory"}\n\n'],
      { code: 'model_cut', text: 'Hi' },
    ],
    [
      'an error in a list',
      'https://github.com/securo-finance/securo/issues/884',
      [event([{ error: { code: 429, message: 'Quota', status: 'RESOURCE_EXHAUSTED' } }])],
      { code: 'model_busy', text: '' },
    ],
    [
      '429 within the stream',
      'https://openrouter.ai/docs/api/reference/errors-and-debugging',
      [event({ error: { code: 429, message: 'Rate limit exceeded' } })],
      { code: 'model_busy', text: '' },
    ],
    [
      'the context size within the stream',
      'https://github.com/ggml-org/llama.cpp/issues/17284',
      [
        event({
          error: {
            code: 400,
            message: 'the request exceeds the available context size.',
            type: 'exceed_context_size_error',
          },
        }),
      ],
      { code: 'model_context_exceeded', text: '' },
    ],
    [
      'an error with the status 200',
      'https://github.com/ChatGPTNextWeb/NextChat/issues/1585',
      ['{"error":{"message":"Rate limit exceeded","code":429}}'],
      { code: 'model_busy', text: '' },
    ],
    [
      'a page with the status 200',
      'https://github.com/ChatGPTNextWeb/NextChat/issues/1585',
      ['\n<!doctype html><title>Sign in</title>'],
      { code: 'model_server_missing', text: '' },
    ],
    // the stream itself
    [
      'a whole answer',
      'https://github.com/huggingface/chat-ui/issues/430',
      [
        JSON.stringify({
          choices: [
            {
              message: { role: 'assistant', content: 'Hi', tool_calls: [fn('find', one, { id: 'a' })] },
              finish_reason: 'stop',
            },
          ],
        }),
      ],
      { text: 'Hi', calls: [`find ${one}`] },
    ],
    [
      'lines of JSON',
      'https://github.com/ggml-org/llama.cpp/issues/20198',
      [
        [{ content: 'H' }, { content: 'i' }]
          .map((delta) => JSON.stringify({ choices: [{ delta }] }))
          .join('\n'),
      ],
      { code: 'model_cut', text: 'Hi' },
    ],
    [
      'chunks without choices or delta',
      'https://github.com/open-webui/open-webui/issues/1759',
      [
        event({ choices: [], prompt_filter_results: [] }),
        hi,
        event({ choices: [{ index: 0, content_filter_offsets: {} }] }),
        chunk(null, 'stop'),
        done,
      ],
      { text: 'Hi' },
    ],
    [
      'CR LF, comments, no blank after data, an empty reason',
      'https://github.com/lobehub/lobehub/issues/18805',
      [
        ': PROCESSING\r\n\r\n',
        `data:${JSON.stringify({ choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: '' }], usage: null })}\r\n\r\n`,
        ': keep-alive\r\n\r\ndata: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\r\n\r\ndata: [DONE]\r\n\r\n',
      ],
      { text: 'Hi' },
    ],
    [
      'no empty line at the end',
      'https://html.spec.whatwg.org/multipage/server-sent-events.html',
      [hi, 'data: {"choices":[{"delta":{"content":"!"},"finish_reason":"stop"}]}'],
      { text: 'Hi!' },
    ],
    [
      'half a chunk at the end',
      'https://html.spec.whatwg.org/multipage/server-sent-events.html',
      [hi, 'data: {"choices":[{"delta":{"cont'],
      { code: 'model_cut', text: 'Hi' },
    ],
    [
      'a chunk that is no JSON',
      'https://html.spec.whatwg.org/multipage/server-sent-events.html',
      [hi, event('{oops'), chunk({ content: '!' }), stop],
      { text: 'Hi!', truncated: true },
    ],
    [
      'the end within the arguments of a call',
      'https://html.spec.whatwg.org/multipage/server-sent-events.html',
      [hi, calls(fn('send', '{"to":"a', { index: 0, id: 'a' }))],
      { code: 'model_cut', text: 'Hi' },
    ],
    [
      'text of other types',
      'https://platform.openai.com/docs/api-reference/chat-streaming',
      [
        chunk({ content: 3 }),
        chunk({ content: { a: 1 } }),
        chunk('Hi'),
        event('null'),
        event('3'),
        event([]),
        hi,
        stop,
      ],
      { text: 'Hi' },
    ],
    [
      'a refusal as a part of the content',
      'https://platform.openai.com/docs/api-reference/chat/object',
      [chunk({ content: [{ type: 'refusal', refusal: 'No.' }] }), stop],
      { text: 'No.' },
    ],
    [
      'arguments of no call',
      'https://platform.openai.com/docs/api-reference/chat-streaming',
      [calls({ function: { arguments: one } }), hi, stop],
      { text: 'Hi' },
    ],
    [
      'a chunk whose detail is null',
      'https://fastapi.tiangolo.com/tutorial/handling-errors',
      [event({ detail: null }), hi, stop],
      { text: 'Hi' },
    ],
    [
      'an error that is a text',
      'https://html.spec.whatwg.org/multipage/server-sent-events.html',
      ['event: error\ndata: "Rate limit exceeded"\n\n'],
      { code: 'model_busy', text: '' },
    ],
  ]

it.each('content_filter safety recitation blocklist prohibited_content spii refusal sensitive'.split(' '))(
  'an answer without text that ends as %s was filtered',
  async (reason) => {
    expect(await read([chunk({}, reason)])).toEqual({ code: 'model_filtered', text: '' })
  },
)

// https://platform.openai.com/docs/api-reference/chat-streaming and https://api-docs.deepseek.com/api/create-chat-completion
it.each([{ prompt_tokens_details: { cached_tokens: 4 } }, { prompt_cache_hit_tokens: 4 }])(
  'tokens from the cache are counted: %o',
  async (cached) => {
    const { round } = await ask([hi, chunk({}, 'stop', { usage: { prompt_tokens: 9, ...cached } })])
    expect(round).toMatchObject({ inputTokens: 9, cachedInputTokens: 4 })
  },
)

// https://console.groq.com/docs/api-reference#chat-create, and usage within a choice: https://platform.moonshot.ai/docs/api/chat
it.each([
  [{ x_groq: { usage: { prompt_tokens: 9, completion_tokens: 2 } } }],
  [{ choices: [{ delta: {}, usage: { prompt_tokens: 9, completion_tokens: 2 } }] }],
])('tokens are counted of %j', async (usage) => {
  const { round } = await ask([hi, event(usage), stop])
  expect(round).toMatchObject({ inputTokens: 9, outputTokens: 2 })
})

it.each(deviations)('%s (%s)', async (_, __, pieces, result) => {
  expect(await read(pieces)).toEqual(result)
})

it('pieces of any length are read, also within a letter', async () => {
  const bytes = new TextEncoder().encode(chunk({ content: '你好 🌍 grün' }) + stop)
  const { call, received } = recordedCall()
  const answer: typeof fetch = async () =>
    new Response(ReadableStream.from([...bytes].map((byte) => Uint8Array.of(byte))))
  const model = openModel({
    api: 'chat',
    baseUrl: 'http://m/v1',
    model: 'm',
    readKey: async () => '',
    fetch: answer,
  })
  expect((await model.complete(call)).text).toBe('你好 🌍 grün')
  expect(received).toContainEqual(['text', '你好 🌍 grün'])
})

describe('what a server wants back', () => {
  /** The messages of the next request, with the round that was read. */
  async function sendBack(round: ModelRound | undefined) {
    const messages: ModelMessage[] = [
      { role: 'user', content: 'a' },
      {
        role: 'assistant',
        content: round?.text ?? null,
        tool_calls: (round?.toolCalls ?? []).map(({ id, name, arguments: text }) => ({
          id,
          type: 'function',
          function: { name, arguments: text },
        })),
        ...(round?.answer && { answer: round.answer }),
      },
      ...(round?.toolCalls ?? []).map(({ id }) => ({
        role: 'tool' as const,
        tool_call_id: id,
        content: 'found',
      })),
    ]
    const { body } = await ask([hi, stop], messages)
    return (body['messages'] as object[])[1]
  }
  const find = (more: object = {}) => calls(fn('find', one, { index: 0, id: 'a', ...more }))
  const sentCall = { ...fn('find', one, { id: 'a' }) }

  it.each<[string, string, string[], object]>([
    [
      'reasoning_content',
      'https://api-docs.deepseek.com/guides/thinking_mode',
      [chunk({ reasoning_content: 'H' }), chunk({ reasoning_content: 'm' }), find()],
      { reasoning_content: 'Hm', tool_calls: [sentCall] },
    ],
    [
      'thought_signature',
      'https://ai.google.dev/gemini-api/docs/thought-signatures',
      [find({ extra_content: { google: { thought_signature: 'c2ln' } } })],
      { tool_calls: [{ ...sentCall, extra_content: { google: { thought_signature: 'c2ln' } } }] },
    ],
    [
      'reasoning_details, put together',
      'https://openrouter.ai/docs/guides/best-practices/reasoning-tokens#preserving-reasoning',
      [
        chunk({
          reasoning: 'H',
          reasoning_details: [{ type: 'reasoning.text', text: 'H', index: 0, signature: null }],
        }),
        chunk({
          reasoning: 'm',
          reasoning_details: [{ type: 'reasoning.text', text: 'm', index: 0, signature: 's' }],
        }),
        chunk({ reasoning_details: [{ type: 'reasoning.encrypted', data: 'x', index: 1 }] }),
        find(),
      ],
      {
        reasoning: 'Hm',
        reasoning_details: [
          { type: 'reasoning.text', text: 'Hm', index: 0, signature: 's' },
          { type: 'reasoning.encrypted', data: 'x', index: 1 },
        ],
        tool_calls: [sentCall],
      },
    ],
    [
      'entries without a place',
      'https://openrouter.ai/docs/guides/best-practices/reasoning-tokens#preserving-reasoning',
      [
        chunk({ reasoning_details: [{ type: 'reasoning.summary', summary: 'H', format: null }] }),
        chunk({ reasoning_details: [{ type: 'reasoning.summary', summary: 'm', format: null }] }),
        find(),
      ],
      {
        reasoning_details: [
          { type: 'reasoning.summary', summary: 'H', format: null },
          { type: 'reasoning.summary', summary: 'm', format: null },
        ],
        tool_calls: [sentCall],
      },
    ],
    [
      'summaries and sealed data, put together',
      'https://openrouter.ai/docs/guides/best-practices/reasoning-tokens#preserving-reasoning',
      [
        chunk({ reasoning_details: [{ type: 'reasoning.summary', summary: 'H', index: 0 }] }),
        chunk({ reasoning_details: [{ type: 'reasoning.summary', summary: 'm', index: 0 }] }),
        chunk({ reasoning_details: [{ type: 'reasoning.encrypted', data: 'a', index: 0 }] }),
        chunk({ reasoning_details: [{ type: 'reasoning.encrypted', data: 'b', index: 0, format: 'f' }] }),
        find(),
      ],
      {
        reasoning_details: [
          { type: 'reasoning.summary', summary: 'Hm', index: 0 },
          { type: 'reasoning.encrypted', data: 'ab', index: 0, format: 'f' },
        ],
        tool_calls: [sentCall],
      },
    ],
    [
      'thinking as a part of the content',
      'https://docs.mistral.ai/capabilities/reasoning',
      [chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] }] }), hi, find()],
      {
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] },
          { type: 'text', text: 'Hi' },
        ],
        tool_calls: [sentCall],
      },
    ],
    [
      'fields of a gateway',
      'https://docs.litellm.ai/docs/reasoning_content',
      [chunk({ provider_specific_fields: { a: 1 } }), chunk({ provider_specific_fields: { b: 2 } }), find()],
      { provider_specific_fields: { a: 1, b: 2 }, tool_calls: [sentCall] },
    ],
  ])('%s (%s)', async (_, __, pieces, message) => {
    const { round } = await ask([...pieces, chunk({}, 'tool_calls'), done])
    expect(await sendBack(round)).toEqual({ role: 'assistant', content: '', ...message })
  })

  it('is not sent to another model', async () => {
    const { round } = await ask([chunk({ reasoning_content: 'Hm' }), find(), done])
    const answer = round?.answer && { ...round.answer, model: 'another' }
    expect(await sendBack(round && { ...round, ...(answer && { answer }) })).toEqual({
      role: 'assistant',
      content: '',
      tool_calls: [sentCall],
    })
  })
})

it('a history has roles in turn, and no content that is null', async () => {
  const call = { id: 'a', type: 'function' as const, function: { name: 'find', arguments: '{oops' } }
  const url = 'data:image/png;base64,AA=='
  const { body } = await ask(
    [hi, stop],
    [
      { role: 'system', content: 'You are Ada.' },
      { role: 'user', content: 'a' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'b' },
          { type: 'image_url', image_url: { url } },
        ],
      },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'a', content: 'found', images: [{ url }] },
      { role: 'user', content: 'c' },
      { role: 'system', content: 'Late.' },
      { role: 'assistant', content: 'd' },
      { role: 'assistant', content: 'e' },
      { role: 'user', content: 'f' },
    ],
  )
  const image = { type: 'image_url', image_url: { url } }
  expect(body['messages']).toEqual([
    { role: 'system', content: 'You are Ada.\n\nLate.' },
    { role: 'user', content: [{ type: 'text', text: 'a' }, { type: 'text', text: 'b' }, image] },
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ ...call, function: { name: 'find', arguments: '{"unreadable":"{oops"}' } }],
    },
    { role: 'tool', tool_call_id: 'a', content: 'found' },
    {
      role: 'user',
      content: [
        { type: 'text', text: expect.stringContaining('untrusted') as string },
        image,
        { type: 'text', text: 'c' },
      ],
    },
    { role: 'assistant', content: 'd\n\ne' },
    { role: 'user', content: 'f' },
  ])
})
