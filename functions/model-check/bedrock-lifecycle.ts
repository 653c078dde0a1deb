import { defaultProvider } from '@aws-sdk/credential-provider-node'
import * as z from 'zod'
import { findFoundationModel } from '#shared/bedrock-models.ts'
import { bedrockFetch } from '../models/bedrock/bedrock-fetch.ts'
import { readCapped } from '../platform/net/read-capped.ts'

const timeoutMs = 10_000
const maxBytes = 256 * 1024

/** @see https://docs.aws.amazon.com/bedrock/latest/APIReference/API_GetFoundationModel.html; read on 2026-11-21 */
const modelResponse = z.object({
  modelDetails: z.object({
    modelLifecycle: z.object({ endOfLifeTime: z.iso.datetime({ offset: true }).optional() }).optional(),
  }),
})

interface BedrockControlPlane {
  region: string
  /** of Bedrock's control plane, without a path; by default that of the region */
  endpoint?: string
  credentials?: Parameters<typeof bedrockFetch>[0]['credentials']
}

/**
 * Asks Amazon Bedrock until when the models can be used. Models that it does not list in this region, and profiles of an application's own,
 * are left out.
 * @param ids as they are configured: of models or inference profiles, or their ARNs
 * @returns YYYY-MM-DD by configured id, for the models whose end is announced
 * @throws Error when Bedrock refuses or does not answer
 */
export async function fetchEndOfLife(
  ids: readonly string[],
  {
    region,
    endpoint = `https://bedrock.${region}.amazonaws.com`,
    credentials = defaultProvider(),
  }: BedrockControlPlane,
): Promise<Map<string, string>> {
  const send = bedrockFetch({ origin: new URL(endpoint).origin, region, credentials })
  const dates = new Map<string, string>()
  for (const id of new Set(ids)) {
    const model = findFoundationModel(id)
    const date = model === undefined ? undefined : await fetchDate(model)
    if (date !== undefined) dates.set(id, date)
  }
  return dates

  async function fetchDate(model: string): Promise<string | undefined> {
    const response = await send(`${endpoint}/foundation-models/${encodeURIComponent(model)}`, {
      signal: AbortSignal.timeout(timeoutMs),
    })
    const bytes = await readCapped(
      response,
      maxBytes,
      () => new Error('the answer about a model is too large'),
    )
    // a model that other regions have is called through a profile
    if (response.status === 404) return undefined
    const text = new TextDecoder().decode(bytes)
    if (!response.ok)
      throw new Error(
        `the request for the end of ${model} was answered with ${response.status}: ${text.slice(0, 300)}`,
      )
    const { modelDetails } = modelResponse.parse(JSON.parse(text))
    return modelDetails.modelLifecycle?.endOfLifeTime?.slice(0, 10)
  }
}
