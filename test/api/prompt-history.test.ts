/** @module-tag long */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectProvider } from '../support/connect-provider.ts'
import { startStack, type LocalStack } from '../support/local-stack.ts'
import { signInUser, type StackUser } from '../support/stack-user.ts'
import {
  conversationApis,
  conversationModels,
  haveTenTurns,
  measurePrefixes,
  startReasoningModel,
} from '../support/ten-turns.ts'

/** What each answer of the model has, and its server wants back. */
const marks = {
  chat: /"reasoning_content":"Thought/g,
  responses: /"phase":"(?:commentary|final_answer)"/g,
  messages: /"signature":"sig-/g,
}

let model: Awaited<ReturnType<typeof startReasoningModel>>
let stack: LocalStack
let ann: StackUser
beforeAll(async () => {
  model = await startReasoningModel()
  stack = await startStack({
    env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'k', MODELS: conversationModels },
  })
  ann = await stack.newUser()
  for (const mcpId of ['gmail', 'google-drive']) await connectProvider(stack, ann, mcpId)
})
afterAll(async () => {
  await stack.stop()
  await model.close()
})

describe.each(conversationApis)(
  'a conversation of ten turns with tools, files, a wait and a reload: %s',
  (api) => {
    it('each request begins with the one before, byte for byte', async () => {
      model.requests.length = 0
      const { cognito } = await stack.endpoints()
      const signInAgain = (user: StackUser) => signInUser({ origin: stack.origin, cognito }, user)
      const outcomes = await haveTenTurns(ann, { api, signInAgain })
      expect(outcomes).toEqual([
        expect.stringMatching(/^remember true, Answer/),
        expect.stringMatching(/^gmail_get_emails true, Answer/),
        expect.stringMatching(/^Answer/),
        expect.stringMatching(/^gmail_get_emails true, google-drive_list_files true, Answer/),
        expect.stringMatching(/^asked, gmail_send_email true, Answer/),
        expect.stringMatching(/^Answer/),
        expect.stringMatching(/^read_attachment true, Answer/),
        expect.stringMatching(/^search_files true, Answer/),
        expect.stringMatching(/^no_such_tool false, Answer/),
        expect.stringMatching(/^Answer/),
      ])
      const requests = model.requests.filter((request) => request.api === api)
      expect(requests).toHaveLength(17)
      const { broken, share } = measurePrefixes(requests)
      expect(broken).toEqual([])
      expect(share).toBe(1)
      // all answers go back as they came
      const last = JSON.stringify(requests.at(-1)?.body)
      expect(last.match(marks[api])).toHaveLength(requests.length - 1)
      const ids = [...last.matchAll(/"(?:tool_call_id|tool_use_id)":"([^"]*)"|_output","call_id":"([^"]*)"/g)]
      expect(ids).toHaveLength(8)
      expect(new Set(ids.map(([, id, other]) => id ?? other)).size).toBe(8)
    })
  },
)
