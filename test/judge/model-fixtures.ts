/** What a scripted server answers to a message that contains these words. Fields are aimock's. */
export interface Fixture {
  words: string
  /** before or after the results of tools; either without it */
  hasToolResult?: boolean
  response: object
  options?: { latency?: number; chunkSize?: number }
}

const longText = Array.from({ length: 2_000 }, (_, index) => `word${index}`).join(' ')
const slowText = 'slow '.repeat(2_000)

export const texts = {
  plain: 'Hello from the judge.',
  long: longText,
  reasoning: 'The sum is 4.',
  thought: 'I add two and two.',
  image: 'A red dot.',
  tool: 'You have mail.',
  approval: 'The mail is sent.',
  parallel: 'Both are read.',
} as const

export const mail = { to: 'cleo@example.org', subject: 'Lunch', body: 'At noon?' }

const call = (name: string, args: object) => ({ name, arguments: JSON.stringify(args) })
const error = (status: number, message: string, details: { type?: string; code?: string } = {}) => ({
  status,
  error: { message, type: 'invalid_request_error', ...details },
})

/** Errors as OpenAI sends them, and the code that the product gives them. */
export const errors = {
  overflow: {
    code: 'model_context_exceeded',
    response: error(400, "This model's maximum context length is 8192 tokens.", {
      code: 'context_length_exceeded',
    }),
  },
  credit: {
    code: 'model_no_credit',
    response: error(429, 'You exceeded your current quota, please check your plan and billing details.', {
      type: 'insufficient_quota',
      code: 'insufficient_quota',
    }),
  },
  busy: {
    code: 'model_busy',
    response: error(429, 'Rate limit reached for requests', {
      type: 'requests',
      code: 'rate_limit_exceeded',
    }),
  },
  key: {
    code: 'model_key_refused',
    response: error(401, 'Incorrect API key provided.', { code: 'invalid_api_key' }),
  },
  fault: {
    code: 'model_broken',
    response: error(500, 'The server had an error while processing your request.', { type: 'server_error' }),
  },
} as const

/** Each API takes the names that are its own. */
const usage = {
  prompt_tokens: 21,
  completion_tokens: 7,
  input_tokens: 21,
  output_tokens: 7,
  total_tokens: 28,
}

export const fixtures: readonly Fixture[] = [
  { words: 'JUDGE plain', response: { content: texts.plain, usage } },
  { words: 'JUDGE long', response: { content: texts.long }, options: { latency: 5, chunkSize: 50 } },
  { words: 'JUDGE slow', response: { content: slowText }, options: { latency: 40, chunkSize: 10 } },
  {
    words: 'JUDGE tool',
    hasToolResult: false,
    response: { toolCalls: [call('gmail_get_emails', { maxResults: 2 })] },
  },
  { words: 'JUDGE tool', hasToolResult: true, response: { content: texts.tool } },
  {
    words: 'JUDGE approval',
    hasToolResult: false,
    response: { toolCalls: [call('gmail_send_email', mail)] },
  },
  { words: 'JUDGE approval', hasToolResult: true, response: { content: texts.approval } },
  {
    words: 'JUDGE parallel',
    hasToolResult: false,
    response: {
      toolCalls: [call('gmail_get_emails', { maxResults: 1 }), call('gmail_get_emails', { maxResults: 3 })],
    },
  },
  { words: 'JUDGE parallel', hasToolResult: true, response: { content: texts.parallel } },
  { words: 'JUDGE reasoning', response: { content: texts.reasoning, reasoning: texts.thought } },
  { words: 'JUDGE image', response: { content: texts.image } },
  ...Object.entries(errors).map(([name, { response }]) => ({ words: `JUDGE error ${name}`, response })),
]
