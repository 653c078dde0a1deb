import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { modelApis } from '#shared/model-apis.ts'
import type { ModelApi } from '../../functions/models/model.ts'
import { modulesAtStart, modulesIn, sizeOfModules } from '../support/function-bundle.ts'
import { bundleChat } from './bundle.ts'
import { askModel, sendTurn } from './client.ts'
import { prepareConversations } from './conversations.ts'
import { kb, median, ms, p95, type Bench, type Figure } from './figures.ts'
import { startProduct } from './product.ts'

const turns = 100
const warmUps = 30
const pace = { firstTokenMs: 0, tokens: 25, everyMs: 0 }

/** The modules that hold each API's code, in the chat function's bundle. */
const modules: Readonly<Record<ModelApi, string>> = {
  responses: 'responses',
  chat: 'chat-completions',
  messages: 'messages',
}

/** @returns bytes that the chat function loads for an API, beside what it loads at its start */
function sizeOfApi(folder: string, api: ModelApi): number {
  const file = modulesIn(folder).find((name) => name.startsWith(`${modules[api]}-`))
  if (!file) throw new Error(`no module ${modules[api]} in the bundle`)
  const atStart = modulesAtStart(folder)
  return sizeOfModules(
    folder,
    [...modulesAtStart(folder, file)].filter((name) => !atStart.has(name)),
  )
}

/** The time to the first token that the product adds to the model's, over one API. */
async function measureApi(api: ModelApi, profileTo: string | undefined): Promise<{ added: number[] }> {
  const product = await startProduct(profileTo, { MODEL_API: api })
  try {
    const conversations = await prepareConversations(product, 10, 10)
    const direct: number[] = []
    const through: number[] = []
    for (let turn = -warmUps; turn < turns; turn += 1) {
      const sessionId = conversations[(turn + warmUps) % conversations.length] ?? ''
      const model = await askModel(product, { pace })
      const reply = await sendTurn(product, { sessionId, pace, characters: 80 })
      if (turn < 0) continue
      direct.push(model.firstTokenMs)
      through.push(reply.firstTokenMs)
    }
    const base = median(direct)
    return { added: through.map((time) => time - base) }
  } finally {
    await product.end()
  }
}

export const modelApisBench: Bench = {
  name: 'model-apis',
  title: 'The APIs of models',
  async run({ profileTo }) {
    const folder = await mkdtemp(join(tmpdir(), 'juno-model-apis-'))
    try {
      const bundle = dirname(await bundleChat(join(folder, 'cdk.out')))
      const figures: Figure[] = []
      for (const api of modelApis) {
        const { added } = await measureApi(api, profileTo)
        figures.push(
          {
            what: `${api}: added to the first token, p50 / p95 (model of 0 ms, ${turns} turns)`,
            measured: `${ms(median(added))} / ${ms(p95(added))}`,
          },
          {
            what: `${api}: loaded on demand`,
            measured: kb(sizeOfApi(bundle, api)),
          },
        )
      }
      return figures
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}
