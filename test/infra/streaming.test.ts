import { describe, expect, it } from 'vitest'
import { streamHeartbeatMs, streamSilenceMs } from '#shared/limits.ts'
import { apiFunctions } from '#shared/routes.ts'
import { keepAliveAfterMs } from '../../functions/conversations/replies/reply-response.ts'
import { deadlineMarginMs } from '../../functions/conversations/store/liveness.ts'
import { synthesise } from './synthesised.ts'

const app = synthesise()

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/response-transfer-mode.html: idle time-out of a regional API, longest stream */
const gatewayIdleMs = 5 * 60_000
const gatewayLongestMs = 15 * 60_000
/** How long API Gateway waits for a buffered response without a raised quota. */
const gatewayBufferedMs = 29_000
/** Lambda's time to start a function, before the handler's own clock starts. */
const startMs = 10_000

const streamingIds = Object.entries(apiFunctions)
  .filter(([, { streaming }]) => streaming)
  .map(([name]) => name.charAt(0).toUpperCase() + name.slice(1))

const timeoutMs = (id: string) =>
  Number(app.named('api', 'AWS::Lambda::Function', id).Properties['Timeout']) * 1_000

/** The gateway's integrations, with the function behind each. */
const integrations = app.resources('api', 'AWS::ApiGateway::Method').map(({ Properties }) => {
  const integration = Properties['Integration'] as Record<string, unknown>
  return {
    id: /api\/(\w+)\.Arn/.exec(String(integration['Uri']))?.[1] ?? '',
    isStreaming: integration['ResponseTransferMode'] === 'STREAM',
    timeoutMs: Number(integration['TimeoutInMillis']),
  }
})

const { Origins } = app.named('web', 'AWS::CloudFront::Distribution', 'Distribution').Properties[
  'DistributionConfig'
] as {
  Origins: { CustomOriginConfig?: { OriginReadTimeout?: number }; ResponseCompletionTimeout?: number }[]
}
const gatewayOrigins = Origins.filter(({ CustomOriginConfig }) => CustomOriginConfig !== undefined)
const readTimeoutMs = Number(gatewayOrigins[0]?.CustomOriginConfig?.OriginReadTimeout) * 1_000

describe('INFRA-08 the timeouts along a streamed reply fit together', () => {
  it('the gateway is the only way in, and regional: an edge-optimised one closes after 30 idle seconds', () => {
    expect(gatewayOrigins).toHaveLength(1)
    expect(app.only('api', 'AWS::ApiGateway::RestApi').Properties['EndpointConfiguration']).toEqual({
      Types: ['REGIONAL'],
    })
  })

  it('an idle stream sends two heartbeats before the browser, CloudFront or the gateway times out', () => {
    expect(2 * streamHeartbeatMs).toBeLessThan(streamSilenceMs)
    expect(streamSilenceMs).toBeLessThan(readTimeoutMs)
    expect(readTimeoutMs).toBeLessThan(gatewayIdleMs)
  })

  it('slow JSON starts before CloudFront stops waiting for the first byte', () => {
    expect(startMs + keepAliveAfterMs + streamHeartbeatMs).toBeLessThan(readTimeoutMs)
  })

  it('a reply ends before function and gateway time out, so that the page can continue it', () => {
    const replyMs = timeoutMs('Chat') - deadlineMarginMs
    const chat = integrations.filter(({ id }) => id === 'Chat')
    expect(chat.length).toBeGreaterThan(0)
    for (const gateway of chat) expect(startMs + replyMs).toBeLessThanOrEqual(gateway.timeoutMs)
  })

  it('no streaming function outlives the timeout of the gateway or CloudFront', () => {
    const streamingIntegrations = integrations.filter(({ isStreaming }) => isStreaming)
    expect(new Set(streamingIntegrations.map(({ id }) => id))).toEqual(new Set(streamingIds))
    for (const { id, timeoutMs: gatewayMs } of streamingIntegrations) {
      expect(timeoutMs(id)).toBeLessThanOrEqual(gatewayMs)
      expect(gatewayMs).toBeLessThanOrEqual(gatewayLongestMs)
    }
    // no limit for the whole response
    for (const origin of gatewayOrigins) expect(origin).not.toHaveProperty('ResponseCompletionTimeout')
  })

  it('the gateway times out a buffered response, in the product’s own words, before CloudFront does', () => {
    const bufferedIntegrations = integrations.filter(({ isStreaming }) => !isStreaming)
    expect(bufferedIntegrations.length).toBeGreaterThan(10)
    for (const gateway of bufferedIntegrations) {
      expect(gateway.timeoutMs).toBeLessThanOrEqual(gatewayBufferedMs)
      expect(gateway.timeoutMs).toBeLessThan(readTimeoutMs)
    }
  })
})
