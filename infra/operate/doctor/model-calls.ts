import { parseHeaders } from '#shared/secret-values.ts'
import { modelErrors, ModelError } from '../../../functions/models/model-errors.ts'
import type { ModelMessage, ModelRound, ModelTool } from '../../../functions/models/model.ts'
import { openModel, type OpenModelSettings } from '../../../functions/models/open-model.ts'
import { openModelServer } from '../../../functions/platform/models/model-server.ts'
import {
  fetchServerModels,
  findUnlisted,
  type ServerModels,
} from '../../../functions/platform/models/server-models.ts'
import { ok, problem, warning, type Finding } from './finding.ts'
import type { DoctorInput } from './stacks.ts'

/** A reasoning model may take some time for one word. */
const callMs = 60_000

const reportReady: ModelTool = {
  type: 'function',
  function: {
    name: 'report_ready',
    description: 'Reports that the model is ready. Call it whenever a user asks whether you are ready.',
    parameters: { type: 'object', properties: {} },
  },
}

type Target = Pick<DoctorInput, 'config' | 'region'>

/**
 * Has a conversation with each model, as replies do: it is streamed, calls a tool, and gets the result back. Bedrock is called with the
 * operator's credentials; other servers with OPENAI_API_KEY and MODEL_HEADERS, since no secret is read, or without a key if they want none.
 */
export async function checkModelCalls({ config, region }: Target): Promise<Finding[]> {
  const key = process.env['OPENAI_API_KEY'] ?? ''
  const isBedrock = config.modelServer === 'bedrock'
  const headers = process.env['MODEL_HEADERS']
  const {
    baseUrl,
    api: addressApi,
    fetch: send,
  } = openModelServer({
    address: config.openaiBaseUrl,
    readHeaders: headers ? async () => parseHeaders(headers) : undefined,
  })
  if (!isBedrock && key === '' && baseUrl === undefined) return [notCalled]
  // where Lambda puts the functions' credentials
  if (isBedrock) process.env['AWS_REGION'] = region
  const server = isBedrock ? undefined : fetchServerModels({ baseUrl, key, send }).catch(() => undefined)
  // where the operator names none, the first that the server lists is the default
  const models =
    config.openaiModel === undefined ? ((await server)?.chatModels ?? []).slice(0, 1) : config.models
  if (models.length === 0)
    return [
      warning(
        'no model is named, and its server does not list any here.',
        'The server may be reachable from AWS only. If it has no list, name a model: openaiModel.',
      ),
    ]
  const findings = await Promise.all(
    models.map(async ({ id, api, maxOutputTokens }) => {
      const call = {
        model: id,
        api: api ?? config.modelApi ?? addressApi ?? 'auto',
        maxOutputTokens,
        silenceSeconds: config.modelSilenceSeconds,
        server: config.modelServer,
        baseUrl,
        fetch: send,
        readKey: async () => key,
      } as const
      const finding = await callModel(id, call).catch((error: unknown) =>
        explainModelError(id, error, { hasKey: isBedrock || key !== '' }),
      )
      return addListed(finding, id, await server)
    }),
  )
  // one line for all of them
  return findings.every((finding) => finding === notCalled) ? [notCalled] : findings
}

const notCalled = ok('none is called: that takes the key of the model in OPENAI_API_KEY.')

/** How many names of other models a finding has. */
const maxListed = 8

/** Says that the server does not list the model, and what it lists if the model does not answer. */
function addListed(finding: Finding, id: string, server: ServerModels | undefined): Finding {
  if (!server || findUnlisted([id], server).length === 0) return finding
  if (finding.level === 'ok') return { ...finding, found: `${finding.found} Its server does not list it.` }
  const names = server.ids.slice(0, maxListed).join(', ')
  const others = server.ids.length > maxListed ? `${names} and ${server.ids.length - maxListed} more` : names
  return { ...finding, next: `${finding.next ?? ''} Its server lists ${others}.`.trim() }
}

