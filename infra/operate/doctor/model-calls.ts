import { modelErrors, ModelError } from '../../../functions/chat/model/model-errors.ts'
import type { ModelTool } from '../../../functions/chat/model/model.ts'
import { openModel } from '../../../functions/chat/model/open-model.ts'
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
 * Calls each model once, as replies do: with a tool, streamed. Bedrock is called with the operator's credentials; other servers
 * with OPENAI_API_KEY, since no secret is read.
 */
export async function checkModelCalls({ config, region }: Target): Promise<Finding[]> {
  const key = process.env['OPENAI_API_KEY'] ?? ''
  const isBedrock = config.modelServer === 'bedrock'
  if (!isBedrock && key === '')
    return [ok('none is called: that takes the key of the model in OPENAI_API_KEY.')]
  // where Lambda puts the functions' credentials
  if (isBedrock) process.env['AWS_REGION'] = region
  return Promise.all(
    config.models.map(({ id, api, maxOutputTokens }) =>
      callModel(id, {
        model: id,
        api: api ?? config.modelApi ?? 'auto',
        maxOutputTokens,
        server: config.modelServer,
        baseUrl: config.openaiBaseUrl,
        readKey: async () => key,
      }),
    ),
  )
}

async function callModel(id: string, settings: Parameters<typeof openModel>[0]): Promise<Finding> {
  let omitsTools = false
  try {
    const { toolCalls } = await openModel(settings).complete({
      messages: [{ role: 'user', content: 'Are you ready?' }],
      tools: [reportReady],
      signal: AbortSignal.timeout(callMs),
      onText: () => undefined,
      onOmit: (omission) => {
        omitsTools ||= omission === 'tools'
      },
    })
    if (omitsTools)
      return warning(
        `${id} answers, and takes no tools: replies cannot use integrations, files or images.`,
        'Choose a model with tools, or the API that it takes tools over (modelApi).',
      )
    return ok(toolCalls.length > 0 ? `${id} answers and calls tools.` : `${id} answers, and takes tools.`)
  } catch (error) {
    return explainModelError(id, error)
  }
}

function explainModelError(id: string, error: unknown): Finding {
  const errorText = error instanceof ModelError ? (error.rejection?.message ?? error.message) : String(error)
  const found = `${id} does not answer: ${errorText}`
  const code = error instanceof ModelError ? error.code : ''
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
  [modelErrors.retired.code]: 'Choose another model: this one has been shut down.',
  [modelErrors.unreachable.code]:
    'Check the address, the region and the network, then run npm run doctor again.',
  [modelErrors.key.code]: 'Use the right key.',
  [modelErrors.notPermitted.code]:
    'Use the right AWS credentials, and enable the model’s access in the console of Amazon Bedrock.',
}
