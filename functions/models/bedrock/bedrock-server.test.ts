import { describe, expect, it, vi } from 'vitest'
import type { ModelApi } from '../model.ts'
import { bedrockSettings } from './bedrock-server.ts'

// https://docs.aws.amazon.com/bedrock/latest/userguide/inference-responses-api.html, …/inference-messages-api.html
describe('Amazon Bedrock', () => {
  it.each<[ModelApi, string | undefined, string | undefined, string]>([
    ['responses', 'eu-west-1', undefined, 'https://bedrock-runtime.eu-west-1.amazonaws.com/openai/v1'],
    ['chat', 'eu-west-1', undefined, 'https://bedrock-runtime.eu-west-1.amazonaws.com/openai/v1'],
    ['messages', 'eu-west-1', undefined, 'https://bedrock-runtime.eu-west-1.amazonaws.com/anthropic'],
    ['messages', undefined, undefined, 'https://bedrock-runtime.us-east-1.amazonaws.com/anthropic'],
    ['chat', 'eu-west-1', 'http://127.0.0.1:4000/', 'http://127.0.0.1:4000/openai/v1'],
  ])('is asked over %s in the region %s, with the endpoint %s, at %s', async (api, region, endpoint, url) => {
    vi.stubEnv('AWS_REGION', region)
    vi.stubEnv('AWS_ENDPOINT_URL_BEDROCK_RUNTIME', endpoint)
    const { baseUrl, readKey } = bedrockSettings(api)
    expect(baseUrl).toBe(url)
    // the function's role signs instead
    expect(await readKey()).toBe('')
  })

  it('gets requests with a signature of the function’s role, and no other server does', async () => {
    vi.stubEnv('AWS_REGION', 'eu-west-1')
    vi.stubEnv('AWS_ENDPOINT_URL_BEDROCK_RUNTIME', undefined)
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIAEXAMPLE')
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret')
    const sent: string[] = []
    vi.stubGlobal('fetch', async (_: unknown, { headers }: { headers: Record<string, string> }) => {
      sent.push(headers['authorization'] ?? '')
      return new Response('ok')
    })
    const { baseUrl, fetch: send = fetch } = bedrockSettings('chat')
    expect(await (await send(`${baseUrl}/x`, { method: 'POST', body: '{}' })).text()).toBe('ok')
    expect(sent).toEqual([
      expect.stringMatching(
        /^AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE\/\d{8}\/eu-west-1\/bedrock\/aws4_request, /,
      ),
    ])
    await expect(send('https://example.org/x')).rejects.toThrow('bedrock-runtime.eu-west-1')
  })
})
