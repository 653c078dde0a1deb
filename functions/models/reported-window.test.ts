import { expect, it } from 'vitest'
import { limitCpuTime } from '../../test/support/fuzz.ts'
import { modelErrors, ModelError } from './model-errors.ts'
import { readReportedWindow } from './reported-window.ts'

const read = (message: string) =>
  readReportedWindow(
    new ModelError(modelErrors.tooLong, 'too long', {
      rejection: { status: 400, message, code: '', param: '' },
    }),
  )

it.each<[message: string, tokens: number | undefined]>([
  [
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
    8_192,
  ],
  [
    "This model's maximum context length is 4097 tokens. However, you requested 4500 tokens (4000 in the messages, 500 in the completion).",
    4_097,
  ],
  ['prompt is too long: 210000 tokens > 200000 maximum', 200_000],
  ['input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease them', 200_000],
  ['request (9000 tokens) exceeds the available context size (4096 tokens), try increasing it', 4_096],
  ['the request exceeds the available context size (4,096 tokens)', 4_096],
  ['Prompt contains 40000 tokens, too large for model with 32768 maximum context length', 32_768],
  ['The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).', 1_048_576],
  ["This model's maximum prompt length is 131072 but the request contains 200000 tokens.", 131_072],
  ['too many tokens: total number of tokens in the prompt cannot exceed 4081', 4_081],
  ['Your request exceeded model token limit: 262144', 262_144],
  ['Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193', 8_193],
  ['Request too large for model `m` on tokens per minute (TPM): Limit 6000, Requested 8000', 6_000],
  ['Trying to keep the first 5000 tokens when context length of only 4096 tokens', 4_096],
  // cline/cline#5474
  [
    'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 289650 tokens. Please reduce the length of the messages.',
    272_000,
  ],
  ['prompt token count of 140000 exceeds the limit of 128000', 128_000],
  ['the input token count is 33041 but model only supports up to 32768.', 32_768],
  // sgl-project/sglang#4048
  ['Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens).', 59_862],
  ['Request body too large for gpt-4o model. Max size: 8000 tokens.', 8_000],
  ['The decoder prompt (length 5000) is longer than the maximum model length of 4096.', 4_096],
  ['`inputs` must have less than 4096 tokens. Given: 5000', 4_096],
  // QwenLM/qwen-code#98
  ['Range of input length should be [1, 204800]', 204_800],
  // what says no window
  ['invalid params, context window exceeds limit (2013)', undefined],
  ['prompt too long; exceeded max context length by 1200 tokens', undefined],
  ['Your input exceeds the context window of this model. Please adjust your input and try again.', undefined],
  ['Request exceeds the maximum size', undefined],
  ['', undefined],
])('%s', (message, tokens) => {
  expect(read(message)).toBe(tokens)
})

it('no other error says a window, and no message takes long', () => {
  expect(readReportedWindow(new Error('maximum context length is 8192 tokens'))).toBeUndefined()
  expect(readReportedWindow(new ModelError(modelErrors.tooLong, 'x'))).toBeUndefined()
  expect(limitCpuTime(() => read('context length '.repeat(100_000)))).toBeUndefined()
})
