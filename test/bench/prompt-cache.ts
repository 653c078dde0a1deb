import { connectProvider } from '../support/connect-provider.ts'
import { startStack } from '../support/local-stack.ts'
import { signInUser } from '../support/stack-user.ts'
import {
  conversationApis,
  conversationModels,
  haveTenTurns,
  measurePrefixes,
  startReasoningModel,
} from '../support/ten-turns.ts'
import type { Bench, Figure } from './figures.ts'

/** How much of the requests of a conversation a model's server can take from its cache: what the next request begins with. */
export const promptCacheBench: Bench = {
  name: 'prompt-cache',
  title: 'What the cache of a model’s server can hold: ten turns with tools and files',
  async run(): Promise<Figure[]> {
    const model = await startReasoningModel()
    const stack = await startStack({
      env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'k', MODELS: conversationModels },
    })
    try {
      const user = await stack.newUser()
      for (const mcpId of ['gmail', 'google-drive']) await connectProvider(stack, user, mcpId)
      const { cognito } = await stack.endpoints()
      const figures: Figure[] = []
      for (const api of conversationApis) {
        model.requests.length = 0
        await haveTenTurns(user, {
          api,
          signInAgain: (one) => signInUser({ origin: stack.origin, cognito }, one),
        })
        const requests = model.requests.filter((request) => request.api === api)
        const { share, characters, broken } = measurePrefixes(requests)
        figures.push({
          what: `part of the requests that the next ones begin with, ${api} (${requests.length} requests, ${Math.round(characters / 1000)},000 characters)`,
          measured: `${(share * 100).toFixed(1)} %, ${broken.length} requests begin otherwise`,
          budget: '100 %, 0',
          met: share === 1,
        })
      }
      return figures
    } finally {
      await stack.stop()
      await model.close()
    }
  },
}