/** @throws ModelError */
async function callModel(id: string, settings: OpenModelSettings): Promise<Finding> {
  const model = openModel(settings)
  let omitsTools = false
  const ask = (messages: ModelMessage[]) =>
    model.complete({
      messages,
      tools: [reportReady],
      signal: AbortSignal.timeout(callMs),
      onText: () => undefined,
      onOmit: (omission) => {
        omitsTools ||= omission === 'tools'
      },
    })
  const takesNone = () =>
    warning(
      `${id} answers, and takes no tools: replies cannot use integrations, files or images.`,
      'Choose a model with tools, or the API that it takes tools over (modelApi).',
    )
  const messages: ModelMessage[] = [{ role: 'user', content: 'Are you ready?' }]
  const round = await ask(messages)
  if (omitsTools) return takesNone()
  if (round.toolCalls.length === 0)
    return warning(
      `${id} answers and takes tools, but did not call the one that it was asked to call.`,
      'Run npm run doctor again. If it never calls tools, choose another model.',
    )
  messages.push(
    toAssistantMessage(round),
    ...round.toolCalls.map((call): ModelMessage => ({
      role: 'tool',
      tool_call_id: call.id,
      content: '{"ready":true}',
    })),
  )
  try {
    await ask(messages)
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    return problem(
      `${id} calls tools, and then does not answer: ${error.rejection?.message ?? error.message}`,
      'Replies that use tools would fail. Choose another model, or another API (modelApi).',
    )
  }
  return omitsTools ? takesNone() : ok(`${id} answers, calls tools and takes their results.`)
}

/** What the model wrote, as the next request of a reply repeats it. */
const toAssistantMessage = ({ text, toolCalls, answer }: ModelRound): ModelMessage => ({
  role: 'assistant',
  content: text || null,
  tool_calls: toolCalls.map(({ id, name, arguments: args }) => ({
    id,
    type: 'function',
    function: { name, arguments: args },
  })),
  ...(answer && { answer }),
})

function explainModelError(id: string, error: unknown, { hasKey }: { hasKey: boolean }): Finding {
  const errorText = error instanceof ModelError ? (error.rejection?.message ?? error.message) : String(error)
  const found = `${id} does not answer: ${errorText}`
  const code = error instanceof ModelError ? error.code : ''
  if (!hasKey && code === modelErrors.key.code) return notCalled
  if (!hasKey && code === modelErrors.unreachable.code)
    return warning(found, 'The server may be reachable from AWS only. Otherwise check openaiBaseUrl.')
  if (code === modelErrors.busy.code) return warning(found, 'Run npm run doctor again in a minute.')
  // the function has its own role, which gets the permission
  if (errorText.includes('not authorized to perform'))
    return warning(
      found,
      'These credentials may not call it; the function’s role will be allowed to. Grant bedrock:InvokeModelWithResponseStream to check it here.',
    )
  return problem(found, advice[code] ?? 'Correct the settings of the model; docs/models.md explains them.')
}

const advice: Readonly<Record<string, string>> = {
  [modelErrors.unknownModel.code]:
    'Correct openaiModel or models; on Bedrock, see the model’s page for the ids of its regions.',
  [modelErrors.notModelServer.code]:
    'Correct openaiBaseUrl: it ends with /v1 for most servers. docs/models.md explains it.',
  [modelErrors.noCredit.code]: 'Add credit to the account of the key.',
  [modelErrors.region.code]: 'Choose a server that serves this region.',
  [modelErrors.retired.code]: 'Choose another model: this one has been shut down.',
  [modelErrors.unreachable.code]:
    'Check the address, the region and the network, then run npm run doctor again.',
  [modelErrors.key.code]: 'Use the right key.',
  [modelErrors.notPermitted.code]:
    'Use the right AWS credentials, and enable the model’s access in the console of Amazon Bedrock.',
}
